import { databaseFile } from '../../platform/data-folder/folder-paths.ts';
import type { Config } from '../../platform/settings/config.ts';
import { hasChecksums } from '../../platform/sqlite/checksums.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { columnsOf, sumRows } from '../../platform/sqlite/table-checksums.ts';
import { isDerived } from '../backup/derived-tables.ts';
import { FOLDER_RENAMES } from '../embedded/folder-renames.ts';
import { type FolderSchema, readSchema } from './folder-schema.ts';
import { migrateFolder } from './migrate-folder.ts';
import { planUndo, undo } from './undo-plan.ts';
import { countTables, findTableLoss } from './verify-tables.ts';

interface Trial {
  /** The tables after the migrations. */
  readonly schema: FolderSchema;
  /** Of the migrations alone. */
  readonly seconds: number;
  /** Why the folder cannot be taken back; undefined: it can. */
  readonly problem: string | undefined;
  /** What the update would find wrong with the migrated tables; undefined: nothing. */
  readonly loss: string | undefined;
}

/**
 * Migrates a copy, and takes it back.
 * @param config its `dataDir` is the copy, which is changed
 * @throws what the migrations throw
 */
export async function tryMigrations(
  config: Pick<Config, 'dataDir' | 'keyPepper' | 'sessionSecret' | 'acceptClock'>,
): Promise<Trial> {
  const file = databaseFile(config.dataDir);
  const before = inDatabase(file, stateOf);
  const begun = performance.now();
  await migrateFolder(config);
  const seconds = (performance.now() - begun) / 1000;
  return inDatabase(file, (database) => {
    const schema = readSchema(database);
    const loss = findTableLoss(database, before.rows);
    const plan = planUndo(schema, before.schema, FOLDER_RENAMES);
    return { schema, seconds, loss, problem: plan.problem ?? tryUndo(database, plan, before) };
  });
}

function tryUndo(database: SqliteDatabase, plan: ReturnType<typeof planUndo>, before: State): string | undefined {
  try {
    undo(database, plan, before.hasChecksums);
  } catch (error) {
    return (error as Error).message;
  }
  const after = stateOf(database);
  const changed = Object.keys(before.sums).find((table) => before.sums[table] !== after.sums[table]);
  return changed && `rows of ${changed} would not be as they were`;
}

type State = ReturnType<typeof stateOf>;

function stateOf(database: SqliteDatabase) {
  const schema = readSchema(database);
  const sums = Object.keys(schema.tables)
    .filter((table) => !isDerived(table))
    .map((table) => [table, JSON.stringify(sumRows(database, table, columnsOf(database, table)))]);
  return {
    schema,
    rows: countTables(database, schema),
    hasChecksums: hasChecksums(database),
    sums: Object.fromEntries(sums) as Readonly<Record<string, string>>,
  };
}

function inDatabase<T>(file: string, work: (database: SqliteDatabase) => T): T {
  const database = openSqliteDatabase({ file, mustExist: true });
  try {
    return work(database);
  } finally {
    database.close();
  }
}
