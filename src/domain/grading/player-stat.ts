import { timeOf } from '../observations/observation.ts';
import { type EventWithSport, hasPlayBegun } from '../sports-events/event-results.ts';
import { isOver } from '../sports-events/sports-event.ts';
import type { BoxRow, BoxScore } from '../statistics/box-score.ts';
import { statNamesInBox, statValue, statValueFromAvailableParts } from '../statistics/stat-values.ts';
import { isFullGame } from './innings.ts';
import { gradeTotal, type TotalResult } from './line-results.ts';
import { hasExtraTime } from './settling-score.ts';

/** A box with what it carries, found once for all of its players. */
export interface BoxWithStatNames extends BoxScore {
  readonly statNames: ReadonlySet<string>;
}

export const withStatNames = (box: BoxScore): BoxWithStatNames => ({ ...box, statNames: statNamesInBox(box.players) });

type PropResult = TotalResult | 'in_progress' | 'dnp' | 'no_stat' | null;

/**
 * What a player has made of a statistic; null while the event has no score yet, for who did not play, and where the box
 * does not tell. A box of soccer counts the extra time, bets do not.
 */
export function playerStat(
  played: EventWithSport,
  box: BoxWithStatNames | undefined,
  row: BoxRow | undefined,
  stat: string,
): number | null {
  if (!box || !row || row.dnp || !hasScore(played) || hasExtraTime(played)) return null;
  return statValue(played.sport, box.statNames, row.stats, stat);
}

/** @param row of the player in the box @param current as `playerStat` has it */
export function gradePlayerStat(
  played: EventWithSport,
  box: BoxScore | undefined,
  row: BoxRow | undefined,
  current: number | null,
  line: number,
): PropResult {
  const { status } = played.event;
  if (status !== 'final') return isOver(status) ? null : 'in_progress';
  if (hasExtraTime(played) || !isFullGame(played)) return null;
  if (!box) return 'no_stat';
  if (!isFinalBox(played, box)) return 'in_progress';
  if (row?.dnp) return 'dnp';
  return current === null ? 'no_stat' : gradeTotal(current, line);
}

/** Of an event that has ended. A box that says nothing of it is final when it is not older than the end. */
export function isFinalBox({ event: { overAt } }: EventWithSport, { at, final, newestFinal }: BoxScore): boolean {
  if (newestFinal !== undefined) return newestFinal;
  return final === true || (overAt !== null && timeOf(at) >= timeOf(overAt));
}

/** A final event may be known by its box alone. */
function hasScore({ event: { status, sides } }: EventWithSport): boolean {
  if (status === 'final') return true;
  return hasPlayBegun(status) && sides.some(({ score }) => score !== undefined);
}

/**
 * What a player has made of a statistic, as slips have it (`playerStat` is what lines show): a sum is made of the parts
 * that are there, and a row that states nothing at all tells nothing. Null while the event has no score yet, for who did
 * not play, where the box does not tell, and of a match with extra time, which the box counts.
 */
export function slipStat(
  played: EventWithSport,
  box: BoxWithStatNames | undefined,
  row: BoxRow | undefined,
  stat: string,
): number | null {
  if (!box || !row || row.dnp || !hasScore(played) || hasExtraTime(played)) return null;
  if (Object.keys(row.stats).length === 0) return null;
  return statValueFromAvailableParts(played.sport, box.statNames, row.stats, stat);
}
