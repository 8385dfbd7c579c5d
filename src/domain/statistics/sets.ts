import type { SideState, SportsEvent } from '../sports-event.ts';

/** What both players of a tennis match have won; the first is player_1. */
export interface Sets {
  readonly won: readonly [number, number];
  readonly games: readonly [number, number];
}

/** The sets as they stand, from what is stated of each, or from the score (`6 4 7`). Null where they are not stated. A
 *  set that was not finished, as in a retirement, is nobody's; its games count. */
export function setsOf({ sides }: Pick<SportsEvent, 'sides'>): Sets | null {
  const [first, second] = sides.map(gamesBySet);
  if (!first || !second || first.length !== second.length || first.length === 0) return null;
  const won: [number, number] = [0, 0];
  const games: [number, number] = [0, 0];
  first.forEach((mine, set) => {
    const theirs = second[set]!;
    games[0] += mine;
    games[1] += theirs;
    if (isSetWon(mine, theirs)) won[0]++;
    if (isSetWon(theirs, mine)) won[1]++;
  });
  return { won, games };
}

/** Six games and two ahead, 7-5, 7-6, or beyond that by two. */
export const isSetWon = (mine: number, theirs: number): boolean =>
  (mine >= 6 && mine - theirs >= 2) || (mine === 7 && theirs === 6);

const SET = /^S(\d{1,2})$/;

function gamesBySet({ period_scores, score }: SideState): number[] | undefined {
  const stated = (period_scores ?? []).filter(({ period }) => SET.test(period));
  if (stated.length > 0) {
    const numberOf = (period: string) => Number(SET.exec(period)![1]);
    return stated.sort((a, b) => numberOf(a.period) - numberOf(b.period)).map((one) => one.score);
  }
  const games = score?.trim().split(/\s+/).map(Number);
  return games && !games.some(Number.isNaN) ? games : undefined;
}
