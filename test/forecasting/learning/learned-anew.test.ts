import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMemoryResultsStore } from '../../../src/forecasting/learning/memory-results-store.ts';
import { gamesOf, numbersOf } from '../../intelligence/seasons.ts';
import { messagesOf } from '../track-record/game-messages.ts';
import { createForecastServiceHarness, saidOf } from './forecast-service-harness.ts';
import { storedIn } from './stored-results.ts';

/** Over some 500 days, so that a memory is stored of the first of them. */
const games = gamesOf('nba', 'nba', 250, numbersOf(5));
const LEAGUE = 'nba nba';

let given: Awaited<ReturnType<typeof createForecastServiceHarness>>;
let said: ReadonlyMap<number, unknown>;
const resultsStore = createMemoryResultsStore();
const parts = { resultsStore, leastKept: 10 };

beforeAll(async () => {
  given = await createForecastServiceHarness();
  await given.tell(messagesOf('nba', games));
  const first = await given.book(parts);
  said = await saidOf(first.book, 'nba', games.length);
  await first.book.close();
  expect(await resultsStore.readMemory(LEAGUE)).not.toBeNull();
});
afterAll(() => given.close());

it('given a service that goes on from what was learned, when it learns anew, then it reads every event again, says the same, and stores it', async () => {
  const { book, read } = await given.book(parts);
  expect(read).toEqual([]);
  await resultsStore.save([{ id: 1, learnt: '["wrong"]', league: LEAGUE, lastAt: 0 }]);

  const anew = book.learnAnew();
  expect(await book.forecastsOf({ id: games.length, sport: 'nba' }, undefined)).toBe('learning');
  await anew;

  expect(new Set(read).size).toBe(games.length);
  expect(await saidOf(book, 'nba', games.length)).toEqual(said);
  await book.close();
  expect((await storedIn(resultsStore)).find(({ id }) => id === 1)?.learnt).not.toBe('["wrong"]');
  const next = await given.book(parts);
  expect([[...next.read], await saidOf(next.book, 'nba', games.length)]).toEqual([[], said]);
  await next.book.close();
  expect(given.failures.splice(0)).toEqual([]);
});

it('given an answer that still reads old results while everything is learned anew, then what is learned is stored all the same', async () => {
  let begin = (): void => {};
  let goOn = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const cleared = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let isAsked = false;
  const slow: typeof resultsStore = {
    ...resultsStore,
    async readPage(query) {
      if (!isAsked) return resultsStore.readPage(query);
      begin();
      await cleared;
      return [];
    },
  };
  const { book } = await given.book({ ...parts, resultsStore: slow });
  isAsked = true;
  const asOf = { at: games[10]!.knownAt, basis: 'observed' } as const;
  const asked = Promise.resolve(book.leagueForecasts('nba', 'nba', asOf)).catch(() => 'failed');
  await begun;
  const anew = book.learnAnew();
  goOn();
  isAsked = false;
  await Promise.all([asked, anew]);

  await book.waitWhileLearning(AbortSignal.timeout(10_000));
  await book.close();
  given.failures.splice(0);
  const next = await given.book(parts);
  expect([[...next.read], await saidOf(next.book, 'nba', games.length)]).toEqual([[], said]);
  await next.book.close();
  expect(given.failures.splice(0)).toEqual([]);
});

it('given another process that clears the store while this one reads it at its start, then it reads every event from the log', async () => {
  let isCleared = false;
  const cleared: typeof resultsStore = {
    ...resultsStore,
    async listLeagues() {
      isCleared = true;
      return [];
    },
    readSavedUpTo: async () => (isCleared ? null : resultsStore.readSavedUpTo()),
    save: async () => {},
    clear: async () => {},
  };
  const { book, read } = await given.book({ ...parts, resultsStore: cleared });
  expect(new Set(read).size).toBe(games.length);
  expect(await saidOf(book, 'nba', games.length)).toEqual(said);
  await book.close();
  expect(given.failures.splice(0)).toEqual([]);
});

it('given stored results that are lost while the service runs, when an answer needs them, then everything is learned anew', async () => {
  const { book, read } = await given.book(parts);
  await resultsStore.save([{ id: 1, learnt: null, league: '', lastAt: 0 }]);
  const asOf = { at: games[10]!.knownAt, basis: 'observed' } as const;
  expect(await book.leagueForecasts('nba', 'nba', asOf)).toBe('learning');
  await book.waitWhileLearning(AbortSignal.timeout(10_000));
  expect(new Set(read).size).toBe(games.length);
  expect(await saidOf(book, 'nba', games.length)).toEqual(said);
  await book.close();
  expect(given.failures.map(String)).toEqual([expect.stringMatching(/old events are stored, and \d+ were learned/)]);
});

it('given a service that was never started, when it learns anew, then all that is stored is gone', async () => {
  const { book } = given.unstarted(parts);
  await book.learnAnew();
  const { readSavedUpTo, readMemory } = resultsStore;
  expect([await readSavedUpTo(), await storedIn(resultsStore), await readMemory(LEAGUE)]).toEqual([null, [], null]);
});
