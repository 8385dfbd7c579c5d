import { expect, it } from 'vitest';
import type { GradedLegs } from '../../../src/web/grade/graded-slip.ts';
import { parlayText } from '../../../src/web/grade/parlay-text.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

/** Legs of as many games, of which this is known. */
const legs = (results: readonly (string | null)[], games: readonly number[] = results.map((_, index) => index)) =>
  ({
    legs: results.map((result, index) => ({ result, market: { side: 'over', event_id: games[index] } })),
  }) as unknown as GradedLegs;
const said = (text: string, graded: GradedLegs) => {
  const found = parlayText(text, graded, NOW);
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
])('of %s it says what it pays', (text, results, words) => {
  expect(said(text, legs(results))).toContain(words);
});

it.each([['lost'], ['under'], [null]])('says nothing once a leg is %s', (result) => {
  expect(said('Giants +7 -110\nLions v Bears over 40 -110', legs([OPEN, result]))).toBe('');
});

it('does not say that a leg has won of which one half was returned', () => {
  const graded = legs(['won', 'won']);
  const [first, second] = graded.legs;
  const halfWon = { ...graded, legs: [{ ...first!, result_detail: 'half_won' as const }, second!] };
  expect(said('Giants +7 -110\nLions v Bears over 40 -110', halfWon)).not.toContain('has won');
});

it('multiplies no prices of one game', () => {
  expect(said('Giants +7 -110\nGiants v Jets over 40 -110', legs([OPEN, OPEN], [5, 5]))).toContain(
    'a price of his own',
  );
});
