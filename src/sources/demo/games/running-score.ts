import type { Pair } from '../simulation/chances.ts';
import type { SideScore } from '../simulation/game-moment.ts';

/** The score of a game by periods, while the game is simulated. */
interface RunningScore {
  /** Goals from now on belong to this period, which the score shows. */
  begin(period: string): void;
  /** @param side 0 for the first */
  add(side: number, points: number): void;
  score(): Pair;
  /** The sides of a score message. With `winner`, the game is over. */
  sides(winner?: 0 | 1 | 'draw'): readonly [SideScore, SideScore];
}

export function createRunningScore(): RunningScore {
  const periods: { readonly period: string; readonly scores: [number, number] }[] = [];
  const total = (side: number) => periods.reduce((sum, { scores }) => sum + scores[side]!, 0);
  const sideScore = (side: 0 | 1, winner: 0 | 1 | 'draw' | undefined): SideScore => ({
    score: String(total(side)),
    period_scores: periods.map(({ period, scores }) => ({ period, score: scores[side] })),
    ...(winner === undefined ? {} : { is_winner: winner === side }),
  });
  return {
    begin: (period) => periods.push({ period, scores: [0, 0] }),
    add(side, points) {
      periods.at(-1)!.scores[side as 0 | 1] += points;
    },
    score: () => [total(0), total(1)],
    sides: (winner) => [sideScore(0, winner), sideScore(1, winner)],
  };
}

/** Formats seconds as `7:05`. */
export function gameClock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** The name of an overtime, counted from 1. */
export const overtimeName = (number: number): string => (number === 1 ? 'OT' : `OT${number}`);

export const winnerOfScore = ([first, second]: Pair): 0 | 1 | 'draw' =>
  first === second ? 'draw' : first > second ? 0 : 1;
