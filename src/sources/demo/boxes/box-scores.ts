import type { SportSlug } from '../../../domain/catalogue/catalogue.ts';
import type { Lineup } from '../fixtures/demo-lineups.ts';
import { randomFor } from '../simulation/random.ts';
import { baseballBox } from './baseball-box.ts';
import { basketballBox } from './basketball-box.ts';
import type { SportBox } from './box-tally.ts';
import { type Box, createTally } from './box-tally.ts';
import { footballBox } from './football-box.ts';
import { hockeyBox } from './hockey-box.ts';
import { lengthOf, type Step } from './played-game.ts';
import { soccerBox } from './soccer-box.ts';
import { tennisBox } from './tennis-box.ts';

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

/** A box score is sent after a key event, and otherwise at most once in this time: simulated seconds. */
const REST = 600;

export interface TimedBoxScore extends Box {
  /** Simulated seconds after the start of play. */
  readonly second: number;
  readonly final: boolean;
}

/** The box scores of a game, from its first moment to its end. Every box score agrees with the score of its moment. */
export function boxScoresOf(
  { ref, sport }: { readonly ref: string; readonly sport: SportSlug },
  {
    steps,
    lineUps,
    seed,
  }: { readonly steps: readonly Step[]; readonly lineUps: readonly [Lineup, Lineup]; readonly seed: number },
): TimedBoxScore[] {
  if (steps.length === 0) return [];
  const { counted, count } = SPORT_BOXES[sport];
  const tally = createTally(counted, lineUps, steps.length);
  count({ steps, lineUps, length: lengthOf(steps), random: randomFor(seed, ref, 'box') }, tally);
  const sent: TimedBoxScore[] = [];
  let index = 0;
  let news = true;
  for (const { changed, box } of tally.boxes()) {
    const { second, isKeyEvent, final } = steps[index++]!;
    news ||= changed;
    const rested = second - (sent.at(-1)?.second ?? Number.NEGATIVE_INFINITY) >= REST;
    if (!final && !(news && (isKeyEvent || rested))) continue;
    sent.push({ ...box(), second, final });
    news = false;
  }
  return sent;
}
