import type { DocumentLayout } from '../document-layout.ts';

/**
 * The tables of one generation. The documents table has a column per field. The column of a `many` field has its
 * members as JSON. For each index with a `many` field, triggers keep a side table with a row per member, so that a
 * query by member and in some order scans one index. The triggers write it only if an indexed value has changed.
 */
export interface GenerationTables {
  readonly layout: DocumentLayout;
  readonly documents: string;
  readonly sideTables: readonly SideTable[];
}

export interface SideTable {
  readonly table: string;
  /** The `many` field. Its members are in the column `value`. */
  readonly many: string;
  /** The fields of the index in its order, including `many`. */
  readonly fields: readonly string[];
}

/** `id` makes the names unique over the life of the file, so that a prepared statement never meets another layout. */
export function generationTables(projection: string, id: number, layout: DocumentLayout): GenerationTables {
  const documents = `doc_${projection.replace(/[^A-Za-z0-9_]/g, '_')}_${id}`;
  const isMany = (field: string) => layout.fields[field] === 'many';
  const indexes = layout.indexes.filter((index) => index.some(isMany)).map((index) => [...index]);
  // A `many` field without an index of its own must be found by member too.
  for (const field of Object.keys(layout.fields).filter(isMany)) {
    if (!indexes.some((index) => index.includes(field))) indexes.push([field]);
  }
  const sideTables = indexes.map((fields, i) => ({
    table: `${documents}_by_${i}`,
    many: fields.find(isMany)!,
    fields,
  }));
  return { layout, documents, sideTables };
}

/** The column of a field. The prefix separates it from `key`, `id`, `body` and `position`. */
export function column(field: string): string {
  return `"f_${field.replaceAll('"', '""')}"`;
}

export function createTablesSql({ layout, documents, sideTables }: GenerationTables): string {
  // Columns have no type: a value keeps its own type, so that 5 and '5' are different as in every other store.
  const fields = Object.keys(layout.fields).map((field) => `${column(field)}, `);
  // `doc` is declared, since a VACUUM may change an undeclared row number. `body` is last, since reading a column after
  // it would walk through the overflow pages of a long body.
  const sql = [
    `CREATE TABLE ${documents} (doc INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, id INTEGER, position INTEGER NOT NULL,
      ${fields.join('')} body TEXT NOT NULL)`,
    `CREATE INDEX ${documents}_id ON ${documents} (id, key)`,
  ];
  layout.indexes.forEach((index, i) => {
    if (index.some((field) => layout.fields[field] === 'many')) return;
    sql.push(`CREATE INDEX ${documents}_${i} ON ${documents} (${[...index.map(column), 'id', 'key'].join(', ')})`);
  });
  for (const side of sideTables) sql.push(...createSideTableSql(documents, side));
  return sql.map((statement) => `${statement};`).join('\n');
}

function createSideTableSql(documents: string, { table, many, fields }: SideTable): string[] {
  const others = fields.filter((field) => field !== many).map(column);
  const member = column(many);
  const ordered = fields.map((field) => (field === many ? 'value' : column(field)));
  const insert = `INSERT INTO ${table} (doc, n, value, ${[...others, 'id', 'key'].join(', ')})
      SELECT new.doc, member.key, member.value, ${[...others, 'id', 'key'].map((one) => `new.${one}`).join(', ')}
      FROM json_each(new.${member}) AS member;`;
  const sql = [
    `CREATE TABLE ${table} (doc INTEGER NOT NULL, n INTEGER NOT NULL, value, ${others.map((one) => `${one}, `).join('')}
      id INTEGER, key TEXT NOT NULL, PRIMARY KEY (doc, n)) WITHOUT ROWID`,
    `CREATE INDEX ${table}_order ON ${table} (${ordered.join(', ')}, id, key)`,
    `CREATE TRIGGER ${table}_insert AFTER INSERT ON ${documents} WHEN new.${member} IS NOT NULL BEGIN
      ${insert}
    END`,
    `CREATE TRIGGER ${table}_members AFTER UPDATE OF ${member} ON ${documents}
      WHEN old.${member} IS NOT new.${member} BEGIN
      DELETE FROM ${table} WHERE doc = new.doc;
      ${insert}
    END`,
  ];
  if (others.length > 0) {
    const changed = others.map((one) => `old.${one} IS NOT new.${one}`).join(' OR ');
    sql.push(`CREATE TRIGGER ${table}_fields AFTER UPDATE OF ${others.join(', ')} ON ${documents}
      WHEN old.${member} IS new.${member} AND new.${member} IS NOT NULL AND (${changed}) BEGIN
      UPDATE ${table} SET ${others.map((one) => `${one} = new.${one}`).join(', ')} WHERE doc = new.doc;
    END`);
  }
  return sql;
}

export function dropTablesSql({ documents, sideTables }: GenerationTables): string {
  return [documents, ...sideTables.map(({ table }) => table)]
    .map((table) => `DROP TABLE IF EXISTS ${table};`)
    .join('\n');
}

/** Writes `rows` documents in one statement. The condition prevents an older write from replacing a newer document. */
export function upsertSql({ layout, documents }: GenerationTables, rows: number): string {
  const columns = ['key', 'id', 'position', ...Object.keys(layout.fields).map(column), 'body'];
  const row = `(${columns.map(() => '?').join(', ')})`;
  const set = columns.filter((name) => name !== 'key' && name !== 'id').map((name) => `${name} = excluded.${name}`);
  return `INSERT INTO ${documents} (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')}
    ON CONFLICT (key) DO UPDATE SET ${set.join(', ')} WHERE excluded.position >= position`;
}

/**
 * Deletes a document, and its rows in the side tables first: these have no trigger for it. Parameters of each statement:
 * key, position. The condition prevents an older deletion from taking a newer document.
 */
export function deleteSql({ documents, sideTables }: GenerationTables): string[] {
  const found = `FROM ${documents} WHERE key = ? AND position <= ?`;
  return [
    ...sideTables.map(({ table }) => `DELETE FROM ${table} WHERE doc IN (SELECT doc ${found})`),
    `DELETE ${found}`,
  ];
}

/**
 * Updates a document if its fields are as stored; otherwise it changes no row. Most changes of a document leave its
 * fields alone, and this update saves the work on indexes, which is most of the work. Parameters: body, position, key,
 * position, then the fields.
 */
export function updateBodySql({ layout, documents }: GenerationTables): string {
  const same = Object.keys(layout.fields).map((field) => ` AND ${column(field)} IS ?`);
  return `UPDATE ${documents} SET body = ?, position = ? WHERE key = ? AND position <= ?${same.join('')}`;
}
