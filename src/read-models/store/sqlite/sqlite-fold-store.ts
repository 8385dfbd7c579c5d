import { inImmediateTransaction, type SqliteDatabase } from '../../../platform/sqlite/sqlite-database.ts';
import { type FoldStore, MAX_STORED_BYTES } from '../fold-store.ts';

const TABLES = `
  CREATE TABLE IF NOT EXISTS stored_folds (
    name TEXT PRIMARY KEY, version TEXT NOT NULL, bytes INTEGER NOT NULL, written INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS stored_folds_written ON stored_folds (written);
  CREATE TABLE IF NOT EXISTS stored_fold_parts (
    name TEXT NOT NULL, place INTEGER NOT NULL, note TEXT NOT NULL, content BLOB NOT NULL, UNIQUE (name, place)
  );`;

/**
 * @param database a connection of its own. `synchronous=NORMAL` is enough: what is lost is made again.
 * @param maxBytes of all contents
 */
export function openSqliteFoldStore(database: SqliteDatabase, maxBytes: number = MAX_STORED_BYTES): FoldStore {
  database.exec(TABLES);
  const raw = (sql: string) => database.prepare(sql).raw();
  const list = raw(
    `SELECT place, note, length(content) FROM stored_fold_parts
      WHERE name = ? AND EXISTS (SELECT 1 FROM stored_folds WHERE name = ? AND version = ?) ORDER BY place`,
  );
  const read = raw(
    'SELECT place, content FROM stored_fold_parts WHERE name = ? AND place IN (SELECT value FROM json_each(?))',
  );
  const versionOf = raw('SELECT version FROM stored_folds WHERE name = ?');
  const removeParts = database.prepare(
    'DELETE FROM stored_fold_parts WHERE name = ? AND place IN (SELECT value FROM json_each(?))',
  );
  const removeAllParts = database.prepare('DELETE FROM stored_fold_parts WHERE name = ?');
  const removeName = database.prepare('DELETE FROM stored_folds WHERE name = ?');
  const put = database.prepare(
    'INSERT OR REPLACE INTO stored_fold_parts (name, place, note, content) VALUES (?, ?, ?, ?)',
  );
  const bytesOfParts = raw('SELECT total(length(content)), count(*) FROM stored_fold_parts WHERE name = ?');
  const note = database.prepare(
    `INSERT OR REPLACE INTO stored_folds (name, version, bytes, written)
      VALUES (?, ?, ?, (SELECT coalesce(max(written), 0) + 1 FROM stored_folds))`,
  );
  const bytesOfName = raw('SELECT bytes FROM stored_folds WHERE name = ?');
  const oldest = raw('SELECT name, bytes FROM stored_folds ORDER BY written LIMIT 1');
  let total = (raw('SELECT total(bytes) FROM stored_folds').get() as [number])[0];

  function remove(name: string): void {
    total -= (bytesOfName.get([name]) as [number] | undefined)?.[0] ?? 0;
    removeAllParts.run([name]);
    removeName.run([name]);
  }

  return {
    async list(name, version) {
      const rows = list.all([name, name, version]) as [number, string, number][];
      return rows.map(([place, noted, bytes]) => ({ place, note: noted, bytes }));
    },
    async read(name, places) {
      return new Map(read.all([name, JSON.stringify(places)]) as [number, Uint8Array][]);
    },
    async write(name, version, parts, removed) {
      const before = total;
      try {
        inImmediateTransaction(database, () => {
          const known = versionOf.get([name]) as [string] | undefined;
          if (known && known[0] !== version) remove(name);
          if (removed.length > 0) removeParts.run([name, JSON.stringify(removed)]);
          for (const { place, note: noted, content } of parts) put.run([name, place, noted, Buffer.from(content)]);
          total -= (bytesOfName.get([name]) as [number] | undefined)?.[0] ?? 0;
          const [bytes, count] = bytesOfParts.get([name]) as [number, number];
          if (count === 0) removeName.run([name]);
          else note.run([name, version, bytes]);
          total += bytes;
          while (total > maxBytes) {
            const [first] = oldest.get() as [string, number];
            remove(first);
          }
        });
      } catch (error) {
        total = before;
        throw error;
      }
    },
  };
}
