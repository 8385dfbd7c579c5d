import type { ResultSums, TeamResult } from './league-results.ts';
import { shareOf, sumResults } from './league-results.ts';
import type { Criterion, RankingRules } from './ranking-rules.ts';
import type { ResultWorth } from './result-worth.ts';

/** A team of a table. */
export interface RankedTeam {
  readonly teamId: number;
  readonly results: readonly TeamResult[];
  readonly sums: ResultSums;
  /** Worth of its results, less the points taken away. */
  readonly points: number;
  /** Null: unknown. */
  readonly conference: string | null;
  readonly division: string | null;
}

interface Circle {
  readonly rules: RankingRules;
  readonly worth: ResultWorth;
  /** All teams of the league. */
  readonly all: ReadonlyMap<number, RankedTeam>;
}

/** The teams from the first place on; teams in one list are level by all that results decide. */
export function rankTeams(teams: readonly RankedTeam[], circle: Circle): readonly (readonly RankedTeam[])[] {
  const first = circle.rules.criteria[0]!;
  return groupByValue(teams, (team) => criterionValue(first, team, teams, circle)).flatMap((level) =>
    separate(level, circle),
  );
}

/** @param set the level teams whose mutual games count @param from index of the criterion to begin with */
function separate(
  level: readonly RankedTeam[],
  circle: Circle,
  set: readonly RankedTeam[] = level,
  from = 0,
): readonly (readonly RankedTeam[])[] {
  if (level.length < 2) return [level];
  const { criteria, ofTwo, beginsAgain, meetings } = circle.rules;
  const list = (level.length === 2 ? ofTwo : undefined) ?? criteria.slice(1);
  for (let index = from; index < list.length; index++) {
    const criterion = list[index]!;
    if (meetings !== undefined && criterion.startsWith('mutual_') && !haveMet(set, meetings)) continue;
    const groups = groupByValue(level, (team) => criterionValue(criterion, team, set, circle));
    if (groups.length === 1) continue;
    if (beginsAgain === 'below') {
      return [...separate(groups[0]!, circle), ...separate(groups.slice(1).flat(), circle)];
    }
    if (beginsAgain === 'level') return groups.flatMap((group) => separate(group, circle));
    return groups.flatMap((group) => separate(group, circle, set, index + 1));
  }
  return [level];
}

/** Whether each two of the teams have met so often. */
function haveMet(teams: readonly RankedTeam[], meetings: number): boolean {
  const ids = new Set(teams.map(({ teamId }) => teamId));
  const needed = meetings * (teams.length - 1);
  return teams.every(({ results }) => results.filter(({ opponentId }) => ids.has(opponentId)).length >= needed);
}

/** Groups of equal values, the greatest first. */
function groupByValue(teams: readonly RankedTeam[], of: (team: RankedTeam) => number): RankedTeam[][] {
  const groups = new Map<number, RankedTeam[]>();
  for (const team of teams) {
    // Shares are sums of quotients: those that differ by rounding alone are equal.
    const value = Math.round(of(team) * 1e9) / 1e9;
    groups.set(value, [...(groups.get(value) ?? []), team]);
  }
  return [...groups].sort(([a], [b]) => b - a).map(([, group]) => group);
}

/** The greater, the better. A criterion that nothing is known of gives all teams the same value. */
function criterionValue(
  criterion: Criterion,
  team: RankedTeam,
  set: readonly RankedTeam[],
  { all, worth }: Circle,
): number {
  const { results, sums } = team;
  const share = (some: readonly TeamResult[]) => shareOf(sumResults(some), worth);
  const mutual = () => {
    const ids = new Set(set.map(({ teamId }) => teamId));
    return results.filter(({ opponentId }) => ids.has(opponentId));
  };
  const away = (some: readonly TeamResult[]) => some.filter(({ isAway }) => isAway);
  const within = (part: 'conference' | 'division') =>
    results.filter(({ opponentId }) => all.get(opponentId)?.[part] === team[part]);
  switch (criterion) {
    case 'points':
      return team.points;
    case 'pct':
      return shareOf(sums, worth);
    case 'fewest_played':
      return -sums.played;
    case 'wins':
      return sums.won;
    case 'away_wins':
      return sumResults(away(results)).won;
    case 'regulation_wins':
      return results.filter(({ outcome, beyond }) => outcome === 'W' && beyond === null).length;
    case 'wins_without_shootouts':
      return results.filter(({ outcome, beyond }) => outcome === 'W' && beyond !== 'shootout').length;
    case 'difference':
      return sums.for - sums.against;
    case 'for':
      return sums.for;
    case 'away_for':
      return sumResults(away(results)).for;
    case 'mutual_points':
      return sumResults(mutual()).worth;
    case 'mutual_pct':
      return share(mutual());
    case 'mutual_difference': {
      const met = sumResults(mutual());
      return met.for - met.against;
    }
    case 'mutual_for':
      return sumResults(mutual()).for;
    case 'mutual_away_for':
      return sumResults(away(mutual())).for;
    case 'common_pct': {
      const met = set.map((one) => new Set(one.results.map(({ opponentId }) => opponentId)));
      return share(results.filter(({ opponentId }) => met.every((opponents) => opponents.has(opponentId))));
    }
    case 'division_leader':
      return leadsDivision(team, all, worth) ? 1 : 0;
    case 'division_pct': {
      // It separates only teams of one division.
      const isOne = set.every(({ division }) => division !== null && division === team.division);
      return isOne ? share(within('division')) : 0;
    }
    case 'conference_pct':
      return set.every(({ conference }) => conference !== null) ? share(within('conference')) : 0;
    case 'strength_of_victory':
      return shareOfOpponents(
        results.filter(({ outcome }) => outcome === 'W'),
        all,
        worth,
      );
    case 'strength_of_schedule':
      return shareOfOpponents(results, all, worth);
  }
}

/** Whether it is alone at the top of its division. */
function leadsDivision(team: RankedTeam, all: ReadonlyMap<number, RankedTeam>, worth: ResultWorth): boolean {
  if (team.division === null) return false;
  const own = shareOf(team.sums, worth);
  return [...all.values()].every(
    (other) => other === team || other.division !== team.division || shareOf(other.sums, worth) < own,
  );
}

/** The share that the opponents of some games have won together, each as often as it was met. */
function shareOfOpponents(
  games: readonly TeamResult[],
  all: ReadonlyMap<number, RankedTeam>,
  worth: ResultWorth,
): number {
  const opponents = games.flatMap(({ opponentId }) => all.get(opponentId)?.sums ?? []);
  const played = opponents.reduce((sum, one) => sum + one.played, 0);
  return played === 0 ? 0 : opponents.reduce((sum, one) => sum + one.worth, 0) / (played * worth.win);
}
