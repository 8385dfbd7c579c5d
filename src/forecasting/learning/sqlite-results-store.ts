import type { StoredRename } from '../../platform/sql/stored-rename.ts';
import { renameStored } from '../../platform/sqlite/schema-renames.ts';
import { inImmediateTransaction, type SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import type { ResultsQuery, ResultsStore } from './results-store.ts';

/** `forecast_results_up_to` has only one row. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS forecast_results (
    event_id INTEGER PRIMARY KEY, learnt TEXT NOT NULL, league TEXT NOT NULL, last_at INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS forecast_results_of_league ON forecast_results (league, last_at);
  CREATE TABLE IF NOT EXISTS forecast_results_up_to (id INTEGER PRIMARY KEY, basis TEXT NOT NULL, places TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS forecast_memories (league TEXT PRIMARY KEY, packed BLOB NOT NULL)`;

/** The names that earlier versions stored. */
export const RESULTS_RENAMES: readonly StoredRename[] = [
  { from: 'learnt_results', to: 'forecast_results' },
  { from: 'learnt_up_to', to: 'forecast_results_up_to' },
];

type UpToRow = [basis: string, places: string];
/** Rows of `json_each`: id, results, league, last moment. */
const ROWS = 'json_each(?) WHERE value ->> 1 IS';

/** Earlier versions had no leagues in their rows: these are read from the log again. */
function dropEarlierTable(database: SqliteDatabase): void {
  const columns = database.prepare("SELECT name FROM pragma_table_info('forecast_results')").raw().all().flat();
  if (columns.length > 0 && !columns.includes('league')) database.exec('DROP TABLE forecast_results');
}

/** @param database `synchronous = normal` is enough, because lost results are read from the log again */
export function openSqliteResultsStore(database: SqliteDatabase): ResultsStore {
  renameStored(database, RESULTS_RENAMES);
  dropEarlierTable(database);
  database.exec(TABLES);
  const raw = (sql: string) => database.prepare(sql).raw();
  const selectUpTo = raw('SELECT basis, places FROM forecast_results_up_to');
  const upsertUpTo = database.prepare(
    'INSERT OR REPLACE INTO forecast_results_up_to (id, basis, places) VALUES (1, ?, ?)',
  );
  const selectLeagues = raw('SELECT DISTINCT league FROM forecast_results ORDER BY league');
  const page = (columns: string) =>
    raw(
      `SELECT ${columns} FROM forecast_results WHERE league = ? AND last_at >= ? AND last_at < ?
         AND (last_at, event_id) > (?, ?) ORDER BY last_at, event_id LIMIT ?`,
    );
  const selectPage = page('event_id, last_at, learnt');
  const selectIds = page('event_id, last_at');
  const given = ({ league, from, before, after, limit }: ResultsQuery) => {
    // The index is entered where the page before ended.
    const within = [Math.max(from, after?.lastAt ?? from), before].map((time) =>
      Math.min(MAX_TIME, Math.max(-MAX_TIME, time)),
    );
    return [league, ...within, after?.lastAt ?? -MAX_TIME, after?.id ?? 0, limit];
  };
  const selectMemory = raw('SELECT packed FROM forecast_memories WHERE league = ?');
  const upsertMemory = database.prepare('INSERT OR REPLACE INTO forecast_memories (league, packed) VALUES (?, ?)');
  const removeMemory = database.prepare('DELETE FROM forecast_memories WHERE league = ?');
  // One statement for all rows: calls into the driver cost more than the rows.
  const upsert = database.prepare(
    `INSERT OR REPLACE INTO forecast_results (event_id, learnt, league, last_at)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM ${ROWS} NOT NULL`,
  );
  const remove = database.prepare(
    `DELETE FROM forecast_results WHERE event_id IN (SELECT value ->> 0 FROM ${ROWS} NULL)`,
  );
  return {
    async readSavedUpTo() {
      const row = selectUpTo.get([]) as UpToRow | undefined;
      if (!row) return null;
      const places = JSON.parse(row[1]) as [string, string][];
      return { basis: row[0], places: new Map(places.map(([partition, place]) => [partition, BigInt(place)])) };
    },
    listLeagues: async () => selectLeagues.all([]).flat() as string[],
    async readPage(query) {
      const rows = selectPage.all(given(query)) as [number, number, string][];
      return rows.map(([id, lastAt, learnt]) => ({ id, lastAt, learnt, league: query.league }));
    },
    async readIds(query) {
      const rows = selectIds.all(given(query)) as [number, number][];
      return rows.map(([id, lastAt]) => ({ id, lastAt }));
    },
    readMemory: async (league) => (selectMemory.get([league]) as [Uint8Array] | undefined)?.[0] ?? null,
    async save(events, upTo, memories = new Map()) {
      const rows = JSON.stringify(events.map(({ id, learnt, league, lastAt }) => [id, learnt, league, lastAt]));
      inImmediateTransaction(database, () => {
        upsert.run([rows]);
        remove.run([rows]);
        for (const [league, packed] of memories) {
          if (packed === null) removeMemory.run([league]);
          else upsertMemory.run([league, Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)]);
        }
        if (!upTo) return;
        const places = [...upTo.places].map(([partition, place]) => [partition, String(place)]);
        upsertUpTo.run([upTo.basis, JSON.stringify(places)]);
      });
    },
    async clear() {
      inImmediateTransaction(database, () =>
        database.exec(
          'DELETE FROM forecast_results_up_to; DELETE FROM forecast_memories; DELETE FROM forecast_results',
        ),
      );
    },
  };
}

/** Moments are milliseconds: larger numbers stand for any time. */
const MAX_TIME = Number.MAX_SAFE_INTEGER;
