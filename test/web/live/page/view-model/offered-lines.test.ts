import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bestOffer,
  groupByPlayer,
  progressToLine,
  resultWords,
} from '../../../../../src/web/live/page/view-model/offered-lines.ts';
import { rateWords, statisticWords } from '../../../../../src/web/live/page/view-model/statistic-words.ts';

const prop = (player: string, player_id: number | null, market: string) => ({
  player,
  player_id,
  market,
  team_id: null,
  line: 0.5,
  current: null,
  result: null,
  books: {},
});

describe('the best offer', () => {
  const books = { a: { over: -110, under: null }, b: { over: 105, under: -125 }, c: { over: 105, under: -130 } };

  it('is the price that pays most, with all who offer it', () => {
    expect(bestOffer(books, 'over')).toEqual({ price: 105, slugs: ['b', 'c'] });
    expect(bestOffer(books, 'under')).toEqual({ price: -125, slugs: ['b'] });
    expect(bestOffer({ a: { home: -100 }, b: { home: 100 } }, 'home')).toEqual({ price: -100, slugs: ['a', 'b'] });
  });

  it('is none where nobody prices the outcome', () => {
    expect(bestOffer({ a: { over: -110, under: null } }, 'under')).toBeNull();
    expect(bestOffer(books, 'home')).toBeNull();
    expect(bestOffer({}, 'over')).toBeNull();
  });
});

describe('the way to a line', () => {
  it('is how far a number has come, and never beyond the line', () => {
    expect(progressToLine(12, 24)).toBe(0.5);
    expect(progressToLine(30, 24.5)).toBe(1);
    expect(progressToLine(-3, 24.5)).toBe(0);
    fc.assert(
      fc.property(fc.integer({ min: -500, max: 500 }), fc.integer({ min: 1, max: 500 }), (current, line) => {
        const way = progressToLine(current, line)!;
        expect(way).toBeGreaterThanOrEqual(0);
        expect(way === 1).toBe(current >= line);
      }),
    );
  });

  it('is none without a number, or to a line at or below 0', () => {
    expect([progressToLine(null, 4.5), progressToLine(3, 0), progressToLine(3, -3.5)]).toEqual([null, null, null]);
  });
});

it('a result is told in words once there is one', () => {
  expect(['over', 'push', 'lost', 'dnp', 'no_stat'].map(resultWords)).toEqual([
    'Over',
    'Push',
    'Lost',
    'Did not play',
    'Not counted',
  ]);
  expect([resultWords('in_progress'), resultWords(null)]).toEqual([null, null]);
});

it('the props of one player stand together, those of two with one name apart', () => {
  const props = [prop('A', 1, 'points'), prop('B', null, 'points'), prop('A', 2, 'points'), prop('A', 1, 'rebounds')];
  const shown = groupByPlayer(props).map((own) => own.map(({ player_id, market }) => [player_id, market]));

  expect(shown).toEqual([
    [
      [1, 'points'],
      [1, 'rebounds'],
    ],
    [[null, 'points']],
    [[2, 'points']],
  ]);
});

it('statistics are told in words', () => {
  expect(statisticWords('points_rebounds_assists')).toBe('Points + rebounds + assists');
  expect(statisticWords('shots_on_target')).toBe('Shots on target');
  expect(statisticWords('possession_pct')).toBe('Possession %');
  expect(rateWords('corners_for')).toBe('Corners');
  expect(rateWords('corners_against')).toBe('Corners, against');
});
