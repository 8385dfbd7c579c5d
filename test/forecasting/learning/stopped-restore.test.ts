import { expect, it, onTestFinished } from 'vitest';
import { createMemoryResultsStore } from '../../../src/forecasting/learning/memory-results-store.ts';
import { gamesOf, numbersOf } from '../../intelligence/seasons.ts';
import { messagesOf } from '../track-record/game-messages.ts';
import { createForecastServiceHarness, saidOf } from './forecast-service-harness.ts';
import { storedIn } from './stored-results.ts';

it('given a stop while stored results are read, then they stay, and the next start reads no event from the log', async () => {
  const given = await createForecastServiceHarness();
  onTestFinished(given.close);
  await given.tell(messagesOf('nba', gamesOf('nba', 'nba', 12, numbersOf(5))));
  const resultsStore = createMemoryResultsStore();
  const first = await given.book({ resultsStore });
  expect(first.read).toHaveLength(12);
  await first.book.close();
  const stored = [await resultsStore.readSavedUpTo(), await storedIn(resultsStore)];
  expect(stored[1]).toHaveLength(12);

  let closing: Promise<void> | undefined;
  const stopped = given.begin({
    resultsStore,
    giveWay: async () => {
      closing ??= stopped.book.close();
    },
  });
  await expect.poll(() => closing !== undefined).toBe(true);
  await closing;
  expect([await resultsStore.readSavedUpTo(), await storedIn(resultsStore)]).toEqual(stored);

  const last = await given.book({ resultsStore });
  expect(last.read).toEqual([]);
  await last.book.close();
  expect(given.failures).toEqual([]);
});

it('given a stop while all events are read for the first time, then the next start reads only the others, and what changed', async () => {
  const given = await createForecastServiceHarness();
  onTestFinished(given.close);
  const games = gamesOf('nba', 'nba', 500, numbersOf(5));
  await given.tell(messagesOf('nba', games.slice(0, 450)));
  const resultsStore = createMemoryResultsStore();
  let closing: Promise<void> | undefined;
  const stopped = given.begin({
    resultsStore,
    giveWay: async () => {
      if (stopped.read.length > 300) closing ??= stopped.book.close();
    },
  });
  await expect.poll(() => closing !== undefined).toBe(true);
  await closing;
  const kept = (await storedIn(resultsStore)).length;
  expect(kept).toBeGreaterThanOrEqual(200);
  expect(kept).toBeLessThan(400);

  await given.tell(messagesOf('nba', games).slice(messagesOf('nba', games.slice(0, 450)).length));
  const last = await given.book({ resultsStore });
  expect(new Set(last.read).size).toBe(500 - kept);
  const anew = await given.book();
  expect(await saidOf(last.book, 'nba', 500)).toEqual(await saidOf(anew.book, 'nba', 500));
  for (const { book } of [last, anew]) await book.close();
  expect(given.failures).toEqual([]);
});
