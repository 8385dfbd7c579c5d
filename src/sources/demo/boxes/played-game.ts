import type { Lineup } from '../fixtures/demo-lineups.ts';
import type { Pair } from '../simulation/chances.ts';
import type { Moment } from '../simulation/game-moment.ts';
import type { Random } from '../simulation/random.ts';

/** The events between two moments of a game. */
export interface Step {
  readonly second: number;
  readonly period: string;
  /** Points of each side since the previous step; in tennis, games. */
  readonly scored: Pair;
  readonly score: Pair;
  /** Seconds of play since the previous step, without breaks. */
  readonly play: number;
  readonly isKeyEvent: boolean;
  readonly final: boolean;
}

/** A game as it was played, for counting its statistics. */
export interface PlayedGame {
  readonly steps: readonly Step[];
  readonly lineUps: readonly [Lineup, Lineup];
  /** Length of play, where 1 is a game without overtime. */
  readonly length: number;
  readonly random: Random;
}

/** Periods of overtime, and periods whose events count for nobody. */
const OVERTIME = /^(?:OT|ET)/;
const SHOOTOUT = /^(?:SO|PKs)$/;
export const isRegular = ({ period }: Pick<Step, 'period'>): boolean => !OVERTIME.test(period);
export const isShootout = ({ period }: Pick<Step, 'period'>): boolean => SHOOTOUT.test(period);

const sum = (score: string): number => score.split(' ').reduce((total, part) => total + Number(part), 0);

/** The steps of a game from its first moment of play. Empty if nothing was played. */
export function stepsOfGame(moments: readonly Moment[]): Step[] {
  const steps: Step[] = [];
  let score: Pair = [0, 0];
  let period = '';
  let before: Moment | undefined;
  for (const moment of moments) {
    const { second, score: told } = moment;
    if (second < 0 || (told && told.status !== 'inprogress' && told.status !== 'final')) {
      before = undefined;
      continue;
    }
    const present = told?.sides?.map((side) => sum(side.score ?? '0')) as unknown as Pair | undefined;
    const scored: Pair = present ? [present[0] - score[0], present[1] - score[1]] : [0, 0];
    const goesOn = before !== undefined && (told?.period ?? period) === period && before.score?.clock !== '0:00';
    score = present ?? score;
    period = told?.period ?? period;
    const step = {
      second,
      period,
      scored,
      score,
      isKeyEvent: moment.isKeyEvent ?? false,
      final: told?.status === 'final',
    };
    steps.push({ ...step, play: goesOn && !SHOOTOUT.test(period) ? second - before!.second : 0 });
    before = moment;
  }
  return steps;
}

const played = (steps: readonly Step[]): number => steps.reduce((all, { play }) => all + play, 0);

/** Length of play, where 1 is a game without overtime. */
export function lengthOf(steps: readonly Step[]): number {
  const regular = played(steps.filter(isRegular));
  return regular === 0 ? 1 : played(steps) / regular;
}

/** Spreads random events over the time of play. @returns a step, or -1 if nothing was played */
export function stepPicker({ steps, random }: PlayedGame): () => number {
  const ends: number[] = [];
  let all = 0;
  for (const { play } of steps) {
    all += play;
    ends.push(all);
  }
  return () => {
    const place = random.next() * all;
    return ends.findIndex((end) => place < end);
  };
}

/** A random number with the Poisson distribution (Knuth's method). */
export function drawPoisson(mean: number, random: Random): number {
  const limit = Math.exp(-mean);
  let product = random.next();
  let count = 0;
  while (product > limit) {
    product *= random.next();
    count++;
  }
  return count;
}

/** Picks one item with a probability in proportion to its weight. */
export function pickWeighted<T>(items: readonly T[], weight: (item: T) => number, random: Random): T {
  let place = random.next() * items.reduce((all, item) => all + weight(item), 0);
  for (const item of items) {
    place -= weight(item);
    if (place < 0) return item;
  }
  return items.at(-1)!;
}
