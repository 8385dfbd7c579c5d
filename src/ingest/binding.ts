import { type EventState, eventDecider } from '../../commands/events/decider.ts';
import type { EventIdentity, Origin } from '../domain/domain-events.ts';
import type { FeedMatch } from '../domain/feed/messages.ts';
import { normalizeName, normalizePair } from '../domain/names.ts';
import { timeOf } from '../domain/observation.ts';
import { rolesOf, rulesOf } from '../domain/sides.ts';
import { known, type Session, type Wait } from './session.ts';

/** One key for two sides, the same either way round; null while one of them is a placeholder. */
export const pairOf = (first: string, second: string): string | null =>
  first.startsWith('name:') || second.startsWith('name:') ? null : [first, second].sort().join('~');

export interface Bound {
  readonly identity: EventIdentity;
  readonly state: EventState;
  readonly turned: boolean;
}

/** The events of two sides that start near a time. Ids that were allocated before a crash have no event. */
export async function findNear(session: Session, pair: string, sport: string, startsAt: number): Promise<Bound[]> {
  const fixtures = await session.identities.findFixtures(pair);
  const found: Bound[] = [];
  for (const { id, startsAt: start } of fixtures) {
    if (Math.abs(start - startsAt) > rulesOf(sport).startWindow) continue;
    const state = await session.states.get(eventDecider, id);
    if (state.identity) found.push({ identity: state.identity, state, turned: false });
    else session.unborn.set(known.pair(pair), id);
  }
  return found;
}

/**
 * The id of an event of these sides near a time that is not in the log yet: another process is about to append it, or
 * a crash was quicker. It is this source's event too, so that one game never has two; the log decides who makes it.
 * One that the source has another ref for is another game.
 */
export async function reservedNear(
  session: Session,
  source: string,
  sides: readonly [string, string],
  sport: string,
  startsAt: number,
): Promise<{ id: number; turned: boolean } | undefined> {
  const pair = pairOf(...sides);
  for (const fixture of pair === null ? [] : await session.identities.findFixtures(pair)) {
    if (Math.abs(fixture.startsAt - startsAt) > rulesOf(sport).startWindow) continue;
    if ((await session.states.get(eventDecider, fixture.id)).identity !== null) continue;
    if (await session.identities.hasRefOf('event', '', source, fixture.id)) continue;
    return { id: fixture.id, turned: fixture.sides[0] === sides[1] };
  }
  return undefined;
}

/** The key of a side that is named by text only; a wait when no one, or several, bear the name. */
async function sideByName(session: Session, sport: string, name: string): Promise<string | Wait> {
  const { entry: kind, hasPairs } = rulesOf(sport);
  if (hasPairs && name.includes('/')) return `pair:${normalizePair(name)}`;
  const normalized = normalizeName(name);
  const ids = await session.identities.findByName(kind, sport, normalized);
  if (ids.length === 1) return `${kind}:${ids[0]}`;
  const reason =
    ids.length === 0
      ? `no ${kind} of ${sport} is known as ${name}`
      : `${ids.length} ${kind}s of ${sport} are known as ${name}`;
  return { reason, keys: [known.name(kind, sport, normalized)] };
}

interface EventNaming {
  readonly source: string;
  readonly ref?: string | undefined;
  readonly match?: FeedMatch | undefined;
}

/** Whether sides stand the other way round than the event's; undefined when they are not the event's. */
export function turnedAgainst(state: EventState, sides: readonly [string, string]): boolean | undefined {
  const own = state.event.schedule?.sides;
  if (!own) return undefined;
  if (own[0].key === sides[0] || own[1].key === sides[1]) return false;
  if (own[0].key === sides[1] || own[1].key === sides[0]) return true;
  return undefined;
}

/** Binds a message to its event, by the source's own id or by `match`. Never guesses: else it is a wait. */
export async function bindEvent(
  session: Session,
  naming: EventNaming,
): Promise<(Bound & { origin: Origin; learn: boolean }) | Wait> {
  const { source, ref, match } = naming;
  const origin: Origin = { ...(ref === undefined ? {} : { ref }), ...(match === undefined ? {} : { match }) };
  if (ref !== undefined) {
    const bound = await session.identities.findEvent(source, ref);
    const state = bound && (await session.states.get(eventDecider, bound.id));
    if (bound && state?.identity) {
      const turned = (match && (await turnedByMatch(session, match, state))) ?? bound.turned;
      // The name was bound before a crash, and the log never heard of it: then it learns it now.
      const learn = state.refs.get(source)?.has(ref) !== true;
      return { identity: state.identity, state, turned, origin: withTurn(origin, turned), learn };
    }
    if (bound) session.unborn.set(known.event(source, ref), bound.id);
  }
  const unknown = ref === undefined ? [] : [known.event(source, ref)];
  if (!match) return { reason: `${source} has no event ${ref} here yet`, keys: unknown };
  const sides = await matchSides(session, match);
  if ('reason' in sides) return { reason: sides.reason, keys: [...sides.keys, ...unknown] };
  const pair = pairOf(...sides.keys)!;
  const found = await findNear(session, pair, match.sport, timeOf(match.starts_at));
  if (found.length !== 1) {
    const reason = `${found.length} events of these sides start near ${match.starts_at}`;
    return { reason, keys: [known.pair(pair), ...unknown] };
  }
  const { identity, state } = found[0]!;
  const turned = turnedAgainst(state, sides.keys) ?? false;
  return { identity, state, turned, origin: withTurn(origin, turned), learn: ref !== undefined };
}

const withTurn = (origin: Origin, turned: boolean): Origin => (turned ? { ...origin, turned: true } : origin);

async function matchSides(session: Session, match: FeedMatch): Promise<{ keys: [string, string] } | Wait> {
  const [firstRole, secondRole] = rolesOf(match.sport);
  const first = await sideByName(session, match.sport, match[firstRole]!);
  const second = await sideByName(session, match.sport, match[secondRole]!);
  if (typeof first === 'string' && typeof second === 'string') return { keys: [first, second] };
  const open = [first, second].filter((side) => typeof side !== 'string');
  return { reason: open.map(({ reason }) => reason).join('; '), keys: open.flatMap(({ keys }) => keys) };
}

async function turnedByMatch(session: Session, match: FeedMatch, state: EventState): Promise<boolean | undefined> {
  const sides = await matchSides(session, match);
  return 'reason' in sides ? undefined : turnedAgainst(state, sides.keys);
}
