import { type EventState, eventDecider } from '../../../commands/events/event-decider.ts';
import { rolesOf, rulesOf } from '../../domain/catalogue/sport-rules.ts';
import type { FeedMatch } from '../../domain/feed/feed-messages.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { normalizeName, normalizePair } from '../../domain/primitives/name-normalization.ts';
import type { EventIdentity, Origin } from '../../domain/streams/domain-events.ts';
import { type IngestSession, identityKeyOf, type QuarantineCause } from './ingest-session.ts';

/** A key for two sides that does not depend on their order. Null if one of them is a placeholder. */
export const pairKeyOf = (first: string, second: string): string | null =>
  first.startsWith('name:') || second.startsWith('name:') ? null : [first, second].sort().join('~');

export interface EventBinding {
  readonly identity: EventIdentity;
  readonly state: EventState;
  readonly swapped: boolean;
}

/** The events of two sides that start near a time. An id that was allocated before a crash may have no event. */
export async function findEventsNear(
  session: IngestSession,
  pair: string,
  sport: string,
  startsAt: number,
): Promise<EventBinding[]> {
  const fixtures = await session.identities.findFixtures(pair);
  const found: EventBinding[] = [];
  for (const { id, startsAt: start } of fixtures) {
    if (Math.abs(start - startsAt) > rulesOf(sport).startWindow) continue;
    const state = await session.states.get(eventDecider, id);
    if (state.identity) found.push({ identity: state.identity, state, swapped: false });
    else session.eventsNotInLog.set(identityKeyOf.pair(pair), id);
  }
  return found;
}

/**
 * The id of an event of these sides near a time that is not in the log yet: another process is about to append the
 * event, or a crash came first. This source uses the same id, so that one game never gets two ids; the log decides
 * which process creates the event. If the source already has another ref for the id, then it is another game.
 */
export async function findReservedNear(
  session: IngestSession,
  source: string,
  sides: readonly [string, string],
  sport: string,
  startsAt: number,
): Promise<{ id: number; swapped: boolean } | undefined> {
  const pair = pairKeyOf(...sides);
  for (const fixture of pair === null ? [] : await session.identities.findFixtures(pair)) {
    if (Math.abs(fixture.startsAt - startsAt) > rulesOf(sport).startWindow) continue;
    if ((await session.states.get(eventDecider, fixture.id)).identity !== null) continue;
    if (await session.identities.hasRefOf('event', '', source, fixture.id)) continue;
    return { id: fixture.id, swapped: fixture.sides[0] === sides[1] };
  }
  return undefined;
}

/** The key of a side that is named by text only, or a quarantine cause if no entry or several entries have the name. */
async function findSideByName(session: IngestSession, sport: string, name: string): Promise<string | QuarantineCause> {
  const { entry: kind, hasPairs } = rulesOf(sport);
  if (hasPairs && name.includes('/')) return `pair:${normalizePair(name)}`;
  const normalized = normalizeName(name);
  const ids = await session.identities.findByName(kind, sport, normalized);
  if (ids.length === 1) return `${kind}:${ids[0]}`;
  const reason =
    ids.length === 0
      ? `no ${kind} of ${sport} is known as ${name}`
      : `${ids.length} ${kind}s of ${sport} are known as ${name}`;
  return { reason, keys: [identityKeyOf.name(kind, sport, normalized)] };
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
): Promise<(EventBinding & { origin: Origin; isNewRef: boolean }) | QuarantineCause> {
  const { source, ref, match } = naming;
  const origin: Origin = { ...(ref === undefined ? {} : { ref }), ...(match === undefined ? {} : { match }) };
  if (ref !== undefined) {
    const bound = await session.identities.findEvent(source, ref);
    const state = bound && (await session.states.get(eventDecider, bound.id));
    if (bound && state?.identity) {
      const swapped = (match && (await areSidesSwappedInMatch(session, match, state))) ?? bound.swapped;
      // The ref was bound before a crash, but the log does not have the binding: record the binding now.
      const isNewRef = state.refs.get(source)?.has(ref) !== true;
      return { identity: state.identity, state, swapped, origin: withSwap(origin, swapped), isNewRef };
    }
    if (bound) session.eventsNotInLog.set(identityKeyOf.event(source, ref), bound.id);
  }
  const unknown = ref === undefined ? [] : [identityKeyOf.event(source, ref)];
  if (!match) return { reason: `${source} has no event ${ref} here yet`, keys: unknown };
  const sides = await findSidesOfMatch(session, match);
  if ('reason' in sides) return { reason: sides.reason, keys: [...sides.keys, ...unknown] };
  const pair = pairKeyOf(...sides.keys)!;
  const found = await findEventsNear(session, pair, match.sport, timeOf(match.starts_at));
  if (found.length !== 1) {
    const reason = `${found.length} events of these sides start near ${match.starts_at}`;
    return { reason, keys: [identityKeyOf.pair(pair), ...unknown] };
  }
  const { identity, state } = found[0]!;
  const swapped = areSidesSwapped(state, sides.keys) ?? false;
  return { identity, state, swapped, origin: withSwap(origin, swapped), isNewRef: ref !== undefined };
}

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
  return { reason: open.map(({ reason }) => reason).join('; '), keys: open.flatMap(({ keys }) => keys) };
}

async function areSidesSwappedInMatch(
  session: IngestSession,
  match: FeedMatch,
  state: EventState,
): Promise<boolean | undefined> {
  const sides = await findSidesOfMatch(session, match);
  return 'reason' in sides ? undefined : areSidesSwapped(state, sides.keys);
}
