import { expect, it, onTestFinished } from 'vitest';
import { createMemoryResultsStore } from '../../../src/forecasting/learning/memory-results-store.ts';
import { gamesOf, numbersOf } from '../../intelligence/seasons.ts';
import { messagesOf } from '../track-record/game-messages.ts';
import { createForecastServiceHarness } from './forecast-service-harness.ts';

it('given a stop while stored results are read, then they stay, and the next start reads no event from the log', async () => {
  const given = await createForecastServiceHarness();
  onTestFinished(given.close);
  await given.tell(messagesOf('nba', gamesOf('nba', 'nba', 12, numbersOf(5))));
  const resultsStore = createMemoryResultsStore();
  const first = await given.book({ resultsStore });
  expect(first.read).toHaveLength(12);
  await first.book.close();
  const stored = [await resultsStore.readSavedUpTo(), await resultsStore.readPage(0, 100)];
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
  expect([await resultsStore.readSavedUpTo(), await resultsStore.readPage(0, 100)]).toEqual(stored);

  const last = await given.book({ resultsStore });
  expect(last.read).toEqual([]);
  await last.book.close();
  expect(given.failures).toEqual([]);
});
