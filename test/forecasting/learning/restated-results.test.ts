import { expect, it } from 'vitest';
import { events } from '../../../projections/sports-events/events.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { createLogFeed } from '../../../src/event-log/subscription/log-feed.ts';
import { createForecastService } from '../../../src/forecasting/learning/forecast-service.ts';
import { createMemoryResultsStore } from '../../../src/forecasting/learning/memory-results-store.ts';
import type { ResultsStore } from '../../../src/forecasting/learning/results-store.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import { restatedWorld, type Step } from '../../read-models/restated-log.ts';
import { runnerOf } from '../../read-models/runner-kit.ts';
import { storedIn } from './stored-results.ts';

const learnt = async (results: ResultsStore) => (await storedIn(results)).map(({ id, learnt: packed }) => [id, packed]);

/** A service that has learned everything in the log, until it is closed. */
async function service(log: EventLog, resultsStore: ResultsStore) {
  const store = createMemoryStore();
  const runner = runnerOf(log, store, [events]);
  await runner.start();
  await runner.caughtUp();
  await store.prepare(
    { ...events, name: 'players', fields: { sport: { kind: 'string', of: () => null } }, indexes: [] },
    'v1',
  );
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const one = createForecastService({
    log,
    feed: createLogFeed(log),
    store,
    resultsStore,
    waitUntilProjected: async () => {},
    onError,
  });
  one.start();
  const reached = async () => one.waitUntilLearned(await log.head());
  await reached();
  return {
    reached,
    async close() {
      await one.close();
      await runner.stop();
      expect(errors).toEqual([]);
    },
  };
}

it('given finished events of which one takes the reports of the other, then results are learned again as if all had been told rightly', async () => {
  const world = restatedWorld();
  const told: readonly Step[] = [
    ...[1, 2, 3].map((ref): Step => ({ kind: 'schedule', ref, value: ref })),
    ...[1, 2, 3].map((ref): Step => ({ kind: 'score', ref, value: 2 * ref + 1 })),
  ];
  for (const step of told) await world.take(step);
  const results = createMemoryResultsStore();
  const one = await service(world.log, results);
  const before = await learnt(results);
  await world.take({ ref: 2, into: 1 });
  await one.reached();
  await one.close();

  const right = createMemoryResultsStore();
  const other = await service(await world.oracle(), right);
  await other.close();
  const after = await learnt(results);
  expect(after.map(([id]) => id)).toEqual([1, 3]);
  expect(after).not.toEqual(before);
  expect(after).toEqual(await learnt(right));
});
