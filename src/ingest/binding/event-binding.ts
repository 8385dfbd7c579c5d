import { type EventState, eventDecider } from '../../../commands/events/event-decider.ts';
import { rolesOf, rulesOf } from '../../domain/catalogue/sport-rules.ts';
import type { FeedMatch } from '../../domain/feed/feed-messages.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { normalizeName, normalizePair } from '../../domain/primitives/name-normalization.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import { gameNumberOf, isOver } from '../../domain/sports-events/sports-event.ts';
import type { EventIdentity, Origin } from '../../domain/streams/domain-events.ts';
import type { BoundEvent } from '../identities/identities.ts';
import { type IngestSession, identityKeyOf, type QuarantineCause, unclearName } from './ingest-session.ts';
import { type MatchCandidate, matchEvent, type WantedEvent } from './match-event.ts';

/** A key for two sides that does not depend on their order. Null if one of them is a placeholder. */
export const pairKeyOf = (first: string, second: string): string | null =>
  first.startsWith('name:') || second.startsWith('name:') ? null : [first, second].sort().join('~');

export interface EventBinding {
  readonly identity: EventIdentity;
  readonly state: EventState;
  readonly swapped: boolean;
}

/** The event of a message, and how the message named it. */
export interface BoundMessage extends EventBinding {
  readonly origin: Origin;
  /** The log does not have yet what the source calls the event. */
  readonly isNewRef: boolean;
  /** What the source calls the event says as much as the whole message: `match` of it adds nothing. */
  readonly isRefEnough: boolean;
}

/** A message that names its event by two sides and a start. */
export interface NamedEvent extends Omit<WantedEvent, 'firstSide' | 'hasDoubleheaders'> {
  readonly source: string;
  readonly sport: string;
  readonly league: string;
  /** Keys of the sides, home or player_1 first. */
  readonly sides: readonly [string, string];
}

export type FoundEvent =
  | ({ readonly kind: 'event' } & EventBinding)
  /**
   * The id of an event that is not in the log yet: another process is about to append the event, or a crash came first.
   * A schedule of this source uses the same id, so that one game never gets two ids; the log decides which process
   * creates the event.
   */
  | { readonly kind: 'reserved'; readonly id: number; readonly swapped: boolean }
  | { readonly kind: 'ambiguous'; readonly reason: string; readonly candidates: readonly number[] }
  | { readonly kind: 'none' };

/** The event that a message means: see `matchEvent` for the rules. */
export async function findEvent(session: IngestSession, pair: string, named: NamedEvent): Promise<FoundEvent> {
  const { source, sport, league, sides, startsAt } = named;
  const { startWindow, hasDoubleheaders } = rulesOf(sport);
  const wanted: WantedEvent = { ...named, firstSide: sides[0], hasDoubleheaders };
  const states = new Map<number, EventState>();
  const known: MatchCandidate[] = [];
  const reserved: (MatchCandidate & { readonly swapped: boolean })[] = [];
  for (const fixture of await session.identities.findFixtures(pair)) {
    const { id } = fixture;
    if (Math.abs(fixture.startsAt - startsAt) > startWindow) continue;
    const state = await session.states.get(eventDecider, id);
    if (state.identity && state.identity.league !== league) continue;
    const candidate: MatchCandidate = {
      id,
      startsAt: fixture.startsAt,
      gameNumber: gameNumberOf(state.event.schedule),
      isOpen: state.event.schedule?.starts_at_qualifier === 'tbd',
      isOver: isOver(state.event.status),
      hasRefOfSource: state.refs.has(source),
      schedule: state.schedules.get(source) ?? null,
    };
    if (state.identity) {
      states.set(id, state);
      known.push(candidate);
      continue;
    }
    session.eventsNotInLog.set(identityKeyOf.pair(pair), id);
    const hasRefOfSource = await session.identities.hasRefOf('event', '', source, id);
    reserved.push({ ...candidate, hasRefOfSource, swapped: fixture.sides[0] === sides[1] });
  }
  const match = matchEvent(wanted, known);
  if (match.kind === 'event') {
    const state = states.get(match.id)!;
    const swapped = areSidesSwapped(state, sides) ?? false;
    return { kind: 'event', identity: state.identity!, state, swapped };
  }
  if (match.kind === 'ambiguous') {
    const starts = match.candidates.map(({ id, startsAt: at }) => `${id} at ${formatTime(at)}`).join(', ');
    const candidates = match.candidates.map(({ id }) => id);
    return {
      kind: 'ambiguous',
      candidates,
      reason: `several events of these sides fit ${formatTime(startsAt)}: ${starts}`,
    };
  }
  const expected = matchEvent(wanted, reserved);
  if (expected.kind === 'none') return expected;
  // The nearest of several: none of them may ever come, and nobody could choose between them.
  const id = expected.kind === 'event' ? expected.id : expected.candidates[0]!.id;
  return { kind: 'reserved', id, swapped: reserved.find((candidate) => candidate.id === id)!.swapped };
}

