import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import { playsLike } from '../../../domain/catalogue/added-leagues.ts';
import type { EventStatus, SportSlug } from '../../../domain/catalogue/catalogue.ts';
import { isTennis, rolesOf } from '../../../domain/catalogue/sport-rules.ts';
import { profileOfSide } from '../../../domain/side-profiles.ts';
import { type BoxReports, type BoxRow, type BoxScore, currentBox } from '../../../domain/statistics/box-score.ts';
import type { SideIndex } from '../../../domain/statistics/counted-game.ts';
import {
  currentLineup,
  type Lineup,
  type LineupReports,
  type LineupSide,
} from '../../../domain/statistics/event-lineup.ts';
import {
  type NationalTeam,
  type RankedPlayer,
  renderClubSide,
  renderNationalSide,
  renderPlayerMeetings,
  renderPlayerSide,
  renderTeamMeetings,
  renderTeamSide,
} from './render-side.ts';
import { type KnownGames, restDays } from './side-form.ts';
import { average, WINDOWS } from './statistics-numbers.ts';
import type { LineupStatistics, PlayerBox, SideStatistics, Statistics } from './statistics-schema.ts';

/** Parts of the statistics that do not come from earlier games. */
export interface EventExtras {
  /** Directory entries of both sides; of teams only at the World Cup. */
  readonly players: readonly [RankedPlayer, RankedPlayer];
  readonly nations: readonly [NationalTeam, NationalTeam];
  /** Only in soccer. */
  readonly lineups: readonly [LineupStatistics, LineupStatistics];
  /** Null in soccer and tennis. */
  readonly playerBox: PlayerBox | null;
}

const isWorldCup = ({ league }: EventDocument): boolean => league === 'fifa_world_cup';

/** The members that an answer always has, with or without statistics. */
function renderHead(document: EventDocument, available: boolean) {
  const { id, sport, league, event } = document;
  return {
    event_id: id,
    available,
    league_slug: league,
    neutral_site: event.schedule?.neutral_site ?? false,
    ...(playsLike(sport) === 'soccer'
      ? { profile: isWorldCup(document) ? ('world_cup' as const) : ('club' as const) }
      : {}),
    windows: WINDOWS,
  };
}

/** The answer if not both sides are in the directory, or if they have no statistics. */
export const noStatistics = (document: EventDocument): Statistics => ({
  ...renderHead(document, false),
  ...(isTennis(document.sport) ? { players: {} } : { teams: {} }),
});

/** @param ids of both sides */
export function renderStatistics(
  document: EventDocument,
  ids: readonly [number, number],
  games: KnownGames,
  own: EventExtras,
): Statistics {
  const { sport } = document;
  const sides = ([0, 1] as const).map((side) => renderSide(document, ids, side, games, own));
  const [first, second] = rolesOf(sport);
  const bySide = { [first]: sides[0], [second]: sides[1] };
  return {
    ...renderHead(document, true),
    ...(isTennis(sport) ? { players: bySide } : { teams: bySide }),
    ...(playsLike(sport) === 'soccer' ? { league_context: { avg_goals_per_team: goalsPerTeam(games) } } : {}),
    ...(own.playerBox ? { player_box: own.playerBox } : {}),
  };
}

const goalsPerTeam = ({ season: { scored, games } }: KnownGames): number | null => average(scored, 2 * games);

function renderSide(
  document: EventDocument,
  ids: readonly [number, number],
  side: SideIndex,
  { startsAt, season, sides, newest, meetings }: KnownGames,
  { players, nations, lineups }: EventExtras,
): SideStatistics {
  const { sport } = document;
  const id = ids[side];
  const { name, abbreviation, country_code, image_url } = profileOfSide(document, side)!;
  const rest_days = restDays(startsAt, newest[side]);
  if (isTennis(sport)) {
    const { competition, venue } = document.event.schedule!;
    const surface = competition?.surface ?? venue?.surface ?? null;
    return {
      player_id: id,
      name,
      country_code,
      image_url,
      rest_days,
      ...renderPlayerSide(id, sides[side], season, players[side], surface),
      head_to_head: renderPlayerMeetings(meetings, ids[0]),
    } as SideStatistics;
  }
  const team = { team_id: id, name, abbreviation, image_url, rest_days };
  if (playsLike(sport) === 'soccer') {
    return {
      ...team,
      ...(isWorldCup(document)
        ? renderNationalSide(sides[side], season, nations[side])
        : renderClubSide(id, sides[side], season)),
      head_to_head: renderTeamMeetings(meetings, ids[0], ['home_goals', 'away_goals']),
      lineup: lineups[side],
    } as SideStatistics;
  }
  return {
    ...team,
    ...renderTeamSide(sport, id, sides[side], season),
    head_to_head: renderTeamMeetings(meetings, ids[0], ['home_score', 'away_score']),
  } as SideStatistics;
}

const SPORTS_WITH_BOX: ReadonlySet<string> = new Set<SportSlug>(['nfl', 'ncaaf', 'nba', 'ncaab', 'mlb', 'nhl']);
const STARTED_STATUSES: ReadonlySet<EventStatus> = new Set(['inprogress', 'suspended', 'final']);

/** The box score whose players the statistics show, once the game has begun; undefined in sports that show none. */
export function shownBox({ sport, event }: EventDocument, reports: BoxReports | undefined): BoxScore | undefined {
  if (!SPORTS_WITH_BOX.has(playsLike(sport)) || !STARTED_STATUSES.has(event.status) || !reports) return undefined;
  return currentBox(reports);
}

/**
 * The statistics of each player; null in sports that do not show them.
 * @param idOf the directory's id of a row's player, if it has one
 */
export function renderPlayerBox(
  event: EventDocument,
  reports: BoxReports | undefined,
  idOf: (row: BoxRow) => number | null,
): PlayerBox | null {
  if (!SPORTS_WITH_BOX.has(playsLike(event.sport))) return null;
  const box = shownBox(event, reports);
  if (!box) return { available: false, final: false, home: [], away: [] };
  const rows = (role: string) =>
    box.players
      .filter((row) => row.role === role)
      .map((row) => ({
        player_id: idOf(row),
        name: row.name,
        starter: row.starter ?? false,
        dnp: row.dnp ?? false,
        stats: row.stats,
      }));
  return { available: true, final: box.final ?? false, home: rows('home'), away: rows('away') };
}

/** The lineup of a side, in the source's order; empty until a source reports one. */
export function renderLineup(reports: LineupReports | undefined, side: SideIndex): LineupStatistics {
  const lineup: Lineup | undefined = reports && currentLineup(reports, side);
  if (!lineup) return { available: false, formation: null, starters: [], bench: [] };
  const { formation = null, players } = lineup.team;
  return {
    available: true,
    formation,
    starters: players.filter(({ starter }) => starter).map(renderLineupPlayer),
    bench: players.filter(({ starter }) => !starter).map(renderLineupPlayer),
  };
}

/** Some sources send it as a text. */
function integerOrNull(value: number | string | undefined): number | null {
  const number = typeof value === 'string' && /^\d{1,3}$/.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

const renderLineupPlayer = ({ name, position, jersey, formation_place, ref }: LineupSide['players'][number]) => ({
  name,
  position: position ?? null,
  jersey: jersey === undefined ? null : String(jersey),
  formation_place: integerOrNull(formation_place),
  athlete_id: ref ?? null,
});
