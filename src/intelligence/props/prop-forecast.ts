import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import { coverProbability, type DiscreteDistribution } from '../models/discrete-distribution.ts';
import { logistic, logit } from '../models/logit.ts';
import { roundProbabilities, roundTo } from '../prices/rounding.ts';
import { type StatConstants, statConstantsOf, USUAL_MINUTES } from './stat-constants.ts';
import { discreteNormal, negativeBinomial } from './stat-distributions.ts';

/** An input of a forecast, and its effect on the probability. */
interface Driver {
  readonly id: string;
  readonly input: number;
  /** How much the probability would change without the input: four decimals. */
  readonly effect: number;
  readonly direction: 'up' | 'down' | 'none';
}

/** The forecast of a player's next value on one line. */
interface PropForecast {
  /** The likelier side; `over` if both are equal. */
  readonly side: 'over' | 'under';
  /** The probability of that side, given that the bet is decided: six decimals. */
  readonly probability: number;
  /** At most five, by size. */
  readonly drivers: readonly Driver[];
}

/** The numbers from which a distribution is made. */
interface Inputs {
  readonly form: PlayerForm;
  readonly constants: StatConstants;
  /** What is usual for the players on whom such bets are offered, and how many games or minutes it weighs. */
  readonly prior: { readonly mean: number; readonly weight: number };
  readonly minutes: number | null;
  readonly zeros: number | null;
}

/**
 * Forecasts a player's next value of a statistic from his past values. His rate is drawn towards the usual rate, and
 * multiplied by his expected minutes if his boxes have minutes. The value is distributed around that mean.
 * @param past oldest first; at least one
 * @param line on a whole-number line, only values that are not exactly on it decide
 */
export function forecastProp(
  { sport, stat, line }: { readonly sport: SportSlug; readonly stat: string; readonly line: number },
  past: readonly PastStat[],
): PropForecast {
  const inputs = inputsOf(statConstantsOf(sport, stat), past);
  const [over, under] = publishedProbabilitiesOf(inputs, line);
  const side = over >= under ? 'over' : 'under';
  const of = (changed: Inputs) => publishedProbabilitiesOf(changed, line)[side === 'over' ? 0 : 1];
  return { side, probability: Math.max(over, under), drivers: propDrivers(inputs, of) };
}

/** The distribution of the player's next value. */
export function statDistribution(sport: SportSlug, stat: string, past: readonly PastStat[]): DiscreteDistribution {
  return distributionFrom(inputsOf(statConstantsOf(sport, stat), past));
}

function inputsOf(constants: StatConstants, past: readonly PastStat[]): Inputs {
  const form = playerForm(past, constants.inMinutes);
  const { mean, games, zeros } = constants;
  const isTimed = form.minutes !== null;
  const prior = isTimed ? { mean: mean / USUAL_MINUTES, weight: games * USUAL_MINUTES } : { mean, weight: games };
  return {
    form,
    constants,
    prior,
    minutes: form.minutes,
    zeros: zeros && (form.zeros + zeros.share * zeros.games) / (form.games + zeros.games),
  };
}

function distributionFrom({ form, constants, prior, minutes, zeros }: Inputs): DiscreteDistribution {
  const weight = form.weight + prior.weight;
  const rate = weight > 0 ? (form.sum + prior.weight * prior.mean) / weight : prior.mean;
  const mean = rate * (minutes ?? 1);
  return constants.sd === undefined ? negativeBinomial(mean, constants.r, zeros) : discreteNormal(mean, constants.sd);
}

/** The probabilities of over and under, as published. */
function publishedProbabilitiesOf(inputs: Inputs, line: number): [over: number, under: number] {
  const [over, under] = roundProbabilities(
    bothOf(shrinkToEven(coverProbability(distributionFrom(inputs), -decidedLine(line)) ?? 0.5, inputs.constants.slope)),
  );
  return [over!, under!];
}

const bothOf = (over: number): number[] => [over, 1 - over];

/** Counts are whole numbers, so any line between two of them is equal to the one in the middle. */
const decidedLine = (line: number): number => (Number.isInteger(line * 4) ? line : Math.floor(line) + 0.5);

/** No distribution is surer than this: a player may be hurt in the first minute, or not play at all. */
const SUREST = 0.01;

function shrinkToEven(probability: number, slope: number): number {
  return logistic(slope * logit(Math.min(1 - SUREST, Math.max(SUREST, probability))));
}

const MAX_DRIVERS = 5;

/** @param of computes the probability of the row's side from these inputs */
function propDrivers(inputs: Inputs, of: (some: Inputs) => number): Driver[] {
  const { form, prior, minutes, zeros } = inputs;
  const full = of(inputs);
  const driver = (id: string, input: number, without: Partial<Inputs>): Driver => {
    const effect = roundTo(full - of({ ...inputs, ...without }), 4);
    return { id, input: roundTo(input, 4), effect, direction: effect > 0 ? 'up' : effect < 0 ? 'down' : 'none' };
  };
  const isTimed = minutes !== null;
  const playerRate = form.weight > 0 ? form.sum / form.weight : 0;
  const usual = { mean: prior.mean, weight: Math.max(prior.weight, 1) };
  const drivers = [
    driver(isTimed ? 'player_per_minute' : 'player_per_game', playerRate, {
      form: { ...form, sum: 0, weight: 0 },
      prior: usual,
    }),
    driver(isTimed ? 'usual_per_minute' : 'usual_per_game', prior.mean, { prior: { mean: prior.mean, weight: 0 } }),
    ...(isTimed ? [driver('expected_minutes', minutes, { minutes: USUAL_MINUTES })] : []),
    ...(zeros === null ? [] : [driver('games_without', zeros, { zeros: null })]),
  ];
  return drivers
    .map((one, index) => ({ one, place: index }))
    .sort((a, b) => Math.abs(b.one.effect) - Math.abs(a.one.effect) || a.place - b.place)
    .slice(0, MAX_DRIVERS)
    .map(({ one }) => one);
}

/** A player's value of one statistic in one game. */
export interface PastStat {
  readonly value: number;
  /** The minutes that he played; null if his box does not have them. */
  readonly minutes: number | null;
}

/** The summary of his past games. The newest count most. */
interface PlayerForm {
  /** The sum of the values. */
  readonly sum: number;
  /** The number of games; or of minutes, if the statistic is made in minutes. */
  readonly weight: number;
  /** His expected minutes; null if games are counted. */
  readonly minutes: number | null;
  /** The number of games, and of games without any. */
  readonly games: number;
  readonly zeros: number;
}

/** The factor by which each later game reduces a game's weight. */
const DECAY = 0.985;
/** The weight of the newest game in the expected minutes. */
const NEWEST = 0.18;

/** @param past oldest first; at least one */
function playerForm(past: readonly PastStat[], inMinutes: boolean): PlayerForm {
  let [sum, weight, games, zeros] = [0, 0, 0, 0];
  let expected: number | null = null;
  const isTimed =
    inMinutes && past.every(({ minutes }) => minutes !== null) && past.some(({ minutes }) => minutes! > 0);
  for (const { value, minutes } of past) {
    sum = DECAY * sum + value;
    weight = DECAY * weight + (isTimed ? minutes! : 1);
    games = DECAY * games + 1;
    zeros = DECAY * zeros + (value <= 0 ? 1 : 0);
    if (isTimed) expected = expected === null ? minutes! : expected + NEWEST * (minutes! - expected);
  }
  return { sum, weight, minutes: expected, games, zeros };
}
