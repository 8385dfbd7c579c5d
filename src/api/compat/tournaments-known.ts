import { type EventDocument, events } from '../../../projections/events.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';
import { type SportKey, sportOfEvent, type Tour, tournamentsOf } from './sports.ts';

/** Of one tour: far more than have ever been played. */
const MOST = 5000;

/** The tournaments of a tour of which any match of singles is known, each once, by key. One step of the index each. */
export async function tournamentSports(store: DocumentReader, tour: Tour): Promise<readonly SportKey[]> {
  const found = new Map<string, SportKey>();
  let last = '';
  for (let n = 0; n < MOST; n++) {
    const [next] = await store.find<EventDocument>(events.name, {
      where: { league: tour },
      range: { field: 'tournament', from: last, exclusive: 'from' },
      order: { field: 'tournament', direction: 'asc' },
      limit: 1,
    });
    if (!next) break;
    last = String(events.fields['tournament']!.of(next.document));
    const sport = sportOfEvent(next.document);
    // Of two names of one tournament the first in their order.
    if (sport && !found.has(sport.key)) found.set(sport.key, sport);
  }
  return [...found.values()];
}

/** The tournament of this key; undefined where no match of it is known. */
export async function tournamentOfKey(store: DocumentReader, key: string): Promise<SportKey | undefined> {
  const named = tournamentsOf(key);
  if (!named) return undefined;
  const { tour, slugs } = named;
  const [found] = await store.find<EventDocument>(events.name, {
    where: { league: tour, tournament: slugs },
    limit: 1,
  });
  const sport = found && sportOfEvent(found.document);
  return sport?.key === key ? sport : undefined;
}
