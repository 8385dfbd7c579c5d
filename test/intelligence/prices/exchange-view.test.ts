import { describe, expect, it } from 'vitest';
import { computeFairLine } from '../../../src/intelligence/prices/fair-line.ts';
import { quoteOf } from '../../../src/intelligence/prices/quotes.ts';

type Level = readonly [price: number, size: number];
interface Books {
  readonly home: { readonly bids: readonly Level[]; readonly asks: readonly Level[] };
  readonly away: { readonly bids: readonly Level[]; readonly asks: readonly Level[] };
}
const SOUND: Books = {
  home: { bids: [[0.58, 100]], asks: [[0.62, 100]] },
  away: { bids: [[0.38, 100]], asks: [[0.42, 100]] },
};
const fairOf = ({ home, away }: Books, weight = 1) => {
  const depth = {
    outcomes: [
      { outcome: 'home', ...home },
      { outcome: 'away', ...away },
    ] as const,
    fees: [],
  };
  const outcomes = [
    { outcome: 'home', price: -163 },
    { outcome: 'away', price: 138 },
  ] as const;
  const quote = quoteOf('h2h', false, 'kalshi', { outcomes, at: 0, isRepeated: true, depth })!;
  return computeFairLine([quote], () => weight)?.fair?.probabilities;
};

describe('the view of an exchange with a reference weight', () => {
  it('is the middle between its best bid and ask', () => {
    expect(fairOf(SOUND)).toEqual([0.6, 0.4]);
  });

  it.each<[string, Books]>([
    ['one side has no bid', { ...SOUND, home: { ...SOUND.home, bids: [] } }],
    ['the spread is wider than 4 points', { ...SOUND, home: { bids: [[0.5799, 100]], asks: [[0.62, 100]] } }],
    ['less than 100 stands at a best price', { ...SOUND, away: { bids: [[0.38, 99.99]], asks: [[0.42, 100]] } }],
    ['its books are crossed', { ...SOUND, home: { bids: [[0.62, 100]], asks: [[0.62, 100]] } }],
  ])('is none where %s', (_, books) => {
    expect(fairOf(books)).toBeUndefined();
  });

  it('is none without a weight', () => {
    expect(fairOf(SOUND, 0)).toBeUndefined();
  });
});
