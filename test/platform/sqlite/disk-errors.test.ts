import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { classifyDiskError } from '../../../src/platform/sqlite/disk-errors.ts';
import {
  type DatabaseWatch,
  openSqliteDatabase,
  type SqliteDatabase,
} from '../../../src/platform/sqlite/sqlite-database.ts';

let file: string;
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'ledgerline-errors-')), 'one.db');
});
afterEach(() => rmSync(join(file, '..'), { recursive: true }));

const kindOf = (code: unknown) => classifyDiskError(Object.assign(new Error('of a test'), { code }));

it('every error of the disk has a kind, an unknown one too', () => {
  const families = fc.constantFrom('IOERR', 'CORRUPT', 'CANTOPEN', 'NOTADB', 'READONLY');
  fc.assert(
    fc.property(families, fc.stringMatching(/^(_[A-Z]{1,12}){0,2}$/), (family, rest) => {
      expect(kindOf(`SQLITE_${family}${rest}`)).toBeDefined();
    }),
  );
  expect(kindOf('SQLITE_IOERR_READ')).toBe('unreadable');
  expect([kindOf('SQLITE_IOERR_FSYNC'), kindOf('SQLITE_IOERR_WRITE'), kindOf('SQLITE_FULL')]).toEqual([
    'flush',
    'write',
    'full',
  ]);
});

it.each(['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_LOCKED', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_ERROR', 'EIO', 5])(
  '%s is none',
  (code) => {
    expect(kindOf(code)).toBeUndefined();
  },
);

function filled(): void {
  const database = openSqliteDatabase({ file });
  database.exec('CREATE TABLE a (n INTEGER PRIMARY KEY, text TEXT)');
  database.exec(`WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 2000)
    INSERT INTO a SELECT n, hex(randomblob(50)) FROM c`);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

/** Overwrites every page but the first. */
function makeNoise(): void {
  const descriptor = openSync(file, 'r+');
  const { size } = statSync(file);
  writeSync(descriptor, randomBytes(size - 4096), 0, size - 4096, 4096);
  closeSync(descriptor);
}

const count = (database: SqliteDatabase) => database.prepare('SELECT count(*), sum(length(text)) FROM a').get();

it.each([
  ['pages of noise', makeNoise],
  ['no database at all', () => writeFileSync(file, 'this is a text and no database. '.repeat(1000))],
  ['only its first pages', () => truncateSync(file, 8192)],
])('a connection to a file with %s names the file and what to do, and a watch gets the error', (_, damage) => {
  filled();
  damage();
  for (const readonly of [true, false]) {
    const read = (watch?: DatabaseWatch) => {
      const database = openSqliteDatabase({ file, readonly, watch });
      try {
        return count(database);
      } finally {
        database.close();
      }
    };
    expect(() => read()).toThrow(new RegExp(`^${file}: .*verify.*backup`));
    const told: unknown[] = [];
    const watch: DatabaseWatch = {
      onFailure(error) {
        told.push(classifyDiskError(error));
        return error;
      },
      isDiskFull: false,
      onWritten() {},
    };
    expect(() => read(watch)).toThrow();
    expect(told).toEqual(['unreadable']);
  }
});

it('a file that cannot be opened is told to the watch, before anything is read', () => {
  const told: unknown[] = [];
  const watch: DatabaseWatch = {
    onFailure: (error) => {
      told.push(classifyDiskError(error));
      return error;
    },
    isDiskFull: false,
    onWritten() {},
  };
  expect(() => openSqliteDatabase({ file, mustExist: true, watch })).toThrow('unable to open');
  expect(told).toEqual(['unreadable']);
});
