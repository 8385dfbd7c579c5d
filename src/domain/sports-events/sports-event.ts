import { EVENT_STATUSES, type EventStatus, type ResultType } from '../catalogue/catalogue.ts';
import type { Known, ScheduleMessage, ScoreMessage, VenueFacts } from '../feed/feed-messages.ts';
import type { Observation } from '../observations/observation.ts';
import { timeOf } from '../observations/observation.ts';

/** One side of a sports event as a schedule named it, resolved. Index 0 is home or player_1, index 1 the other. */
export interface EventSide {
  /** `team:5`, `player:9`, `pair:...` (doubles), or `name:...` for a placeholder. */
  readonly key: string;
  /** Id of the team or player; null for placeholders and pairs. */
  readonly id: number | null;
  /** The source's own id of the team or player, where it gave one. */
  readonly ref?: string;
  readonly name: string;
  readonly abbreviation: string | null;
  readonly country_code: string | null;
  readonly placeholder: boolean;
  readonly members?: readonly { readonly id: number; readonly ref?: string; readonly name: string }[];
}

/** What of a team or player shows in an event. */
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

/** What a schedule says of a side, as long as the directory says no more. */
export const profileFromSchedule = ({ name, abbreviation, country_code }: EventSide): Profile => ({
  name,
  abbreviation,
  country_code,
  image_url: null,
});

/** A schedule message, resolved and turned to the event's way round. */
export type ScheduleContent = Omit<
  Known<ScheduleMessage>,
  'kind' | 'source' | 'at' | 'ref' | 'refs' | 'sport' | 'league' | 'participants' | 'venue' | 'competition'
> & {
  readonly sides: readonly [EventSide, EventSide];
  readonly venue?: Known<VenueFacts> & { readonly id: number };
  readonly competition?: Known<NonNullable<ScheduleMessage['competition']>> & { readonly id: number };
};

type SideScore = Known<NonNullable<ScoreMessage['scores']>[number]>;
/** A score message turned to the event's way round; `sides` holds what was said of each side, if anything. */
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

/** A sports event: the fold of its schedule and its scores, in the order of `at`. Times are ISO. */
export interface SportsEvent {
  status: EventStatus;
  /** The sources that told the present status; only these may take it back. */
  statusSources: string[];
  schedule: (Omit<ScheduleContent, 'sides' | 'status'> & { sides?: readonly [EventSide, EventSide] }) | null;
  /** Every start that was announced, and when. */
  starts: { at: string; starts_at: string }[];
  period?: string;
  clock?: string;
  result_type?: ResultType;
  /** The source's own time of the start of play. */
  startedAt?: string;
  /** `at` of the first live message. */
  firstLive?: string;
  /** `at` of the message that ended it; null while it is not over. */
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

/** Forward transitions, with the steps that a source may skip. Nothing is forward from a terminal status. */
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

/** How far along a status is, for messages of one time. */
export const statusRank = (status: EventStatus | undefined): number =>
  status === undefined ? -1 : EVENT_STATUSES.indexOf(status);

/** A status counts when it is the present one, forward of it, or told by the source of the present one. */
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

/** Folds a schedule onto the event. Changes and returns `event`. */
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

/** Folds a score onto the event. A status that does not count leaves everything as it was. */
export function applyScore(event: SportsEvent, { at, source, content }: Observation<ScoreContent>): SportsEvent {
  if (!isStatusAccepted(event, content.status, source)) return event;
  setStatus(event, content.status, source, at);
  if (content.status === 'inprogress' || content.status === 'suspended') event.firstLive ??= at;
  if (content.inprogress_since !== undefined) event.startedAt = content.inprogress_since;
  if (content.period !== undefined) event.period = content.period;
  if (content.clock !== undefined) event.clock = content.clock;
  if (content.result_type !== undefined) event.result_type = content.result_type;
  const said = content.sides;
  if (said) {
    const decidesAnew = said.some((side) => side?.score !== undefined || side?.is_winner !== undefined);
    event.sides = [
      mergeSideScore(event.sides[0], said[0], decidesAnew),
      mergeSideScore(event.sides[1], said[1], decidesAnew),
    ];
  }
  return event;
}

/** What a source said of the winner belongs to the scores that it came with. */
function mergeSideScore(side: SideState, said: Omit<SideScore, 'role'> | null, decidesAnew: boolean): SideState {
  const next: SideState = said ? (mergeDefined(side, said) as SideState) : { ...side };
  if (decidesAnew && said?.is_winner === undefined) delete next.is_winner;
  return next;
}

function mergeDefined<T extends object>(base: T | null, over: object): T {
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) if (value !== undefined) result[key] = value;
  return result as T;
}

/** The start that was known at a time (`at`, milliseconds): the first announced one before anything was known. */
export function startKnownAt(event: Pick<SportsEvent, 'starts'>, at: number): string | undefined {
  let known = event.starts[0]?.starts_at;
  for (const start of event.starts) if (timeOf(start.at) <= at) known = start.starts_at;
  return known;
}

/** When play began, as the sources tell; null when nothing live was heard. */
export const inprogressSince = (event: SportsEvent): string | null => event.startedAt ?? event.firstLive ?? null;

/** Splits are taken before this time only: the start as known, or the first live message. */
export function splitsCloseAt(event: SportsEvent): number {
  const start = event.schedule ? timeOf(event.schedule.starts_at) : Number.POSITIVE_INFINITY;
  return Math.min(start, event.firstLive === undefined ? Number.POSITIVE_INFINITY : timeOf(event.firstLive));
}
