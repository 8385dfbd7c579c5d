import type { SideState, SportsEvent } from '../sports-event.ts';

/** What both players of a tennis match have won; the first is player_1. */
export interface Sets {
  readonly won: readonly [number, number];
  readonly games: readonly [number, number];
}

/**
 * The sets of a match that is over, from what is stated of each, or from the score (`6 4 7`). Null where they are not
 * stated. Whoever has more games has won a set, by whatever rule the tournament ends its last one (13-12 at Wimbledon in
 * 2019); but where the match was not played to its end, a set that was not finished is nobody's, and only its games count.
 */
export function setsOf({ sides, result_type }: Pick<SportsEvent, 'sides' | 'result_type'>): Sets | null {
  const [first, second] = sides.map(gamesBySet);
  if (!first || !second || first.length !== second.length || first.length === 0) return null;
  const isWon = (mine: number, theirs: number) =>
    mine > theirs && (result_type !== 'retired' || isSetOver(mine, theirs));
  const won: [number, number] = [0, 0];
  const games: [number, number] = [0, 0];
  first.forEach((mine, set) => {
    const theirs = second[set]!;
    games[0] += mine;
    games[1] += theirs;
    if (isWon(mine, theirs)) won[0]++;
    if (isWon(theirs, mine)) won[1]++;
  });
  return { won, games };
}

/** Whether one of the two has won a set: six games and two ahead, 7-5, 7-6, or beyond that by two. */
export function isSetOver(one: number, other: number): boolean {
  const [more, fewer] = [Math.max(one, other), Math.min(one, other)];
  return (more >= 6 && more - fewer >= 2) || (more === 7 && fewer === 6);
}

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
