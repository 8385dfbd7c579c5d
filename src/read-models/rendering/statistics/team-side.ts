import type { Game } from '../../../domain/statistics/game.ts';
import { average, share } from './numbers.ts';
import type { RatedGame } from './rates.ts';
import { recordOf, type TeamRecord } from './records.ts';
import type { SeasonRecords } from './season-games.ts';
import { opponentsStrength, rates, recentForm, shownStrength, splitByVenue } from './side-statistics.ts';
import { WINDOWS } from './windows.ts';

/** The statistics of a team of any sport but soccer and tennis. @param games of the season, newest first */
export function teamSide(sport: string, id: number, games: readonly RatedGame[], season: SeasonRecords) {
  const { standing, records } = season;
  const name = sport === 'nhl' ? 'points_pct' : 'win_pct';
  const strength = ({ worth, games: count }: TeamRecord) => shownStrength(standing, worth, count);
  const record = records.get(id) ?? recordOf(standing, []);
  const { home, away } = splitByVenue(standing, games);
  const opponents = opponentsStrength(games, records);
  const { w, l, d, otl, worth, scored, conceded } = record;
  return {
    recent_form: recentForm(standing, games),
    team_strength: {
      source: name,
      [name]: strength(record),
      games: record.games,
      ...(sport === 'nhl' ? { points: worth, w, l: l - otl, otl } : { w, l, t: d }),
      ...{ scored, conceded, diff: scored - conceded, rank: season.rank(id) },
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
    ...rates(sport, games),
  };
}

/** The statistics of a soccer club. */
export function clubSide(id: number, games: readonly RatedGame[], season: SeasonRecords) {
  const { standing, records } = season;
  const ppg = ({ worth, games: count }: TeamRecord) => shownStrength(standing, worth, count);
  const record = records.get(id) ?? recordOf(standing, []);
  const { home, away } = splitByVenue(standing, games);
  const opponents = opponentsStrength(games, records);
  const { w, d, l, scored, conceded } = record;
  return {
    recent_form: soccerForm(games, season),
    team_strength: {
      ...{ source: 'league_table_ppg', ppg: ppg(record), games: record.games, points: record.worth, w, d, l },
      ...{ gf: scored, ga: conceded, gd: scored - conceded, rank: season.rank(id) },
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
    ...rates('soccer', games),
  };
}

/** What a national team's directory entry says of it. */
export interface NationalTeam {
  readonly fifaRank: number | null;
  readonly confederation: string | null;
}

/** The statistics of a national team at the World Cup, where a table of four says little. */
export function nationalSide(games: readonly RatedGame[], season: SeasonRecords, team: NationalTeam) {
  return {
    recent_form: soccerForm(games, season),
    team_strength: { source: 'fifa_rank', rank: team.fifaRank },
    sos: null,
    venue: { source: 'confederation', confederation: team.confederation },
    ...rates('soccer', games),
  };
}

function soccerForm(games: readonly RatedGame[], { standing }: SeasonRecords) {
  const { scored, conceded, ...form } = recentForm(standing, games);
  return { ...form, goals_scored: scored, goals_conceded: conceded };
}

/** The newest meetings of two sides. @param home the side whose scores come first, wherever it played */
export function headToHead(meetings: readonly Game[], home: number, [own, other]: readonly [string, string]) {
  const shown = meetings.slice(0, WINDOWS.head_to_head).map(({ sides, scores }) => {
    const first = sides[0] === home ? 0 : 1;
    return { [own]: scores![first], [other]: scores![first === 0 ? 1 : 0] };
  });
  return { window: WINDOWS.head_to_head, meetings: shown, total: shown.length };
}
