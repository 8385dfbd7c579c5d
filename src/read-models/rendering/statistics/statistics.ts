import type { EventDocument } from '../../../../projections/events.ts';
import { shownProfile } from '../../../domain/side-names.ts';
import { isTennis, rolesOf } from '../../../domain/sides.ts';
import type { Side } from '../../../domain/statistics/game.ts';
import { average } from './numbers.ts';
import { playerSide, playersMeetings, type RankedPlayer } from './player-side.ts';
import { type KnownGames, restDays } from './side-statistics.ts';
import type { LineupStatistics, PlayerBox, SideStatistics, Statistics } from './statistics-schema.ts';
import { clubSide, headToHead, type NationalTeam, nationalSide, teamSide } from './team-side.ts';
import { WINDOWS } from './windows.ts';

/** What the statistics show beside those that are made of earlier games. */
export interface OfTheEvent {
  /** Of both sides: what their directory entries say; of teams only at the World Cup. */
  readonly players: readonly [RankedPlayer, RankedPlayer];
  readonly nations: readonly [NationalTeam, NationalTeam];
  /** Soccer's. */
  readonly lineups: readonly [LineupStatistics, LineupStatistics];
  /** Null in soccer and tennis. */
  readonly playerBox: PlayerBox | null;
}

const isWorldCup = ({ league }: EventDocument): boolean => league === 'fifa_world_cup';

/** What the answer says whether or not there are statistics. */
function head(document: EventDocument, available: boolean) {
  const { id, sport, league, event } = document;
  return {
    event_id: id,
    available,
    league_slug: league,
    neutral_site: event.schedule?.neutral_site ?? false,
    ...(sport === 'soccer' ? { profile: isWorldCup(document) ? ('world_cup' as const) : ('club' as const) } : {}),
    windows: WINDOWS,
  };
}

/** Of an event whose sides are not both in the directory, or are not of those that statistics are kept of. */
export const noStatistics = (document: EventDocument): Statistics => ({
  ...head(document, false),
  ...(isTennis(document.sport) ? { players: {} } : { teams: {} }),
});

/** @param ids of both sides */
export function renderStatistics(
  document: EventDocument,
  ids: readonly [number, number],
  games: KnownGames,
  own: OfTheEvent,
): Statistics {
  const { sport } = document;
  const sides = ([0, 1] as const).map((side) => renderSide(document, ids, side, games, own));
  const [first, second] = rolesOf(sport);
  const bySide = { [first]: sides[0], [second]: sides[1] };
  return {
    ...head(document, true),
    ...(isTennis(sport) ? { players: bySide } : { teams: bySide }),
    ...(sport === 'soccer' ? { league_context: { avg_goals_per_team: goalsPerTeam(games) } } : {}),
    ...(own.playerBox ? { player_box: own.playerBox } : {}),
  };
}

const goalsPerTeam = ({ season: { scored, games } }: KnownGames): number | null => average(scored, 2 * games);

function renderSide(
  document: EventDocument,
  ids: readonly [number, number],
  side: Side,
  { startsAt, season, sides, newest, meetings }: KnownGames,
  { players, nations, lineups }: OfTheEvent,
): SideStatistics {
  const { sport } = document;
  const id = ids[side];
  const { name, abbreviation, country_code, image_url } = shownProfile(document, side)!;
  const rest_days = restDays(startsAt, newest[side]);
  if (isTennis(sport)) {
    const { competition, venue } = document.event.schedule!;
    const surface = competition?.surface ?? venue?.surface ?? null;
    return {
      ...{ player_id: id, name, country_code, image_url, rest_days },
      ...playerSide(id, sides[side], season, players[side], surface),
      head_to_head: playersMeetings(meetings, ids[0]),
    } as SideStatistics;
  }
  const team = { team_id: id, name, abbreviation, image_url, rest_days };
  if (sport === 'soccer') {
    return {
      ...team,
      ...(isWorldCup(document) ? nationalSide(sides[side], season, nations[side]) : clubSide(id, sides[side], season)),
      head_to_head: headToHead(meetings, ids[0], ['home_goals', 'away_goals']),
      lineup: lineups[side],
    } as SideStatistics;
  }
  return {
    ...team,
    ...teamSide(sport, id, sides[side], season),
    head_to_head: headToHead(meetings, ids[0], ['home_score', 'away_score']),
  } as SideStatistics;
}
