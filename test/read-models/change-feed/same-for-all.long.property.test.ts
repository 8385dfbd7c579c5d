import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createChangeHub } from '../../../src/api/streams/change-hub.ts';
import { type ChangeStream, createChangeStream } from '../../../src/api/streams/change-stream.ts';
import { toPosition } from '../../../src/domain/event-sourcing/position.ts';
import { createLogFeed } from '../../../src/event-log/subscription/log-feed.ts';
import {
  BEGINNING,
  type ChangeCursor,
  formatCursor,
  parseCursor,
} from '../../../src/read-models/change-feed/change-cursor.ts';
import { createChangeFeed } from '../../../src/read-models/change-feed/change-feed.ts';
import { type ChangeFilter, matchesFilter } from '../../../src/read-models/change-feed/change-filter.ts';
import { decodeChange, encodeChanges } from '../../../src/read-models/change-feed/encoded-change.ts';
import { createRecordMapper, type RecordMapperParts } from '../../../src/read-models/change-feed/record-mapper.ts';
import { createStreamFoldCache } from '../../../src/read-models/change-feed/stream-fold-cache.ts';
import { createTimers } from '../../api/streams/timers.ts';
import { cases } from '../../support/cases.ts';
import { FIRST_ID, type Message, type SmallServer, smallServer } from '../../system/properties/small-server.ts';
import { EVENTS, history, iso } from '../../system/properties/world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** When all that the world tells is told. */
const AFTERWARDS = Math.max(...EVENTS.map(({ start }) => start)) + 50 * HOUR;
const FILTERS: readonly ChangeFilter[] = [
  {},
  { types: new Set(['score', 'injury']) },
  { types: new Set(['line_move']), bookmakers: new Set(['fanduel']) },
  { sports: new Set(['nfl', 'tennis']) },
  { eventIds: new Set([FIRST_ID.event, FIRST_ID.event + 2]) },
  { leagues: new Set(['epl', 'nba']), bookmakers: new Set(['pinnacle']) },
];

const step = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ do: 'feed' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('page' as const), who: fc.nat(5), limit: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('open' as const), who: fc.nat(5), slow: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cut' as const), who: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('drain' as const), who: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), turns: fc.nat(20) }) },
);

/** By how many hours messages come late, again and again; one of a day and more is history. */
const delays = fc.array(fc.constantFrom(0, 0, 0, 0, 1, 5, 30), { minLength: 1, maxLength: 20, size: 'max' });

/** Messages in the order in which they come, in batches. */
function arriving(messages: readonly Message[], late: readonly number[]): Message[][] {
  const timeOf = ({ at }: Message) => Date.parse(String(at));
  const placed = messages.map((message, n) => ({ message, comes: timeOf(message) + late[n % late.length]! * HOUR }));
  const inOrder = placed.sort((a, b) => a.comes - b.comes).map(({ message }) => message);
  const batches: Message[][] = [];
  while (inOrder.length > 0) batches.push(inOrder.splice(0, 1 + (inOrder.length % 3)));
  return batches;
}

/** Prices and scores of games, each other than the one before, in a few hours behind everything else. */
const live = fc.array(
  fc.record({
    event: fc.constantFrom('nfl-1', 'nfl-2', 'epl-1', 'nba-1'),
    bookmaker: fc.constantFrom('pinnacle', 'fanduel', undefined),
    value: fc.integer({ min: 0, max: 6 }),
    minutes: fc.nat(30),
  }),
  { minLength: 10, maxLength: 60, size: 'max' },
);
type Live = typeof live extends fc.Arbitrary<infer Drawn> ? Drawn : never;

const liveMessages = (drawn: Live): Message[] =>
  drawn.map(({ event, bookmaker, value, minutes }, n) => {
    const base = { source: 'alpha', ref: `alpha-${event}`, at: iso(AFTERWARDS + (n * 5 - minutes) * MINUTE) };
    const sides = ['home', 'away'] as const;
    if (bookmaker === undefined) {
      const scores = sides.map((role, side) => ({ role, score: String(value * side) }));
      return { ...base, kind: 'score', status: 'inprogress', period: '1', scores };
    }
    const outcomes = sides.map((outcome, side) => ({ outcome, price: -110 - value * 5 * side }));
    return { ...base, kind: 'odds', bookmaker, markets: [{ key: 'h2h', outcomes }] };
  });

const turns = async (count: number) => {
  for (let n = 0; n < count; n++) await new Promise<void>((resolve) => setImmediate(resolve));
};

/** What reads changes, begun anew as after a restart of the server. */
function readersOf({ log, store, projected }: SmallServer) {
  const parts: RecordMapperParts = { log, store, projected: (place) => projected(new Map([['', toPosition(place)]])) };
  const timers = createTimers();
  const failed = (error: unknown) => {
    throw error;
  };
  // Little is kept, so that what was made is made again.
  const changes = createChangeFeed({ ...parts, log, steadyNow: timers.now, maxBytes: 20_000 });
  const hub = createChangeHub({
    ...{ feed: createLogFeed(log), setTimer: timers.setTimer, steadyNow: timers.now, onError: failed },
    mapChanges: createRecordMapper({ ...parts, places: createStreamFoldCache(50_000) }),
    recentBytes: 3000,
  });
  return { changes, hub, timers };
}
type Readers = ReturnType<typeof readersOf>;

