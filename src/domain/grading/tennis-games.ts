import { hasPlay, isWinner, type Played } from '../results.ts';
import type { SideState } from '../sports-event.ts';
import { numberIn } from './points.ts';

/** The games of a side in each set, up to the first that is no number. */
export function gamesIn({ score }: SideState): number[] {
  const numbers = (score?.trim() ?? '').split(/\s+/).map((games) => numberIn(games));
  const end = numbers.indexOf(null);
  return (end < 0 ? numbers : numbers.slice(0, end)) as number[];
}

/** Six games and two ahead, or 7-6. */
export function isSetWon(one: number, other: number): boolean {
  const [more, fewer] = [Math.max(one, other), Math.min(one, other)];
  return (more >= 6 && more - fewer >= 2) || (more === 7 && fewer === 6);
}

/** The games of both sides by set, as their scores tell, else as stated of each set; null where neither tells. */
function setsOf({ event }: Pick<Played, 'event'>): readonly (readonly [number, number])[] | null {
  if (!hasPlay(event.status)) return null;
  const [one, other] = [allGames(event.sides[0]), allGames(event.sides[1])];
  if (!one || !other || one.length !== other.length) return null;
  return one.map((games, set) => [games, other[set]!]);
}

function allGames(side: SideState): readonly number[] | null {
  const words = side.score?.trim().split(/\s+/).length ?? 0;
  const games = gamesIn(side);
  if (games.length > 0 && games.length === words) return games;
  const stated = (side.period_scores ?? []).filter(({ period }) => /^S\d$/.test(period));
  return stated.length > 0 ? stated.map(({ score }) => score) : null;
}

/** The games that a side has won in all sets, a tie-break being one; null where they are not known, or none yet. */
export function gamesWon(played: Pick<Played, 'event'>, index: 0 | 1): number | null {
  const sets = setsOf(played);
  return sets?.reduce((sum, set) => sum + set[index], 0) ?? null;
}

/** Whether a set was completed; null where nobody has told of sets. */
export function hasCompleteSet(played: Pick<Played, 'event'>): boolean | null {
  const sets = setsOf(played);
  return sets?.some(([one, other]) => isSetWon(one, other)) ?? null;
}

export const hasRetired = ({ event }: Pick<Played, 'event'>): boolean => event.result_type === 'retired';

/**
 * Who has won a match, by its index; null where nobody has told. Who is ahead tells it only of a match that was played
 * to its end: whoever retires may be ahead.
 */
export function matchWinner(played: Played): 0 | 1 | null {
  if (hasRetired(played) && played.event.sides.every(({ is_winner }) => is_winner === undefined)) return null;
  if (isWinner(played, 0)) return 0;
  return isWinner(played, 1) ? 1 : null;
}
