import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SportSlug } from '../../../src/domain/catalogue/catalogue.ts';
import { playerStatisticNames } from '../../../src/domain/statistics/statistics-catalogue.ts';
import { coverProbability, type DiscreteDistribution } from '../../../src/intelligence/models/discrete-distribution.ts';
import type { PastStat } from '../../../src/intelligence/props/prop-forecast.ts';
import { forecastProp, statDistribution } from '../../../src/intelligence/props/prop-forecast.ts';
import { negativeBinomial } from '../../../src/intelligence/props/stat-distributions.ts';
import { cases } from '../../support/cases.ts';

const SPORTS: readonly SportSlug[] = ['nfl', 'ncaaf', 'nba', 'ncaab', 'mlb', 'nhl'];
const bets = fc
  .constantFrom(...SPORTS)
  .chain((sport) =>
    fc.record({ sport: fc.constant(sport), stat: fc.constantFrom(...playerStatisticNames(sport), 'dunks') }),
  );
const uses = fc.integer({ min: 0, max: 50 });
const pastGames = fc.array(
  fc.record({
    value: fc.integer({ min: 0, max: 60 }),
    minutes: fc.constantFrom(null, 0, 12, 24.5, 36),
    usage: fc.option(fc.record({ uses, carries: uses, targets: uses }), { freq: 20 }),
  }),
  { minLength: 1, maxLength: 30 },
);
const lines = fc.integer({ min: 0, max: 240 }).map((quarters) => quarters / 4);
const games = (...values: readonly number[]): PastStat[] => values.map((value) => ({ value, minutes: null }));
const overOf = (bet: { sport: SportSlug; stat: string }, line: number, past: readonly PastStat[]): number => {
  const { side, probability } = forecastProp({ ...bet, line }, past);
  return side === 'over' ? probability : 1 - probability;
};
const meanOf = ({ from, probabilities }: DiscreteDistribution): number =>
  probabilities.reduce((sum, probability, index) => sum + probability * (from + index), 0);

describe('counts around a mean', () => {
  it.each([
    ['points of basketball', 24.3, 12, 25.5, 0.40663],
    ['goals that hardly differ from chance', 0.35, 1e7, 0.5, 0.295312],
    ['three-pointers', 2.1, 4, 1.5, 0.5605],
    ['strikeouts', 5.863636, 64.5, 5.5, 0.526031],
  ])('%s: as the published vectors have them', (_, mean, r, line, over) => {
    expect(coverProbability(negativeBinomial(mean, r, null), -line)).toBeCloseTo(over, 6);
  });

  it('keep their mean when some games have nothing at all', () => {
    const yards = negativeBinomial(40, 2, 0.3);
    expect(meanOf(yards)).toBeCloseTo(40, 3);
    expect(yards.probabilities[0]).toBeCloseTo(0.3, 6);
    expect(meanOf(negativeBinomial(1, 2, 0.3))).toBeCloseTo(1, 3);
  });
});

