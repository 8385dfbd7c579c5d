import type { Box, BoxRow } from '../box.ts';
import { timeOf } from '../observation.ts';
import { hasPlay, type Played } from '../results.ts';
import { isOver } from '../sports-event.ts';
import { carriedBy, statOf } from '../statistics/combined.ts';
import { type TotalResult, totalResult } from './comparison.ts';
import { isFullGame } from './innings.ts';
import { hasExtraTime } from './regular-time.ts';

/** A box with what it carries, found once for all of its players. */
export interface GradedBox extends Box {
  readonly carried: ReadonlySet<string>;
}

export const gradedBox = (box: Box): GradedBox => ({ ...box, carried: carriedBy(box.players) });

export type PropResult = TotalResult | 'in_progress' | 'dnp' | 'no_stat' | null;

/**
 * What a player has made of a statistic; null while the event has no score yet, for who did not play, and where the box
 * does not tell. A box of soccer counts the extra time, bets do not.
 */
export function playerStat(
  played: Played,
  box: GradedBox | undefined,
  row: BoxRow | undefined,
  stat: string,
): number | null {
  if (!box || !row || row.dnp || !hasScore(played) || hasExtraTime(played)) return null;
  return statOf(played.sport, box.carried, row.stats, stat);
}

/** @param row of the player in the box @param current as `playerStat` has it */
export function gradePlayerStat(
  played: Played,
  box: Box | undefined,
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
  return current === null ? 'no_stat' : totalResult(current, line);
}

/** Of an event that has ended. A box that says nothing of it is final when it is not older than the end. */
export function isFinalBox({ event: { overAt } }: Played, { at, final, saidFinal }: Box): boolean {
  if (saidFinal !== undefined) return saidFinal;
  return final === true || (overAt !== null && timeOf(at) >= timeOf(overAt));
}

/** A final event may be known by its box alone. */
export function hasScore({ event: { status, sides } }: Played): boolean {
  if (status === 'final') return true;
  return hasPlay(status) && sides.some(({ score }) => score !== undefined);
}
