import { isDeepStrictEqual } from 'node:util';
import { canonicalJson } from '../../src/domain/canonical.ts';
import type { StreamDecider } from '../../src/domain/decider.ts';
import type { EventIdentity, Origin } from '../../src/domain/domain-events.ts';
import { addRepetition, addToHistory, entryOf, type History, placeIn, type Said } from '../../src/domain/history.ts';
import { type Entry, timeOf } from '../../src/domain/observation.ts';
import {
  applySchedule,
  applyScore,
  type EventSide,
  isForward,
  isOver,
  newSportsEvent,
  ownProfile,
  type Profile,
  type ScheduleContent,
  type ScoreContent,
  type SportsEvent,
  sameProfile,
  statusCounts,
  statusRank,
} from '../../src/domain/sports-event.ts';
import { eventStream } from '../../src/domain/streams/sports-event-stream.ts';
import { type EventOfKind, happened, type RecordOf } from '../../src/domain/streams/stream-kind.ts';
import { formatTime } from '../../src/domain/time.ts';
import type { Standing } from '../directory/decider.ts';

/** A schedule ranks before every score of the same time: an event is known before it is played. */
const SCHEDULE_RANK = -100;

type Told = { readonly schedule: ScheduleContent } | { readonly score: ScoreContent };

/** What the write side knows of one sports event (stream `event-ID`). */
export interface EventState {
  identity: EventIdentity | null;
  history: History<Told>;
  event: SportsEvent;
  /** The sources' own ids of it. */
  refs: Map<string, Set<string>>;
  /** What the directory was told to say of each side, by rank and time; of one rank and time the last. */
  described: Map<string, Map<string, Standing>>;
  /** What schedules said of each side; null when they did not agree. */
  own: Map<string, Profile | null>;
  checks: Set<string>;
}

const initial = (): EventState => ({
  identity: null,
  history: [],
  event: newSportsEvent(),
  refs: new Map(),
  described: new Map(),
  own: new Map(),
  checks: new Set(),
});

interface Fact {
  readonly identity: EventIdentity;
  readonly source: string;
}
interface SaidFact extends Fact {
  readonly at: string;
  readonly origin?: Origin;
}
interface ScheduleFact extends SaidFact {
  readonly kind: 'schedule';
  readonly content: ScheduleContent;
}
interface ScoreFact extends SaidFact {
  readonly kind: 'score';
  readonly content: ScoreContent;
}
interface InjuriesCheckedFact extends SaidFact {
  readonly kind: 'injuries checked';
}
/** `turned`: the source has the sides the other way round than the event. */
interface BindingFact extends Fact {
  readonly kind: 'binding';
  readonly at: string;
  readonly ref: string;
  readonly turned: boolean;
}
interface DescriptionFact extends Fact {
  readonly kind: 'description';
  readonly side: string;
  readonly standings: readonly Standing[];
}
export type EventFact = ScheduleFact | ScoreFact | InjuriesCheckedFact | BindingFact | DescriptionFact;

type SportsEventEvent = EventOfKind<typeof eventStream>;

const scheduleSaid = (fact: { at: string; source: string; content: ScheduleContent }): Said<Told> => ({
  at: fact.at,
  source: fact.source,
  content: toldOf('schedule', fact.content),
  rank: SCHEDULE_RANK + statusRank(fact.content.status),
});
const scoreSaid = (fact: { at: string; source: string; content: ScoreContent }): Said<Told> => ({
  at: fact.at,
  source: fact.source,
  content: toldOf('score', fact.content),
  rank: statusRank(fact.content.status),
});

/** One wrapper for one content, so that its canonical form is computed once. */
const wrappers = new WeakMap<object, Told>();
function toldOf(kind: 'schedule' | 'score', content: ScheduleContent | ScoreContent): Told {
  let told = wrappers.get(content);
  if (!told) {
    told = { [kind]: content } as unknown as Told;
    wrappers.set(content, told);
  }
  return told;
}

function applyFact(event: SportsEvent, entry: Entry<Told>): SportsEvent {
  const observation = { at: formatTime(entry.at), source: entry.source };
  return 'schedule' in entry.content
    ? applySchedule(event, { ...observation, content: entry.content.schedule })
    : applyScore(event, { ...observation, content: entry.content.score });
}
const foldFacts = (history: History<Told>): SportsEvent => history.reduce(applyFact, newSportsEvent());

