import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyChanges, type BookDepth, changesOf, outcomesOf } from '../../../src/domain/odds/book-depth.ts';
import { marketName } from '../../../src/domain/odds/bookmaker-prices.ts';
import { MAX_PRICE_AGE } from '../../../src/domain/odds/far-outside.ts';
import { withOtherLadders } from '../../../src/domain/odds/standing-ladders.ts';
import { formatTime, MINUTE } from '../../../src/domain/primitives/time.ts';
import { cases } from '../../support/cases.ts';

const START = Date.UTC(2026, 2, 1);
const BETS = [
  ...[210.5, 220.5].flatMap((point) => (['over', 'under'] as const).map((outcome) => ({ outcome, point }))),
] as const;
const PLACES = [false, true].map((alternate) => ({ key: 'totals', scope: 'match', alternate }) as const);

const message = fc.record({
  bet: fc.constantFrom(...BETS),
  minutes: fc.integer({ min: 1, max: 50 }),
  isEmpty: fc.boolean(),
  /** The book of all sides of a line, or the ladder of one contract. */
  isComplete: fc.boolean(),
});

it('ladders that come one by one stand once each, on one main line, and none is named that is too old', () => {
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 20 }), (messages) => {
      let depth: BookDepth | undefined;
      let clock = START;
      let newestAt: number | undefined;
      const namedAt: Record<string, number> = {};
      /** By bet, when its own ladder came last. */
      const own = new Map<string, number>();
      for (const { bet, minutes, isEmpty, isComplete } of messages) {
        clock += minutes * MINUTE;
        const at = formatTime(clock);
        const asks = isEmpty ? [] : ([[0.5, 100]] as const);
        const named = isComplete ? BETS.filter(({ point }) => point === bet.point) : [bet];
        const book = { ...PLACES[0]!, outcomes: named.map((one) => ({ ...one, bids: [], asks })) };
        const others = isComplete ? BETS.map((one) => ({ ...one, market: 'totals' })) : ('all' as const);
        const books = withOtherLadders(depth, [book], { at, newestAt, namedAt, others });
        for (const one of named) own.set(JSON.stringify(one), clock);
        for (const { outcomes } of books) {
          for (const { outcome, point } of outcomes) {
            expect(clock - own.get(JSON.stringify({ outcome, point }))!).toBeLessThanOrEqual(MAX_PRICE_AGE);
          }
        }
        depth = applyChanges(depth, changesOf(depth, books, at), at);
        if (books.length > 0) newestAt = clock;
        for (const one of books) namedAt[marketName(one)] = clock;
        const [main, alternates] = PLACES.map((place) => outcomesOf(depth, place));
        const standing = [...main!, ...alternates!].filter(
          (one) => one.outcome === bet.outcome && one.point === bet.point,
        );
        if (!isComplete) expect(standing).toHaveLength(isEmpty ? 0 : 1);
        expect(new Set(main!.map(({ point }) => point)).size).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: cases(500) },
  );
});

it('a message that is late keeps nothing of what stands', () => {
  const at = (minute: number) => formatTime(START + minute * MINUTE);
  const ladder = (outcome: 'home' | 'away') => ({
    ...({ key: 'h2h', scope: 'match', alternate: false } as const),
    outcomes: [{ outcome, bids: [], asks: [[0.5, 100]] as const }],
  });
  const depth = applyChanges(undefined, changesOf(undefined, [ladder('home')], at(9)), at(9));
  const late = { at: at(8), newestAt: START + 9 * MINUTE, namedAt: { h2h: START + 9 * MINUTE } };
  expect(withOtherLadders(depth, [ladder('away')], { ...late, others: 'all' })).toEqual([
    { ...ladder('away'), complete: false },
  ]);
});
