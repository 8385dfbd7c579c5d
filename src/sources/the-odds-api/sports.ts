import { namesAt } from '../../domain/catalogue/added-leagues.ts';
import type { SportSlug } from '../../domain/catalogue/catalogue.ts';

export interface SportKey {
  readonly sport: SportSlug;
  readonly league: string;
  /** Tennis: the event belongs to a Grand Slam tournament. */
  readonly grandSlam?: boolean;
}

const KEYS: Readonly<Record<string, readonly [sport: SportSlug, league: string]>> = {
  ...Object.fromEntries(namesAt('the_odds_api').map(([key, league, sport]) => [key, [sport, league] as const])),
  americanfootball_nfl: ['nfl', 'nfl'],
  americanfootball_nfl_preseason: ['nfl', 'nfl'],
  americanfootball_ncaaf: ['ncaaf', 'ncaaf'],
  basketball_nba: ['nba', 'nba'],
  basketball_nba_preseason: ['nba', 'nba'],
  basketball_ncaab: ['ncaab', 'ncaab'],
  baseball_mlb: ['mlb', 'mlb'],
  baseball_mlb_preseason: ['mlb', 'mlb'],
  icehockey_nhl: ['nhl', 'nhl'],
  icehockey_nhl_preseason: ['nhl', 'nhl'],
  soccer_usa_mls: ['soccer', 'mls'],
  soccer_epl: ['soccer', 'epl'],
  soccer_spain_la_liga: ['soccer', 'la_liga'],
  soccer_italy_serie_a: ['soccer', 'serie_a'],
  soccer_germany_bundesliga: ['soccer', 'bundesliga'],
  soccer_france_ligue_one: ['soccer', 'ligue_1'],
  soccer_uefa_champs_league: ['soccer', 'ucl'],
  soccer_fifa_world_cup: ['soccer', 'fifa_world_cup'],
};
const TENNIS = /^tennis_(atp|wta)_(.+)$/;
const GRAND_SLAM = /^(aus_open|australian_open|french_open|wimbledon|us_open)/;

/** The sport and league of a sport key; tennis has a key for each tournament. Undefined for a sport that is not
 *  covered. */
export function sportOfKey(key: string): SportKey | undefined {
  const known = KEYS[key];
  if (known) return { sport: known[0], league: known[1] };
  const tennis = TENNIS.exec(key);
  return tennis ? { sport: 'tennis', league: tennis[1]!, grandSlam: GRAND_SLAM.test(tennis[2]!) } : undefined;
}

/** The key of a league's season; undefined for tennis, which has one key for each tournament. */
export const keyOfLeague = (league: string): string | undefined =>
  Object.keys(KEYS).find((key) => KEYS[key]![1] === league);

/** The Odds API's keys of bookmakers that have another slug here. */
export const BOOKMAKER_SLUGS: Readonly<Record<string, string>> = {
  williamhill_us: 'caesars',
  hardrockbet: 'hardrock',
  betonlineag: 'betonline',
  bet365_au: 'bet365',
  betr_us_dfs: 'betr',
  betr_au: 'betr',
};

export const bookmakerOf = (key: string): string =>
  BOOKMAKER_SLUGS[key] ??
  key
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .slice(0, 40);
