import { timeOf } from '../observations/observation.ts';
import { type EventWithSport, hasPlayBegun } from '../sports-events/event-results.ts';
import { isOver } from '../sports-events/sports-event.ts';
import type { BoxRow, BoxScore } from '../statistics/box-score.ts';
import { statNamesInBox, statValue, statValueFromAvailableParts } from '../statistics/stat-values.ts';
import { isFullGame } from './innings.ts';
import { gradeTotal, type TotalResult } from './line-results.ts';
import { hasExtraTime } from './settling-score.ts';

/** A box score with the names of its statistics, computed once for all of its players. */
export interface BoxWithStatNames extends BoxScore {
  readonly statNames: ReadonlySet<string>;
}

export const withStatNames = (box: BoxScore): BoxWithStatNames => ({ ...box, statNames: statNamesInBox(box.players) });

type PropResult = TotalResult | 'in_progress' | 'dnp' | 'no_stat' | null;

/**
 * The value of a statistic of a player; null while the event has no score, if he did not play, or if the box does not
 * have it. Also null after extra time in soccer: boxes count it, bets do not.
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

/**
 * The result of a player's line in the answer about player props (docs/api.md). In baseball it needs a full game, like
 * the other lines of that answer. A slip follows its own published rules, where props stand however short the game was:
 * see `settleProp`.
 * @param row the player's row in the box
 * @param current from `playerStat`
 */
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

/** Whether the box of a finished event is final. A box without a statement is final if it is not older than the end. */
export function isFinalBox({ event: { overAt } }: EventWithSport, { at, final, newestFinal }: BoxScore): boolean {
  if (newestFinal !== undefined) return newestFinal;
  return final === true || (overAt !== null && timeOf(at) >= timeOf(overAt));
}

/** A final event may have a box but no score. */
function hasScore({ event: { status, sides } }: EventWithSport): boolean {
  if (status === 'final') return true;
  return hasPlayBegun(status) && sides.some(({ score }) => score !== undefined);
}

/**
 * The value of a statistic by the rules of slips (`playerStat` has the rules of lines): a sum uses the parts that are
 * available, and a row without statistics has no value. Null while the event has no score, if the player did not play,
 * if the box does not have the statistic, or after extra time, which boxes count.
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
