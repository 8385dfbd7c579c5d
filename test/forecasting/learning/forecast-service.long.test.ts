import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Position, toPosition } from '../../../src/domain/event-sourcing/position.ts';
import type {
  RecordFeed,
  RecordFeedMessage,
  RecordFeedSubscription,
} from '../../../src/event-log/subscription/record-feed.ts';
import { createMemoryResultsStore } from '../../../src/forecasting/learning/memory-results-store.ts';
import type { ResultsStore } from '../../../src/forecasting/learning/results-store.ts';
import { gamesOf, numbersOf } from '../../intelligence/seasons.ts';
import { endOf, messagesOf } from '../track-record/game-messages.ts';
import { createForecastServiceHarness, saidOf } from './forecast-service-harness.ts';

const BYTES_OF_RESULT = 1500;
/** The first hundred of them within 50 days from the first of January 2015 on, two a day. */
const games = gamesOf('nba', 'nba', 280, numbersOf(5));
const FEBRUARY = games.findIndex(({ knownAt }) => knownAt >= Date.UTC(2015, 1));
const few = games.slice(0, 130);

describe('the results that a forecast service stores for the next start', () => {
  async function kept() {
    const given = await createForecastServiceHarness();
    await given.tell(messagesOf('nba', few));
    const resultsStore = createMemoryResultsStore();
    const { book } = await given.book({ resultsStore });
    const said = await saidOf(book, 'nba', few.length);
    await book.close();
    const again = async (results: ResultsStore) => {
      const next = await given.book({ resultsStore: results });
      const read = [...next.read];
      expect(await saidOf(next.book, 'nba', few.length)).toEqual(said);
      await next.book.close();
      return read;
    };
    return { ...given, kept: resultsStore, again };
  }

  it('save reading every event', async () => {
    const given = await kept();
    expect(await given.again(given.kept)).toEqual([]);
    await given.close();
  });

  it('are ignored if the models have changed', async () => {
    const given = await kept();
    const { places } = (await given.kept.readSavedUpTo())!;
    await given.kept.save([{ id: 1, learnt: '["of an older form"]', league: 'nba nba', lastAt: 0 }], {
      basis: 'older models',
      places,
    });
    expect(await given.again(given.kept)).toHaveLength(few.length);
    expect(await given.again(given.kept)).toEqual([]);
    expect(given.failures).toEqual([]);
    await given.close();
  });

  it('are ignored if they were stored for a longer log', async () => {
    const given = await kept();
    const { basis, places } = (await given.kept.readSavedUpTo())!;
    const beyond = new Map([...places].map(([partition, place]) => [partition, place + 1000n]));
    await given.kept.save([], { basis, places: beyond });
    expect(await given.again(given.kept)).toHaveLength(few.length);
    await given.close();
  });

  it('are ignored if they cannot be read, which is reported', async () => {
    const given = await kept();
    await given.kept.save([{ id: 7, learnt: '["nba"', league: 'nba nba', lastAt: 0 }]);
    expect(await given.again(given.kept)).toHaveLength(few.length);
    expect(given.failures).toHaveLength(1);
    expect(await given.again(given.kept)).toEqual([]);
    await given.close();
  });

  it('are stored with the next results if they cannot be stored at once', async () => {
    const given = await createForecastServiceHarness();
    await given.tell(messagesOf('nba', few));
    const inner = createMemoryResultsStore();
    let fails = true;
    let tried = 0;
    const resultsStore: ResultsStore = {
      ...inner,
      save: async (...args) => {
        tried++;
        if (fails) throw new Error('the disk is full');
        return inner.save(...args);
      },
    };
    const { book } = await given.book({ resultsStore });
    expect(given.failures).toHaveLength(tried);
    expect(tried).toBeGreaterThan(0);
    fails = false;
    await book.close();
    const { read } = await given.book({ resultsStore });
    expect(read).toEqual([]);
    await given.close();
  });
});

