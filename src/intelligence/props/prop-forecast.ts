import { playsLike } from '../../domain/catalogue/added-leagues.ts';
import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import { coverProbability, type DiscreteDistribution } from '../models/discrete-distribution.ts';
import { MODEL_VERSION } from '../models/index.ts';
import { logistic, logit } from '../models/logit.ts';
import { roundProbabilities, roundTo } from '../prices/rounding.ts';
import { type GameUsage, type UsageForm, usageForm } from './player-usage.ts';
import { type StatConstants, statConstantsOf, USUAL_MINUTES } from './stat-constants.ts';
import { discreteNormal, negativeBinomial } from './stat-distributions.ts';
import { type UsageConstants, usageConstantsOf } from './usage-constants.ts';

/** The version of the forecasts of players: the sport's own unless they changed without its model. */
export function propModelVersion(sport: SportSlug): string {
  const like = playsLike(sport);
  return like === 'nfl' || like === 'ncaaf' ? `${like}-players-2.2` : MODEL_VERSION[sport];
}

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

/** The numbers from which a distribution is made: a mean is `rate * amount`. */
interface Inputs {
  /** What the player made, in how many games, minutes or uses. */
  readonly own: { readonly sum: number; readonly weight: number };
  /** What is usual for the players on whom such bets are offered, and how many games, minutes or uses it weighs. */
  readonly prior: { readonly mean: number; readonly weight: number };
  /** The expected minutes or uses; 1 if games are counted. */
  readonly amount: number;
  readonly zeros: number | null;
}

/** How a distribution is made of the inputs, and which of them are told. */
interface Basis {
  readonly inputs: Inputs;
  readonly r: number;
  readonly sd?: number | undefined;
  /** The published log odds of the computed ones. */
  readonly shrink: (logOdds: number) => number;
  /** What the rate is of; null if the statistic is the usage itself. */
  readonly per: 'game' | 'minute' | 'use' | null;
  readonly usualAmount: number;
}

/**
 * Forecasts a player's next value of a statistic from his past values. His rate is drawn towards the usual rate, and
 * multiplied by his expected minutes if his boxes have minutes, or by his expected uses if the statistic follows from
 * these and his boxes have them. The value is distributed around that mean.
 * @param past oldest first; at least one
 * @param line on a whole-number line, only values that are not exactly on it decide
 * @param isMarketLine whether it is the main line of bookmakers: such a line says what they expect
 */
export function forecastProp(
  { sport, stat, line }: { readonly sport: SportSlug; readonly stat: string; readonly line: number },
  past: readonly PastStat[],
  isMarketLine = true,
): PropForecast {
  const basis = basisOf(sport, stat, past, isMarketLine);
  const [over, under] = publishedProbabilitiesOf(basis, basis.inputs, line);
  const side = over >= under ? 'over' : 'under';
  const of = (changed: Inputs) => publishedProbabilitiesOf(basis, changed, line)[side === 'over' ? 0 : 1];
  return { side, probability: Math.max(over, under), drivers: propDrivers(basis, of) };
}

/** The distribution of the player's next value. */
export function statDistribution(sport: SportSlug, stat: string, past: readonly PastStat[]): DiscreteDistribution {
  const basis = basisOf(sport, stat, past);
  return distributionFrom(basis, basis.inputs);
}

/** The same of a statistic with such constants; null if the usage in a game is not known. */
export function usageDistribution(constants: UsageConstants, past: readonly PastStat[]): DiscreteDistribution | null {
  const form = usageForm(past, constants);
  if (!form) return null;
  const basis = basisOfUsage(constants, form, false);
  return distributionFrom(basis, basis.inputs);
}

function basisOf(sport: SportSlug, stat: string, past: readonly PastStat[], isMarketLine = false): Basis {
  const constants = usageConstantsOf(sport, stat);
  const form = constants && usageForm(past, constants);
  return form ? basisOfUsage(constants, form, isMarketLine) : basisOfValues(statConstantsOf(sport, stat), past);
}

function basisOfUsage(constants: UsageConstants, form: UsageForm, isMarketLine: boolean): Basis {
  const { efficiency, usual, r, zeros, leftOnMarketLine: left } = constants;
  const made = efficiency
    ? {
        own: { sum: form.made, weight: form.uses },
        prior: { mean: form.isBack ? efficiency.ofBacks : efficiency.usual, weight: efficiency.uses },
      }
    : { own: { sum: 0, weight: 0 }, prior: { mean: 1, weight: 1 } };
  return {
    inputs: { ...made, amount: form.expected, zeros: shareOfZeros(form, zeros) },
    r,
    shrink: !isMarketLine ? (odds) => odds : left === 'near even' ? shrinkNearEven : (odds) => left * odds,
    per: efficiency ? 'use' : null,
    usualAmount: usual.uses,
  };
}

