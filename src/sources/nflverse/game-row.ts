import type { ImportItem } from '../importing/importer.ts';
import { type CsvRow, cellInteger, skippedRow } from '../parsing/csv.ts';
import { localStart } from '../parsing/local-start.ts';
import { type NflTeam, nflTeam } from './nfl-teams.ts';

export interface GameSide {
  /** The team's code in the file. */
  readonly code: string;
  readonly team: NflTeam;
}

/** Facts that all messages of a row share. */
export interface Game {
  readonly ref: string;
  readonly season: number;
  readonly startsAt: number;
  readonly tbd: boolean;
  readonly home: GameSide;
  readonly away: GameSide;
}

/** nflverse writes all starts in US Eastern time, also for games abroad. */
const ZONE = 'America/New_York';

/** R writes NA for unknown values. */
export const knownText = (cell: string): string => (cell === 'NA' ? '' : cell);

export function readGame(row: CsvRow): { game: Game } | Extract<ImportItem, { note: unknown }> {
  const ref = row.get('game_id');
  const season = cellInteger(row.get('season'));
  const start = localStart(row.get('gameday'), knownText(row.get('gametime')), ZONE);
  if (ref === '' || season === undefined || !start) {
    return skippedRow(row, 'row_unreadable', 'it has no readable game_id, season or start');
  }
  const home = sideOf(row.get('home_team'), season);
  const away = sideOf(row.get('away_team'), season);
  if (!home || !away) {
    const code = row.get(home ? 'away_team' : 'home_team');
    return skippedRow(row, 'team_unknown', `"${code}" is the code of no team of the NFL`);
  }
  return { game: { ref, season, ...start, home, away } };
}

function sideOf(code: string, season: number): GameSide | undefined {
  const team = nflTeam(code, season);
  return team && { code, team };
}
