import type { League } from '../../domain/catalogue/catalogue.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import type { ImportItem } from '../importing/importer.ts';
import { assumedResultTime, assumedScheduleTime } from '../parsing/assumed-times.ts';
import { type CsvRow, cellInteger } from '../parsing/csv.ts';
import { findClub } from './club-names.ts';
import { isLeaguePlay, seasonOfRow } from './leagues.ts';

/** Facts that all messages of a row share. */
export interface Match {
  readonly ref: string;
  readonly league: League;
  readonly startsAt: number;
  readonly tbd: boolean;
  readonly home: string;
  readonly away: string;
}

/** The clubs that other files and providers name in another way, so that each of them means one team. */
export const clubsOfMatch = ({ league, home, away, startsAt }: Match) =>
  [home, away].flatMap((name) => {
    const club = findClub(league, name);
    if (!club) return [];
    const about = { sport: 'soccer', league: league.slug, ref: club.name, at: assumedScheduleTime(startsAt) };
    return [{ kind: 'team', source: 'football-data', ...about, ...club }];
  });

export function scheduleOfMatch(match: Match, row: CsvRow): Record<string, unknown> {
  const { league, startsAt } = match;
  return {
    kind: 'schedule',
    source: 'football-data',
    at: assumedScheduleTime(startsAt),
    sport: 'soccer',
    league: league.slug,
    ref: match.ref,
    // For cups and leagues with play-offs the server decides: the row does not show the phase.
    season: isLeaguePlay(league)
      ? { year: seasonOfRow(league, row.get('Season'), startsAt), phase: 'regular_season' }
      : undefined,
    starts_at: formatTime(startsAt),
    starts_at_qualifier: match.tbd ? 'tbd' : undefined,
    participants: [
      { role: 'home', name: match.home },
      { role: 'away', name: match.away },
    ],
  };
}

/** Whether the match was played to its end. */
export const hasResult = (row: CsvRow): boolean =>
  ['FTHG', 'FTAG'].every((column) => cellInteger(row.get(column)) !== undefined);

/** The final score, if the row has one, and a note if its half-time score is impossible. */
export function* resultOfMatch(match: Match, row: CsvRow): Generator<ImportItem> {
  const home = cellInteger(row.get('FTHG'));
  const away = cellInteger(row.get('FTAG'));
  if (home === undefined || away === undefined) return;
  const homeHalf = cellInteger(row.get('HTHG'));
  const awayHalf = cellInteger(row.get('HTAG'));
  const halves = homeHalf !== undefined && awayHalf !== undefined;
  const possible = halves && homeHalf <= home && awayHalf <= away;
  if (halves && !possible) {
    const message = `The half-time score was left out: ${homeHalf}-${awayHalf} is more than the final ${home}-${away}.`;
    yield { note: { code: 'half_time_dropped', line: row.line, message } };
  }
  yield {
    message: {
      kind: 'score',
      source: 'football-data',
      at: assumedResultTime(match.startsAt),
      ref: match.ref,
      status: 'final',
      // In competitions with extra time, the row does not show whether it was played.
      result_type: isLeaguePlay(match.league) ? 'regulation' : undefined,
      scores: [
        { role: 'home', score: String(home), period_scores: possible ? periods(homeHalf, home) : undefined },
        { role: 'away', score: String(away), period_scores: possible ? periods(awayHalf, away) : undefined },
      ],
    },
  };
}

const periods = (half: number, full: number) => [
  { period: '1H', score: half },
  { period: '2H', score: full - half },
];

/** Suffixes of statistics columns; `H` or `A` before the suffix is the side. */
const COLUMNS: Readonly<Record<string, string>> = {
  S: 'shots',
  ST: 'shots_on_target',
  F: 'fouls',
  C: 'corners',
  Y: 'yellow_cards',
  R: 'red_cards',
};

/** The statistics of both sides as a `box` message with the time of the result; undefined if the row has none. */
export function statisticsOfMatch(match: Match, row: CsvRow): Record<string, unknown> | undefined {
  const sides = [
    ['home', statisticsOf(row, 'H')],
    ['away', statisticsOf(row, 'A')],
  ] as const;
  const told = sides.filter(([, stats]) => Object.keys(stats).length > 0);
  if (told.length === 0) return undefined;
  const teams = Object.fromEntries(told);
  return {
    kind: 'box',
    source: 'football-data',
    at: assumedResultTime(match.startsAt),
    ref: match.ref,
    final: true,
    teams,
  };
}

function statisticsOf(row: CsvRow, side: 'H' | 'A'): Record<string, number> {
  const stats: Record<string, number> = {};
  for (const [column, name] of Object.entries(COLUMNS)) {
    const value = cellInteger(row.get(side + column));
    if (value !== undefined && value >= 0) stats[name] = value;
  }
  return stats;
}
