import { EVENT_STATUSES, type EventStatus, type ResultType } from '../catalogue/catalogue.ts';
import type { Known, ScheduleMessage, ScoreMessage, VenueFacts } from '../feed/feed-messages.ts';
import { type Observation, timeOf } from '../observations/observation.ts';
import { mergeDefined } from '../primitives/own-properties.ts';

/**
 * One side of a sports event from a schedule, with resolved ids. Index 0 is home or player_1, index 1 the other side.
 */
export interface EventSide {
  /** `team:5`, `player:9`, `pair:...` (doubles), or `name:...` for a placeholder. */
  readonly key: string;
  /** Id of the team or player; null for placeholders and pairs. */
  readonly id: number | null;
  /** The id of the team or player at the source, if sent. */
  readonly ref?: string;
  readonly name: string;
  readonly abbreviation: string | null;
  readonly country_code: string | null;
  readonly placeholder: boolean;
  readonly members?: readonly { readonly id: number; readonly ref?: string; readonly name: string }[];
}

/** The teams or players of a side: the members of a pair, none of a placeholder. */
export const entriesOfSide = ({
  id,
  ref,
  name,
  members = [],
}: EventSide): readonly { readonly id: number; readonly ref?: string | undefined; readonly name: string }[] =>
  id === null ? members : [{ id, ref, name }];

/** The data of a team or player that an event shows. */
export interface Profile {
  readonly name: string;
  readonly abbreviation: string | null;
  readonly country_code: string | null;
  readonly image_url: string | null;
}

export const sameProfile = (a: Profile, b: Profile): boolean =>
  a.name === b.name &&
  a.abbreviation === b.abbreviation &&
  a.country_code === b.country_code &&
  a.image_url === b.image_url;

/** The profile of a side from a schedule, used until the directory has more. */
export const profileFromSchedule = ({ name, abbreviation, country_code }: EventSide): Profile => ({
  name,
  abbreviation,
  country_code,
  image_url: null,
});

/** A schedule message with resolved ids and with the sides in the order of the event. */
export type ScheduleContent = Omit<
  Known<ScheduleMessage>,
  'kind' | 'source' | 'at' | 'ref' | 'refs' | 'sport' | 'league' | 'participants' | 'venue' | 'competition'
> & {
  readonly sides: readonly [EventSide, EventSide];
  /** Of a league of CONFIG, so that the event keeps its season when the league is changed or taken out. */
  readonly season_year?: number;
  readonly venue?: Known<VenueFacts> & { readonly id: number };
  readonly competition?: Known<NonNullable<ScheduleMessage['competition']>> & { readonly id: number };
};

type SideScore = Known<NonNullable<ScoreMessage['scores']>[number]>;
/** A score message with the sides in the order of the event; `sides` has the report on each side, if any. */
export type ScoreContent = Pick<
  Known<ScoreMessage>,
  'status' | 'period' | 'clock' | 'result_type' | 'inprogress_since'
> & {
  readonly sides?: readonly [Omit<SideScore, 'role'> | null, Omit<SideScore, 'role'> | null];
};

export interface SideState {
  score?: string;
  game_score?: string;
  is_winner?: boolean;
  period_scores?: NonNullable<SideScore['period_scores']>;
}

/** A sports event: the fold of its schedules and scores, in the order of `at`. Times are ISO 8601. */
export interface SportsEvent {
  status: EventStatus;
  /** The sources that reported the current status; only these may revert it. */
  statusSources: string[];
  schedule: (Omit<ScheduleContent, 'sides' | 'status'> & { sides?: readonly [EventSide, EventSide] }) | null;
  /** Every announced start, and when it was announced. */
  starts: { at: string; starts_at: string }[];
  period?: string;
  clock?: string;
  result_type?: ResultType;
  /** The start of play as stated by the source. */
  startedAt?: string;
  /** `at` of the first live message. */
  firstLive?: string;
  /** `at` of the message that ended the event; null before that. */
  overAt: string | null;
  sides: [SideState, SideState];
}

export const newSportsEvent = (): SportsEvent => ({
  status: 'scheduled',
  statusSources: [],
  schedule: null,
  starts: [],
  overAt: null,
  sides: [{}, {}],
});

const TERMINAL: ReadonlySet<EventStatus> = new Set(['final', 'cancelled', 'walkover']);
export const isOver = (status: EventStatus): boolean => TERMINAL.has(status);

