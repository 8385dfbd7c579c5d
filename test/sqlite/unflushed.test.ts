import { expect, it } from 'vitest';
import { sqliteTransactions } from '../../src/sqlite/query-runner.ts';
import { openSqliteDatabase, readPragma } from '../../src/sqlite/sqlite-database.ts';
import { temporaryFolder } from '../log/temporary-folder.ts';

const folder = temporaryFolder();
const FULL = 2;
const NORMAL = 1;

it('only what may be undone waits for no disk: what comes after it, also after a failure, is flushed as before', () => {
  const database = openSqliteDatabase({ file: folder.path('flushed.db') });
  const transactions = sqliteTransactions(database);
  const level = () => Number(readPragma(database, 'synchronous'));
  expect(transactions.within(level)).toBe(FULL);
  expect(transactions.withinUnflushed(level)).toBe(NORMAL);
  expect(transactions.within(level)).toBe(FULL);
  const fail = () => {
    throw new Error('undone');
  };
  expect(() => transactions.withinUnflushed(fail)).toThrow('undone');
  expect([level(), database.inTransaction]).toEqual([FULL, false]);
  database.close();
});

it('a database that flushes nothing stays as it is', () => {
  const database = openSqliteDatabase({ file: folder.path('unflushed.db'), synchronous: 'normal' });
  const transactions = sqliteTransactions(database);
  const level = () => Number(readPragma(database, 'synchronous'));
  expect([transactions.within(level), transactions.withinUnflushed(level), level()]).toEqual([NORMAL, NORMAL, NORMAL]);
  database.close();
});
