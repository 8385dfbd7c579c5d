import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LeagueHistory } from '../../../src/intelligence/facts/league-history.ts';
import { modelOf } from '../../../src/intelligence/models/index.ts';
import { type GameKnownAt, walkForward } from '../../../src/intelligence/walk-forward.ts';
import { cases } from '../../support/cases.ts';
import { gamesOf, LEAGUES, numbersOf, resultOf } from '../seasons.ts';

const GAMES = 230;

interface Told {
  readonly at: number;
  readonly name: string;
  readonly game: GameKnownAt | null;
}

const toldOf = (games: readonly GameKnownAt[]): Told[] =>
  games.map((game, i) => ({ at: game.knownAt, name: String(i), game }));
const byTime = (told: readonly Told[]): Told[] => told.toSorted((a, b) => a.at - b.at);

describe.each(LEAGUES)('the history of $league', ({ sport, league }) => {
  function historyOf(told: readonly Told[]) {
    const history = new LeagueHistory(modelOf(sport, league));
    for (const { at, name, game } of byTime(told)) history.put(at, name, game);
    return history;
  }

  it('forecasts every game of the past as a walk forward did', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const games = gamesOf(sport, league, GAMES, numbersOf(seed)).slice(100);
        const history = historyOf(toldOf(games));
        const walked = walkForward(games, (name) => modelOf(sport, name), true);
        for (const { game, forecast, scope, earlier } of walked) {
          expect(history.forecastAt(game.startsAt, game)).toEqual(forecast);
          expect(history.scopeAt(game.startsAt, game)).toEqual(scope);
          expect(history.countResultsBefore(game.startsAt)).toBe(earlier);
        }
      }),
      { numRuns: cases(10) },
    );
  });

  it('treats corrected results as right from the start, and had the wrong ones before', () => {
    // Each has ended before the first moment at which corrections come.
    const places = fc.uniqueArray(fc.nat({ max: GAMES - 21 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.nat(), places, fc.nat({ max: 19 }), (seed, corrected, later) => {
        const right = gamesOf(sport, league, GAMES, numbersOf(seed));
        const random = numbersOf(seed + 1);
        const wrong = right.map((game, i) =>
          corrected.includes(i) ? { ...game, ...resultOf(sport, 0, random) } : game,
        );
        const at = right[GAMES - 20 + later]!.startsAt;
        const told = [...toldOf(wrong), ...corrected.map((i) => ({ at, name: String(i), game: right[i]! }))];
        const [history, ifRight, ifWrong] = [historyOf(told), historyOf(toldOf(right)), historyOf(toldOf(wrong))];
        const fixture = right[GAMES - 1]!;
        expect(history.forecastAt(at + 1, fixture)).toEqual(ifRight.forecastAt(at + 1, fixture));
        expect(history.forecastAt(at, fixture)).toEqual(ifWrong.forecastAt(at, fixture));
      }),
      { numRuns: cases(10) },
    );
  });

  it('is unchanged by a rewind', () => {
    const places = fc.uniqueArray(fc.nat({ max: GAMES - 1 }), { maxLength: 4 });
    fc.assert(
      fc.property(fc.nat(), places, fc.nat({ max: GAMES - 1 }), (seed, corrected, back) => {
        const games = gamesOf(sport, league, GAMES, numbersOf(seed)).slice(-150);
        const at = games.at(-1)!.knownAt;
        const random = numbersOf(seed + 1);
        const corrections = corrected
          .filter((i) => i < games.length)
          .map((i) => ({ at, name: String(i), game: { ...games[i]!, ...resultOf(sport, 0, random) } }));
        const told = byTime([...toldOf(games), ...corrections]);
        const moment = games[back % games.length]!.knownAt;
        const history = historyOf(told);
        const isRewound = history.rewind(moment);
        expect(history.countPutsFrom(moment)).toBe(isRewound ? 0 : told.filter((one) => one.at >= moment).length);
        if (isRewound) for (const one of told) if (one.at >= moment) history.put(one.at, one.name, one.game);
        const never = historyOf(told);
        for (const game of games.slice(-5)) {
          for (const then of [game.startsAt, at, at + 1]) {
            expect(history.forecastAt(then, game)).toEqual(never.forecastAt(then, game));
            expect(history.countResultsBefore(then)).toBe(never.countResultsBefore(then));
          }
        }
      }),
      { numRuns: cases(10) },
    );
  });

  it('forgets a withdrawn result, and learns it again in its old place', () => {
    const games = gamesOf(sport, league, GAMES, numbersOf(5));
    const [back, again] = [games[200]!.startsAt, games[210]!.startsAt];
    const taken = { at: back, name: '150', game: null };
    const history = historyOf([...toldOf(games), taken, { at: again, name: '150', game: games[150]! }]);
    const without = historyOf(toldOf(games).toSpliced(150, 1));
    const fixture = games[GAMES - 1]!;
    expect(history.forecastAt(again, fixture)).toEqual(without.forecastAt(again, fixture));
    expect(history.countResultsBefore(again)).toBe(without.countResultsBefore(again));
    expect(history.forecastAt(again + 1, fixture)).toEqual(historyOf(toldOf(games)).forecastAt(again + 1, fixture));
  });
});
