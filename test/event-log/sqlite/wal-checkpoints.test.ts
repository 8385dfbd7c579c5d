import { copyFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openSqliteLog } from '../../../src/event-log/sqlite/sqlite-log.ts';
import { repeatWalCheckpoints } from '../../../src/event-log/sqlite/wal-checkpoints.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createTimers } from '../../api/streams/timers.ts';
import { scored } from '../port/event-log.contract.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const { path } = temporaryFolder();

/** What the database holds without its write-ahead file. */
function recordsIn(file: string): number {
  const copy = `${file}-copy`;
  copyFileSync(file, copy);
  const database = openSqliteDatabase({ file: copy });
  try {
    return (database.prepare('SELECT count(*) FROM records').raw().get() as [number])[0];
  } catch {
    return 0;
  } finally {
    database.close();
  }
}

it('moves commits into the database while the log is in use', async () => {
  const file = path('log.db');
  const log = openSqliteLog({ file });
  const database = openSqliteDatabase({ file });
  let tick: (() => void) | undefined;
  const { stop } = repeatWalCheckpoints(database, (callback) => {
    tick = callback;
    return () => {
      tick = undefined;
    };
  });
  await log.append('score-1', [scored(1), scored(2)], 'none');
  expect(recordsIn(file)).toBe(0);
  tick!();
  expect(recordsIn(file)).toBe(2);
  await log.append('score-1', [scored(3)], 'exists');
  tick!();
  expect(recordsIn(file)).toBe(3);
  stop();
  expect(tick).toBeUndefined();
  database.close();
  await log.close();
});

it('rests where there is nothing to move, until somebody commits', async () => {
  const file = path('resting.db');
  const log = openSqliteLog({ file });
  const database = openSqliteDatabase({ file });
  const timers = createTimers();
  const { wake, stop } = repeatWalCheckpoints(database, timers.setTimer);
  await log.append('score-1', [scored(1)], 'none');
  for (let i = 0; i < 10; i++) timers.advance(250);
  expect([recordsIn(file), timers.size]).toEqual([1, 0]);
  await log.append('score-1', [scored(2)], 'exists');
  wake();
  wake();
  expect(timers.size).toBe(1);
  timers.advance(250);
  expect([recordsIn(file), timers.size]).toEqual([2, 1]);
  stop();
  wake();
  expect(timers.size).toBe(0);
  database.close();
  await log.close();
});

it('tries again after a failure', async () => {
  const file = path('other.db');
  const log = openSqliteLog({ file });
  let tick = (): void => {};
  let fails = true;
  const database = openSqliteDatabase({ file });
  const failing = {
    ...database,
    prepare: (sql: string) => {
      const move = database.prepare(sql).raw();
      const get = () => {
        if (fails) throw new Error('disk I/O error');
        return move.get();
      };
      return { raw: () => ({ get }) };
    },
  };
  repeatWalCheckpoints(failing as never, (callback) => {
    tick = callback;
    return () => {};
  });
  await log.append('score-1', [scored(1)], 'none');
  tick();
  expect(recordsIn(file)).toBe(0);
  fails = false;
  tick();
  expect(recordsIn(file)).toBe(1);
  database.close();
  await log.close();
});
