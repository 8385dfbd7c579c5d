import { toPosition } from '../../domain/event-sourcing/position.ts';
import { inImmediateTransaction, type SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import type { StateSnapshot, StateSnapshots } from './state-snapshots.ts';

type Row = [stream: string, revision: number, position: string, version: number, state: Uint8Array];

/** @param database a connection of its own. `synchronous=NORMAL` is enough: lost snapshots are folded again. */
export function openSqliteStateSnapshots(database: SqliteDatabase): StateSnapshots {
  database.exec(
    `CREATE TABLE IF NOT EXISTS decider_states (
      stream TEXT PRIMARY KEY, revision INTEGER NOT NULL, position TEXT NOT NULL, version INTEGER NOT NULL,
      state BLOB NOT NULL
    ) WITHOUT ROWID`,
  );
  const select = database
    .prepare(
      'SELECT stream, revision, position, version, state FROM decider_states ' +
        'WHERE stream IN (SELECT value FROM json_each(?))',
    )
    .raw();
  const upsert = database.prepare(
    'INSERT OR REPLACE INTO decider_states (stream, revision, position, version, state) VALUES (?, ?, ?, ?, ?)',
  );
  return {
    async load(streams) {
      const rows = select.all([JSON.stringify(streams)]) as Row[];
      return new Map(rows.map((row): [string, StateSnapshot] => [row[0], snapshotOf(row)]));
    },
    async save(snapshots) {
      if (snapshots.length === 0) return;
      inImmediateTransaction(database, () => {
        for (const { stream, revision, position, version, state } of snapshots) {
          upsert.run([stream, revision, String(position), version, Buffer.from(state)]);
        }
      });
    },
  };
}

const snapshotOf = ([stream, revision, position, version, state]: Row): StateSnapshot => ({
  stream,
  revision,
  position: toPosition(position),
  version,
  state,
});
