import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelOf } from '../../../src/intelligence/models/index.ts';
import { forecastInPlay } from '../../../src/intelligence/play/in-play-forecast.ts';
import { estimateTimeLeft } from '../../../src/intelligence/play/leader-chance.ts';
import { matchInPlay } from '../../../src/intelligence/play/match-in-play.ts';
import { LeagueMemory } from '../../../src/intelligence/walk-forward.ts';
import { cases } from '../../support/cases.ts';
import { gamesOf, LEAGUES, numbersOf } from '../seasons.ts';

const TEAMS = LEAGUES.filter(({ sport }) => sport !== 'tennis');
/** Minutes of regular play; an inning of baseball counts as twenty. */
const MINUTES: Readonly<Record<string, number>> = { nfl: 60, ncaaf: 60, nba: 48, ncaab: 40, nhl: 60, soccer: 90 };
const timeLeft = fc.double({ min: 0, max: 1, noNaN: true });

describe.each(TEAMS)('a game of $league that is being played', ({ sport, league }) => {
  const memory = new LeagueMemory(modelOf(sport, league));
  const games = gamesOf(sport, league, 200, numbersOf(7));
  for (const game of games) memory.learn(game);
  const before = fc.nat(60).map((n) => memory.forecast(games[n]!));
  const score = fc.record({ home: fc.nat(40), away: fc.nat(40) });

  it('has probabilities that sum to 1, whatever the score', () => {
    fc.assert(
      fc.property(before, score, timeLeft, (forecast, score, timeLeft) => {
        const { home, draw, away, margin, total } = forecastInPlay(sport, forecast, { score, timeLeft })!;
        expect(home + (draw ?? 0) + away).toBeCloseTo(1, 9);
        expect(Math.min(home, draw ?? 1, away)).toBeGreaterThanOrEqual(0);
        for (const { probabilities } of [margin, total])
          expect(probabilities.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
        expect(total.from).toBeGreaterThanOrEqual(score.home + score.away);
      }),
      { numRuns: cases(30) },
    );
  });

  it('is its forecast at the first moment', () => {
    fc.assert(
      fc.property(before, (forecast) => {
        const now = forecastInPlay(sport, forecast, { score: { home: 0, away: 0 }, timeLeft: 1 })!;
        expect(now.home).toBeCloseTo(forecast.home, 6);
        expect(now.away).toBeCloseTo(forecast.away, 6);
      }),
      { numRuns: cases(20) },
    );
  });

  it('is better for a side that leads by more, and certain at the end', () => {
    fc.assert(
      fc.property(before, score, fc.double({ min: 0.02, max: 1, noNaN: true }), (forecast, score, timeLeft) => {
        const more = { ...score, home: score.home + 1 };
        const [now, then] = [score, more].map((one) => forecastInPlay(sport, forecast, { score: one, timeLeft })!);
        expect(then!.home).toBeGreaterThanOrEqual(now!.home - 1e-9);
        const end = forecastInPlay(sport, forecast, {
          score: { home: score.away + 1, away: score.away },
          timeLeft: 0,
        })!;
        // Soccer goes on for some minutes after the ninetieth.
        expect(end.home).toBeGreaterThan(0.97);
      }),
      { numRuns: cases(30) },
    );
  });

  it.skipIf(MINUTES[sport] === undefined)('moves little in half a minute of a level game without a score', () => {
    fc.assert(
      fc.property(before, fc.nat(20), timeLeft, (forecast, points, left) => {
        const score = { home: points, away: points };
        const later = Math.max(0, left - 0.5 / MINUTES[sport]!);
        const [now, then] = [left, later].map((one) => forecastInPlay(sport, forecast, { score, timeLeft: one })!);
        // In the last minute of soccer a draw becomes certain.
        if (sport === 'soccer' && later < 1 / 90) return;
        expect(Math.abs(then!.home - now!.home)).toBeLessThan(0.05);
        expect(Math.abs(then!.away - now!.away)).toBeLessThan(0.05);
      }),
      { numRuns: cases(60) },
    );
  });
});

describe('the time that is left', () => {
  it('is that of the middle of the period if the clock is not told, and unknown without a period', () => {
    expect(estimateTimeLeft({ sport: 'nba' }, '4', undefined)).toBeCloseTo(1 / 8, 12);
    expect(estimateTimeLeft({ sport: 'soccer' }, '1H', undefined)).toBeCloseTo(3 / 4, 12);
    expect(estimateTimeLeft({ sport: 'nfl' }, '2', '15:00')).toBeCloseTo(3 / 4, 12);
    expect(estimateTimeLeft({ sport: 'nfl' }, undefined, undefined)).toBeNull();
  });
});

describe('a tennis match that is being played', () => {
  const p = fc.double({ min: 0.02, max: 0.98, noNaN: true });
  const bestOf = fc.constantFrom(3, 5);
  const set = fc.constantFrom<[number, number]>([0, 0], [1, 0], [3, 4], [5, 5], [6, 5], [6, 6], [5, 2]);

  it('is its forecast before the first game, and certain after the last set', () => {
    fc.assert(
      fc.property(p, bestOf, (before, sets) => {
        expect(matchInPlay(before, sets, [])).toBeCloseTo(before, 6);
        expect(matchInPlay(before, sets, [[0, 0]])).toBeCloseTo(before, 6);
        const won = Array.from({ length: (sets + 1) / 2 }, (): [number, number] => [6, 4]);
        expect(matchInPlay(before, sets, won)).toBe(1);
        expect(
          matchInPlay(
            before,
            sets,
            won.map(([one, two]) => [two, one]),
          ),
        ).toBe(0);
      }),
      { numRuns: cases(30) },
    );
  });

  it('is better after a game that was won, and the mirror image for the other player', () => {
    fc.assert(
      fc.property(p, bestOf, set, (before, sets, [one, two]) => {
        const now = matchInPlay(before, sets, [
          [7, 5],
          [one, two],
        ]);
        expect(
          matchInPlay(1 - before, sets, [
            [5, 7],
            [two, one],
          ]),
        ).toBeCloseTo(1 - now, 6);
        if (one < 6)
          expect(
            matchInPlay(before, sets, [
              [7, 5],
              [one + 1, two],
            ]),
          ).toBeGreaterThan(now);
      }),
      { numRuns: cases(30) },
    );
  });
});
