import type { Game } from '../../../domain/statistics/game.ts';
import { share } from './numbers.ts';
import type { RatedGame } from './rates.ts';
import { recordOf, type TeamRecord } from './records.ts';
import type { SeasonRecords } from './season-games.ts';
import { opponentsStrength, rates, recentForm, shownStrength } from './side-statistics.ts';
import { WINDOWS } from './windows.ts';

const SURFACES = ['clay', 'grass', 'hard', 'indoor_hard'] as const;

/** What the directory says of a player. */
export interface RankedPlayer {
  readonly ranking: number | null;
  readonly points: number | null;
}

/** The statistics of a tennis player. @param games of the season, newest first @param surface of the event */
export function playerSide(
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
      ...{ source: 'win_pct', win_pct: winPct(record), games: record.games, w: record.w, l: record.l },
      ...{ ranking: player.ranking, ranking_points: player.points },
    },
    sos: {
      source: 'opp_win_pct_avg',
      window: WINDOWS.sos,
      games: opponents.games,
      opp_win_pct_avg: share(opponents.strengths, opponents.games),
    },
    venue: { source: 'surface_win_pct_split', surface, ...Object.fromEntries(on) },
    ...rates('tennis', games),
  };
}

/** The newest meetings of two players. @param first player_1 of the event that is asked about */
export function playersMeetings(meetings: readonly Game[], first: number) {
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
