import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  openSqliteDatabase,
  type SqliteDatabase,
  watchDiskErrors,
} from '../../../src/platform/sqlite/sqlite-database.ts';
import { createWalReading, walPathOf } from '../../../src/platform/sqlite/wal-reading.ts';

let folder: string;
let file: string;
let database: SqliteDatabase | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'll-wal-'));
  file = join(folder, 'a.db');
});
afterEach(() => {
  database?.close();
  database = undefined;
  rmSync(folder, { recursive: true });
});

it('given no write-ahead file, or an empty one, then there is nothing to read', () => {
  const reading = createWalReading(file);
  expect(reading.readNew).not.toThrow();
  reading.close();
});

it('given commits, checkpoints and a file that begins anew, then each frame is read once, whatever the page size', () => {
  for (const pageBytes of [512, 4096, 65_536]) {
    database = openSqliteDatabase({ file: join(folder, `${pageBytes}.db`), pageBytes });
    const reading = createWalReading(join(folder, `${pageBytes}.db`));
    database.exec('CREATE TABLE t (v TEXT)');
    const insert = database.prepare('INSERT INTO t (v) VALUES (?)');
    const frames = () => (database!.prepare('PRAGMA wal_checkpoint(PASSIVE)').raw().get() as number[])[1]!;
    for (let round = 0; round < 30; round++) {
      for (let n = 0; n <= round; n++) insert.run(['x'.repeat(5000)]);
      const read = reading.readNew();
      // All was moved by the last checkpoint, so this round's commits have begun the file anew.
      expect(read).toBe(frames());
      expect(reading.readNew()).toBe(0);
    }
    reading.close();
    database.close();
    database = undefined;
  }
});

it('given a write-ahead file that cannot be read, then no one opens the database, and the error names that file', () => {
  openSqliteDatabase({ file }).close();
  mkdirSync(walPathOf(file));
  expect(() => openSqliteDatabase({ file })).toThrow(/a\.db-wal cannot be read: EISDIR/);
  const told: string[] = [];
  const watch = watchDiskErrors(({ code, message }) => void told.push(`${code} ${message}`));
  expect(() => openSqliteDatabase({ file, watch })).toThrow();
  expect(told).toEqual([expect.stringMatching(/^SQLITE_IOERR_READ .*a\.db-wal cannot be read/)]);
});
