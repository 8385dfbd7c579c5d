import { isSoccer, isTennis } from '../catalogue/sport-rules.ts';
import { gradeSpread, gradeTotal } from '../grading/line-results.ts';
import { settlingScores } from '../grading/settling-score.ts';
import { type EventWithSport, isWinner } from '../sports-events/event-results.ts';

/** The side of a contract, in the order of the event. */
export interface ContractBet {
  readonly market: 'h2h' | 'spreads' | 'totals';
  readonly outcome: 'home' | 'away' | 'draw' | 'over' | 'under' | 'player_1' | 'player_2';
  readonly point?: number | undefined;
}

/** Whether a bet on the whole game was won; null while it is not over, where nobody knows, and where money comes back. */
export function hasComeTrue(played: EventWithSport, { market, outcome, point }: ContractBet): boolean | null {
  if (played.event.status !== 'final') return null;
  const [first, second] = settlingScores(played);
  const index = outcome === 'home' || outcome === 'player_1' ? 0 : 1;
  if (market === 'h2h' && !isSoccer(played.sport)) return outcome === 'draw' ? null : isWinner(played, index);
  // A retired player leaves games unplayed.
  if (first === null || second === null || isTennis(played.sport)) return null;
  if (market === 'h2h') {
    if (outcome === 'draw') return first === second;
    return index === 0 ? first > second : second > first;
  }
  if (point === undefined) return null;
  if (market === 'totals') {
    const result = gradeTotal(first + second, point);
    return result === 'push' ? null : result === outcome;
  }
  const result = gradeSpread(index === 0 ? first - second : second - first, point);
  return result === 'push' ? null : result === 'won';
}