/** The identity as records carry it, with how this message named the event. */
const named = ({ identity, origin }: { identity: EventIdentity; origin?: Origin }): EventIdentity => ({
  eventId: identity.eventId,
  sport: identity.sport,
  league: identity.league,
  ...(origin === undefined ? {} : { origin }),
});

/** A schedule message: creates or changes the event. */
function decideSchedule(fact: ScheduleFact, state: EventState): SportsEventEvent[] {
  const { at, source, content } = fact;
  const placement = place(state, scheduleSaid(fact), (said) => 'schedule' in said);
  if (placement.kind === 'known') return [];
  if (placement.kind === 'repeated') {
    const data = { at, source, of: placement.of, ...named(fact) };
    return [happened(eventStream, fact.identity.eventId, 'ScheduleReconfirmed', data)];
  }
  const data = { at, source, content, ...consequence(placement, state), ...named(fact) };
  return [happened(eventStream, fact.identity.eventId, 'EventScheduled', data)];
}

/** A score message. One whose status does not count is recorded all the same: the history is complete. */
function decideScore(fact: ScoreFact, state: EventState): SportsEventEvent[] {
  const { at, source, content } = fact;
  const placement = place(state, scoreSaid(fact), (said) => 'score' in said);
  if (placement.kind === 'known') return [];
  if (placement.kind === 'repeated') {
    const data = { at, source, of: placement.of, ...named(fact) };
    return [happened(eventStream, fact.identity.eventId, 'ScoreReconfirmed', data)];
  }
  const data = { at, source, content, ...consequence(placement, state), ...named(fact) };
  return [happened(eventStream, fact.identity.eventId, 'ScoreChanged', data)];
}

/**
 * A repetition is compact only where it changes nothing. Between the two the other subject of the event, or another
 * source, may have changed the status: the same words then change it back, or count where they did not, and whoever
 * says the present status again is one who told it.
 */
function place(state: EventState, said: Said<Told>, ofSubject: (told: Told) => boolean) {
  const placement = placeIn(state.history, said, { bySource: true, ofSubject });
  if (placement.kind !== 'repeated') return placement;
  const entry = entryOf(said, -1);
  const after = applyFact(structuredClone(state.event), entry);
  return isDeepStrictEqual(after, state.event) ? placement : { kind: 'newest' as const, entry };
}

/** What a record must tell beyond what was said: the state after a late one, and whether it corrects something. */
function consequence(
  placement: { kind: 'newest'; entry: Entry<Told> } | { kind: 'late'; entry: Entry<Told>; entries: History<Told> },
  state: EventState,
): { late?: SportsEvent; correction?: true } {
  const before = state.event;
  if (placement.kind === 'late') {
    const late = foldFacts(placement.entries);
    return isOver(before.status) && canonicalJson(late) !== canonicalJson(before)
      ? { late, correction: true }
      : { late };
  }
  const { content, source } = placement.entry;
  const status = 'score' in content ? content.score.status : content.schedule.status;
  if (status === undefined || !statusCounts(before, status, source)) return {};
  if (status !== before.status && !isForward(before.status, status)) return { correction: true };
  if (!isOver(before.status)) return {};
  const after = applyFact(structuredClone(before), placement.entry);
  return outcomeOf(after) === outcomeOf(before) ? {} : { correction: true };
}

/** Who told a status is no part of the result. */
const outcomeOf = ({ statusSources: _, ...event }: SportsEvent): string => canonicalJson(event);

/** A source's own id of the event, where no schedule of that source says so. */
function decideBinding(fact: BindingFact, state: EventState): SportsEventEvent[] {
  if (state.refs.get(fact.source)?.has(fact.ref)) return [];
  const { identity, at, source, ref, turned } = fact;
  const data = { at, source, ref, turned, ...named({ identity }) };
  return [happened(eventStream, identity.eventId, 'EventBound', data)];
}

/**
 * What the directory tells of a side, and told from which time on, where the event does not show that already: the
 * answers as of any time then need the event's records alone. Before the event's first schedule only the last counts.
 */
