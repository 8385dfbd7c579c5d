import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { groupOfTable, type TableGroup } from '../composition/table-groups.ts';

/** What a table takes in the file, with its indexes. */
export interface TableSize {
  readonly table: string;
  readonly group: TableGroup;
  /** The read model; undefined if it is none. */
  readonly projection: string | undefined;
  /** Undefined where SQLite does not number the rows. */
  readonly rows: number | undefined;
  readonly bytes: number;
}

interface Tree {
  readonly name: string;
  readonly table: string;
}

/**
 * Measures the tables of a database, tree by tree: each is one read of one snapshot, so that no writer waits and the
 * write-ahead file can be emptied in between.
 * @param except a tree that is not walked
 * @param onTree called with the bytes of each tree
 */
export async function measureTables(
  database: SqliteDatabase,
  except: string,
  onTree: (bytes: number) => void,
): Promise<readonly TableSize[]> {
  const trees = database
    .prepare(`SELECT name, tbl_name AS 'table' FROM sqlite_schema WHERE rootpage > 0 AND name <> ?`)
    .all([except]) as Tree[];
  // The cells of the leaves of a table that has row numbers are its rows.
  const measure = database
    .prepare("SELECT sum(pgsize), sum(CASE WHEN pagetype = 'leaf' THEN ncell END) FROM dbstat WHERE name = ?")
    .raw();
  const projections = projectionsOf(database);
  const sizes = new Map<string, TableSize>();
  for (const { name, table } of [{ name: 'sqlite_schema', table: 'sqlite_schema' }, ...trees]) {
    // A read model that was rebuilt meanwhile has gone.
    const [bytes, cells] = measure.get([name]) as [number | null, number | null];
    if (bytes === null) continue;
    onTree(bytes);
    const sum = sizes.get(table);
    const side = /^(doc_.*_\d+)_by_\d+$/.exec(table)?.[1];
    sizes.set(table, {
      table,
      group: groupOfTable(table),
      projection: projections.get(side ?? table),
      rows: name === table && side === undefined ? (cells ?? 0) : sum?.rows,
      bytes: (sum?.bytes ?? 0) + bytes,
    });
    await yieldToEventLoop();
  }
  return [...sizes.values()];
}

/** The names of the read models, by the table of their documents. */
function projectionsOf(database: SqliteDatabase): ReadonlyMap<string, string> {
  const builds = database.prepare('SELECT id, projection FROM projection_builds').all() as {
    readonly id: number;
    readonly projection: string;
  }[];
  return new Map(
    builds.map(({ id, projection }) => [`doc_${projection.replace(/[^A-Za-z0-9_]/g, '_')}_${id}`, projection]),
  );
}