describe('a forecast of a player', () => {
  it('is of the likelier side, and a line further up is never likelier to be passed', () => {
    fc.assert(
      fc.property(bets, pastGames, lines, lines, (bet, past, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const { probability } = forecastProp({ ...bet, line: low }, past);
        expect(probability).toBeGreaterThanOrEqual(0.5);
        // Whole-number lines leave out values exactly on them, and may be slightly above the half line before.
        const half = (line: number) => Math.floor(line) + 0.5;
        expect(overOf(bet, half(high), past)).toBeLessThanOrEqual(overOf(bet, half(low), past) + 1e-9);
      }),
      { numRuns: cases(500) },
    );
  });

  it('leaves out what is exactly on the line', () => {
    fc.assert(
      fc.property(bets, pastGames, fc.integer({ min: 0, max: 60 }), (bet, past, line) => {
        const { from, probabilities } = statDistribution(bet.sport, bet.stat, past);
        let [above, below] = [0, 0];
        for (const [index, probability] of probabilities.entries()) {
          if (from + index > line) above += probability;
          if (from + index < line) below += probability;
        }
        fc.pre(Math.abs(above - below) > 1e-6);
        expect(forecastProp({ ...bet, line }, past).side).toBe(above > below ? 'over' : 'under');
      }),
      { numRuns: cases(300) },
    );
  });

  it('comes nearer to what he makes, the oftener he makes it', () => {
    fc.assert(
      fc.property(
        bets.filter(({ stat }) => stat !== 'minutes'),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 20 }),
        (bet, value, count) => {
          const off = (times: number) =>
            Math.abs(
              meanOf(statDistribution(bet.sport, bet.stat, games(...Array.from({ length: times }, () => value)))) -
                value,
            );
          expect(off(count + 10)).toBeLessThanOrEqual(off(count) + 1e-3);
        },
      ),
      { numRuns: cases(300) },
    );
  });

  it('listens to the newest games most', () => {
    const bet = { sport: 'nba', stat: 'points' } as const;
    const [low, high] = [games(...Array(10).fill(5)), games(...Array(10).fill(25))];
    expect(overOf(bet, 15.5, [...low, ...high])).toBeGreaterThan(overOf(bet, 15.5, [...high, ...low]));
  });

  it('expects more of who plays longer, where boxes tell minutes', () => {
    const bet = { sport: 'nba', stat: 'points' } as const;
    const of = (...minutes: readonly number[]) => minutes.map((one) => ({ value: one / 2, minutes: one }));
    const rising = [...of(12, 12, 12, 12, 12), ...of(36, 36, 36, 36, 36)];
    expect(overOf(bet, 9.5, rising)).toBeGreaterThan(overOf(bet, 9.5, [...rising].reverse()));
    const { drivers } = forecastProp({ ...bet, line: 9.5 }, rising);
    expect(drivers.map(({ id }) => id).sort()).toEqual(['expected_minutes', 'player_per_minute', 'usual_per_minute']);
  });

  it('tells what drives it: at most five, by size, each with the number that went in', () => {
    fc.assert(
      fc.property(bets, pastGames, lines, (bet, past, line) => {
        const { drivers } = forecastProp({ ...bet, line }, past);
        expect(drivers.length).toBeGreaterThan(0);
        expect(drivers.length).toBeLessThanOrEqual(5);
        const sizes = drivers.map(({ effect }) => Math.abs(effect));
        expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
        for (const { effect, direction, input } of drivers) {
          expect(direction).toBe(effect > 0 ? 'up' : effect < 0 ? 'down' : 'none');
          expect(Number.isFinite(input)).toBe(true);
          expect(Math.round(effect * 1e4) / 1e4).toBe(effect);
        }
      }),
      { numRuns: cases(300) },
    );
  });

  it('names his own rate first, where that is far from what is usual', () => {
    const { side, drivers } = forecastProp({ sport: 'nfl', stat: 'receptions', line: 4.5 }, games(9, 8, 10, 9, 8, 9));
    expect(side).toBe('over');
    expect(drivers[0]).toMatchObject({ id: 'player_per_game', direction: 'up' });
    expect(drivers[0]!.input).toBeCloseTo(8.83, 1);
  });

  it('is a number for whatever a box or a line says', () => {
    const numbers = fc.constantFrom(-1e12, -7, -0.1, 0, 0.3, 1e6, 1e12, 1e300);
    const usage = fc.option(fc.record({ uses: numbers, carries: numbers, targets: numbers }), { freq: 20 });
    const some = fc.array(fc.record({ value: numbers, minutes: fc.option(numbers), usage }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(bets, some, numbers, (bet, past, line) => {
        const { probability, drivers } = forecastProp({ ...bet, line }, past);
        expect(probability).toBeGreaterThanOrEqual(0.5);
        expect(probability).toBeLessThanOrEqual(0.9999);
        for (const { effect } of drivers) expect(Number.isFinite(effect)).toBe(true);
      }),
      { numRuns: cases(300) },
    );
  });
});