function decideDescription(fact: DescriptionFact, state: EventState): SportsEventEvent[] {
  const { identity, side, source } = fact;
  const first = state.history.find(({ content }) => 'schedule' in content)?.at ?? 0;
  const standings = fact.standings.filter(
    (_, index, all) => index + 1 === all.length || timeOf(all[index + 1]!.at) > first,
  );
  const told = state.described.get(side);
  const own = state.own.get(side);
  if (!told && own && standings.length === 1 && sameProfile(own, standings[0]!.profile)) return [];
  // A time at which nothing changes any more, but once did.
  const settled = [...(told?.values() ?? [])]
    .filter(({ rank, at }) => rank === 'described' && !fact.standings.some((standing) => standing.at === at))
    .flatMap(({ rank, at }) => {
      const last = fact.standings.findLast((standing) => timeOf(standing.at) < timeOf(at));
      return last ? [{ rank, at, profile: last.profile }] : [];
    });
  return [...standings, ...settled]
    .filter((standing) => {
      const known = told?.get(placeKey(standing));
      return !known || !sameProfile(known.profile, standing.profile);
    })
    .sort((a, b) => timeOf(a.at) - timeOf(b.at))
    .map(({ rank, at, profile }) => {
      const data = { at, source, side, rank, profile, ...named({ identity }) };
      return happened(eventStream, identity.eventId, 'ParticipantDescribed', data);
    });
}

const placeKey = ({ rank, at }: Pick<Standing, 'rank' | 'at'>): string => `${rank}|${at}`;

/** A source looked for injuries and found nothing new. */
function decideInjuriesChecked(fact: InjuriesCheckedFact, state: EventState): SportsEventEvent[] {
  const { at, source } = fact;
  if (state.checks.has(`${at}|${source}`)) return [];
  return [happened(eventStream, fact.identity.eventId, 'InjuriesChecked', { at, source, ...named(fact) })];
}

function decide(fact: EventFact, state: EventState): SportsEventEvent[] {
  switch (fact.kind) {
    case 'schedule':
      return decideSchedule(fact, state);
    case 'score':
      return decideScore(fact, state);
    case 'injuries checked':
      return decideInjuriesChecked(fact, state);
    case 'binding':
      return decideBinding(fact, state);
    case 'description':
      return decideDescription(fact, state);
  }
}

function evolve(state: EventState, record: RecordOf<SportsEventEvent>): EventState {
  switch (record.type) {
    case 'EventScheduled': {
      const { eventId, sport, league, origin, source } = record.data;
      state.identity ??= { eventId, sport, league };
      if (origin?.ref !== undefined) addRef(state, source, origin.ref);
      for (const side of record.data.content.sides) addOwn(state, side);
      return fold(state, scheduleSaid(record.data), record.revision, record.data.late !== undefined);
    }
    case 'ScoreChanged':
      return fold(state, scoreSaid(record.data), record.revision, record.data.late !== undefined);
    case 'ScheduleReconfirmed':
    case 'ScoreReconfirmed':
      addRepetition(state.history, record.data);
      return state;
    case 'EventBound':
      addRef(state, record.data.source, record.data.ref);
      return state;
    case 'ParticipantDescribed':
      addDescription(state, record.data.side, record.data);
      return state;
    case 'InjuriesChecked':
      state.checks.add(`${record.data.at}|${record.data.source}`);
      return state;
    default:
      return state;
  }
}

function fold(state: EventState, said: Said<Told>, revision: number, late: boolean): EventState {
  addToHistory(state.history, said, revision);
  state.event = late ? foldFacts(state.history) : applyFact(state.event, state.history.at(-1)!);
  return state;
}

function addRef(state: EventState, source: string, ref: string): void {
  const refs = state.refs.get(source);
  if (refs) refs.add(ref);
  else state.refs.set(source, new Set([ref]));
}

function addOwn({ own }: EventState, side: EventSide): void {
  const said = ownProfile(side);
  const present = own.get(side.key);
  if (present === undefined) own.set(side.key, said);
  else if (present !== null && !sameProfile(present, said)) own.set(side.key, null);
}

function addDescription({ described }: EventState, side: string, { rank, at, profile }: Standing): void {
  const told = described.get(side) ?? new Map<string, Standing>();
  described.set(side, told.set(placeKey({ rank, at }), { rank, at, profile }));
}

export const eventDecider: StreamDecider<EventState, EventFact, SportsEventEvent> = {
  stream: eventStream,
  initial,
  decide,
  evolve,
};
