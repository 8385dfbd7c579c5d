import { playsLike } from '../../domain/catalogue/added-leagues.ts';
import { isSoccer, isTennis } from '../../domain/catalogue/sport-rules.ts';
import { scopeState } from '../../domain/grading/scope-scores.ts';
import { lacksShootoutWinner, settlingScores } from '../../domain/grading/settling-score.ts';
import { pointsInPeriod, sumIfComplete } from '../../domain/grading/side-points.ts';
import { type EventWithSport, isWinner, resultType } from '../../domain/sports-events/event-results.ts';
import { matchWinner } from '../../domain/sports-events/tennis-sets.ts';
import type { BoxScore } from '../../domain/statistics/box-score.ts';
import type { FinishedGame } from '../models/model.ts';

/** The result of a game that was played to its end, as the market counts it. */
export type SettledResult = Pick<FinishedGame, 'score' | 'winner'>;

/** Null if the game was not played to its end, or its result is not known. */
export function settledResultOf(played: EventWithSport): SettledResult | null {
  if (played.event.status !== 'final' || resultType(played) === 'retired') return null;
  const [home, away] = settlingScores(played);
  if (home === null || away === null || lacksShootoutWinner(played)) return null;
  const winner = winnerOf(played, home - away);
  if (isTennis(played.sport) && winner === null) return null;
  return { score: { home, away }, winner };
}

function winnerOf(played: EventWithSport, margin: number): SettledResult['winner'] {
  // The winner of a tennis match may have won fewer games.
  if (isTennis(played.sport)) {
    const index = matchWinner(played);
    return index === null ? null : index === 0 ? 'home' : 'away';
  }
  if (margin !== 0) return margin > 0 ? 'home' : 'away';
  if (isSoccer(played.sport)) return null;
  return isWinner(played, 0) ? 'home' : isWinner(played, 1) ? 'away' : null;
}

/** The scores in the part of the game that has lines of its own; null if unknown or not played. */
export function scopeScores(played: EventWithSport): FinishedGame['scope'] {
  const { scores, isComplete } = scopeState(played);
  const [home, away] = scores;
  return isComplete && home !== null && away !== null ? { home, away } : null;
}

const FIRST_FIVE = ['1', '2', '3', '4', '5'] as const;

/** What a model learns beside the score; null unless known for both sides. */
export function modelDetailOf({ sport, event }: EventWithSport, box: BoxScore | undefined): FinishedGame['detail'] {
  const numbers = ([0, 1] as const).map((index) => {
    if (playsLike(sport) === 'mlb')
      return sumIfComplete(FIRST_FIVE.map((inning) => pointsInPeriod(event.sides[index], inning)));
    if (!isSoccer(sport)) return null;
    const stat = (name: string) => box?.teams[index]?.[name] ?? null;
    return countChances({
      shotsOnTarget: stat('shots_on_target'),
      shots: stat('shots'),
      corners: stat('corners'),
    });
  });
  const [home, away] = numbers as [number | null, number | null];
  return home === null || away === null ? null : { home, away };
}

/** Counts of one side of a soccer match; null if unknown. `shots` includes the shots on target. */
interface ShotCounts {
  readonly shotsOnTarget: number | null;
  readonly shots: number | null;
  readonly corners: number | null;
}

/** Replaces an unknown count; about the mean of a side. */
const TYPICAL = { offTarget: 8, corners: 5 };

/** Chances in units of a shot on target; null if the shots on target are unknown. */
export function countChances({ shotsOnTarget, shots, corners }: ShotCounts): number | null {
  if (shotsOnTarget === null) return null;
  const offTarget = shots === null ? TYPICAL.offTarget : Math.max(0, shots - shotsOnTarget);
  return shotsOnTarget + 0.1 * offTarget + 0.15 * (corners ?? TYPICAL.corners);
}
