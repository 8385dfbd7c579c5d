import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coverProbability, type DiscreteDistribution } from '../../../src/intelligence/models/discrete-distribution.ts';
import { modelOf } from '../../../src/intelligence/models/index.ts';
import { LeagueMemory } from '../../../src/intelligence/walk-forward.ts';
import { cases } from '../../support/cases.ts';
import { gamesOf, LEAGUES, numbersOf } from '../seasons.ts';

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, value) => sum + value, 0);
const quarter = fc.integer({ min: -40, max: 40 }).map((quarters) => quarters / 4);

describe.each(LEAGUES)('the model of $league', ({ sport, league }) => {
  const taught = (games: number, seed: number) => {
    const memory = new LeagueMemory(modelOf(sport, league));
    const played = gamesOf(sport, league, games, numbersOf(seed));
    for (const game of played) memory.learn(game);
    return { memory, next: gamesOf(sport, league, games + 1, numbersOf(seed)).at(-1)! };
  };

  it('gives probabilities that sum to 1, of results, margins and totals', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 0, max: 300 }), (seed, games) => {
        const { memory, next } = taught(games, seed);
        const { home, draw, away, margin, total } = memory.forecast(next);
        expect(home + (draw ?? 0) + away).toBeCloseTo(1, 12);
        expect(Math.min(home, draw ?? 1, away)).toBeGreaterThan(0);
        expect(draw === null).toBe(sport !== 'soccer');
        for (const numbers of [margin, total]) {
          expect(sumOf(numbers.probabilities)).toBeCloseTo(1, 10);
          expect(Math.min(...numbers.probabilities)).toBeGreaterThanOrEqual(0);
        }
        expect(total.from).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: cases(20) },
    );
  });

  it('gives the mirror image when the sides change places on neutral ground', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 0, max: 300 }), quarter, (seed, games, line) => {
        const { memory, next } = taught(games, seed);
        const swap = <T>({ home, away }: { home: T; away: T }) => ({ home: away, away: home });
        const fixture = { ...next, isNeutral: true };
        const turned = { ...fixture, ...swap(next), ranks: swap(next.ranks), starters: swap(next.starters) };
        const [one, other] = [memory.forecast(fixture), memory.forecast(turned)];
        expect(other.home).toBeCloseTo(one.away, 12);
        expect(other.draw ?? 0).toBeCloseTo(one.draw ?? 0, 12);
        expect(coverProbability(other.margin, -line)).toBeCloseTo(1 - coverProbability(one.margin, line)!, 9);
        expect(coverProbability(other.total, -line)).toBeCloseTo(coverProbability(one.total, -line)!, 9);
      }),
      { numRuns: cases(20) },
    );
  });

  it('gives the same for first parts, and nothing before a hundred games', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 101, max: 300 }), quarter, (seed, games, line) => {
        const { memory, next } = taught(games, seed);
        const swap = <T>({ home, away }: { home: T; away: T }) => ({ home: away, away: home });
        const fixture = { ...next, isNeutral: true };
        const turned = { ...fixture, ...swap(next), ranks: swap(next.ranks), starters: swap(next.starters) };
        const [one, other] = [memory.scope(fixture), memory.scope(turned)];
        if (sport === 'nhl') {
          expect([one, other]).toEqual([null, null]);
          return;
        }
        expect(taught(99, seed).memory.scope(fixture)).toBeNull();
        const { home, draw, away, margin, total } = one!;
        expect(home + (draw ?? 0) + away).toBeCloseTo(1, 12);
        expect(draw === null).toBe(sport !== 'soccer');
        for (const numbers of [margin, total]) expect(sumOf(numbers.probabilities)).toBeCloseTo(1, 10);
        expect(total.from).toBeGreaterThanOrEqual(0);
        expect(other!.home).toBeCloseTo(away, 9);
        expect(coverProbability(other!.total, -line)).toBeCloseTo(coverProbability(total, -line) ?? 0, 7);
        const covers = coverProbability(margin, line);
        if (covers !== null) expect(coverProbability(other!.margin, -line)).toBeCloseTo(1 - covers, 7);
      }),
      { numRuns: cases(10) },
    );
  });

  it('continues from stored memory as if it had never stopped', () => {
    const { memory, next } = taught(200, 3);
    const kept = JSON.parse(JSON.stringify(memory));
    const again = new LeagueMemory(modelOf(sport, league), kept);
    expect(again.forecast(next)).toEqual(memory.forecast(next));
    expect(again.scope(next)).toEqual(memory.scope(next));
    memory.learn(next);
    again.learn(next);
    expect(JSON.stringify(again)).toBe(JSON.stringify(memory));
  });

  it('never changes what it was given, and remembers no more of a thousand games than of two hundred', () => {
    const size = (games: number) => JSON.stringify(taught(games, 5).memory).length;
    expect(size(1000)).toBeLessThan(1.2 * size(200));
    const model = modelOf(sport, league);
    const game = gamesOf(sport, league, 1, numbersOf(1))[0]!;
    const memory = { league: model.newLeague, sides: model.sidesOf(game).map(() => model.newSide) };
    const before = JSON.stringify(memory);
    model.learn(memory, game);
    expect(JSON.stringify(memory)).toBe(before);
  });

  it('expects more of a side that has won', () => {
    const memory = new LeagueMemory(modelOf(sport, league));
    const [game] = gamesOf(sport, league, 1, numbersOf(1));
    const won = { ...game!, isNeutral: true, score: { home: 30, away: 20 }, winner: 'home' as const, detail: null };
    const before = memory.forecast(won);
    memory.learn(won);
    const after = memory.forecast({ ...won, startsAt: won.startsAt + 7 * 86_400_000 });
    expect(after.home).toBeGreaterThan(before.home);
    expect(coverProbability(after.margin, 0)).toBeGreaterThan(coverProbability(before.margin, 0)!);
  });
});

describe('a line on a distribution', () => {
  const numbers = fc
    .tuple(fc.integer({ min: -20, max: 20 }), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 3, maxLength: 30 }))
    .map(([from, weights]): DiscreteDistribution => ({ from, probabilities: weights.map((w) => w / sumOf(weights)) }));
  const mirrored = ({ from, probabilities }: DiscreteDistribution): DiscreteDistribution => ({
    from: -(from + probabilities.length - 1),
    probabilities: probabilities.toReversed(),
  });

  it('gives two sides that sum to 1, and no lower probability for more points', () => {
    fc.assert(
      fc.property(numbers, quarter, (distribution, line) => {
        const one = coverProbability(distribution, line);
        const other = coverProbability(mirrored(distribution), -line);
        expect(one! + other!).toBeCloseTo(1, 12);
        expect(coverProbability(distribution, line + 0.5)).toBeGreaterThanOrEqual(one! - 1e-12);
      }),
      { numRuns: cases(200) },
    );
  });
});
