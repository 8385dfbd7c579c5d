import { parseNumber } from '../primitives/decimals.ts';
import { type EventWithSport, hasPlayBegun, isWinner } from './event-results.ts';
import type { SideState } from './sports-event.ts';

/** The games of a side in each set, up to the first word that is not a number. */
export function gamesBySet({ score }: SideState): number[] {
  const numbers = (score?.trim() ?? '').split(/\s+/).map((games) => parseNumber(games));
  const end = numbers.indexOf(null);
  return (end < 0 ? numbers : numbers.slice(0, end)) as number[];
}

/** Whether a set with these games is won: six games and a lead of two, or 7-6. */
export function isSetWon(one: number, other: number): boolean {
  const [more, fewer] = [Math.max(one, other), Math.min(one, other)];
  return (more >= 6 && more - fewer >= 2) || (more === 7 && fewer === 6);
}

/** The games of both sides by set, from the scores, else from the period scores; null if unknown. */
export function setsOf({ event }: Pick<EventWithSport, 'event'>): readonly (readonly [number, number])[] | null {
  if (!hasPlayBegun(event.status)) return null;
  const [one, other] = [completeGamesBySet(event.sides[0]), completeGamesBySet(event.sides[1])];
  if (!one || !other || one.length !== other.length) return null;
  return one.map((games, set) => [games, other[set]!]);
}

function completeGamesBySet(side: SideState): readonly number[] | null {
  const words = side.score?.trim().split(/\s+/).length ?? 0;
  const games = gamesBySet(side);
  if (games.length > 0 && games.length === words) return games;
  const stated = (side.period_scores ?? []).filter(({ period }) => /^S\d$/.test(period));
  return stated.length > 0 ? stated.map(({ score }) => score) : null;
}

/** The games that a side won in all sets, a tie-break counting as one; null if unknown or before the first score. */
export function gamesWon(played: Pick<EventWithSport, 'event'>, index: 0 | 1): number | null {
  const sets = setsOf(played);
  return sets?.reduce((sum, set) => sum + set[index], 0) ?? null;
}

/** Whether a set was completed; null if no sets are known. */
export function hasCompleteSet(played: Pick<EventWithSport, 'event'>): boolean | null {
  const sets = setsOf(played);
  return sets?.some(([one, other]) => isSetWon(one, other)) ?? null;
}

/**
 * The sets won by each side in a match that is over; null if unknown. A side with more games won the set, whatever rule
 * the tournament has for the last set (13-12 at Wimbledon in 2019). After a retirement, an unfinished set counts for
 * nobody.
 */
export function setsWon(played: Pick<EventWithSport, 'event'>): readonly [number, number] | null {
  const decidedSets = setsOf(played)?.filter(([one, other]) => !hasRetired(played) || isSetWon(one, other));
  if (!decidedSets) return null;
  return [
    decidedSets.filter(([one, other]) => one > other).length,
    decidedSets.filter(([one, other]) => other > one).length,
  ];
}

export const hasRetired = ({ event }: Pick<EventWithSport, 'event'>): boolean => event.result_type === 'retired';

/**
 * The index of the winner of a match; null if unknown. The score decides only in a match played to its end: the player
 * who retires may be ahead.
 */
export function matchWinner(played: EventWithSport): 0 | 1 | null {
  if (hasRetired(played) && played.event.sides.every(({ is_winner }) => is_winner === undefined)) return null;
  if (isWinner(played, 0)) return 0;
  return isWinner(played, 1) ? 1 : null;
}
