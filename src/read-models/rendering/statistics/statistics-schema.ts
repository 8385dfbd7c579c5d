import { z } from 'zod';
import { id } from '../event-schemas.ts';

const number = z.number().nullable();
const count = z.int();
const words = <const T extends readonly [string, ...string[]]>(values: T) => z.enum(values);
const numbers = z.array(number);

const recentForm = z.object({
  window: z.literal(5),
  results: z.array(words(['W', 'D', 'L', 'T'])),
  goals_scored: numbers.optional(),
  goals_conceded: numbers.optional(),
  scored: numbers.optional(),
  conceded: numbers.optional(),
  sets_won: numbers.optional(),
  sets_lost: numbers.optional(),
});

const teamStrength = z.object({
  source: words(['league_table_ppg', 'fifa_rank', 'win_pct', 'points_pct']),
  ppg: number.optional(),
  win_pct: number.optional(),
  points_pct: number.optional(),
  games: count.optional(),
  points: count.optional(),
  w: count.optional(),
  d: count.optional(),
  l: count.optional(),
  t: count.optional(),
  otl: count.optional(),
  gf: z.number().optional(),
  ga: z.number().optional(),
  gd: z.number().optional(),
  scored: z.number().optional(),
  conceded: z.number().optional(),
  diff: z.number().optional(),
  rank: count.nullable().optional(),
  ranking: count.nullable().optional(),
  ranking_points: count.nullable().optional(),
});

const sos = z.object({
  source: words(['opp_ppg_avg', 'opp_win_pct_avg', 'opp_points_pct_avg']),
  window: z.literal(5),
  games: count,
  opp_ppg_avg: number.optional(),
  opp_win_pct_avg: number.optional(),
  opp_points_pct_avg: number.optional(),
});

const onSurface = z.object({ win_pct: number, games: count });
const venue = z.object({
  source: words([
    'home_away_ppg_split',
    'home_away_win_pct_split',
    'home_away_points_pct_split',
    'surface_win_pct_split',
    'confederation',
  ]),
  home_ppg: number.optional(),
  home_win_pct: number.optional(),
  home_points_pct: number.optional(),
  home_games: count.optional(),
  away_ppg: number.optional(),
  away_win_pct: number.optional(),
  away_points_pct: number.optional(),
  away_games: count.optional(),
  confederation: z.string().nullable().optional(),
  surface: z.string().nullable().optional(),
  clay: onSurface.optional(),
  grass: onSurface.optional(),
  hard: onSurface.optional(),
  indoor_hard: onSurface.optional(),
});

const rates = z
  .looseObject({
    source: z.literal('event_stats_avg'),
    window: words(['l5', 'season']),
    window_size: z.literal(5).optional(),
    games: count,
    field_games: z.record(z.string(), count).meta({ description: 'Of each mean: over how many games.' }),
  })
  .meta({ id: 'StatisticsRates', description: 'Means by the names that `docs/statistics.md` lists for the sport.' });

const meeting = z.object({
  home_goals: z.number().optional(),
  away_goals: z.number().optional(),
  home_score: z.number().optional(),
  away_score: z.number().optional(),
  winner: words(['player_1', 'player_2']).optional(),
  player_1_sets: number.optional(),
  player_2_sets: number.optional(),
  surface: z.string().nullable().optional(),
});

const lineupPlayer = z
  .object({
    name: z.string(),
    position: z.string().nullable(),
    jersey: z.string().nullable(),
    formation_place: z.int().nullable(),
    athlete_id: z.string().nullable(),
  })
  .meta({ id: 'LineupPlayer' });
const lineup = z.object({
  available: z.boolean(),
  formation: z.string().nullable(),
  starters: z.array(lineupPlayer),
  bench: z.array(lineupPlayer),
});
export type LineupStatistics = z.infer<typeof lineup>;

export const sideStatistics = z
  .object({
    team_id: id.optional(),
    player_id: id.optional(),
    name: z.string(),
    abbreviation: z.string().nullable().optional(),
    country_code: z.string().nullable().optional(),
    image_url: z.string().nullable(),
    rest_days: count.nullable(),
    recent_form: recentForm,
    team_strength: teamStrength,
    sos: sos.nullable(),
    venue,
    rates_l5: rates,
    rates_season: rates,
    head_to_head: z.object({ window: z.literal(10), meetings: z.array(meeting), total: count }),
    lineup: lineup.optional(),
  })
  .meta({ id: 'StatisticsSide' });

const boxPlayer = z
  .object({
    player_id: id.nullable(),
    name: z.string(),
    starter: z.boolean(),
    dnp: z.boolean(),
    stats: z.record(z.string(), z.number()),
  })
  .meta({ id: 'PlayerBoxRow' });
const playerBox = z.object({
  available: z.boolean(),
  final: z.boolean(),
  home: z.array(boxPlayer),
  away: z.array(boxPlayer),
});
export type PlayerBox = z.infer<typeof playerBox>;

/** The sport determines which members a side has. */
export const statistics = z
  .object({
    event_id: id,
    available: z.boolean(),
    league_slug: z.string(),
    neutral_site: z.boolean(),
    profile: words(['club', 'world_cup']).optional(),
    windows: z.object({
      recent_form: z.literal(5),
      rates_l5: z.literal(5),
      rates_season: z.literal('season'),
      head_to_head: z.literal(10),
      sos: z.literal(5),
    }),
    teams: z.object({ home: sideStatistics, away: sideStatistics }).partial().optional(),
    players: z.object({ player_1: sideStatistics, player_2: sideStatistics }).partial().optional(),
    league_context: z.object({ avg_goals_per_team: number }).optional(),
    player_box: playerBox.optional(),
  })
  .meta({ id: 'Statistics' });
export type Statistics = z.infer<typeof statistics>;
export type SideStatistics = z.infer<typeof sideStatistics>;
