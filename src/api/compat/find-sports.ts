import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { compareByCodePoint } from '../../domain/primitives/text-order.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';
import type { OperationContext } from '../calls/operation/operation.ts';
import { grantsSport } from '../calls/scopes.ts';
import { findOpenSports } from './listed-events.ts';
import { areSeasonsQuoted } from './outright-seasons.ts';
import { renderSport } from './render-odds-api-events.ts';
import {
  LEAGUE_SPORTS,
  type OddsApiSport,
  OUTRIGHT_SPORTS,
  parseTournamentKey,
  sportOfEvent,
  TOURS,
  type Tour,
} from './sport-keys.ts';

/**
 * The sports that the API key covers, sorted by key: those with an upcoming or live event, or all known ones.
 * @param at now, in milliseconds
 */
export async function findSports(
  { store, principal }: Pick<OperationContext, 'store' | 'principal'>,
  all: boolean,
  at: number,
) {
  const known = new Map<string, OddsApiSport>();
  const active = new Set<string>();
  /** If a tournament has two names, the first in code point order counts. */
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
  for (const sport of OUTRIGHT_SPORTS) {
    if (!grantsSport(principal, sport.sport)) continue;
    const quoted = await areSeasonsQuoted(store, sport, at);
    if (!quoted) continue;
    add(sport);
    active.add(sport.key);
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

/** Limit for one tour: far more tournaments than were ever played. */
const MAX_TOURNAMENTS = 5000;

/** Tournaments of a tour with at least one known singles match, each once, by key. Costs one index lookup each. */
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
    // If a tournament has two names, the first counts; they come in order.
    if (sport && !found.has(sport.key)) found.set(sport.key, sport);
  }
  return [...found.values()];
}

/** The tournament with this key; undefined if no match of it is known. */
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
