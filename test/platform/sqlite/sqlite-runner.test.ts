import { expect, it } from 'vitest';
import { openSqliteDatabase, readPragma } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createSqliteRunner } from '../../../src/platform/sqlite/sqlite-runner.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';

const folder = temporaryFolder();
const FULL = 2;
const NORMAL = 1;
const UNFLUSHED = { isFlushed: false };

function levels(file: string, synchronous: 'full' | 'normal') {
  const database = openSqliteDatabase({ file: folder.path(file), synchronous });
  const level = () => Number(readPragma(database, 'synchronous'));
  return {
    database,
    level,
    // biome-ignore lint/correctness/useYield: it asks the connection, in a transaction without queries
    *told() {
      return level();
    },
  };
}

it('only what may be undone waits for no disk: what comes after it, also after a failure, is flushed as before', async () => {
  const { database, level, told } = levels('flushed.db', 'full');
  const runner = createSqliteRunner(database);
  expect(await runner.transact(told)).toBe(FULL);
  expect(await runner.transact(told, UNFLUSHED)).toBe(NORMAL);
  expect(await runner.transact(told)).toBe(FULL);
  // biome-ignore lint/correctness/useYield: it fails before its first step
  function* fail(): Generator<never, void> {
    throw new Error('undone');
  }
  await expect(runner.transact(fail, UNFLUSHED)).rejects.toThrow('undone');
  expect([level(), database.inTransaction]).toEqual([FULL, false]);
  database.close();
});

it('a database that flushes nothing stays as it is', async () => {
  const { database, level, told } = levels('unflushed.db', 'normal');
  const runner = createSqliteRunner(database);
  const seen = [await runner.transact(told), await runner.transact(told, UNFLUSHED), level()];
  expect(seen).toEqual([NORMAL, NORMAL, NORMAL]);
  database.close();
});
