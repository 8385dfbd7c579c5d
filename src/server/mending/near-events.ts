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

type Match = Readonly<Record<string, unknown>>;
/** What the two names of a message mean, home or player_1 first; undefined where nobody or several have the name. */
export type NamedSides = readonly (string | undefined)[];

/** The sides that a message names, as keys of sides of events. */
export async function namedSides(
  { identities }: { readonly identities: Pick<Identities, 'findByName'> },
  match: Match,
): Promise<NamedSides> {
  const { sport } = match;
  if (typeof sport !== 'string') return [];
  const { entry } = rulesOf(sport);
  const sides: (string | undefined)[] = [];
  for (const role of rolesOf(sport)) {
    const name = match[role];
    const ids = typeof name === 'string' ? await identities.findByName(entry, sport, normalizeName(name)) : [];
    sides.push(ids.length === 1 ? `${entry}:${ids[0]}` : undefined);
  }
  return sides;
}

/** Whether the sides that are known stand the other way round in the event; null if none of them plays in it. */
export function isSwapped(named: NamedSides, sides: readonly (string | undefined)[]): boolean | null {
  const fits = (order: readonly number[]) =>
    named.some((key, index) => key !== undefined && sides[order[index]!] === key);
  if (fits([0, 1])) return false;
  return fits([1, 0]) ? true : null;
}

/**
 * The events that a message may mean whose sides are not all known by name, or of whose sides none starts near enough:
 * those in which a side plays that it names. The sides the same way round come first, then those the other way round,
 * each nearest first.
 */
export async function findNearEvents(
  { store, identities }: NearParts,
  match: Match,
  named: NamedSides,
): Promise<readonly EventDocument[]> {
  const { league, starts_at } = match;
  if (typeof starts_at !== 'string') return [];
  const time = Date.parse(starts_at);
  const found = new Map<number, { readonly apart: number; readonly swapped: boolean; sides: number }>();
  for (const side of named) {
    if (side === undefined) continue;
    for (const { id, startsAt, sides } of await identities.fixturesOfSide(
      side,
      time - NEAR,
      time + NEAR,
      MAX_FIXTURES,
    )) {
      const swapped = isSwapped(named, sides) === true;
      found.set(id, { apart: Math.abs(startsAt - time), swapped, sides: (found.get(id)?.sides ?? 0) + 1 });
    }
  }
  // An event of both sides before one of a single side.
  const most = Math.max(...[...found.values()].map(({ sides }) => sides));
  const nearest = [...found]
    .filter(([, { sides }]) => sides === most)
    .sort(([, one], [, other]) => Number(one.swapped) - Number(other.swapped) || one.apart - other.apart)
    .slice(0, MAX_NEAR);
  const documents = await store.getMany<EventDocument>(
    events.name,
    nearest.map(([id]) => String(id)),
  );
  return documents.flatMap((stored) => (stored && stored.document.league === league ? [stored.document] : []));
}
