import type { SportSlug } from '../../domain/catalogue.ts';
import { logistic, logit } from '../models/logit.ts';
import { aboveProbability, type WholeNumbers } from '../models/whole-numbers.ts';
import { publishedProbabilities, rounded } from '../prices/rounding.ts';
import { counts, measured } from './next-value.ts';
import { type PastGame, type PlayerForm, playerForm } from './player-form.ts';
import { constantsOf, MINUTES_OF_GAME, type StatConstants } from './stat-constants.ts';

/** What a forecast rests on: the number that went in, and what it does to the probability. */
export interface Driver {
  readonly id: string;
  readonly input: number;
  /** The change of the probability against leaving the input out, four decimals. */
  readonly effect: number;
  readonly direction: 'up' | 'down' | 'none';
}

/** What is expected of a player's next value on one line. */
export interface PropForecast {
  /** The likelier one, `over` where both are as likely. */
  readonly side: 'over' | 'under';
  /** Of that side, given that the bet is decided: six decimals. */
  readonly probability: number;
  /** At most five, by size. */
  readonly drivers: readonly Driver[];
}

/** The numbers that a distribution is made of. */
interface Inputs {
  readonly form: PlayerForm;
  readonly constants: StatConstants;
  /** What is expected of anybody of whom such bets are offered, and how many games or minutes it weighs. */
  readonly prior: { readonly mean: number; readonly weight: number };
  readonly minutes: number | null;
  readonly zeros: number | null;
}

/**
 * What a player may make of a statistic next, from what he made of it in the past: his rate drawn towards what is usual,
 * times the minutes that he may expect where his boxes tell them, and counts around that mean.
 * @param past oldest first; one at least
 * @param line whole-number lines are decided by what is not exactly on them
 */
export function forecastProp(
  { sport, stat, line }: { readonly sport: SportSlug; readonly stat: string; readonly line: number },
  past: readonly PastGame[],
): PropForecast {
  const inputs = inputsOf(constantsOf(sport, stat), past);
  const [over, under] = publishedOf(inputs, line);
  const side = over >= under ? 'over' : 'under';
  const of = (some: Inputs) => publishedOf(some, line)[side === 'over' ? 0 : 1];
  return { side, probability: Math.max(over, under), drivers: driversOf(inputs, of) };
}

/** The distribution of what he makes next. */
export function nextValue(sport: SportSlug, stat: string, past: readonly PastGame[]): WholeNumbers {
  return distributionFrom(inputsOf(constantsOf(sport, stat), past));
}

function inputsOf(constants: StatConstants, past: readonly PastGame[]): Inputs {
  const form = playerForm(past, constants.inMinutes);
  const { mean, games, zeros } = constants;
  const isTimed = form.minutes !== null;
  const prior = isTimed ? { mean: mean / MINUTES_OF_GAME, weight: games * MINUTES_OF_GAME } : { mean, weight: games };
  return {
    ...{ form, constants, prior, minutes: form.minutes },
    zeros: zeros && (form.zeros + zeros.share * zeros.games) / (form.games + zeros.games),
  };
}

function distributionFrom({ form, constants, prior, minutes, zeros }: Inputs): WholeNumbers {
  const weight = form.weight + prior.weight;
  const rate = weight > 0 ? (form.sum + prior.weight * prior.mean) / weight : prior.mean;
  const mean = rate * (minutes ?? 1);
  return constants.sd === undefined ? counts(mean, constants.r, zeros) : measured(mean, constants.sd);
}

/** Of over and under, as published. */
function publishedOf(inputs: Inputs, line: number): [over: number, under: number] {
  const [over, under] = publishedProbabilities(
    bothOf(drawn(aboveProbability(distributionFrom(inputs), -decidedLine(line)) ?? 0.5, inputs.constants.slope)),
  );
  return [over!, under!];
}

const bothOf = (over: number): number[] => [over, 1 - over];

/** What counts comes in whole numbers, so that any line between two of them is the one in the middle. */
const decidedLine = (line: number): number => (Number.isInteger(line * 4) ? line : Math.floor(line) + 0.5);

/** No distribution is surer than this: a player may be hurt in the first minute, or not be used at all. */
const SUREST = 0.01;

function drawn(probability: number, slope: number): number {
  return logistic(slope * logit(Math.min(1 - SUREST, Math.max(SUREST, probability))));
}

const MOST_DRIVERS = 5;

/** @param of the probability of the row's side, from these inputs */
function driversOf(inputs: Inputs, of: (some: Inputs) => number): Driver[] {
  const { form, prior, minutes, zeros } = inputs;
  const whole = of(inputs);
  const driver = (id: string, input: number, without: Partial<Inputs>): Driver => {
    const effect = rounded(whole - of({ ...inputs, ...without }), 4);
    return { id, input: rounded(input, 4), effect, direction: effect > 0 ? 'up' : effect < 0 ? 'down' : 'none' };
  };
  const isTimed = minutes !== null;
  const own = form.weight > 0 ? form.sum / form.weight : 0;
  const usual = { mean: prior.mean, weight: Math.max(prior.weight, 1) };
  const drivers = [
    driver(isTimed ? 'player_per_minute' : 'player_per_game', own, {
      form: { ...form, sum: 0, weight: 0 },
      prior: usual,
    }),
    driver(isTimed ? 'usual_per_minute' : 'usual_per_game', prior.mean, { prior: { mean: prior.mean, weight: 0 } }),
    ...(isTimed ? [driver('expected_minutes', minutes, { minutes: MINUTES_OF_GAME })] : []),
    ...(zeros === null ? [] : [driver('games_without', zeros, { zeros: null })]),
  ];
  return drivers
    .map((one, place) => ({ one, place }))
    .sort((a, b) => Math.abs(b.one.effect) - Math.abs(a.one.effect) || a.place - b.place)
    .slice(0, MOST_DRIVERS)
    .map(({ one }) => one);
}
