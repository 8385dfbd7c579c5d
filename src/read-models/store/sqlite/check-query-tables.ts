import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import type { SqliteDatabase } from '../../../platform/sqlite/sqlite-database.ts';
import { type DocumentLayout, encodeDocument } from '../document-layout.ts';
import { column, type GenerationTables, generationTables } from './sqlite-tables.ts';

interface QueryTablesCheck {
  readonly documents: number;
  /** The first thing that is wrong; null: nothing. */
  readonly damage: string | null;
}

const PAGE = 500;

/**
 * Compares what queries go by, the columns of the active generation and the tables of its members, with the documents
 * themselves. A server may run meanwhile: each comparison is one statement.
 * @returns undefined if there is no active generation, or its columns are those of another version of the projection
 * @param pause called between pages
 */
export async function checkQueryTables(
  database: SqliteDatabase,
  projection: Projection,
  pause: (documents: number) => Promise<void>,
): Promise<QueryTablesCheck | undefined> {
  const active = database
    .prepare('SELECT id, layout FROM projection_builds WHERE projection = ? AND active = 1')
    .raw()
    .get([projection.name]) as [number, string] | undefined;
  if (!active) return undefined;
  const layout = JSON.parse(active[1]) as DocumentLayout;
  if (Object.keys(layout.fields).join() !== Object.keys(projection.fields).join()) return undefined;
  const tables = generationTables(projection.name, active[0], layout);
  for (const side of tables.sideTables) {
    if (hasOtherMembers(database, tables, side))
      return { documents: 0, damage: `${side.table} has other rows than its documents` };
  }
  return checkColumns(database, projection, tables, pause);
}

function hasOtherMembers(
  database: SqliteDatabase,
  { documents }: GenerationTables,
  { table, many, fields }: GenerationTables['sideTables'][number],
): boolean {
  const others = [...fields.filter((field) => field !== many).map(column), 'id', 'key'];
  const stored = `SELECT doc, n, value, ${others.join(', ')} FROM ${table}`;
  const wanted = `SELECT d.doc, member.key, member.value, ${others.map((one) => `d.${one}`).join(', ')}
    FROM ${documents} d, json_each(d.${column(many)}) AS member`;
  const sql = `SELECT EXISTS (${stored} EXCEPT ${wanted}) OR EXISTS (${wanted} EXCEPT ${stored})`;
  return (database.prepare(sql).raw().get() as [number])[0] === 1;
}

async function checkColumns(
  database: SqliteDatabase,
  projection: Projection,
  { documents: table, layout }: GenerationTables,
  pause: (documents: number) => Promise<void>,
): Promise<QueryTablesCheck> {
  const columns = ['doc', 'key', 'id', 'body', ...Object.keys(layout.fields).map(column)];
  const page = database
    .prepare(`SELECT ${columns.join(', ')} FROM ${table} WHERE doc > ? ORDER BY doc LIMIT ${PAGE}`)
    .raw();
  let documents = 0;
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = page.all([after]) as [number, string, number | null, string, ...unknown[]][];
    for (const [doc, key, id, body, ...stored] of rows) {
      after = doc;
      documents++;
      if (!isOfDocument(projection, key, id, body, stored))
        return { documents, damage: `the columns of ${key} in ${table} are not those of its document` };
    }
    if (rows.length < PAGE) return { documents, damage: null };
    await pause(documents);
  }
}

function isOfDocument(
  projection: Projection,
  key: string,
  id: number | null,
  body: string,
  stored: readonly unknown[],
) {
  try {
    const wanted = encodeDocument(projection, key, JSON.parse(body));
    return (
      wanted.id === id &&
      wanted.values.every((value, index) => {
        const text = Array.isArray(value) ? (value.length === 0 ? null : JSON.stringify(value)) : value;
        return Object.is(text, stored[index]) || text === stored[index];
      })
    );
  } catch {
    return false;
  }
}
