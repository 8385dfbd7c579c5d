import { join } from 'node:path';
import { group, mean, median } from 'd3-array';
import type { SportSlug } from '../../src/domain/catalogue/catalogue.ts';
import { usageIn } from '../../src/intelligence/props/player-usage.ts';
import type { PastStat } from '../../src/intelligence/props/prop-forecast.ts';
import { csvRows, numberOf, type Row } from './rows.ts';

/** A bet on what a player made in one game, with what he had made before. */
export interface PlayerBet {
  readonly sport: SportSlug;
  readonly stat: string;
  readonly line: number;
  /** Oldest first; one at least. */
  readonly past: readonly PastStat[];
  readonly actual: number;
}

const cell = (row: Row, column: string): number => numberOf(row[column]) ?? 0;
/** The columns that make a statistic. */
type Columns = Readonly<Record<string, readonly string[]>>;
const sumOf = (row: Row, columns: readonly string[]): number =>
  columns.reduce((sum, column) => sum + cell(row, column), 0);

const NBA: Columns = {
  points: ['PTS'],
  rebounds: ['REB'],
  assists: ['AST'],
  three_pointers_made: ['3PM'],
  steals: ['STL'],
  blocks: ['BLK'],
  turnovers: ['TOV'],
  points_rebounds_assists: ['PTS', 'REB', 'AST'],
};

/** Only those who play as long are offered. */
const LEAST_MINUTES = 15;

/**
 * Games of the NBA of 2025-26 of every second player: constants were fitted on the others. There are no lines in the
 * file; each is the half above the whole part of what he has made on average so far.
 */
export function nbaBets(data: string): PlayerBet[] {
  const rows = csvRows(join(data, 'nba/player_game_logs_2025_26.csv.gz')).filter(
    ({ Season, MIN }) => Season === '2025-2026' && MIN !== undefined && MIN !== '' && MIN !== '0:00',
  );
  const players = [...group(rows, ({ Player }) => Player).values()].filter((_, index) => index % 2 === 0);
  return players.flatMap((unsorted) => {
    const games = [...unsorted].sort((a, b) => dayOf(a) - dayOf(b));
    return Object.entries(NBA).flatMap(([stat, columns]) =>
      betsOf(
        'nba',
        stat,
        games.map((row) => ({ value: sumOf(row, columns), minutes: minutesOf(row) })),
        (past) => {
          const mean = (of: (game: PastStat) => number) => past.reduce((sum, one) => sum + of(one), 0) / past.length;
          return mean(({ minutes }) => minutes!) < LEAST_MINUTES ? null : Math.floor(mean(({ value }) => value)) + 0.5;
        },
      ),
    );
  });
}

function dayOf({ Date: date = '' }: Row): number {
  const [month, day, year] = date.split('/').map(Number);
  return Date.UTC(year!, month! - 1, day);
}

function minutesOf({ MIN = '' }: Row): number {
  const [minutes, seconds = 0] = MIN.split(':').map(Number);
  return minutes! + seconds / 60;
}

const NFL: Columns = {
  passing_yards: ['passing_yards'],
  passing_touchdowns: ['passing_tds'],
  passing_attempts: ['attempts'],
  passing_completions: ['completions'],
  passing_interceptions: ['interceptions'],
  rushing_yards: ['rushing_yards'],
  rushing_attempts: ['carries'],
  receiving_yards: ['receiving_yards'],
  receptions: ['receptions'],
  targets: ['targets'],
  rushing_receiving_yards: ['rushing_yards', 'receiving_yards'],
  touchdowns: ['rushing_tds', 'receiving_tds'],
};
/** What the file of prices calls them, where it calls them otherwise. */
const OFFERED: Readonly<Record<string, string>> = {
  passing_touchdowns: 'passing_tds',
  passing_attempts: 'attempts',
  passing_completions: 'completions',
  touchdowns: 'anytime_touchdown_scorer',
};

/** Lines of the NFL of 2022, those of most bookmakers, with all games since 2021 as the past. */
export function nflBets(data: string): PlayerBet[] {
  const offers = group(
    csvRows(join(data, 'nfl/action_player_props_2022.csv.gz')).filter(({ period }) => period === 'event'),
    (row) => `${row['bet_type']} ${row['player_id']} ${weekOf(row)}`,
  );
  return nflCareers(data).flatMap(([player, games]) =>
    Object.keys(NFL).flatMap((stat) =>
      betsOf('nfl', stat, pastOf(games, stat), ({ length }) => {
        const offered = offers.get(`${OFFERED[stat] ?? stat} ${player} ${weekOf(games[length]!)}`);
        if (!offered) return null;
        return stat === 'touchdowns' ? 0.5 : commonest(offered.map((row) => cell(row, 'value')));
      }),
    ),
  );
}

