import { scheduledSeasonId } from '../catalogue/scheduled-season.ts';
import { rulesOf } from '../catalogue/sport-rules.ts';
import { timeOf } from '../observations/observation.ts';
import { type EventWithSport, isWinner, resultType } from '../sports-events/event-results.ts';
import type { EventSide, ScheduleContent, SportsEvent } from '../sports-events/sports-event.ts';
import { gamesWon, setsWon } from '../sports-events/tennis-sets.ts';

/** 0: home, or player_1. */
export type SideIndex = 0 | 1;

/** A completed game, as the statistics of its sport count it. In pairs of values the first is home or player_1. */
export interface CountedGame {
  readonly eventId: number;
  /** From league and year. */
  readonly seasonId: number;
  /** Milliseconds. */
  readonly startsAt: number;
  /** The earliest `at` of a message with the final status, in milliseconds. */
  readonly endedAt: number;
  /** Ids of teams or players. */
  readonly sides: readonly [number, number];
  /** Points, runs or goals, without shootouts; in tennis sets won, null if not stated. */
  readonly scores: readonly [number, number] | null;
  /** Games won, in tennis. */
  readonly games: readonly [number, number] | null;
  /** Null: no winner, or unknown. */
  readonly winner: SideIndex | null;
  /** Set if the game went beyond regular time: NHL standings count such a loss separately. */
  readonly beyond: 'overtime' | 'shootout' | null;
  readonly neutral: boolean;
  /** Set for games of the playoffs, which standings do not count. */
  readonly isPlayoff?: true;
  /** Tennis only; null if unknown. */
  readonly surface: string | null;
}

/** The sides, with the data that statistics need. `EventSide`s have it. */
export type SideKeys = readonly [SideKey, SideKey];
type SideKey = Pick<EventSide, 'key' | 'id'>;

interface IdentifiedEvent extends EventWithSport {
  readonly id: number;
  readonly league: string;
  readonly sides: SideKeys | null;
}

/**
 * The counted game of an event; null if it does not count: not final, no scores (in tennis: no winner), a preseason,
 * doubles or qualifying, or a side that is not in the directory.
 * @param endedAt milliseconds; null: no report that the event is over
 */
export function countGame(event: IdentifiedEvent, endedAt: number | null): CountedGame | null {
  const { schedule, status } = event.event;
  const sides = sideIdsOf(event);
  if (status !== 'final' || endedAt === null || !schedule || !sides) return null;
  if (schedule.season?.phase === 'preseason') return null;
  const startsAt = timeOf(schedule.starts_at);
  const type = resultType(event);
  const common = {
    eventId: event.id,
    seasonId: scheduledSeasonId(event.league, schedule),
    startsAt,
    endedAt,
    sides,
    winner: winnerOf(event),
    beyond: type === 'overtime' || type === 'shootout' ? type : null,
    neutral: schedule.neutral_site ?? false,
    ...(schedule.season?.phase === 'playoffs' ? { isPlayoff: true as const } : {}),
  };
  if (rulesOf(event.sport).score === 'sets') {
    if (common.winner === null || !isMainDrawSingles(event)) return null;
    const [first, second] = [gamesWon(event, 0), gamesWon(event, 1)];
    const games = first === null || second === null ? null : ([first, second] as const);
    const surface = schedule.competition?.surface ?? schedule.venue?.surface ?? null;
    return { ...common, scores: setsWon(event), games, surface };
  }
  const scores = scoresOf(event);
  return scores && { ...common, scores, games: null, surface: null };
}

/** The ids of both sides; null unless the directory has both. */
export function sideIdsOf({ sides }: Pick<IdentifiedEvent, 'sides'>): readonly [number, number] | null {
  const [first, second] = sides ?? [];
  if (!first || !second || first.id === null || second.id === null) return null;
  return [first.id, second.id];
}

const QUALIFYING = /qualif|^Q[1-4]$/i;

/** Tennis: whether the match counts. Two pairs play doubles even if the schedule does not say so. */
export function isMainDrawSingles({ event, sides }: Pick<IdentifiedEvent, 'event' | 'sides'>): boolean {
  const { draw_type, round } = event.schedule ?? {};
  if (draw_type === 'doubles' || sides?.some(({ key }) => key.startsWith('pair:'))) return false;
  return round === undefined || !QUALIFYING.test(round.trim());
}

function winnerOf(event: EventWithSport): SideIndex | null {
  if (isWinner(event, 0)) return 0;
  return isWinner(event, 1) ? 1 : null;
}

function scoresOf({ event }: EventWithSport): readonly [number, number] | null {
  const [home, away] = event.sides.map(({ score }) =>
    score === undefined || score.trim() === '' ? NaN : Number(score),
  );
  return Number.isFinite(home) && Number.isFinite(away) ? [home!, away!] : null;
}

type Schedule = Partial<ScheduleContent> | NonNullable<SportsEvent['schedule']>;

/** The parts of a schedule that determine whether and how the game counts. The sides are stored separately. */
export function trimSchedule(schedule: Schedule): ScheduleContent {
  const { starts_at, status, season, season_year, neutral_site, draw_type, round, competition, venue } =
    schedule as ScheduleContent;
  return {
    starts_at,
    ...(status === undefined ? {} : { status }),
    ...(season === undefined ? {} : { season }),
    ...(season_year === undefined ? {} : { season_year }),
    ...(neutral_site === undefined ? {} : { neutral_site }),
    ...(draw_type === undefined ? {} : { draw_type }),
    ...(round === undefined ? {} : { round }),
    // Each replaces the previous value completely, including its surface.
    ...(competition === undefined ? {} : { competition: onlySurface(competition) }),
    ...(venue === undefined ? {} : { venue: onlySurface(venue) }),
  } as ScheduleContent;
}

const onlySurface = ({ surface }: { readonly surface?: string }) => (surface === undefined ? {} : { surface });

/** An event reduced in the same way. @returns a new object whose members may be changed */
export function trimEvent({ schedule, statusSources, ...rest }: SportsEvent): SportsEvent {
  return {
    ...rest,
    statusSources: [...statusSources],
    starts: [],
    schedule: schedule && trimSchedule(schedule),
  };
}
