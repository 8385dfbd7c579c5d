import { expect, it } from 'vitest';
import { createChangeHub } from '../../../src/api/streams/change-hub.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { createLogFeed } from '../../../src/event-log/subscription/log-feed.ts';
import { type ChangeCursor, cursorAfter, formatCursor } from '../../../src/read-models/change-feed/change-cursor.ts';
import type { ChangeFilter } from '../../../src/read-models/change-feed/change-filter.ts';
import type { MapRecords } from '../../../src/read-models/change-feed/record-mapper.ts';
import { createTimers } from '../../api/streams/timers.ts';

const AT = '2026-03-01T12:00:00.000Z';

/** A hub whose every record tells one score of the sport that it names, and whose writes take a millisecond each. */
function newHub(recentBytes?: number) {
  const log = createMemoryLog();
  const timers = createTimers();
  let time = 0;
  const mapChanges: MapRecords = async (records) =>
    records.map(({ position, data }) => ({
      ...{ eventType: 'score', eventId: 1, league: 'any', data: {}, observedAt: AT, at: AT, position, index: 0 },
      sport: (data as { sport: string }).sport,
    }));
  const failures: unknown[] = [];
  const onError = (error: unknown) => void failures.push(error);
  const hub = createChangeHub({
    ...{ feed: createLogFeed(log), mapChanges, setTimer: timers.setTimer, onError },
    steadyNow: () => timers.now() + ++time,
    ...(recentBytes === undefined ? {} : { recentBytes }),
  });
  const append = async (...sports: string[]) => {
    const events = sports.map((sport) => ({
      type: 'ScoreChanged',
      version: 1,
      data: { sport },
      meta: { partition: 's' },
    }));
    await log.append('s', events, 'any');
    for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
  };
  /** A reader, the positions of what it got, and where it stands. */
  const reading = (filter: ChangeFilter = {}) => {
    const got: string[] = [];
    const state = { place: '' };
    const reader = {
      filter,
      receive(messages: Buffer, behind: ChangeCursor) {
        for (const [, position] of messages.toString().matchAll(/^id: (\d+)-/gm)) got.push(position!);
        state.place = formatCursor(behind);
      },
      skipTo(behind: ChangeCursor) {
        state.place = formatCursor(behind);
      },
      failed() {},
    };
    return { reader, got, state };
  };
  return { hub, append, reading, timers, failures };
}

it('who joins while changes wait for a common write gets these at once, and never again', async () => {
  const { hub, append, reading, timers } = newHub();
  const release = await hub.acquire();
  const [first, second] = [reading(), reading()];
  hub.join(first.reader, cursorAfter(0n));
  await append('nba');
  await append('nba');
  // The second waits, since the first has just been written.
  expect(first.got).toEqual(['1']);
  hub.join(second.reader, cursorAfter(0n));
  expect([first.got, second.got]).toEqual([
    ['1', '2'],
    ['1', '2'],
  ]);
  timers.advance(100);
  await append('nba');
  timers.advance(100);
  expect([first.got, second.got]).toEqual([
    ['1', '2', '3'],
    ['1', '2', '3'],
  ]);
  release();
});

it('who has got more than the hub has told yet gets none of it again', async () => {
  const { hub, append, reading, timers } = newHub();
  const release = await hub.acquire();
  const { reader, got } = reading();
  hub.join(reader, { position: 2n, index: 10_000 });
  for (const sport of ['nba', 'nba', 'nba']) {
    await append(sport);
    timers.advance(100);
  }
  expect(got).toEqual(['3']);
  release();
});

it('who is further back than what is kept is sent to the log, and a filter moves on past what it holds back', async () => {
  const { hub, append, reading, timers } = newHub(1000);
  const release = await hub.acquire();
  const { reader, got, state } = reading({ sports: new Set(['nfl']) });
  hub.join(reader, cursorAfter(0n));
  for (let n = 0; n < 6; n++) {
    await append('nba');
    timers.advance(100);
  }
  expect([got, state.place, hub.position]).toEqual([[], '6', 6n]);
  expect(hub.size().bytes).toBeLessThanOrEqual(1000);
  expect(hub.join(reading().reader, cursorAfter(1n))).toBeUndefined();
  const near = reading();
  const leave = hub.join(near.reader, cursorAfter(5n));
  expect(near.got).toEqual(['6']);
  leave!();
  await append('nfl');
  timers.advance(100);
  expect([got, near.got]).toEqual([['7'], ['6']]);
  release();
  expect([hub.isFollowing, hub.size().bytes]).toEqual([false, 0]);
});
