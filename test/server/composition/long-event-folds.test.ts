import { expect, it } from 'vitest';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { createLogFeed } from '../../../src/event-log/subscription/log-feed.ts';
import { realTimer } from '../../../src/platform/async/timer.ts';
import { followLongEvents } from '../../../src/server/composition/long-event-folds.ts';

const price = (eventId: number) => ({
  type: 'PricesChanged',
  version: 1,
  data: { eventId, sport: 'nba', league: 'nba', at: '2026-03-01T00:00:00Z', source: 'feed', content: {} },
  meta: { partition: `event-${eventId}` },
});
const prices = (eventId: number, count: number) => Array.from({ length: count }, () => price(eventId));

it('given odds that pass a place where they are stored, then the event is folded once, even if the fold of another fails', async () => {
  const log = createMemoryLog({ now: () => 0 });
  await log.append('odds-9', prices(9, 10), 'any');
  const [folded, errors]: [number[], unknown[]] = [[], []];
  const fold = async (id: number) => {
    folded.push(id);
    if (id === 1) throw new Error('it cannot be folded');
  };
  const onError = (error: unknown) => void errors.push(error);
  const long = followLongEvents({ feed: createLogFeed(log), setTimer: realTimer, fold, every: 10, onError });
  await expect
    .poll(async () => {
      // It begins after the records that there were at first, at some moment.
      await log.append('odds-1', prices(1, 9), 'any');
      await log.append('odds-1', prices(1, 1), 'any');
      return folded.length;
    })
    .toBeGreaterThan(0);
  await log.append('odds-2', prices(2, 9), 'any');
  await log.append('odds-3', prices(3, 10), 'any');
  await expect.poll(() => folded.at(-1)).toBe(3);
  expect(new Set(folded)).toEqual(new Set([1, 3]));
  expect(errors.length).toBe(folded.filter((id) => id === 1).length);
  await long.close();
  await log.append('odds-4', prices(4, 10), 'any');
  expect(folded.at(-1)).toBe(3);
});
