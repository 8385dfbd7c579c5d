import { playerDecider, teamDecider } from '../../../commands/directory-decider.ts';
import { eventDecider } from '../../../commands/events/event-decider.ts';
import { SPORT_SLUGS } from '../../domain/catalogue/catalogue.ts';
import type { IdentitySubject } from '../../domain/feed/identity-message.ts';
import type { SourceRef } from '../../domain/streams/identity-stream.ts';
import { type IngestSession, identityKeyOf } from '../binding/ingest-session.ts';
import type { EntryKind } from '../binding/pending-descriptions.ts';
import type { ScopedEntity } from '../identities/identities.ts';

/** An event, team or player that is in the log. */
export interface KnownThing {
  readonly id: number;
  readonly sport: string;
  /** Null for a player whose league nobody told. */
  readonly league: string | null;
}

/** A thing as its message names it. */
export const nameOf = (named: number | SourceRef): string =>
  typeof named === 'number' ? String(named) : `${named.source}:${named.ref}`;

/**
 * The thing of an id, or of a source's ref; undefined if there is none.
 * @param sport one source may have the same ref for entries of two sports
 */
export async function findThing(
  session: IngestSession,
  what: IdentitySubject,
  named: number | SourceRef,
  sport?: string,
): Promise<KnownThing | undefined> {
  const id = typeof named === 'number' ? named : await idOfRef(session, what, named, sport);
  return id === undefined ? undefined : thingOf(session, what, session.meaningOf(what, id));
}

/** All teams or players that a source calls so, one of a sport. */
export async function findEntries(
  session: IngestSession,
  what: EntryKind,
  { source, ref }: SourceRef,
): Promise<readonly KnownThing[]> {
  const found: KnownThing[] = [];
  for (const sport of SPORT_SLUGS) {
    const id = await session.identities.findEntity(what, sport, source, ref);
    const thing = id === undefined ? undefined : await thingOf(session, what, id);
    if (thing) found.push(thing);
  }
  return found;
}

async function idOfRef(
  { identities }: IngestSession,
  what: IdentitySubject,
  { source, ref }: SourceRef,
  known: string | undefined,
): Promise<number | undefined> {
  if (what === 'event') return (await identities.findEvent(source, ref))?.id;
  for (const sport of known === undefined ? SPORT_SLUGS : [known]) {
    const id = await identities.findEntity(what, sport, source, ref);
    if (id !== undefined) return id;
  }
  return undefined;
}

export async function thingOf(
  { states }: IngestSession,
  what: IdentitySubject,
  id: number,
): Promise<KnownThing | undefined> {
  if (what === 'event') {
    const { identity } = await states.get(eventDecider, id);
    return identity ? { id, sport: identity.sport, league: identity.league } : undefined;
  }
  const { sport, current } = await (what === 'team' ? states.get(teamDecider, id) : states.get(playerDecider, id));
  return sport === undefined ? undefined : { id, sport, league: current?.league ?? null };
}

/** The entity as refs are stored for it. */
export const scopedEntity = (what: IdentitySubject, { id, sport }: KnownThing): ScopedEntity => ({
  kind: what,
  scope: what === 'event' ? '' : sport,
  id,
});

/** A ref by which other servers know the thing too; null if no source has one. */
export async function anyRefOf(
  { identities }: IngestSession,
  what: IdentitySubject,
  thing: KnownThing,
): Promise<SourceRef | null> {
  const [[first] = []] = await identities.listRefs([scopedEntity(what, thing)]);
  return first ? { source: first.source, ref: first.ref } : null;
}

/** The key that messages under this ref wait for. */
export const refKeyOf = (what: IdentitySubject, sport: string, { source, ref }: SourceRef): string =>
  what === 'event' ? identityKeyOf.event(source, ref) : identityKeyOf.entity(what, sport, source, ref);