/** Forward transitions, including those that skip steps. A terminal status has none. */
const FORWARD: Readonly<Record<EventStatus, readonly EventStatus[]>> = {
  scheduled: ['delayed', 'inprogress', 'suspended', 'postponed', 'cancelled', 'walkover', 'final'],
  delayed: ['inprogress', 'suspended', 'postponed', 'cancelled', 'walkover', 'final'],
  inprogress: ['suspended', 'postponed', 'cancelled', 'final'],
  suspended: ['inprogress', 'postponed', 'cancelled', 'final'],
  postponed: ['scheduled', 'delayed', 'inprogress', 'suspended', 'cancelled', 'walkover', 'final'],
  final: [],
  cancelled: [],
  walkover: [],
};
export const isForwardTransition = (from: EventStatus, to: EventStatus): boolean => FORWARD[from].includes(to);

/** The rank of a status in the course of an event; orders messages of the same time. */
export const statusRank = (status: EventStatus | undefined): number =>
  status === undefined ? -1 : EVENT_STATUSES.indexOf(status);

/** A status is accepted if it is the current one, a forward transition, or from a source of the current one. */
export const isStatusAccepted = (event: SportsEvent, status: EventStatus, source: string): boolean =>
  status === event.status || isForwardTransition(event.status, status) || event.statusSources.includes(source);

function setStatus(event: SportsEvent, status: EventStatus, source: string, at: string): void {
  if (status !== event.status) {
    event.status = status;
    event.statusSources = [source];
    event.overAt = isOver(status) ? at : null;
  } else if (!event.statusSources.includes(source)) {
    event.statusSources.push(source);
  }
}

/** Applies a schedule to the event. Changes and returns `event`. */
export function applySchedule(event: SportsEvent, { at, source, content }: Observation<ScheduleContent>): SportsEvent {
  const { status, ...facts } = content;
  const before = event.schedule?.starts_at;
  const moved = before !== undefined && timeOf(before) !== timeOf(facts.starts_at);
  event.schedule = mergeDefined(event.schedule, facts);
  if (before === undefined || moved) event.starts.push({ at, starts_at: facts.starts_at });
  if (status !== undefined) {
    if (isStatusAccepted(event, status, source)) setStatus(event, status, source, at);
  } else if (event.status === 'postponed' && moved) {
    setStatus(event, 'scheduled', source, at);
  } else if (event.status === 'scheduled') {
    setStatus(event, 'scheduled', source, at);
  }
  return event;
}

/** Applies a score to the event. If its status is not accepted, nothing changes. */
export function applyScore(event: SportsEvent, { at, source, content }: Observation<ScoreContent>): SportsEvent {
  if (!isStatusAccepted(event, content.status, source)) return event;
  setStatus(event, content.status, source, at);
  if (content.status === 'inprogress' || content.status === 'suspended') event.firstLive ??= at;
  if (content.inprogress_since !== undefined) event.startedAt = content.inprogress_since;
  if (content.period !== undefined) event.period = content.period;
  if (content.clock !== undefined) event.clock = content.clock;
  if (content.result_type !== undefined) event.result_type = content.result_type;
  const reported = content.sides;
  if (reported) {
    const hasNewResult = reported.some((side) => side?.score !== undefined || side?.is_winner !== undefined);
    event.sides = [
      mergeSideScore(event.sides[0], reported[0], hasNewResult),
      mergeSideScore(event.sides[1], reported[1], hasNewResult),
    ];
  }
  return event;
}

/** A stated winner belongs to the score in the same message: a new score without a winner clears it. */
function mergeSideScore(side: SideState, reported: Omit<SideScore, 'role'> | null, hasNewResult: boolean): SideState {
  const next: SideState = reported ? (mergeDefined(side, reported) as SideState) : { ...side };
  if (hasNewResult && reported?.is_winner === undefined) delete next.is_winner;
  return next;
}

/** Which game of the day a schedule says it is; null if unknown. An old record may hold anything under that name. */
export const gameNumberOf = (schedule: { readonly game_number?: unknown } | null): number | null => {
  const number = schedule?.game_number;
  return number === 1 || number === 2 || number === 3 ? number : null;
};

/** The start known at a time (`at`, milliseconds); before the first announcement, the first announced start. */
export function startKnownAt(event: Pick<SportsEvent, 'starts'>, at: number): string | undefined {
  let knownStart = event.starts[0]?.starts_at;
  for (const start of event.starts) if (timeOf(start.at) <= at) knownStart = start.starts_at;
  return knownStart;
}

/** The start of play as reported by the sources; null without a live message. */
export const inprogressSince = (event: SportsEvent): string | null => event.startedAt ?? event.firstLive ?? null;

/**
 * When the markets before the game close, in milliseconds: the known start, or the first live message if earlier. The
 * closing line is the last one before it, and splits are accepted until then.
 */
export function marketsCloseAt(event: SportsEvent): number {
  const start = event.schedule ? timeOf(event.schedule.starts_at) : Number.POSITIVE_INFINITY;
  return Math.min(start, event.firstLive === undefined ? Number.POSITIVE_INFINITY : timeOf(event.firstLive));
}
