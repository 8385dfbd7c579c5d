import { contestantsOf, gamesOf } from './counted-games.ts';
import { average, exactly, type Fraction, mean, ratio, rounded, share } from './exact.ts';
import { type Game, otherSide, type Side, sideOf, startOf } from './game.ts';
import { strengthOf } from './results.ts';

/** Members that every sport has. */
export const WINDOWS = { recent_form: 5, rates_l5: 5, rates_season: 'season', head_to_head: 10, sos: 5 };
export const newest = (games: readonly Game[], count: number): readonly Game[] => games.slice(0, count);

const DAY = 86_400_000;

/**
 * "`rest_days` | days from the start of the newest earlier game to this start, rounded to the nearest day (halves up);
 * null without one". Any season, any league.
 */
export function restDays(earlier: readonly Game[], event: Game, id: number): number | null {
  const [last] = gamesOf(earlier, id);
  if (!last) return null;
  return rounded(ratio(exactly(startOf(event) - startOf(last)), exactly(DAY))!, 0);
}

/**
 * "`sos` | the mean of the season strength (as of this start) of the opponents in the newest 5 games, a repeated one as
 * often as met"
 * @param counted the games that count, of everybody
 */
export function strengthOfSchedule(counted: readonly Game[], id: number) {
  const met = newest(gamesOf(counted, id), 5);
  const strengths = met.map((game) => {
    const opponent = game[otherSide(sideOf(game, id)!)].id!;
    return strengthOf(gamesOf(counted, opponent), opponent)!;
  });
  return { games: met.length, value: mean(strengths) };
}

/** The value is named as its source. */
export function sosMember(counted: readonly Game[], id: number, source: string, isShare: boolean) {
  const { games, value } = strengthOfSchedule(counted, id);
  return { source, window: 5, games, [source]: isShare ? share(value) : average(value) };
}

/**
 * "`rank` | within the league and season, among teams with a counted game; equal ones share the better place (1, 2, 2,
 * 4); null without a game"
 * @param standing what teams are compared by, first what weighs most; more is better
 */
export function rankOf(
  counted: readonly Game[],
  id: number,
  standing: (own: readonly Game[], id: number) => readonly Fraction[],
): number | null {
  const own = gamesOf(counted, id);
  if (own.length === 0) return null;
  const mine = standing(own, id);
  const better = contestantsOf(counted).filter((team) => isBetter(standing(gamesOf(counted, team), team), mine));
  return better.length + 1;
}

function isBetter(theirs: readonly Fraction[], mine: readonly Fraction[]): boolean {
  for (const [index, value] of theirs.entries()) {
    const [left, right] = [value.over * mine[index]!.under, mine[index]!.over * value.under];
    if (left !== right) return left > right;
  }
  return false;
}

/** "a neutral site | counts in everything but the `venue` split" */
export const gamesAt = (own: readonly Game[], id: number, side: Side): Game[] =>
  own.filter((game) => !game.neutral_site && sideOf(game, id) === side);

/** "`head_to_head` | any season, any league of the sport; in both sides, the same" */
export function headToHead<Meeting>(earlier: readonly Game[], event: Game, meeting: (game: Game) => Meeting) {
  const [home, away] = [event.home.id!, event.away.id!];
  const met = newest(gamesOf(gamesOf(earlier, home), away), 10);
  return { window: 10, meetings: met.map(meeting), total: met.length };
}
