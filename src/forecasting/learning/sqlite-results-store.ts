import type { StoredRename } from '../../platform/sql/stored-rename.ts';
import { renameStored } from '../../platform/sqlite/schema-renames.ts';
import { inImmediateTransaction, type SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import type { ResultsStore, SavedEventResults } from './results-store.ts';

/** `forecast_results_up_to` has only one row. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS forecast_results (event_id INTEGER PRIMARY KEY, learnt TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS forecast_results_up_to (id INTEGER PRIMARY KEY, basis TEXT NOT NULL, places TEXT NOT NULL)`;

/** The names that earlier versions stored. */
export const RESULTS_RENAMES: readonly StoredRename[] = [
  { from: 'learnt_results', to: 'forecast_results' },
  { from: 'learnt_up_to', to: 'forecast_results_up_to' },
];

type UpToRow = [basis: string, places: string];

/** @param database `synchronous = normal` is enough, because lost results are read from the log again */
export function openSqliteResultsStore(database: SqliteDatabase): ResultsStore {
  renameStored(database, RESULTS_RENAMES);
  database.exec(TABLES);
  const selectUpTo = database.prepare('SELECT basis, places FROM forecast_results_up_to').raw();
  const upsertUpTo = database.prepare(
    'INSERT OR REPLACE INTO forecast_results_up_to (id, basis, places) VALUES (1, ?, ?)',
  );
  const selectPage = database
    .prepare('SELECT event_id, learnt FROM forecast_results WHERE event_id > ? ORDER BY event_id LIMIT ?')
    .raw();
  // One statement for all rows: calls into the driver cost more than the rows.
  const upsert = database.prepare(
    `INSERT OR REPLACE INTO forecast_results (event_id, learnt)
     SELECT value ->> 0, value ->> 1 FROM json_each(?) WHERE value ->> 1 IS NOT NULL`,
  );
  const remove = database.prepare(
    'DELETE FROM forecast_results WHERE event_id IN (SELECT value ->> 0 FROM json_each(?) WHERE value ->> 1 IS NULL)',
  );
  return {
    async readSavedUpTo() {
      const row = selectUpTo.get([]) as UpToRow | undefined;
      if (!row) return null;
      const places = JSON.parse(row[1]) as [string, string][];
      return { basis: row[0], places: new Map(places.map(([partition, place]) => [partition, BigInt(place)])) };
    },
    readPage: async (after, limit) => selectPage.all([after, limit]) as SavedEventResults[],
    async save(events, upTo) {
      const rows = JSON.stringify(events);
      inImmediateTransaction(database, () => {
        upsert.run([rows]);
        remove.run([rows]);
        if (!upTo) return;
        const places = [...upTo.places].map(([partition, place]) => [partition, String(place)]);
        upsertUpTo.run([upTo.basis, JSON.stringify(places)]);
      });
    },
    async clear() {
      inImmediateTransaction(database, () =>
        database.exec('DELETE FROM forecast_results_up_to; DELETE FROM forecast_results'),
      );
    },
  };
}
