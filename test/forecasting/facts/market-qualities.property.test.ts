import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { NewRecord } from '../../../src/domain/event-sourcing/record.ts';
import { newSportsEvent } from '../../../src/domain/sports-events/sports-event.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { createMarketQualities } from '../../../src/forecasting/facts/market-qualities.ts';
import { createMemoryFoldStore } from '../../../src/read-models/store/fold-store.ts';
import { cases } from '../../support/cases.ts';

const BEGIN = Date.parse('2026-03-01T00:00:00Z');
const START = 30;
const timeAt = (minute: number): string => new Date(BEGIN + 60_000 * minute).toISOString();
const IDENTITY = { eventId: 1, sport: 'nba', league: 'nba' };

const eventAt = (start: number) =>
  ({
    id: 1,
    sport: 'nba',
    event: { ...newSportsEvent(), schedule: { starts_at: timeAt(start), sides: [] } },
  }) as unknown as Parameters<ReturnType<typeof createMarketQualities>['of']>[0];

const pricesOf = (minute: number, book: number, price: number): NewRecord => ({
  type: 'PricesChanged',
  version: 1,
  data: {
    ...{ ...IDENTITY, at: timeAt(minute), source: `feed${price % 2}` },
    content: {
      bookmaker: `book${book}`,
      markets: [
        {
          ...{ key: 'h2h', scope: 'match', alternate: false, complete: true },
          outcomes: [
            { outcome: 'home', price: 100 + price },
            { outcome: 'away', price: -120 - price },
          ],
        },
      ],
    },
  },
  meta: { partition: 'event:1' },
});

const lineupAt = (minute: number): NewRecord => ({
  type: 'LineupChanged',
  version: 1,
  data: { ...IDENTITY, at: timeAt(minute), source: 'feed', content: {} } as never,
  meta: { partition: 'event:1' },
});

/** A log of one event, and what is kept of the quality of its markets. */
function quoted() {
  const log = createMemoryLog({ now: () => BEGIN });
  const counted = { read: 0 };
  const countedLog = {
    replacements: log.replacements,
    async readStream(...asked: Parameters<typeof log.readStream>) {
      const found = await log.readStream(...asked);
      counted.read += found.length;
      return found;
    },
  };
  const store = createMemoryFoldStore();
  const onError = (error: unknown): never => {
    throw error;
  };
  const open = () => createMarketQualities({ log: countedLog, storing: { store, onError } });
  let kept = open();
  return {
    counted,
    tell: (stream: string, record: NewRecord) => log.append(stream, [record], 'any'),
    restart: () => {
      kept = open();
    },
    ask: (start = START) => kept.of(eventAt(start)),
    askAnew: (start = START) => createMarketQualities({ log }).of(eventAt(start)),
  };
}

const minute = fc.integer({ min: 0, max: 60 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('prices'), minute, fc.nat(3), fc.nat(20)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('lineup'), minute, fc.nat(3), fc.nat(20)) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('ask'), minute, fc.nat(3), fc.nat(20)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('restart'), minute, fc.nat(3), fc.nat(20)) },
);

it('given prices and lineups in any order, restarts and a moved start, then what is kept is what the log says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
      const quality = quoted();
      for (const [what, at, book, price] of steps) {
        if (what === 'prices') await quality.tell('odds-1', pricesOf(at, book, price));
        else if (what === 'lineup') await quality.tell('lineup-1', lineupAt(at));
        else if (what === 'restart') quality.restart();
        else {
          const start = price > 15 ? at : START;
          expect(await quality.ask(start)).toEqual(await quality.askAnew(start));
        }
      }
      expect(await quality.ask()).toEqual(await quality.askAnew());
    }),
    { numRuns: cases(300) },
  );
});

it('given an event that was asked for, then only what the log has since is read, after a restart too', async () => {
  const quality = quoted();
  for (let at = 0; at < START; at++) await quality.tell('odds-1', pricesOf(at, at % 3, at % 7));
  const before = await quality.ask();
  quality.restart();
  quality.counted.read = 0;
  expect(await quality.ask()).toEqual(before);
  expect(quality.counted.read).toBe(0);
  await quality.tell('odds-1', pricesOf(START + 5, 0, 50));
  expect(await quality.ask()).toEqual(before);
  expect(quality.counted.read).toBe(1);
});

it('given a price from before the start that comes later, then it counts', async () => {
  const quality = quoted();
  await quality.tell('odds-1', pricesOf(1, 0, 5));
  const before = await quality.ask();
  await quality.tell('odds-1', pricesOf(2, 1, 5));
  const after = await quality.ask();
  expect(Object.keys(before.markets.h2h!.books)).toEqual(['book0']);
  expect(Object.keys(after.markets.h2h!.books).sort()).toEqual(['book0', 'book1']);
});
