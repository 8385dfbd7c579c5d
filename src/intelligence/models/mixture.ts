import { type DiscreteDistribution, normalizeWeights } from './discrete-distribution.ts';
import {
  type MixtureWeights,
  mixtureShift,
  newMixtureWeights,
  type PartOdds,
  shiftOutcomes,
  updateMixtureWeights,
  type WeightConstants,
} from './mixture-weights.ts';
import type { FinishedGame, Fixture, Model, ModelMemory, WinnerForecast } from './model.ts';

/**
 * A further model of a mixture. Like a model it remembers one plain object of fixed size for the league and one for
 * each of the two sides. It gives the odds of the winner and nothing else, so it is cheap.
 */
export interface Part<League, Side> {
  /** Names it among the drivers of a forecast, for example `games_share`. */
  readonly id: string;
  readonly newLeague: League;
  readonly newSide: Side;
  /**
   * The log odds of home against away; of a signal, a number that says something about home beyond the first model, and
   * whose weight is the log odds that a unit of it adds. With the sides swapped on neutral ground: the same, negated.
   */
  odds(memory: PartMemory<League, Side>, fixture: Fixture): number;
  readonly isSignal?: true;
  /** @param surprise 1, .5 or 0 as home won, drew or lost, minus its probability by the first model */
  learn(memory: PartMemory<League, Side>, game: FinishedGame, surprise: number): PartMemory<League, Side>;
}

export interface PartMemory<League, Side> {
  readonly league: League;
  readonly sides: readonly [home: Side, away: Side];
}

interface MixtureLeague<League> {
  readonly games: number;
  readonly first: League;
  readonly parts: readonly unknown[];
  readonly weights: MixtureWeights;
}

interface MixtureSide<Side> {
  readonly first: Side;
  readonly parts: readonly unknown[];
}

export interface MixtureConstants extends WeightConstants {
  readonly version: string;
}

const RESULT_OF = { home: 1, draw: 0.5, away: 0 } as const;

/** After this many games the weights learn. */
const WARM = 100;

/**
 * A model, and further parts that move its forecast by their weights: those of the winner, and the margin's distribution
 * as far. The total is that of the first model, and so is the part of the game that has lines of its own.
 */
