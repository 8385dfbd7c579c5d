import { WINDOWS } from './common-members.ts';
import { earlierGames, isMainDrawSingles } from './counted-games.ts';
import { type Game, SIDES } from './game.ts';
import { otherTeamSportAnswer } from './other-team-sports.ts';
import { profileOf, soccerAnswer } from './soccer.ts';
import { tennisAnswer } from './tennis.ts';

/**
 * What `GET /v1/events/{id}/stats` must answer, by the words of the specification alone: all games are filtered anew
 * each time, and nothing is kept.
 * @param games as everybody knows them at the moment of the answer
 * @param eventId one of them
 */
export function statsAnswer(games: readonly Game[], eventId: number) {
  const event = games.find((game) => game.eventId === eventId)!;
  if (!isAvailable(event)) return unavailable(event);
  const earlier = earlierGames(games, event);
  if (event.sport === 'soccer') return soccerAnswer(earlier, event);
  return event.sport === 'tennis' ? tennisAnswer(earlier, event) : otherTeamSportAnswer(earlier, event);
}
export type StatsAnswer = ReturnType<typeof statsAnswer>;

/** "both sides have a directory id. Tennis: and `draw_type` is not doubles, and `round` names no qualifying" */
const isAvailable = (event: Game): boolean =>
  SIDES.every((side) => event[side].id !== null) && (event.sport !== 'tennis' || isMainDrawSingles(event));

/** "False: `event_id, available, league_slug, neutral_site`, soccer's `profile`, `windows`, and an empty `teams`
 *  (`players`)" */
const unavailable = (event: Game) => ({
  event_id: event.eventId,
  available: false,
  league_slug: event.league,
  neutral_site: event.neutral_site,
  ...(event.sport === 'soccer' ? { profile: profileOf(event) } : {}),
  windows: WINDOWS,
  ...(event.sport === 'tennis' ? { players: {} } : { teams: {} }),
});
