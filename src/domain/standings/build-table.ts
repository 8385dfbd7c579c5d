import type { League } from '../catalogue/catalogue.ts';
import type { CountedGame } from '../statistics/counted-game.ts';
import { type ResultSums, shareOf, sumResults, type TeamResult, teamResultsOf } from './league-results.ts';
import { type RankedTeam, rankTeams } from './rank-teams.ts';
import { rankingRulesOf, tableSplitOf } from './ranking-rules.ts';
import { countsLateLosses, type ResultWorth, resultWorthOf } from './result-worth.ts';

/** A team as the table names it. */
export interface TableTeam {
  readonly id: number;
  readonly name: string;
  readonly conference: string | null;
  readonly division: string | null;
}

/** The sums of a row, with losses after overtime apart where the league counts them so. */
export interface RowSums {
  readonly played: number;
  readonly won: number;
  readonly drawn: number;
  readonly lost: number;
  readonly lost_overtime?: number;
  readonly for: number;
  readonly against: number;
}

export interface TableRow extends RowSums {
  readonly rank: number;
  readonly team_id: number;
  readonly team: string;
  readonly points: number | null;
  readonly difference: number;
  readonly pct: number | null;
  readonly games_behind: number | null;
  readonly streak: string | null;
  readonly last_10: RowSums;
  readonly home: RowSums;
  readonly away: RowSums;
}

export interface TableGroup {
  /** Null: the only group. */
  readonly name: string | null;
  readonly rows: readonly TableRow[];
}

interface TableFacts {
  readonly league: League;
  readonly year: number;
  /** In any order. */
  readonly games: readonly CountedGame[];
  readonly teams: ReadonlyMap<number, TableTeam>;
  /** Points taken away, by team. */
  readonly deducted: ReadonlyMap<number, number>;
}

/** The table of a season, by the rules of its league as far as results decide. */
export function buildTable({ league, year, games, teams, deducted }: TableFacts): readonly TableGroup[] {
  const worth = resultWorthOf({ sport: league.sport, league: league.slug });
  const split = tableSplitOf(league.slug, year);
  const byTeam = new Map<number, TeamResult[]>();
  const inOrder = [...games].sort((a, b) => a.startsAt - b.startsAt || a.eventId - b.eventId);
  for (const result of inOrder.flatMap((game) => teamResultsOf(game, worth))) {
    const results = byTeam.get(result.teamId);
    if (results) results.push(result);
    else byTeam.set(result.teamId, [result]);
  }
  const all = new Map(
    [...byTeam].map(([teamId, results]): [number, RankedTeam] => {
      const sums = sumResults(results);
      const { conference = null, division = null } = (split && teams.get(teamId)) ?? {};
      const points = sums.worth - (deducted.get(teamId) ?? 0);
      return [teamId, { teamId, results, sums, points, conference, division }];
    }),
  );
  const rules = rankingRulesOf(league, year);
  return groupsOf([...all.values()], split?.by).map(({ name, members }) => ({
    name,
    rows: rowsOf(rankTeams(members, { rules, worth, all }), worth, teams),
  }));
}

/** One group unless it is known of every team to which one it belongs. */
function groupsOf(all: readonly RankedTeam[], by: 'conference' | 'division' | undefined) {
  if (by === undefined || all.some((team) => team[by] === null)) {
    return all.length === 0 ? [] : [{ name: null, members: all }];
  }
  const groups = new Map<string, { conference: string | null; own: string; members: RankedTeam[] }>();
  for (const team of all) {
    // Both conferences may have a division called East.
    const key = by === 'division' ? `${team.conference ?? ''}\n${team.division}` : team.conference!;
    const group = groups.get(key) ?? { conference: team.conference, own: team[by]!, members: [] };
    group.members.push(team);
    groups.set(key, group);
  }
  const names = [...groups.values()].map(({ own }) => own);
  const isShared = (name: string) => names.indexOf(name) !== names.lastIndexOf(name);
  return [...groups.values()]
    .map(({ conference, own, members }) => ({ name: isShared(own) ? `${conference} ${own}` : own, members }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function rowsOf(
  places: readonly (readonly RankedTeam[])[],
  worth: ResultWorth,
  teams: ReadonlyMap<number, TableTeam>,
): readonly TableRow[] {
  const leader = places[0]?.[0];
  const nameOf = ({ teamId }: RankedTeam) => teams.get(teamId)?.name ?? `team ${teamId}`;
  const rows: TableRow[] = [];
  for (const place of places) {
    const rank = rows.length + 1;
    for (const team of [...place].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))) {
      rows.push(rowOf(team, { rank, name: nameOf(team), leader: leader!, worth }));
    }
  }
  return rows;
}

function rowOf(
  { teamId, results, sums, points }: RankedTeam,
  { rank, name, leader, worth }: { rank: number; name: string; leader: RankedTeam; worth: ResultWorth },
): TableRow {
  const { hasPoints } = worth;
  return {
    rank,
    team_id: teamId,
    team: name,
    ...rowSums(sums, worth),
    points: hasPoints ? points : null,
    difference: sums.for - sums.against,
    pct: sums.played === 0 ? null : Math.round(shareOf(sums, worth) * 1e4) / 1e4,
    games_behind: hasPoints ? null : (leader.sums.won - sums.won + (sums.lost - leader.sums.lost)) / 2,
    streak: streakOf(results),
    last_10: rowSums(sumResults(results.slice(-10)), worth),
    home: rowSums(sumResults(results.filter(({ isAway }) => !isAway)), worth),
    away: rowSums(sumResults(results.filter(({ isAway }) => isAway)), worth),
  };
}

const rowSums = ({ played, won, drawn, lost, lostLate, ...goals }: ResultSums, worth: ResultWorth): RowSums => ({
  played,
  won,
  drawn,
  lost: countsLateLosses(worth) ? lost - lostLate : lost,
  ...(countsLateLosses(worth) ? { lost_overtime: lostLate } : {}),
  for: goals.for,
  against: goals.against,
});

/** `W3`: the last three were won; null without a game. */
function streakOf(results: readonly TeamResult[]): string | null {
  const last = results.at(-1);
  if (!last) return null;
  const other = results.findLastIndex(({ outcome }) => outcome !== last.outcome);
  return `${last.outcome}${results.length - 1 - other}`;
}
