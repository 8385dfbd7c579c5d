import type { Box } from '../../domain/box.ts';
import { pointsIn, sumOfAll } from '../../domain/grading/points.ts';
import { scopeState } from '../../domain/grading/scope.ts';
import { lacksShootoutWinner, settlingScores } from '../../domain/grading/settling-score.ts';
import { isWinner, type Played, resultType } from '../../domain/results.ts';
import { isSoccer, isTennis } from '../../domain/sides.ts';
import { matchWinner } from '../../domain/tennis-sets.ts';
import { chancesOf } from '../models/chances.ts';
import type { Game } from '../models/model.ts';

/** What a game that was played to its end came to, as the market counts it. */
export type Result = Pick<Game, 'score' | 'winner'>;

/** Null where it was not played to its end, or nobody tells how it ended. */
export function resultOf(played: Played): Result | null {
  if (played.event.status !== 'final' || resultType(played) === 'retired') return null;
  const [home, away] = settlingScores(played);
  if (home === null || away === null || lacksShootoutWinner(played)) return null;
  const winner = winnerOf(played, home - away);
  if (isTennis(played.sport) && winner === null) return null;
  return { score: { home, away }, winner };
}

function winnerOf(played: Played, margin: number): Result['winner'] {
  // Who wins a match of tennis may have won fewer games.
  if (isTennis(played.sport)) {
    const index = matchWinner(played);
    return index === null ? null : index === 0 ? 'home' : 'away';
  }
  if (margin !== 0) return margin > 0 ? 'home' : 'away';
  if (isSoccer(played.sport)) return null;
  return isWinner(played, 0) ? 'home' : isWinner(played, 1) ? 'away' : null;
}

/** What each side made in the part of the game that has lines of its own; null where that is not known, or was not played. */
export function scopeScores(played: Played): Game['scope'] {
  const { scores, isComplete } = scopeState(played);
  const [home, away] = scores;
  return isComplete && home !== null && away !== null ? { home, away } : null;
}

const FIRST_FIVE = ['1', '2', '3', '4', '5'] as const;

/** What a model learns beside the score; null where it is not known of both sides. */
export function detailOf({ sport, event }: Played, box: Box | undefined): Game['detail'] {
  const numbers = ([0, 1] as const).map((index) => {
    if (sport === 'mlb') return sumOfAll(FIRST_FIVE.map((inning) => pointsIn(event.sides[index], inning)));
    if (!isSoccer(sport)) return null;
    const stat = (name: string) => box?.teams[index]?.[name] ?? null;
    return chancesOf({
      shotsOnTarget: stat('shots_on_target'),
      shots: stat('shots'),
      corners: stat('corners'),
    });
  });
  const [home, away] = numbers as [number | null, number | null];
  return home === null || away === null ? null : { home, away };
}
