import { playsLike } from '../../../domain/catalogue/added-leagues.ts';
import type { CountedGame } from '../../../domain/statistics/counted-game.ts';
import type { SeasonRecords } from './season-games.ts';
import { opponentsStrength, recentForm, renderRates, shownStrength, splitByVenue } from './side-form.ts';
import { recordOf, type TeamRecord } from './standings.ts';
import type { RatedGame } from './stat-rates.ts';
import { average, share, WINDOWS } from './statistics-numbers.ts';

/** The statistics of a team, in all sports but soccer and tennis. @param games of the season, newest first */
export function renderTeamSide(sport: string, id: number, games: readonly RatedGame[], season: SeasonRecords) {
  const { standing, records } = season;
  const name = playsLike(sport) === 'nhl' ? 'points_pct' : 'win_pct';
  const strength = ({ worth, games: count }: TeamRecord) => shownStrength(standing, worth, count);
  const record = records.get(id) ?? recordOf(standing, []);
  const { home, away } = splitByVenue(standing, games);
  const opponents = opponentsStrength(games, records);
  const { w, l, d, otl, worth: points, scored, conceded } = record;
  return {
    recent_form: recentForm(standing, games),
    team_strength: {
      source: name,
      [name]: strength(record),
      games: record.games,
      ...(playsLike(sport) === 'nhl' ? { points, w, l: l - otl, otl } : { w, l, t: d }),
      scored,
      conceded,
      diff: scored - conceded,
      rank: season.rank(id),
    },
    sos: {
      source: `opp_${name}_avg`,
      window: WINDOWS.sos,
      games: opponents.games,
      [`opp_${name}_avg`]: share(opponents.strengths, opponents.games),
    },
    venue: {
      source: `home_away_${name}_split`,
      [`home_${name}`]: strength(home),
      home_games: home.games,
      [`away_${name}`]: strength(away),
      away_games: away.games,
    },
    ...renderRates(sport, games),
  };
}

/** The statistics of a soccer club. */
export function renderClubSide(id: number, games: readonly RatedGame[], season: SeasonRecords) {
  const { standing, records } = season;
  const ppg = ({ worth, games: count }: TeamRecord) => shownStrength(standing, worth, count);
  const record = records.get(id) ?? recordOf(standing, []);
  const { home, away } = splitByVenue(standing, games);
  const opponents = opponentsStrength(games, records);
  const { w, d, l, scored, conceded } = record;
  return {
    recent_form: soccerForm(games, season),
    team_strength: {
      source: 'league_table_ppg',
      ppg: ppg(record),
      games: record.games,
      points: record.worth,
      w,
      d,
      l,
      gf: scored,
      ga: conceded,
      gd: scored - conceded,
      rank: season.rank(id),
    },
    sos: {
      source: 'opp_ppg_avg',
      window: WINDOWS.sos,
      games: opponents.games,
      opp_ppg_avg: average(opponents.strengths, opponents.games),
    },
    venue: {
      source: 'home_away_ppg_split',
      home_ppg: ppg(home),
      home_games: home.games,
      away_ppg: ppg(away),
      away_games: away.games,
    },
    ...renderRates('soccer', games),
  };
}

/** The FIFA ranking of a national team, from its directory entry. */
export interface NationalTeam {
  readonly fifaRank: number | null;
  readonly confederation: string | null;
}

/** The statistics of a national team at the World Cup, where a group table of four says little. */
export function renderNationalSide(games: readonly RatedGame[], season: SeasonRecords, team: NationalTeam) {
  return {
    recent_form: soccerForm(games, season),
    team_strength: { source: 'fifa_rank', rank: team.fifaRank },
    sos: null,
    venue: { source: 'confederation', confederation: team.confederation },
    ...renderRates('soccer', games),
  };
}

function soccerForm(games: readonly RatedGame[], { standing }: SeasonRecords) {
  const { scored, conceded, ...form } = recentForm(standing, games);
  return { ...form, goals_scored: scored, goals_conceded: conceded };
}

/** The newest meetings of two sides. @param home the side whose scores come first, wherever it played */
export function renderTeamMeetings(
  meetings: readonly CountedGame[],
  home: number,
  [own, other]: readonly [string, string],
) {
  const shown = meetings.slice(0, WINDOWS.head_to_head).map(({ sides, scores }) => {
    const first = sides[0] === home ? 0 : 1;
    return { [own]: scores![first], [other]: scores![first === 0 ? 1 : 0] };
  });
  return { window: WINDOWS.head_to_head, meetings: shown, total: shown.length };
}

const SURFACES = ['clay', 'grass', 'hard', 'indoor_hard'] as const;

/** A player's ranking, from the directory. */
export interface RankedPlayer {
  readonly ranking: number | null;
  readonly points: number | null;
}

/** The statistics of a tennis player. @param games of the season, newest first @param surface of the event */
export function renderPlayerSide(
  id: number,
  games: readonly RatedGame[],
  season: SeasonRecords,
  player: RankedPlayer,
  surface: string | null,
) {
  const { standing, records } = season;
  const winPct = ({ worth, games: count }: TeamRecord) => shownStrength(standing, worth, count);
  const record = records.get(id) ?? recordOf(standing, []);
  const opponents = opponentsStrength(games, records);
  const { scored, conceded, ...form } = recentForm(standing, games);
  const on = SURFACES.map((one) => {
    const own = recordOf(
      standing,
      games.filter(({ game }) => game.surface === one),
    );
    return [one, { win_pct: winPct(own), games: own.games }] as const;
  });
  return {
    recent_form: { ...form, sets_won: scored, sets_lost: conceded },
    team_strength: {
      source: 'win_pct',
      win_pct: winPct(record),
      games: record.games,
      w: record.w,
      l: record.l,
      ranking: player.ranking,
      ranking_points: player.points,
    },
    sos: {
      source: 'opp_win_pct_avg',
      window: WINDOWS.sos,
      games: opponents.games,
      opp_win_pct_avg: share(opponents.strengths, opponents.games),
    },
    venue: { source: 'surface_win_pct_split', surface, ...Object.fromEntries(on) },
    ...renderRates('tennis', games),
  };
}

/** The newest meetings of two players. @param first player_1 of the requested event */
export function renderPlayerMeetings(meetings: readonly CountedGame[], first: number) {
  const shown = meetings.slice(0, WINDOWS.head_to_head).map(({ sides, scores, winner, surface }) => {
    const place = sides[0] === first ? 0 : 1;
    return {
      winner: winner === place ? 'player_1' : 'player_2',
      player_1_sets: scores?.[place] ?? null,
      player_2_sets: scores?.[place === 0 ? 1 : 0] ?? null,
      surface,
    };
  });
  return { window: WINDOWS.head_to_head, meetings: shown, total: shown.length };
}
