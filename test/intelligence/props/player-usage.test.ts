import { describe, expect, it } from 'vitest';
import { coverProbability } from '../../../src/intelligence/models/discrete-distribution.ts';
import { logit } from '../../../src/intelligence/models/logit.ts';
import { usageIn } from '../../../src/intelligence/props/player-usage.ts';
import {
  forecastProp,
  type PastStat,
  propModelVersion,
  statDistribution,
} from '../../../src/intelligence/props/prop-forecast.ts';

/** Games of a receiver with these targets, who caught so many. */
const receiver = (...caught: readonly (readonly [receptions: number, targets: number])[]): PastStat[] =>
  caught.map(([value, targets]) => ({ value, minutes: null, usage: { uses: targets, carries: 0, targets } }));
const overOf = (stat: string, line: number, past: readonly PastStat[]): number => {
  const { side, probability } = forecastProp({ sport: 'nfl', stat, line }, past);
  return side === 'over' ? probability : 1 - probability;
};

describe('the usage of a football player in a game', () => {
  const box: Readonly<Record<string, number>> = { rushing_attempts: 3, targets: 5, receptions: 4 };
  const statOf = (name: string): number | null => box[name] ?? null;

  it('is what the statistic is made from', () => {
    expect(usageIn('nfl', 'receptions', statOf)).toEqual({ uses: 5, carries: 3, targets: 5 });
    expect(usageIn('ncaaf', 'touchdowns', statOf)).toEqual({ uses: 8, carries: 3, targets: 5 });
  });

  it('is not known where the box lacks it, or nothing follows from it', () => {
    expect(usageIn('nfl', 'passing_yards', statOf)).toBeNull();
    expect(usageIn('nfl', 'total_tackles', statOf)).toBeNull();
    expect(usageIn('nba', 'receptions', statOf)).toBeNull();
  });
});

describe('a forecast of a football player', () => {
  it('expects more of who is targeted oftener, though he caught as many', () => {
    const [few, many] = [receiver([4, 4], [4, 4], [4, 4]), receiver([4, 9], [4, 9], [4, 9])];
    expect(overOf('receptions', 4.5, many)).toBeGreaterThan(overOf('receptions', 4.5, few));
  });

  it('draws a rate from few uses nearer to the usual one than a rate from many', () => {
    const lucky = receiver([80, 2]);
    const proven = receiver([80, 2], [80, 2], [80, 2], [80, 2], [80, 2], [80, 2], [80, 2], [80, 2]);
    expect(overOf('receiving_yards', 39.5, lucky)).toBeLessThan(overOf('receiving_yards', 39.5, proven));
  });

  it('expects fewer yards of a back than of a receiver with as many targets', () => {
    const of = (carries: number): PastStat[] =>
      [20, 30, 25].map((value) => ({ value, minutes: null, usage: { uses: 4, carries, targets: 4 } }));
    expect(overOf('receiving_yards', 24.5, of(12))).toBeLessThan(overOf('receiving_yards', 24.5, of(0)));
  });

  it('follows a role that has grown sooner than old games do', () => {
    const carried = (...counts: readonly number[]): PastStat[] =>
      counts.map((uses) => ({ value: uses, minutes: null, usage: { uses, carries: uses, targets: 0 } }));
    const grown = carried(3, 3, 3, 3, 3, 3, 18, 18);
    expect(overOf('rushing_attempts', 9.5, grown)).toBeGreaterThan(
      overOf('rushing_attempts', 9.5, [...grown].reverse()),
    );
  });

  it('is made from values alone if the usage in one game is not known', () => {
    const known = receiver([4, 9], [4, 9]);
    const plain = known.map(({ value, minutes }) => ({ value, minutes }));
    const half = [known[0]!, plain[1]!];
    expect(overOf('receptions', 4.5, half)).toBe(overOf('receptions', 4.5, plain));
    expect(overOf('receptions', 4.5, half)).not.toBe(overOf('receptions', 4.5, known));
  });

  it('tells the uses that it expects, and what he makes of one', () => {
    const { drivers } = forecastProp({ sport: 'nfl', stat: 'receptions', line: 2.5 }, receiver([6, 8], [6, 8]));
    expect(drivers.map(({ id }) => id).sort()).toEqual(['expected_uses', 'player_per_use', 'usual_per_use']);
    expect(drivers.find(({ id }) => id === 'player_per_use')!.input).toBe(0.75);
    const carries = [10, 12].map((uses) => ({
      value: uses,
      minutes: null,
      usage: { uses, carries: uses, targets: 0 },
    }));
    const own = forecastProp({ sport: 'nfl', stat: 'rushing_attempts', line: 9.5 }, carries);
    expect(own.drivers.map(({ id }) => id)).toEqual(['expected_uses']);
  });

  it('is less sure than its distribution on a line of bookmakers, and as sure on one that says nothing', () => {
    const often = receiver(...Array.from({ length: 12 }, () => [6, 9] as const));
    const computed = (line: number) => coverProbability(statDistribution('nfl', 'receptions', often), -line)!;
    for (const line of [1.5, 5.5, 7.5]) {
      expect(logit(overOf('receptions', line, often))).toBeCloseTo(0.6 * logit(computed(line)), 4);
      const bet = { sport: 'nfl', stat: 'receptions', line } as const;
      const { side, probability } = forecastProp(bet, often, false);
      expect(side === 'over' ? probability : 1 - probability).toBeCloseTo(computed(line), 5);
    }
  });

  it('is cautious near to a line of rushing yards, and as sure as its distribution far from it', () => {
    const often = Array.from({ length: 12 }, () => ({
      value: 60,
      minutes: null,
      usage: { uses: 14, carries: 14, targets: 0 },
    }));
    const computed = (line: number) => coverProbability(statDistribution('nfl', 'rushing_yards', often), -line)!;
    expect(logit(overOf('rushing_yards', 44.5, often))).toBeCloseTo(0.3 * logit(computed(44.5)), 1);
    expect(overOf('rushing_yards', 2.5, often)).toBeCloseTo(computed(2.5), 2);
  });

  it('has a version of its own', () => {
    expect([propModelVersion('nfl'), propModelVersion('nba')]).toEqual(['nfl-players-2.2', 'nba-2.0']);
  });
});
