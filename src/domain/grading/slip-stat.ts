import type { BoxRow } from '../box.ts';
import type { Played } from '../results.ts';
import { statOfPartsThere } from '../statistics/combined.ts';
import { type GradedBox, hasScore } from './player-stat.ts';
import { hasExtraTime } from './regular-time.ts';

/**
 * What a player has made of a statistic, as slips have it (`playerStat` is what lines show): a sum is made of the parts
 * that are there, and a row that states nothing at all tells nothing. Null while the event has no score yet, for who did
 * not play, where the box does not tell, and of a match with extra time, which the box counts.
 */
export function slipStat(
  played: Played,
  box: GradedBox | undefined,
  row: BoxRow | undefined,
  stat: string,
): number | null {
  if (!box || !row || row.dnp || !hasScore(played) || hasExtraTime(played)) return null;
  if (Object.keys(row.stats).length === 0) return null;
  return statOfPartsThere(played.sport, box.carried, row.stats, stat);
}