describe('the memory of a forecast service', () => {
  const maxBytes = 230 * BYTES_OF_RESULT;
  const messages = messagesOf('nba', games);

  it('never exceeds its limit: results of the oldest months are dropped, as if they had never been reported', async () => {
    const given = await createForecastServiceHarness();
    const first = messagesOf('nba', games.slice(0, 200));
    await given.tell(first);
    const bounded = await given.book({ maxBytes });
    await given.tell(messages.slice(first.length));
    await bounded.reached();
    expect(bounded.book.size).toEqual({ bytes: (games.length - FEBRUARY) * BYTES_OF_RESULT, limit: maxBytes });
    const said = await saidOf(bounded.book, 'nba', games.length);
    const whole = await given.book();
    const ofAll = await saidOf(whole.book, 'nba', games.length);
    const without = await createForecastServiceHarness();
    await without.tell(messagesOf('nba', games.slice(FEBRUARY)));
    const others = await without.book();
    const expected = await saidOf(others.book, 'nba', games.length - FEBRUARY);
    expect([...said.values()]).toEqual([...expected.values()]);
    expect([...said.keys()]).toEqual([...expected.keys()].map((id) => id + FEBRUARY));
    expect(ofAll.size).toBe(said.size + FEBRUARY);
    for (const { book } of [bounded, whole, others]) await book.close();
    for (const world of [given, without]) await world.close();
  });

  it("drops an event's results from those months, and keeps later corrections", async () => {
    const correctedAt = (place: number, home: number) =>
      endOf('nba', { ...games[3]!, score: { home, away: 90 }, winner: 'home' }, 3, games[place]!.startsAt);
    const given = await createForecastServiceHarness();
    const resultsStore = createMemoryResultsStore();
    const early = await given.book({ maxBytes, resultsStore });
    await given.tell([...messages, ...correctedAt(150, 140)]);
    await early.reached();
    await given.tell(correctedAt(279, 91));
    await early.reached();
    const said = await saidOf(early.book, 'nba', games.length);
    await early.book.close();
    const restarted = await given.book({ maxBytes, resultsStore });
    expect(await saidOf(restarted.book, 'nba', games.length)).toEqual(said);
    expect(restarted.book.size).toEqual({ bytes: (games.length - FEBRUARY + 2) * BYTES_OF_RESULT, limit: maxBytes });
    await restarted.book.close();
    await given.close();
  });

  it('holds the same results whatever the order of arrival, and after a restart', async () => {
    const given = await createForecastServiceHarness();
    const schedules = messages.filter(({ kind }) => kind === 'schedule');
    const others = messages.filter(({ kind }) => kind !== 'schedule');
    await given.tell([...schedules, ...others.slice(others.length / 2)]);
    const resultsStore = createMemoryResultsStore();
    const early = await given.book({ maxBytes, resultsStore });
    await given.tell(others.slice(0, others.length / 2));
    await early.reached();
    const said = await saidOf(early.book, 'nba', games.length);
    await early.book.close();
    const restarted = await given.book({ maxBytes, resultsStore });
    const anew = await given.book({ maxBytes });
    expect(await saidOf(anew.book, 'nba', games.length)).toEqual(said);
    expect(await saidOf(restarted.book, 'nba', games.length)).toEqual(said);
    expect(said.size).toBeGreaterThan(100);
    for (const { book } of [restarted, anew]) await book.close();
    await given.close();
  });
});

describe('results that were not learned before the start', () => {
  it('wait for calls, unless a caller waits for them', async () => {
    const given = await createForecastServiceHarness();
    await given.tell(messagesOf('nba', few));
    let goOn = () => {};
    const giveWay = () =>
      new Promise<void>((resolve) => {
        goOn = resolve;
      });
    const { read, book, reached } = given.begin({ giveWay });
    const head = await given.log.head();
    let isPatient = true;
    const patient = book.waitUntilLearned(head, undefined, true).then(() => isPatient);
    for (let turn = 0; turn < 50; turn++) await setImmediate();
    expect(read.length).toBeLessThan(2);
    isPatient = false;
    const hurried = reached();
    goOn();
    await hurried;
    expect(await patient).toBe(false);
    expect(read).toHaveLength(few.length);
    await book.close();
    await given.close();
  });
});

describe('a start', () => {
  it('gives no forecast of a half-learned league, and says how far everything is learned', async () => {
    const given = await createForecastServiceHarness();
    await given.tell(messagesOf('nba', games.slice(0, 200)));
    let calls = 0;
    let hold: (() => void) | undefined;
    // More than 100 results are learned, and then nothing more until the test lets it.
    const giveWay = () => (++calls < 350 ? setImmediate() : new Promise<void>((resolve) => (hold = resolve)));
    const { book, reached } = given.begin({ giveWay });
    while (!hold) await setImmediate();
    expect(book.hasForecasts('nba', 'nba')).toBe(true);
    expect(await book.forecastsOf({ id: 180, sport: 'nba' }, undefined)).toBe('learning');
    expect(await book.forecastsOf({ id: 180, sport: 'nba' }, { at: games[170]!.startsAt, basis: 'observed' })).toBe(
      'learning',
    );
    expect(book.follower()).toMatchObject({ position: null, state: 'catching-up' });
    const learned = reached();
    hold();
    await learned;
    expect(await book.forecastsOf({ id: 180, sport: 'nba' }, undefined)).not.toBe('learning');
    expect(book.follower()).toEqual({ name: 'forecasts', position: await given.log.head(), state: 'live' });
    await book.close();
    await given.close();
  });
});

/** A feed of two partitions that the test controls. */
function feedByHand() {
  const queue: RecordFeedMessage[] = [];
  let wake = () => {};
  let isOver = false;
  const subscription: RecordFeedSubscription = {
    async next() {
      while (queue.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve));
      return isOver ? { done: true, value: undefined } : { done: false, value: queue.shift()! };
    },
    async return() {
      isOver = true;
      wake();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => subscription,
  };
  const feed: RecordFeed = {
    endPositions: async () =>
      new Map([
        ['a', null],
        ['b', null],
      ]),
    subscribe({ signal }) {
      signal?.addEventListener('abort', () => void subscription.return());
      return subscription;
    },
  };
  return {
    feed,
    comes(partition: string, position: Position) {
      queue.push({ kind: 'records', partition, position, previous: null, count: 1, records: [] });
      wake();
    },
  };
}

describe('a forecast service that follows several partitions', () => {
  it('has reached a position in each of them only when both are there', async () => {
    const given = await createForecastServiceHarness();
    const { feed, comes } = feedByHand();
    const { book } = given.begin({ feed });
    let isReached = false;
    const places = { a: toPosition(10n), b: toPosition(5n) };
    const reached = book.waitUntilLearned(new Map(Object.entries(places))).then(() => (isReached = true));
    comes('a', places.a);
    await book.waitUntilLearned(places.a);
    expect(isReached).toBe(false);
    comes('b', places.b);
    await reached;
    expect(given.failures).toEqual([]);
    await book.close();
    await given.close();
  });
});