/** Lines that are the same for all players, from low to high. */
const FIXED_LINES: Readonly<Record<string, readonly number[]>> = {
  passing_yards: [174.5, 199.5, 224.5, 249.5, 274.5],
  passing_completions: [15.5, 18.5, 20.5, 22.5, 25.5],
  passing_attempts: [25.5, 28.5, 31.5, 34.5, 38.5],
  passing_touchdowns: [0.5, 1.5, 2.5],
  rushing_yards: [0.5, 4.5, 9.5, 19.5, 29.5, 39.5, 49.5, 69.5],
  rushing_attempts: [0.5, 1.5, 3.5, 5.5, 8.5, 11.5, 14.5, 17.5],
  receiving_yards: [0.5, 4.5, 9.5, 19.5, 29.5, 39.5, 49.5, 69.5],
  receptions: [0.5, 1.5, 2.5, 3.5, 4.5, 5.5],
  touchdowns: [0.5],
};
/** The least mean usage, and the least number of games, of a player whom such a bet is about. */
const LEAST_USES: Readonly<Record<string, number>> = {
  passing_yards: 8,
  passing_completions: 8,
  passing_attempts: 8,
  passing_touchdowns: 8,
  rushing_yards: 0.4,
  rushing_attempts: 0.4,
  receiving_yards: 0.7,
  receptions: 0.7,
  touchdowns: 2,
};
const LEAST_GAMES = 3;

/** Bets of one season of the NFL, on lines that say nothing about a player, with all games since 2021 as the past. */
export function nflFixedBets(data: string, season: 2021 | 2022): PlayerBet[] {
  return nflCareers(data).flatMap(([, games]) =>
    Object.entries(FIXED_LINES).flatMap(([stat, lines]) => {
      const all = pastOf(games, stat);
      return lines.flatMap((fixed) =>
        betsOf('nfl', stat, all, (past) => {
          if (cell(games[past.length]!, 'season') !== season || past.length < LEAST_GAMES) return null;
          const uses = past.reduce((sum, { usage }) => sum + usage!.uses, 0) / past.length;
          return uses < LEAST_USES[stat]! ? null : fixed;
        }),
      );
    }),
  );
}

/** From how many other games of the season a line is made, at least. */
const LEAST_OTHERS = 4;
/** A game with fewer passing attempts is not one of a starter, on whom bookmakers have lines. */
const LEAST_STARTED = 10;
/** The least mean of these games of a player whom such a bet is about; 0 where it is not here. */
const LEAST_MEAN: Readonly<Record<string, number>> = {
  passing_yards: 120,
  passing_touchdowns: 0.8,
  passing_attempts: 20,
  passing_completions: 12,
  rushing_yards: 12,
  rushing_attempts: 5,
  receiving_yards: 12,
  receptions: 1.5,
};

/**
 * Bets on the NFL of 2021 on lines as one would set them who knows how good a player is in this season, which his past
 * games do not tell: the whole part of the median of all his other games of the season, later ones too, plus a half.
 * There are no lines of bookmakers of that season.
 */
export function nflInformedBets(data: string): PlayerBet[] {
  return nflCareers(data).flatMap(([, all]) => {
    const games = all.filter((row) => cell(row, 'season') === 2021);
    return Object.keys(FIXED_LINES).flatMap((stat) => {
      const values = pastOf(games, stat);
      const isPlayed = ({ usage }: PastStat) => !stat.startsWith('passing') || usage!.uses >= LEAST_STARTED;
      return betsOf('nfl', stat, values, (past) => {
        const at = past.length;
        const others = values.filter((one, index) => index !== at && isPlayed(one));
        const uses = past.reduce((sum, { usage }) => sum + usage!.uses, 0) / at;
        if (at < LEAST_GAMES || others.length < LEAST_OTHERS || uses < LEAST_USES[stat]!) return null;
        if (!isPlayed(values[at]!)) return null;
        const made = others.map(({ value }) => value);
        return mean(made)! < (LEAST_MEAN[stat] ?? 0) ? null : Math.floor(median(made)!) + 0.5;
      });
    });
  });
}

const weekOf = (row: Row): number => cell(row, 'season') * 100 + cell(row, 'week');

/** The games of each player, oldest first. */
function nflCareers(data: string): [player: string, games: readonly Row[]][] {
  const rows = [2021, 2022].flatMap((year) => csvRows(join(data, `nfl/player_weekly_${year}.csv.gz`)));
  return [...group(rows, (row) => row['player_id']!)].map(([player, games]) => [
    player,
    [...games].sort((a, b) => weekOf(a) - weekOf(b)),
  ]);
}

const pastOf = (games: readonly Row[], stat: string): PastStat[] =>
  games.map((row) => ({
    value: sumOf(row, NFL[stat]!),
    minutes: null,
    usage: usageIn('nfl', stat, (name) => sumOf(row, NFL[name]!)),
  }));

/** Of equals the lower. */
function commonest(lines: readonly number[]): number {
  const counts = [...group(lines, (line) => line)].map(([line, { length }]) => ({ line, length }));
  return counts.sort((a, b) => b.length - a.length || a.line - b.line)[0]!.line;
}

/** @param lineOf what is offered on the game that follows these; null: nothing */
function betsOf(
  sport: SportSlug,
  stat: string,
  games: readonly PastStat[],
  lineOf: (past: readonly PastStat[]) => number | null,
): PlayerBet[] {
  return games.flatMap(({ value }, index) => {
    const past = games.slice(0, index);
    const line = index === 0 ? null : lineOf(past);
    return line === null ? [] : [{ sport, stat, line, past, actual: value }];
  });
}