/** One who follows the changes over as many streams as it takes. */
class Follower {
  readonly got: unknown[] = [];
  #id = formatCursor(BEGINNING);
  #stream: ChangeStream | undefined;
  #unread: Buffer[] = [];
  #release: (() => void) | undefined;
  #isSlow = false;
  readonly #filter: ChangeFilter;
  constructor(filter: ChangeFilter) {
    this.#filter = filter;
  }

  async open({ changes, hub, timers }: Readers, isSlow: boolean): Promise<void> {
    this.cut();
    const after = parseCursor(this.#id)!;
    this.#isSlow = isSlow;
    this.#release = await hub.acquire();
    const unread = this.#unread;
    const follower = this;
    const sink = {
      write(bytes: Buffer) {
        unread.push(bytes);
        if (!follower.#isSlow) follower.#take(unread);
        return unread.length === 0;
      },
      end() {},
      cut() {},
      get unread() {
        return unread.reduce((sum, { length }) => sum + length, 0);
      },
    };
    const pacing = { sink, now: timers.now, setTimer: timers.setTimer, retryMs: 1, onEnd: () => {} };
    const broken = Buffer.from('event: error\ndata: {}\n\n');
    const onError = (error: unknown) => {
      throw error;
    };
    const parts = { ...pacing, hub, changes, filter: this.#filter, after, broken, onError, maxUnreadBytes: 2000 };
    this.#stream = createChangeStream(parts);
    this.#stream.begin();
  }

  #take(unread: Buffer[]): void {
    const parser = createParser({
      onEvent: ({ event, id, data }) => {
        expect(event).not.toBe('error');
        if (id !== undefined) this.#id = id;
        if (event !== 'ready') this.got.push(JSON.parse(data));
      },
    });
    for (const bytes of unread.splice(0)) parser.feed(bytes.toString());
  }

  /** Reads what waits. */
  drain(): void {
    if (!this.#stream) return;
    this.#take(this.#unread);
    this.#stream.drained();
  }

  /** What was on the way is lost. */
  cut(): void {
    this.#stream?.closed();
    this.#release?.();
    this.#stream = undefined;
    this.#release = undefined;
    this.#unread = [];
  }
}

it('pages, streams and restarts give everybody each change once, in order: what webhooks tell', async () => {
  let told = 0;
  const types = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      history,
      live,
      delays,
      fc.array(step, { minLength: 20, maxLength: 80, size: 'max' }),
      async (messages, drawn, late, steps) => {
        const batches = [...arriving(messages, late), ...liveMessages(drawn).map((message) => [message])];
        const server = await smallServer({ time: 0 });
        const feed = async () => {
          const batch = batches.shift();
          if (!batch) return;
          const newest = Math.max(...batch.map(({ at }) => Date.parse(String(at))));
          // Mostly they come soon, so that they are news.
          server.clock.time = Math.max(server.clock.time, newest + MINUTE);
          await server.accept(batch);
        };
        let readers = readersOf(server);
        const pagers = FILTERS.map((filter) => ({ filter, after: BEGINNING as ChangeCursor, got: [] as unknown[] }));
        const followers = FILTERS.map((filter) => new Follower(filter));
        const turnPage = async (pager: (typeof pagers)[number], limit: number) => {
          const { changes, next, hasMore } = await readers.changes.readPage({
            after: pager.after,
            filter: pager.filter,
            limit,
          });
          expect(changes.length).toBeLessThanOrEqual(limit);
          pager.got.push(...changes.map(decodeChange));
          pager.after = parseCursor(formatCursor(next))!;
          return hasMore;
        };
        try {
          for (const one of steps) {
            if (one.do === 'feed') await feed();
            if (one.do === 'page') await turnPage(pagers[one.who]!, one.limit);
            if (one.do === 'open') await followers[one.who]!.open(readers, one.slow);
            if (one.do === 'cut') followers[one.who]!.cut();
            if (one.do === 'drain') followers[one.who]!.drain();
            if (one.do === 'wait') await turns(one.turns);
            if (one.do === 'restart') {
              for (const follower of followers) follower.cut();
              await readers.hub.close();
              readers = readersOf(server);
            }
          }
          while (batches.length > 0) await feed();

          await server.projected();
          const { log, store } = server;
          const toldOf = createRecordMapper({ log, store });
          const all = encodeChanges(await toldOf(await server.records(), () => true));
          told += all.length;
          // From the end to the beginning: each record by itself, whatever was folded for others.
          const alone = createRecordMapper({ log, store, places: createStreamFoldCache(100_000) });
          const reversed = [];
          for (const record of [...(await server.records())].reverse()) {
            reversed.unshift(...encodeChanges(await alone([record], () => true)));
          }
          expect(reversed).toEqual(all);
          for (const { type } of all) types.add(type);
          for (const pager of pagers) {
            while (await turnPage(pager, 7));
            expect(pager.got).toEqual(all.filter((change) => matchesFilter(pager.filter, change)).map(decodeChange));
          }
          for (const follower of followers) await follower.open(readers, false);
          for (const [n, follower] of followers.entries()) {
            const expected = all.filter((change) => matchesFilter(FILTERS[n]!, change)).map(decodeChange);
            for (let patience = 0; follower.got.length < expected.length && patience < 500; patience++) await turns(1);
            expect(follower.got).toEqual(expected);
          }
        } finally {
          for (const follower of followers) follower.cut();
          await readers.hub.close();
          await server.close();
        }
      },
    ),
    { numRuns: cases(30) },
  );
  // It would say nothing if nothing were told.
  expect(told).toBeGreaterThan(50);
  expect([...types].sort()).toEqual(expect.arrayContaining(['line_move', 'score', 'status']));
});