function basisOfValues(constants: StatConstants, past: readonly PastStat[]): Basis {
  const form = playerForm(past, constants.inMinutes);
  const { mean, games, r, sd, slope } = constants;
  const isTimed = form.minutes !== null;
  return {
    inputs: {
      own: form,
      prior: isTimed ? { mean: mean / USUAL_MINUTES, weight: games * USUAL_MINUTES } : { mean, weight: games },
      amount: form.minutes ?? 1,
      zeros: shareOfZeros(form, constants.zeros),
    },
    r,
    sd,
    shrink: (logOdds) => slope * logOdds,
    per: isTimed ? 'minute' : 'game',
    usualAmount: USUAL_MINUTES,
  };
}

const shareOfZeros = (form: { readonly games: number; readonly zeros: number }, usual: StatConstants['zeros']) =>
  usual && (form.zeros + usual.share * usual.games) / (form.games + usual.games);

function distributionFrom({ r, sd }: Basis, { own, prior, amount, zeros }: Inputs): DiscreteDistribution {
  const weight = own.weight + prior.weight;
  const rate = weight > 0 ? (own.sum + prior.weight * prior.mean) / weight : prior.mean;
  const mean = rate * amount;
  return sd === undefined ? negativeBinomial(mean, r, zeros) : discreteNormal(mean, sd);
}

/** The probabilities of over and under, as published. */
function publishedProbabilitiesOf(basis: Basis, inputs: Inputs, line: number): [over: number, under: number] {
  const computed = coverProbability(distributionFrom(basis, inputs), -decidedLine(line)) ?? 0.5;
  const bounded = Math.min(1 - SUREST, Math.max(SUREST, computed));
  const [over, under] = roundProbabilities(bothOf(logistic(basis.shrink(logit(bounded)))));
  return [over!, under!];
}

const bothOf = (over: number): number[] => [over, 1 - over];

/** Counts are whole numbers, so any line between two of them is equal to the one in the middle. */
const decidedLine = (line: number): number => (Number.isInteger(line * 4) ? line : Math.floor(line) + 0.5);

/** No distribution is surer than this: a player may be hurt in the first minute, or not play at all. */
const SUREST = 0.01;

/** How much of small log odds is left, and how far from even they count in full. */
const KEPT_NEAR_EVEN = 0.3;
const NEAR_EVEN = 0.6;

/**
 * A bookmaker sets a line near to what he expects, and he knows more than past games. So a small difference from the
 * line says little, and a large one means that the line is not of that kind.
 */
function shrinkNearEven(logOdds: number): number {
  return logOdds * (1 - (1 - KEPT_NEAR_EVEN) * Math.exp(-((logOdds / NEAR_EVEN) ** 2)));
}

const MAX_DRIVERS = 5;

/** @param of computes the probability of the row's side from these inputs */
function propDrivers({ inputs, per, usualAmount }: Basis, of: (some: Inputs) => number): Driver[] {
  const { own, prior, amount, zeros } = inputs;
  const full = of(inputs);
  const driver = (id: string, input: number, without: Partial<Inputs>): Driver => {
    const effect = roundTo(full - of({ ...inputs, ...without }), 4);
    return { id, input: roundTo(input, 4), effect, direction: effect > 0 ? 'up' : effect < 0 ? 'down' : 'none' };
  };
  const usual = { mean: prior.mean, weight: Math.max(prior.weight, 1) };
  const drivers = [
    ...(per === null
      ? []
      : [
          driver(`player_per_${per}`, own.weight > 0 ? own.sum / own.weight : 0, {
            own: { sum: 0, weight: 0 },
            prior: usual,
          }),
          driver(`usual_per_${per}`, prior.mean, { prior: { mean: prior.mean, weight: 0 } }),
        ]),
    ...(per === 'game'
      ? []
      : [driver(per === 'minute' ? 'expected_minutes' : 'expected_uses', amount, { amount: usualAmount })]),
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
  /** How often he was used, from `usageIn`; null or absent if that is not known. */
  readonly usage?: GameUsage | null;
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
