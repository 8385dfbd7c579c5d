import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyChanges, type BookDepth, changesOf, type ReportedBook } from '../../../src/domain/odds/book-depth.ts';
import type { Level } from '../../../src/domain/odds/venue-fee.ts';
import { cases } from '../../support/cases.ts';

/** Few prices, so that levels come, change and go. */
const side = (direction: 1 | -1): fc.Arbitrary<Level[]> =>
  fc
    .uniqueArray(
      fc.tuple(
        fc.integer({ min: 1, max: 6 }).map((tick) => tick / 10),
        fc.integer({ min: 1, max: 3 }),
      ),
      {
        maxLength: 5,
        selector: ([price]) => price,
      },
    )
    .map((levels) => levels.sort(([a], [b]) => direction * (a - b)) as Level[]);
const outcome = fc.record(
  {
    outcome: fc.constantFrom('home' as const, 'away' as const, 'draw' as const),
    bids: side(-1),
    asks: side(1),
    at: fc.constantFrom('2026-03-01T09:00:00Z', '2026-03-01T09:30:00Z'),
  },
  { requiredKeys: ['outcome', 'bids', 'asks'] },
);
const book: fc.Arbitrary<ReportedBook> = fc.record({
  key: fc.constantFrom('h2h', 'totals'),
  scope: fc.constantFrom('match' as const, '1H' as const),
  alternate: fc.constant(false),
  outcomes: fc.uniqueArray(outcome, { maxLength: 3, selector: (one) => one.outcome }),
});
const AT = '2026-03-01T10:00:00Z';
const byName = (books: ReportedBook['outcomes']) => new Map(books.map((one) => [one.outcome, one]));

it('the changes of messages, applied one after the other, give the books of the last message with each market', () => {
  fc.assert(
    fc.property(fc.array(book, { minLength: 1, maxLength: 12 }), (messages) => {
      let depth: BookDepth | undefined;
      const expected = new Map<string, ReportedBook>();
      for (const message of messages) {
        const changes = changesOf(depth, [message], AT);
        depth = applyChanges(depth, structuredClone(changes), AT);
        expected.set(message.scope === 'match' ? message.key : `${message.key}/${message.scope}`, message);
        // The same message again says nothing new.
        expect(changesOf(depth, [message], AT)).toEqual([]);
      }
      for (const [name, { outcomes }] of expected) {
        expect(byName(depth?.[name]?.outcomes ?? [])).toEqual(byName(outcomes));
      }
    }),
    { numRuns: cases(1000) },
  );
});

it('a changed level is recorded alone', () => {
  const of = (asks: Level[]): ReportedBook => ({
    key: 'h2h',
    scope: 'match',
    alternate: false,
    outcomes: [{ outcome: 'home', bids: [[0.4, 10]], asks }],
  });
  const depth = applyChanges(
    undefined,
    changesOf(
      undefined,
      [
        of([
          [0.5, 10],
          [0.6, 20],
        ]),
      ],
      AT,
    ),
    AT,
  );
  expect(
    changesOf(
      depth,
      [
        of([
          [0.5, 10],
          [0.6, 30],
        ]),
      ],
      AT,
    ),
  ).toEqual([{ key: 'h2h', scope: 'match', alternate: false, outcomes: [{ outcome: 'home', asks: [[0.6, 30]] }] }]);
});