/** The key of a side that is named by text only, or a quarantine cause if no entry or several entries have the name. */
async function findSideByName(session: IngestSession, sport: string, name: string): Promise<string | QuarantineCause> {
  const { entry: kind, hasPairs } = rulesOf(sport);
  if (hasPairs && name.includes('/')) return `pair:${normalizePair(name)}`;
  const normalized = normalizeName(name);
  const ids = await session.identities.findByName(kind, sport, normalized);
  if (ids.length === 1) return `${kind}:${ids[0]}`;
  return unclearName(kind, sport, name, ids, [identityKeyOf.name(kind, sport, normalized)]);
}

/** The event that a source calls this ref. */
export async function findBoundEvent(
  { identities, meaningOf }: IngestSession,
  source: string,
  ref: string,
): Promise<BoundEvent | undefined> {
  const bound = await identities.findEvent(source, ref);
  return bound && { ...bound, id: meaningOf('event', bound.id) };
}

interface EventNaming {
  readonly source: string;
  readonly ref?: string | undefined;
  readonly match?: FeedMatch | undefined;
}

/**
 * Whether the sides have the opposite order to the sides of the event. Undefined if they are not the sides of the
 * event.
 */
export function areSidesSwapped(state: EventState, sides: readonly [string, string]): boolean | undefined {
  const own = state.event.schedule?.sides;
  if (!own) return undefined;
  if (own[0].key === sides[0] || own[1].key === sides[1]) return false;
  if (own[0].key === sides[1] || own[1].key === sides[0]) return true;
  return undefined;
}

/**
 * Binds a message to its event, by the id of the source or by `match`. Never guesses: an unclear message is
 * quarantined.
 */
export async function bindMessageToEvent(
  session: IngestSession,
  naming: EventNaming,
): Promise<BoundMessage | QuarantineCause> {
  const { source, ref, match } = naming;
  const origin: Origin = { ...(ref === undefined ? {} : { ref }), ...(match === undefined ? {} : { match }) };
  if (ref !== undefined) {
    const bound = await findBoundEvent(session, source, ref);
    const state = bound && (await session.states.get(eventDecider, bound.id));
    if (bound && state?.identity) {
      const swapped = (match && (await areSidesSwappedInMatch(session, match, state))) ?? bound.swapped;
      // The ref was bound before a crash, but the log does not have the binding: record the binding now.
      const isNewRef = state.refs.get(source)?.has(ref) !== true;
      // A later message under this ref alone is bound to the same event, with the same sides.
      const isRefEnough = !isNewRef && swapped === bound.swapped;
      return { identity: state.identity, state, swapped, origin: withSwap(origin, swapped), isNewRef, isRefEnough };
    }
    if (bound) session.eventsNotInLog.set(identityKeyOf.event(source, ref), bound.id);
  }
  const unknown = ref === undefined ? [] : [identityKeyOf.event(source, ref)];
  if (!match) return { reason: `${source} has no event ${ref} here yet`, code: 'unknown_ref', keys: unknown };
  const sides = await findSidesOfMatch(session, match);
  if ('reason' in sides) return { ...sides, keys: [...sides.keys, ...unknown] };
  const pair = pairKeyOf(...sides.keys)!;
  const found = await findEvent(session, pair, {
    by: 'match',
    hasNewRef: ref !== undefined,
    source,
    sport: match.sport,
    league: match.league,
    sides: sides.keys,
    startsAt: timeOf(match.starts_at),
    isOpen: false,
    gameNumber: match.game_number ?? null,
  });
  if (found.kind !== 'event') {
    const keys = [identityKeyOf.pair(pair), ...unknown];
    if (found.kind === 'ambiguous') return { ...ambiguousCause(found), keys };
    return { reason: `no event of these sides starts near ${match.starts_at}`, code: 'unknown_event', keys };
  }
  const { identity, state, swapped } = found;
  const isNewRef = ref !== undefined;
  return { identity, state, swapped, origin: withSwap(origin, swapped), isNewRef, isRefEnough: false };
}

/** The cause of a message that several events fit; `keys` are added. */
export const ambiguousCause = ({ reason, candidates }: FoundEvent & { readonly kind: 'ambiguous' }) =>
  ({ reason, candidates, code: 'ambiguous' }) as const;

const withSwap = (origin: Origin, swapped: boolean): Origin => (swapped ? { ...origin, turned: true } : origin);

async function findSidesOfMatch(
  session: IngestSession,
  match: FeedMatch,
): Promise<{ keys: [string, string] } | QuarantineCause> {
  const [firstRole, secondRole] = rolesOf(match.sport);
  const first = await findSideByName(session, match.sport, match[firstRole]!);
  const second = await findSideByName(session, match.sport, match[secondRole]!);
  if (typeof first === 'string' && typeof second === 'string') return { keys: [first, second] };
  const open = [first, second].filter((side) => typeof side !== 'string');
  return {
    ...open[0]!,
    reason: open.map(({ reason }) => reason).join('; '),
    keys: open.flatMap(({ keys }) => keys),
  };
}

/** Whether a match names the sides of the event in the opposite order; undefined if it does not name them. */
export async function areSidesSwappedInMatch(
  session: IngestSession,
  match: FeedMatch,
  state: EventState,
): Promise<boolean | undefined> {
  const sides = await findSidesOfMatch(session, match);
  return 'reason' in sides ? undefined : areSidesSwapped(state, sides.keys);
}
