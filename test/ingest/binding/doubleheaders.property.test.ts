import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DomainRecord } from '../../../src/domain/streams/domain-events.ts';
import { cases } from '../../support/cases.ts';
import type { Message } from '../feed-messages.ts';
import { newIntakeWorld } from '../intake-world.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const FIRST_DAY = Date.parse('2026-04-01T00:00:00Z');

/** One game as it really is. Times in minutes of its day. */
interface Game {
  readonly number: 1 | 2 | 3 | null;
  readonly start: number;
  /** Sources that do not know the start yet say so, with a placeholder. */
  readonly placeholder: number | null;
  /** The start moves to this, after all schedules were told. */
  readonly movedTo: number | null;
}

/** A second game comes after the first: at a start of its own, or when the first is over. */
const day: fc.Arbitrary<readonly Game[]> = fc.oneof(
  fc
    .record({ start: fc.integer({ min: 780, max: 1380 }), move: fc.option(fc.integer({ min: -30, max: 240 })) })
    .map(({ start, move }) => [
      { number: null, start, placeholder: null, movedTo: move === null ? null : start + move },
    ]),
  // A split doubleheader: two tickets, two starts.
  fc
    .record({
      start: fc.integer({ min: 780, max: 1080 }),
      gap: fc.integer({ min: 240, max: 400 }),
      move: fc.option(fc.integer({ min: 0, max: 60 })),
    })
    .map(({ start, gap, move }): readonly Game[] => [
      { number: 1, start, placeholder: null, movedTo: move === null ? null : start + move },
      { number: 2, start: start + gap, placeholder: null, movedTo: null },
    ]),
  // A traditional one: the second start is a placeholder, soon after the first or in the night, and known only later.
  fc
    .record({
      start: fc.integer({ min: 780, max: 1080 }),
      gap: fc.integer({ min: 190, max: 300 }),
      placeholder: fc.constantFrom(5, 600),
    })
    .map(({ start, gap, placeholder }): readonly Game[] => [
      { number: 1, start, placeholder: null, movedTo: null },
      { number: 2, start: start + gap, placeholder: start + placeholder, movedTo: start + gap },
    ]),
  // A game that was suspended is resumed before the regular game of the next day.
  fc
    .record({ start: fc.integer({ min: 780, max: 1080 }), gap: fc.integer({ min: 150, max: 300 }) })
    .map(({ start, gap }): readonly Game[] => [
      { number: null, start: start - 1440, placeholder: null, movedTo: start },
      { number: null, start: start + gap, placeholder: null, movedTo: null },
    ]),
);

/** A day, what one source is off by (in minutes), and in which order all of it is told. */
const toldDay = fc.record({
  games: day,
  off: fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 2, maxLength: 2 }),
  order: fc.array(fc.nat(), { minLength: 16, maxLength: 16 }),
});
type ToldDay = typeof toldDay extends fc.Arbitrary<infer Value> ? Value : never;

/** What three sources say of the days: schedules in any order, then what has moved, then prices again. */
function messagesOf({ games, off, order }: ToldDay, index: number) {
  const ranks = order.values();
  const midnight = FIRST_DAY + index * 3 * DAY;
  const time = (minutes: number): string => new Date(midnight + minutes * MINUTE).toISOString();
  const sides = { home: `Home ${index}`, away: `Away ${index}` };
  const league = { sport: 'mlb', league: 'mlb' };
  const schedule = (source: string, game: number, at: string, minutes: number, more: Message): Message => ({
    kind: 'schedule',
    source,
    at,
    ref: `${source}-${index}-${game}`,
    ...league,
    starts_at: time(minutes),
    participants: [
      { role: 'home', name: sides.home },
      { role: 'away', name: sides.away },
    ],
    ...more,
  });
  const price = (game: number, at: string, minutes: number): Message => ({
    kind: 'odds',
    source: 'book',
    at,
    match: { ...league, ...sides, starts_at: time(minutes) },
    bookmaker: 'book',
    // The price tells which game was meant.
    markets: [{ key: 'h2h', outcomes: [{ outcome: 'home', price: 100_000 + index * 10 + game }] }],
  });
  const shuffled = (messages: readonly Message[]): Message[] =>
    messages
      .map((message) => [ranks.next().value!, message] as const)
      .sort(([one], [other]) => one - other)
      .map(([, message]) => message);
  const before = time(-2000);
  const first = games.flatMap((game, n) => {
    const { number, start, placeholder } = game;
    const numbered = number === null ? {} : { game_number: number };
    const open = placeholder === null ? {} : { starts_at_qualifier: 'tbd' };
    const near = start + off[n]!;
    return [
      schedule('league', n, before, placeholder ?? start, { ...numbered, ...open }),
      schedule('other', n, before, placeholder ?? near, { ...numbered, ...open }),
      price(n, before, start),
    ];
  });
  const moved = games.flatMap(({ number, movedTo }, n) =>
    movedTo === null
      ? []
      : [schedule('league', n, time(-1000), movedTo, number === null ? {} : { game_number: number })],
  );
  const last = games.map(({ start, movedTo }, n) => price(n, time(-900), movedTo ?? start));
  return [shuffled(first), moved, shuffled(last)] as const;
}

describe('games of the same sides on one day', () => {
  it('get the prices that were meant for them, in any order of telling, and none waits', {
    timeout: 300_000,
  }, async () => {
    const days = fc.array(toldDay, { minLength: 1, maxLength: 50, size: 'max' });
    let waiting = 0;
    let told = 0;
    const property = fc.asyncProperty(days, async (all) => {
      const world = await newIntakeWorld();
      try {
        const intake = await world.open();
        const parts = all.map(messagesOf);
        for (const part of [0, 1, 2] as const) {
          const messages = parts.flatMap((ofDay) => ofDay[part]);
          const { outcomes } = await intake.accept(messages.map((value, line) => ({ line, value })));
          expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
          told += messages.length;
        }
        waiting += await world.waiting();
        const meant = new Map<string, number>();
        const prices: { meant: string; eventId: number }[] = [];
        for await (const page of world.log.readAllFrom(null)) {
          for (const { type, data } of page as readonly DomainRecord[]) {
            if (type === 'EventScheduled' && data.source === 'league') {
              const ref = data.origin!.ref!.slice('league-'.length);
              expect(meant.get(ref) ?? data.eventId, `${ref} is one event`).toBe(data.eventId);
              meant.set(ref, data.eventId);
            }
            if (type !== 'PricesChanged') continue;
            const code = data.content.markets[0]!.outcomes[0]!.price - 100_000;
            prices.push({ meant: `${Math.floor(code / 10)}-${code % 10}`, eventId: data.eventId });
          }
        }
        for (const { meant: ref, eventId } of prices) expect(eventId, `the price for ${ref}`).toBe(meant.get(ref));
      } finally {
        await world.close();
      }
    });
    await fc.assert(property, { numRuns: cases(200, 12) });
    expect(waiting / told).toBeLessThan(1 / 1000);
  });
});
