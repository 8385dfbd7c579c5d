import { expect, it } from 'vitest';
import type { BetResult } from '../../../src/domain/grading/leg-result.ts';
import type { GradedLegs } from '../../../src/web/grade/graded-slip.ts';
import { parlayText } from '../../../src/web/grade/parlay-text.ts';

/** What it comes to for somebody who took the over. */
const DETAILS: Readonly<Record<string, BetResult>> = {
  over: 'won',
  under: 'lost',
  won: 'won',
  lost: 'lost',
  push: 'push',
  void: 'void',
  dnp: 'void',
};
const detailOf = (result: string | null) => DETAILS[result ?? ''] ?? null;

/** Legs of as many games, of which this is known. */
const legs = (results: readonly (string | null)[], games: readonly number[] = results.map((_, index) => index)) =>
  ({
    legs: results.map((result, index) => ({
      result,
      result_detail: detailOf(result),
      market: { side: 'over', event_id: games[index] },
    })),
  }) as unknown as GradedLegs;
const said = (text: string, graded: GradedLegs) => {
  const found = parlayText(text, graded);
  return found === false ? '' : found.html.replaceAll(/<[^>]*>/g, '');
};
const OPEN = 'in_progress';

it.each([
  [
    'Giants +7 -110\nArsenal ML @2.00',
    [OPEN, OPEN],
    'Together 3.82 (+282): a stake of 10 comes back as 38.18 if every leg wins.',
  ],
  ['Giants +7 -110', [OPEN], '1.91 (−110): a stake of 10 comes back as 19.09 if it wins.'],
  ['Giants +7 -110\nLions v Bears over 40 -110', [OPEN, 'over'], 'Together 3.64 (+264)'],
  [
    'Giants +7 -110\nLions v Bears over 40 -110',
    ['won', 'over'],
    'Together 3.64 (+264): every leg has won, so a stake of 10 comes back as 36.45.',
  ],
  ['Giants +7 -110', ['won'], '1.91 (−110): it has won, so a stake of 10 comes back as 19.09.'],
  ['Giants +7 -110\nArsenal ML', [OPEN, OPEN], 'With a price after each leg'],
  [
    'Giants +7 -110\nLions v Bears over 40 -110\nArsenal ML @2.00',
    ['won', 'push', OPEN],
    'Together 3.82 (+282): a stake of 10 comes back as 38.18 if every open leg wins.',
  ],
  [
    'Giants +7 -110\nMahomes over 20.5 points',
    [OPEN, 'dnp'],
    'Together 1.91 (−110): a stake of 10 comes back as 19.09 if every open leg wins.',
  ],
  [
    'Giants +7 -110\nArsenal ML @2.00',
    ['push', 'void'],
    'Together 1.00: every leg is settled, so a stake of 10 comes back as 10.00.',
  ],
])('of %s it says what it pays', (text, results, words) => {
  expect(said(text, legs(results))).toContain(words);
});

it.each([['lost'], ['under'], [null]])('says nothing once a leg is %s', (result) => {
  expect(said('Giants +7 -110\nLions v Bears over 40 -110', legs([OPEN, result]))).toBe('');
});

it('pays half of the price of a leg of which one half was returned, and says that it is settled', () => {
  const graded = legs(['won', 'won']);
  const [first, second] = graded.legs;
  const halfWon = { ...graded, legs: [{ ...first!, result_detail: 'half_won' as const }, second!] };
  const words = said('Giants +7 @2.00\nLions v Bears over 40 @2.00', halfWon);
  expect(words).toContain('Together 3.00 (+200): every leg is settled, so a stake of 10 comes back as 30.00.');
  expect(words).not.toContain('has won');
});

it('multiplies no prices of one game', () => {
  expect(said('Giants +7 -110\nGiants v Jets over 40 -110', legs([OPEN, OPEN], [5, 5]))).toContain(
    'a price of his own',
  );
});
