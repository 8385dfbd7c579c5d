import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { rolesOf, rulesOf } from '../../domain/catalogue/sport-rules.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { HOUR } from '../../domain/primitives/time.ts';
import type { Identities } from '../../ingest/identities/identities.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';

export interface NearParts {
  readonly store: Pick<DocumentReader, 'getMany'>;
  readonly identities: Pick<Identities, 'findByName' | 'fixturesOfSide'>;
}

/** Events that start farther from the time given are another game. */
const NEAR = 36 * HOUR;
const MAX_NEAR = 3;
/** Fixtures of one side within that time. */
const MAX_FIXTURES = 20;

/**
 * The events that a message may mean whose sides are not all known by name, or of whose sides none starts near enough:
 * those in which a side plays that it names, nearest first.
 */
export async function findNearEvents(
  { store, identities }: NearParts,
  match: Readonly<Record<string, unknown>>,
): Promise<readonly EventDocument[]> {
  const { sport, league, starts_at } = match;
  if (typeof sport !== 'string' || typeof starts_at !== 'string') return [];
  const time = Date.parse(starts_at);
  const { entry } = rulesOf(sport);
  const found = new Map<number, { readonly startsAt: number; sides: number }>();
  for (const role of rolesOf(sport)) {
    const name = match[role];
    const ids = typeof name === 'string' ? await identities.findByName(entry, sport, normalizeName(name)) : [];
    if (ids.length !== 1) continue;
    const fixtures = await identities.fixturesOfSide(`${entry}:${ids[0]}`, time - NEAR, time + NEAR, MAX_FIXTURES);
    for (const { id, startsAt } of fixtures) found.set(id, { startsAt, sides: (found.get(id)?.sides ?? 0) + 1 });
  }
  // An event of both sides before one of a single side.
  const most = Math.max(...[...found.values()].map(({ sides }) => sides));
  const nearest = [...found]
    .filter(([, { sides }]) => sides === most)
    .sort(([, one], [, other]) => Math.abs(one.startsAt - time) - Math.abs(other.startsAt - time))
    .slice(0, MAX_NEAR);
  const documents = await store.getMany<EventDocument>(
    events.name,
    nearest.map(([id]) => String(id)),
  );
  return documents.flatMap((stored) => (stored && stored.document.league === league ? [stored.document] : []));
}
