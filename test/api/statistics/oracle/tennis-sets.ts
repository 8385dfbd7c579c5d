import { type Both, type Game, otherSide, type Side } from './game.ts';

/** The sets of a match, as far as they are stated: by periods, else by the score, `6 4 7` against `3 6 5`. */
export function setsOf({ period_scores, scores }: Game): readonly Both<number>[] | undefined {
  const periods = period_scores.home.map(({ period }) => period);
  const away = new Map(period_scores.away.map(({ period, score }) => [period, score]));
  if (periods.length > 0 && periods.length === away.size && periods.every((period) => away.has(period)))
    return period_scores.home.map(({ period, score }) => ({ home: score, away: away.get(period)! }));
  const [first, second] = [listed(scores.home), listed(scores.away)];
  if (!first || !second || first.length !== second.length) return undefined;
  return first.map((score, index) => ({ home: score, away: second[index]! }));
}

function listed(score: string | null): number[] | undefined {
  const numbers = score?.trim() ? score.trim().split(/\s+/).map(Number) : undefined;
  return numbers?.some(Number.isNaN) ? undefined : numbers;
}

/** "six games and two ahead, 7-5, 7-6, or beyond by two" */
function isFinished(set: Both<number>): boolean {
  const [more, less] = [Math.max(set.home, set.away), Math.min(set.home, set.away)];
  return (more >= 6 && more - less >= 2) || (more === 7 && less >= 5);
}

/** Sets of which this side has won more games; a set that a retirement has left unfinished is nobody's. */
export function setsWon(game: Game, side: Side): number | undefined {
  const sets = setsOf(game);
  return sets?.filter((set, index) => {
    const cutOff = game.result_type === 'retired' && index === sets.length - 1 && !isFinished(set);
    return !cutOff && set[side] > set[otherSide(side)];
  }).length;
}

export const gamesWon = (game: Game, side: Side): number | undefined =>
  setsOf(game)?.reduce((all, set) => all + set[side], 0);
