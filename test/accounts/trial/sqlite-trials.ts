import { createBillingTables } from '../../../src/accounts/billing/sql/billing-tables.ts';
import { createSqliteKeys } from '../../../src/accounts/keys/sql-keys.ts';
import { SQLITE } from '../../../src/platform/sql/dialects.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createSqliteRunner } from '../../../src/platform/sqlite/sqlite-runner.ts';
import { openRegistry } from '../../../src/server/composition/registry.ts';
import type { TrialsContract } from './trials.contract.ts';
import type { TrialStore } from './trials-world.ts';

/** A registry in an SQLite file. @param file of a new one */
export async function sqliteTrials(file: string): Promise<TrialsContract> {
  const opened: { destroy(): Promise<void> }[] = [];
  async function open(): Promise<TrialStore> {
    const connection = openSqliteDatabase({ file, synchronous: 'normal' });
    const database = await openRegistry(connection);
    await createBillingTables(database);
    opened.push(database);
    return { database, runner: createSqliteRunner(connection), dialect: SQLITE, keys: createSqliteKeys(database) };
  }
  return {
    store: open,
    another: open,
    close: async () => void (await Promise.all(opened.map((one) => one.destroy()))),
  };
}
