import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelOf } from '../../src/intelligence/models/index.ts';
import { type GameKnownAt, walkForward } from '../../src/intelligence/walk-forward.ts';
import { cases } from '../support/cases.ts';
import { gamesOf, LEAGUES, numbersOf, resultOf } from './seasons.ts';

const GAMES = 260;

describe.each(LEAGUES)('forecasts of $league', ({ sport, league }) => {
  const walk = (games: readonly GameKnownAt[]) => [...walkForward(games, (name) => modelOf(sport, name))];

  it('do not change when later results do', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 0, max: GAMES - 1 }), (seed, cut) => {
        const games = gamesOf(sport, league, GAMES, numbersOf(seed));
        const from = games[cut]!.startsAt;
        const random = numbersOf(seed + 1);
        const scrambled = games.map((game) =>
          game.knownAt >= from ? { ...game, ...resultOf(sport, 4 * random() - 2, random) } : game,
        );
        const until = (all: readonly GameKnownAt[]) =>
          walk(all).flatMap(({ game, forecast }) => (game.startsAt <= from ? [forecast] : []));
        expect(until(scrambled)).toEqual(until(games));
        expect(until(games)).toHaveLength(cut + 1);
      }),
      { numRuns: cases(20) },
    );
  });

  it('do change with the last result that was known', () => {
    const games = gamesOf(sport, league, GAMES, numbersOf(7));
    const at = games.findLastIndex(({ home, away, winner }, i) => {
      const last = games.at(-1)!;
      return i < GAMES - 4 && winner === 'home' && [home, away].includes(last.home);
    });
    const { score } = games[at]!;
    const turned = { ...games[at]!, score: { home: score.away, away: score.home }, winner: 'away' as const };
    expect(walk(games.with(at, turned)).at(-1)!.forecast.home).not.toBe(walk(games).at(-1)!.forecast.home);
  });

  it('are the same digits in whatever order the games are given', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (seed, order) => {
        const games = gamesOf(sport, league, 120, numbersOf(seed));
        const random = numbersOf(order);
        const shuffled = games
          .map((game) => ({ game, place: random() }))
          .sort((a, b) => a.place - b.place)
          .map(({ game }) => game);
        expect(walk(shuffled)).toEqual(walk(games));
      }),
      { numRuns: cases(10) },
    );
  });
});
