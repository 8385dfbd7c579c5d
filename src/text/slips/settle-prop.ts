import type { BoxRow } from '../../domain/box.ts';
import { totalResult } from '../../domain/grading/comparison.ts';
import { type GradedBox, isFinalBox } from '../../domain/grading/player-stat.ts';
import { hasExtraTime } from '../../domain/grading/regular-time.ts';
import { slipStat } from '../../domain/grading/slip-stat.ts';
import type { Played } from '../../domain/results.ts';
import { isOver } from '../../domain/sports-event.ts';
import { didNotPlay, noStat, pending, type Settled, settled, waiting } from './settled.ts';

/** What an event's box has of one player. */
export interface PropFacts {
  readonly box: GradedBox | undefined;
  /** His row, where exactly one is. */
  readonly row: BoxRow | undefined;
  /** A row may be his. */
  readonly mayBeNamed: boolean;
}

/** @param stat name of the statistic */
export function settleProp(played: Played, facts: PropFacts | undefined, stat: string, line: number): Settled {
  const { status } = played.event;
  const { box, row, mayBeNamed = false } = facts ?? {};
  const current = slipStat(played, box, row, stat);
  if (!isOver(status)) return waiting(status, current);
  if (status === 'cancelled') return didNotPlay('The event was cancelled.');
  if (status === 'walkover') return didNotPlay('The event was a walkover.');
  if (hasExtraTime(played))
    return noStat('The match went to extra time, which the statistics count and the bet does not.');
  // One of teams alone tells nothing of who played.
  if (!box || box.players.length === 0) return noStat('There are no player statistics of this event.');
  if (!isFinalBox(played, box)) return pending('The statistics of this event are not final yet.', current);
  if (!row && mayBeNamed) return noStat('The statistics do not tell which row is the player’s.');
  if (!row || row.dnp) return didNotPlay('The player did not play.');
  if (current === null) return noStat(`The statistics of this event have no ${stat} of the player.`);
  return settled(totalResult(current, line), current);
}
