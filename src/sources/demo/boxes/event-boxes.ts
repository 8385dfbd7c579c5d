import type { SportSlug } from '../../../domain/catalogue.ts';
import { randomFor } from '../random.ts';
import { baseballBox } from './baseball.ts';
import { basketballBox } from './basketball.ts';
import { lengthOf, type Step } from './course.ts';
import { footballBox } from './football.ts';
import { hockeyBox } from './hockey.ts';
import type { LineUp } from './line-up.ts';
import { soccerBox } from './soccer.ts';
import type { SportBox } from './sport-box.ts';
import { type Box, newTally } from './tally.ts';
import { tennisBox } from './tennis.ts';

export const SPORT_BOXES: Readonly<Record<SportSlug, SportBox>> = {
  nfl: footballBox,
  ncaaf: footballBox,
  nba: basketballBox(113),
  ncaab: basketballBox(73),
  mlb: baseballBox,
  nhl: hockeyBox,
  soccer: soccerBox,
  tennis: tennisBox,
};

/** A box is told when something has happened that everyone looks at, and else no more often than this: simulated
 *  seconds. */
const REST = 600;

export interface TimedBox extends Box {
  /** Simulated seconds after the start of play. */
  readonly second: number;
  readonly final: boolean;
}

/** What is counted of a game, from its first moment to its end. Every box adds up to the score of its moment. */
export function boxesOf(
  { ref, sport }: { readonly ref: string; readonly sport: SportSlug },
  {
    steps,
    lineUps,
    seed,
  }: { readonly steps: readonly Step[]; readonly lineUps: readonly [LineUp, LineUp]; readonly seed: number },
): TimedBox[] {
  if (steps.length === 0) return [];
  const { counted, count } = SPORT_BOXES[sport];
  const tally = newTally(counted, lineUps, steps.length);
  count({ steps, lineUps, length: lengthOf(steps), random: randomFor(seed, ref, 'box') }, tally);
  const told: TimedBox[] = [];
  let index = 0;
  let news = true;
  for (const { changed, box } of tally.boxes()) {
    const { second, turning, final } = steps[index++]!;
    news ||= changed;
    const rested = second - (told.at(-1)?.second ?? Number.NEGATIVE_INFINITY) >= REST;
    if (!final && !(news && (turning || rested))) continue;
    told.push({ ...box(), second, final });
    news = false;
  }
  return told;
}
