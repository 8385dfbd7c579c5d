import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyChanges, type BookDepth, changesOf, offeredSince } from '../../../src/domain/odds/book-depth.ts';
import { type LadderTimes, ladderTimesAfter, pricedSince } from '../../../src/domain/odds/ladder-times.ts';
import { formatTime } from '../../../src/domain/primitives/time.ts';
import { cases } from '../../support/cases.ts';

const START = Date.UTC(2026, 2, 1);
const iso = (minute: number): string => formatTime(START + minute * 60_000);

const ladder = fc.record(
  {
    outcome: fc.constantFrom('home' as const, 'away' as const),
    point: fc.constantFrom(undefined, -3.5, 3.5),
    at: fc.option(fc.nat({ max: 99 }).map(iso), { nil: undefined }),
  },
  { requiredKeys: ['outcome'] },
);
const books = fc.uniqueArray(
  fc.record({
    key: fc.constantFrom('h2h', 'spreads'),
    alternate: fc.boolean(),
    outcomes: fc.uniqueArray(ladder, { selector: ({ outcome, point }) => `${outcome} ${point}`, maxLength: 4 }),
  }),
  { selector: ({ key, alternate }) => `${key} ${alternate}`, maxLength: 3 },
);

it('times of ladders that are kept without them are those of the order books', () => {
  fc.assert(
    fc.property(fc.array(books, { maxLength: 8 }), (messages) => {
      let depth: BookDepth | undefined;
      let times: LadderTimes | undefined;
      for (const [minute, reported] of messages.entries()) {
        const named = reported.map(({ outcomes, ...place }) => ({
          ...{ ...place, scope: 'match' as const },
          outcomes: outcomes.map(({ at, point, ...one }) => ({
            ...{ ...one, bids: [], asks: [[0.5, 10] as const] },
            ...(point !== undefined && { point }),
            ...(at !== undefined && { at }),
          })),
        }));
        const changes = changesOf(depth, named, iso(minute));
        depth = applyChanges({ ...depth }, changes, iso(minute));
        times = ladderTimesAfter(times, changes);
      }
      const NAMED = START + 50 * 60_000;
      let isAnyOld = false;
      for (const [market, known] of Object.entries(depth ?? {})) {
        for (const one of known.outcomes) {
          expect(pricedSince(times, market, NAMED, one)).toBe(offeredSince(known, NAMED, one));
          isAnyOld ||= one.at !== undefined;
        }
      }
      // Nothing is kept where every ladder comes with the others.
      expect(times !== undefined).toBe(isAnyOld);
    }),
    { numRuns: cases(500) },
  );
});
