import type { Known, VenueFacts } from '../../domain/feed/feed-messages.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import type { IngestSession } from './ingest-session.ts';

/** A venue with the id that the server gives it: the same id for the same name and city. */
export async function venueWithId<Facts extends Known<VenueFacts>>(
  session: IngestSession,
  venue: Facts,
): Promise<Facts & { id: number }> {
  const label = `${normalizeName(venue.name)}|${venue.city ? normalizeName(venue.city) : ''}`;
  return { ...venue, id: await idByLabel(session, 'venue', '', label) };
}

/** A competition with the id that the server gives it: the same id for the same name within a league. */
export async function competitionWithId<Facts extends { name: string }>(
  session: IngestSession,
  league: string,
  competition: Facts,
): Promise<Facts & { id: number }> {
  return { ...competition, id: await idByLabel(session, 'competition', league, normalizeName(competition.name)) };
}

async function idByLabel(
  session: IngestSession,
  kind: 'venue' | 'competition',
  scope: string,
  label: string,
): Promise<number> {
  const [found] = await session.identities.findByName(kind, scope, label);
  if (found !== undefined) return found;
  const id = (await session.identities.allocate(kind))[0]!;
  await session.identities.addName(kind, scope, label, id);
  return id;
}