export function mixtureOf<League, Side>(
  first: Model<League, Side>,
  parts: readonly Part<any, any>[],
  constants: MixtureConstants,
): Model<MixtureLeague<League>, MixtureSide<Side>> {
  type Memory = ModelMemory<MixtureLeague<League>, MixtureSide<Side>>;
  const ofFirst = ({ league, sides }: Memory): ModelMemory<League, Side> => ({
    league: league.first,
    sides: sides.map((side) => side.first),
  });
  const ofPart = ({ league, sides }: Memory, i: number): PartMemory<any, any> => ({
    league: league.parts[i],
    sides: [sides[0]!.parts[i], sides[1]!.parts[i]],
  });
  const valuesOf = (memory: Memory, fixture: Fixture): number[] =>
    parts.map((part, i) => part.odds(ofPart(memory, i), fixture));
  const oddsOf = (memory: Memory, fixture: Fixture, { home, away }: WinnerForecast): PartOdds => {
    const first = Math.log(home / away);
    return { first, others: valuesOf(memory, fixture).map((value, i) => (parts[i]!.isSignal ? first + value : value)) };
  };
  const winnerOf = (memory: Memory, fixture: Fixture): WinnerForecast => {
    const winner = first.winner(ofFirst(memory), fixture);
    return shiftOutcomes(winner, mixtureShift(memory.league.weights, oddsOf(memory, fixture, winner)));
  };
  return {
    version: constants.version,
    newLeague: {
      games: 0,
      first: first.newLeague,
      parts: parts.map(({ newLeague }) => newLeague),
      weights: newMixtureWeights(constants),
    },
    newSide: { first: first.newSide, parts: parts.map(({ newSide }) => newSide) },
    sidesOf: (fixture) => first.sidesOf(fixture),
    winner: winnerOf,
    forecast(memory, fixture) {
      const forecast = first.forecast(ofFirst(memory), fixture);
      const shift = mixtureShift(memory.league.weights, oddsOf(memory, fixture, forecast));
      return { ...forecast, ...shiftOutcomes(forecast, shift), margin: tiltMargin(forecast.margin, shift) };
    },
    scope: (memory, fixture) => first.scope(ofFirst(memory), fixture),
    learn(memory, game) {
      const { league, sides } = memory;
      const { weights } = league;
      const after = first.learn(ofFirst(memory), game);
      const outcome = game.winner ?? 'draw';
      const winner = first.winner(ofFirst(memory), game);
      const surprise = RESULT_OF[outcome] - winner.home / (winner.home + winner.away);
      const learned = parts.map((part, i) => part.learn(ofPart(memory, i), game, surprise));
      let next = weights;
      if (league.games >= WARM) {
        const odds = oddsOf(memory, game, winner);
        const mixed = shiftOutcomes(winner, mixtureShift(weights, odds));
        // A tie of a sport without draws says nothing of who was better.
        if (outcome !== 'draw' || winner.draw !== null)
          next = updateMixtureWeights(weights, constants, odds, mixed, outcome);
      }
      return {
        league: {
          games: league.games + 1,
          first: after.league,
          parts: learned.map((part) => part.league),
          weights: next,
        },
        sides: sides.map((side, index) => ({
          first: after.sides[index]!,
          parts: index < 2 ? learned.map((part) => part.sides[index as 0 | 1]) : side.parts,
        })),
      };
    },
    gamesPlayed: (side) => first.gamesPlayed(side.first),
    inputs(memory, fixture) {
      const { league, sides } = memory;
      const inputs = first.inputs(ofFirst(memory), fixture).map((input) => ({
        ...input,
        memory: {
          league: { ...league, first: input.memory.league },
          sides: sides.map((side, i) => ({ ...side, first: input.memory.sides[i]! })),
        },
      }));
      const values = valuesOf(memory, fixture);
      const unweighted = (without: number) => ({
        ...league,
        weights: { ...league.weights, weights: league.weights.weights.map((one, i) => (i === without ? 0 : one)) },
      });
      const mixed = parts.flatMap(({ id }, i) => {
        const counts = league.weights.weights[i] !== 0;
        return counts ? [{ id, value: values[i]!, fixture, memory: { league: unweighted(i), sides } }] : [];
      });
      return [...inputs, ...mixed];
    },
  };
}

/**
 * Each number k times `exp(tilt * k)`: what a normal curve becomes when its mean moves. The tilt is the one that moves
 * the log odds of a margin above 0, against one below, by `shift`.
 */
function tiltMargin(margin: DiscreteDistribution, shift: number): DiscreteDistribution {
  const tilted = (tilt: number): DiscreteDistribution =>
    normalizeWeights(
      margin.from,
      margin.probabilities.map((probability, i) => probability * Math.exp(tilt * (margin.from + i))),
    );
  const [above, below] = sidesOfZero(margin);
  if (shift === 0 || above.sum === 0 || below.sum === 0) return margin;
  const wanted = Math.log(above.sum / below.sum) + shift;
  let tilt = 0;
  let result = margin;
  for (let step = 0; step < 3; step++) {
    const [over, under] = sidesOfZero(result);
    // The derivative of these log odds by the tilt is the distance between the means of the two sides.
    tilt += (wanted - Math.log(over.sum / under.sum)) / (over.moment / over.sum - under.moment / under.sum);
    result = tilted(tilt);
  }
  return result;
}

function sidesOfZero({ from, probabilities }: DiscreteDistribution) {
  const [above, below] = [
    { sum: 0, moment: 0 },
    { sum: 0, moment: 0 },
  ];
  for (const [i, probability] of probabilities.entries()) {
    const value = from + i;
    if (value === 0) continue;
    const side = value > 0 ? above : below;
    side.sum += probability;
    side.moment += probability * value;
  }
  return [above, below] as const;
}
