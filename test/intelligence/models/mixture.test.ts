import { describe, expect, it } from 'vitest';
import { signProbabilities } from '../../../src/intelligence/models/discrete-distribution.ts';
import { modelOf, partsOf } from '../../../src/intelligence/models/index.ts';
import { logit } from '../../../src/intelligence/models/logit.ts';
import { mixtureOf, type Part } from '../../../src/intelligence/models/mixture.ts';
import type { FinishedGame, Fixture, Model } from '../../../src/intelligence/models/model.ts';
import { LeagueMemory } from '../../../src/intelligence/walk-forward.ts';
import { gamesOf, numbersOf } from '../seasons.ts';

/** A part that knows nothing but what it is given. */
const partOf = (id: string, odds: (fixture: Fixture) => number): Part<null, null> => ({
  id,
  newLeague: null,
  newSide: null,
  odds: (_, fixture) => odds(fixture),
  learn: (memory) => memory,
});
const mixed = (first: Model<any, any>, ...parts: Part<any, any>[]) =>
  mixtureOf(first, parts, { version: 'test-1.0', initial: parts.map(() => 0), firmness: parts.map(() => 10) });
const weightsOf = (memory: LeagueMemory<any, any>): readonly number[] => memory.toJSON().league.weights.weights;
const taught = (model: Model<any, any>, games: readonly FinishedGame[]) => {
  const memory = new LeagueMemory<any, any>(model);
  for (const game of games) memory.learn(game);
  return memory;
};

describe.each([
  { sport: 'nba', league: 'nba' },
  { sport: 'tennis', league: 'atp' },
  { sport: 'soccer', league: 'epl' },
] as const)('a mixture of $league', ({ sport, league }) => {
  const first = modelOf(sport, league, partsOf(sport));
  const games = gamesOf(sport, league, 600, numbersOf(4));
  const next = gamesOf(sport, league, 601, numbersOf(4)).at(-1)!;
  const winners = new Map(games.map(({ startsAt, home, winner }) => [`${startsAt} ${home}`, winner]));
  const oracle = partOf('oracle', ({ startsAt, home }) => {
    const winner = winners.get(`${startsAt} ${home}`);
    return winner === 'home' ? 1 : winner === 'away' ? -1 : 0;
  });
  const coin = partOf('coin', ({ startsAt }) => (startsAt % 7) / 3 - 1);

  /** The mean log loss on the later half of the games. */
  const lossOf = (model: Model<any, any>) => {
    const memory = taught(model, games.slice(0, 300));
    const losses = games.slice(300).flatMap((game) => {
      const { home, draw, away } = memory.forecast(game);
      memory.learn(game);
      const p = game.winner === 'home' ? home : game.winner === 'away' ? away : draw;
      return p === null ? [] : [-Math.log(p)];
    });
    return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
  };

  it('gains by a part that knows more, and loses almost nothing by one that knows nothing', () => {
    expect(weightsOf(taught(mixed(first, oracle), games))[0]).toBeGreaterThan(0.8);
    expect(lossOf(mixed(first, oracle))).toBeLessThan(lossOf(first) - 0.1);
    expect(lossOf(mixed(first, coin))).toBeLessThan(lossOf(first) + 0.01);
  });

  it('is its first model while the weights are 0', () => {
    const memory = taught(mixed(first, oracle), games.slice(0, 100));
    expect(weightsOf(memory)).toEqual([0]);
    expect(memory.forecast(next).home).toBeCloseTo(taught(first, games.slice(0, 100)).forecast(next).home, 12);
  });

  it('moves the margin as far as the winner, and leaves the total', () => {
    const sure = partOf('sure', () => 3);
    const model = mixtureOf(first, [sure], { version: 'test-1.0', initial: [0.2], firmness: [1e9] });
    const [alone, shifted] = [taught(first, games).forecast(next), taught(model, games).forecast(next)];
    const odds = (margin: typeof alone.margin) => {
      const { above, below } = signProbabilities(margin);
      return logit(above / (above + below));
    };
    const moved = Math.log(shifted.home / shifted.away) - Math.log(alone.home / alone.away);
    expect(moved).toBeCloseTo(0.2 * (3 - Math.log(alone.home / alone.away)), 5);
    expect(odds(shifted.margin) - odds(alone.margin)).toBeCloseTo(moved, 3);
    expect(shifted.total).toEqual(alone.total);
    expect(taught(model, games).scope(next)).toEqual(taught(first, games).scope(next));
  });
});

it('of each sport says by its drivers what its parts bring, once they bring anything', () => {
  const games = gamesOf('tennis', 'atp', 300, numbersOf(2));
  const model = modelOf('tennis', 'atp');
  const memory = taught(model, games.slice(0, 299)).toJSON();
  const fixture = games[299]!;
  const sides = new Map(memory.sides);
  const known = { league: memory.league, sides: model.sidesOf(fixture).map((id) => sides.get(id!) ?? model.newSide) };
  const inputs = model.inputs(known, fixture);
  expect(inputs.map(({ id }) => id)).toEqual(expect.arrayContaining(['p1_rating', ...partsOf('tennis')]));
  for (const part of inputs.filter(({ id }) => partsOf('tennis').includes(id)))
    expect(model.forecast(part.memory, part.fixture).home).not.toBe(model.forecast(known, fixture).home);
  expect(model.inputs({ league: model.newLeague, sides: [model.newSide, model.newSide] }, fixture)).not.toContainEqual(
    expect.objectContaining({ id: 'games_share' }),
  );
});
