import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { compareByCodePoint } from '../../domain/primitives/text-order.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';
import type { OperationContext } from '../calls/operation/operation.ts';
import { grantsSport } from '../calls/scopes.ts';
import { findOpenSports } from './listed-events.ts';
import { renderSport } from './render-odds-api-events.ts';
import { LEAGUE_SPORTS, type OddsApiSport, parseTournamentKey, sportOfEvent, TOURS, type Tour } from './sport-keys.ts';

/**
 * The sports of the key, by key: those that have an event to come or in play, or all that are known.
 * @param at now, in milliseconds
 */
export async function findSports(
  { store, principal }: Pick<OperationContext, 'store' | 'principal'>,
  all: boolean,
  at: number,
) {
  const known = new Map<string, OddsApiSport>();
  const active = new Set<string>();
  /** Of two names of one tournament the first in their order. */
  const add = (sport: OddsApiSport): void => {
    const other = known.get(sport.key);
    if (!other || compareByCodePoint(sport.title, other.title) < 0) known.set(sport.key, sport);
  };
  for (const sport of LEAGUE_SPORTS) {
    if (!grantsSport(principal, sport.sport)) continue;
    if (all) add(sport);
    for await (const open of findOpenSports({ store }, sport.league, at)) {
      add(open);
      active.add(open.key);
      // All events of a league are of one sport.
      break;
    }
  }
  if (grantsSport(principal, 'tennis')) {
    for (const tour of Object.keys(TOURS) as Tour[]) {
      for await (const open of findOpenSports({ store }, tour, at)) {
        add(open);
        active.add(open.key);
      }
      if (all) for (const sport of await findTournamentSports(store, tour)) add(sport);
    }
  }
  return [...known.values()]
    .sort((a, b) => compareByCodePoint(a.key, b.key))
    .map((sport) => renderSport(sport, active.has(sport.key)));
}

/** Of one tour: far more than have ever been played. */
const MAX_TOURNAMENTS = 5000;

/** The tournaments of a tour of which any match of singles is known, each once, by key. One step of the index each. */
async function findTournamentSports(store: DocumentReader, tour: Tour): Promise<readonly OddsApiSport[]> {
  const found = new Map<string, OddsApiSport>();
  let last = '';
  for (let n = 0; n < MAX_TOURNAMENTS; n++) {
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
export async function findTournamentByKey(store: DocumentReader, key: string): Promise<OddsApiSport | undefined> {
  const named = parseTournamentKey(key);
  if (!named) return undefined;
  const { tour, slugs } = named;
  const [found] = await store.find<EventDocument>(events.name, {
    where: { league: tour, tournament: slugs },
    limit: 1,
  });
  const sport = found && sportOfEvent(found.document);
  return sport?.key === key ? sport : undefined;
}
