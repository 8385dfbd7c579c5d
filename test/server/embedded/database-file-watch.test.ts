import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openSqliteLog } from '../../../src/event-log/sqlite/sqlite-log.ts';
import { subscribeToLog } from '../../../src/event-log/subscription/log-subscription.ts';
import { type DatabaseFileWatch, watchDatabaseFiles } from '../../../src/server/embedded/database-file-watch.ts';
import { createTimers } from '../../api/streams/timers.ts';
import { scored } from '../../event-log/port/event-log.contract.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';

const { path } = temporaryFolder();

let file: string;
let files = 0;
let watch: DatabaseFileWatch;
let timers: ReturnType<typeof createTimers>;

beforeEach(() => {
  file = path(`${++files}.db`);
  timers = createTimers();
});

function open() {
  const log = openSqliteLog({ file, onCommit: (listener) => watch.onCommit(listener) });
  watch = watchDatabaseFiles(file, timers.setTimer);
  // As another process opens it.
  const other = openSqliteLog({ file });
  onTestFinished(async () => {
    watch.stop();
    await log.close();
    await other.close();
  });
  return { log, other };
}

describe('commits to the file', () => {
  it('given one by whomever, when the next second is over, then it is told', async () => {
    const { log, other } = open();
    let told = 0;
    const stop = watch.onCommit(() => told++);
    timers.advance(1000);
    timers.advance(1000);
    const before = told;
    timers.advance(10_000);
    expect(told).toBe(before);
    for (const [revision, one] of [other, log].entries()) {
      await one.append('score-1', [scored(revision)], revision === 0 ? 'none' : 'exists');
      timers.advance(1000);
      expect(told).toBe(before + 2 * revision + 1);
      // Another commit may have come within the same tick of the file system's clock.
      timers.advance(1000);
      timers.advance(1000);
      expect(told).toBe(before + 2 * revision + 2);
    }
    stop();
    await other.append('score-1', [scored(9)], 'exists');
    timers.advance(1000);
    expect(told).toBe(before + 4);
  });

  it('given a subscription, when another process appends, then its records come within a second, without timers', async () => {
    const { log, other } = open();
    const subscription = subscribeToLog(log, {
      after: null,
      batchSize: 10,
      bufferLimit: 10,
      setTimer: () => expect.unreachable(),
    });
    expect((await subscription.next()).value).toMatchObject({ kind: 'caught-up' });
    const waiting = subscription.next();
    await other.append('score-1', [scored(1)], 'none');
    timers.advance(1000);
    expect((await waiting).value).toMatchObject({ kind: 'records', count: 1 });
    await subscription.return();
  });
});
