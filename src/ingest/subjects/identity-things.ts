import { playerDecider, teamDecider } from '../../../commands/directory-decider.ts';
import { eventDecider } from '../../../commands/events/event-decider.ts';
import { SPORT_SLUGS } from '../../domain/catalogue/catalogue.ts';
import type { IdentitySubject } from '../../domain/feed/identity-message.ts';
import type { Rejection } from '../../domain/feed/rejection.ts';
import type { SourceRef } from '../../domain/streams/identity-stream.ts';
import { type IngestSession, identityKeyOf } from '../binding/ingest-session.ts';
import type { ScopedEntity } from '../identities/identities.ts';
import { refused } from './identity-act.ts';

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
 * The one thing that an act means, by its id or a source's ref; or why there is none.
 * @param path the member of the message that names it
 * @param sport one source may have the same ref for entries of two sports
 */
export async function findNamed(
  session: IngestSession,
  what: IdentitySubject,
  named: number | SourceRef,
  path: string,
  sport?: string,
): Promise<KnownThing | { readonly rejection: Rejection }> {
  const notFound = () => refused('not_found', path, `there is no ${what} ${nameOf(named)}`);
  if (typeof named === 'number') {
    const [thing] = await thingsOf(session, what, [named]);
    return thing ?? notFound();
  }
  const found = await findByRef(session, what, named);
  const [thing, another] = found.filter((one) => one.sport === (sport ?? one.sport));
  if (another) return refusedAsAmbiguous(what, named, path, found);
  return thing ?? notFound();
}

/** A source may call things of two sports by one ref. */
export const refusedAsAmbiguous = (
  what: IdentitySubject,
  named: SourceRef,
  path: string,
  things: readonly KnownThing[],
): { readonly rejection: Rejection } => {
  const sports = things.map(({ sport }) => sport).join(' and of ');
  return refused('ambiguous', path, `${nameOf(named)} is a ${what} of ${sports}: say which sport it is of`);
};

/** All that a source calls so: at most one event, or one team or player of each sport. */
export async function findByRef(
  session: IngestSession,
  what: IdentitySubject,
  { source, ref }: SourceRef,
): Promise<readonly KnownThing[]> {
  const { identities } = session;
  const ids =
    what === 'event'
      ? [(await identities.findEvent(source, ref))?.id]
      : await Promise.all(SPORT_SLUGS.map((sport) => identities.findEntity(what, sport, source, ref)));
  return thingsOf(
    session,
    what,
    ids.filter((id) => id !== undefined),
  );
}

async function thingsOf(
  session: IngestSession,
  what: IdentitySubject,
  ids: readonly number[],
): Promise<readonly KnownThing[]> {
  const things = await Promise.all(ids.map((id) => thingOf(session, what, session.meaningOf(what, id))));
  return things.filter((thing) => thing !== undefined);
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
