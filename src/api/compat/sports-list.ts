import { compareText } from '../../domain/text-order.ts';
import type { OperationContext } from '../calls/operation.ts';
import { grantsSport } from '../calls/scopes.ts';
import { openSports } from './listed-events.ts';
import { shownSport } from './shown-events.ts';
import { LEAGUE_SPORTS, type SportKey, TOURS, type Tour } from './sports.ts';
import { tournamentSports } from './tournaments-known.ts';

/**
 * The sports of the key, by key: those that have an event to come or in play, or all that are known.
 * @param at now, in milliseconds
 */
export async function sportsList(
  { store, principal }: Pick<OperationContext, 'store' | 'principal'>,
  all: boolean,
  at: number,
) {
  const known = new Map<string, SportKey>();
  const active = new Set<string>();
  /** Of two names of one tournament the first in their order. */
  const add = (sport: SportKey): void => {
    const other = known.get(sport.key);
    if (!other || compareText(sport.title, other.title) < 0) known.set(sport.key, sport);
  };
  for (const sport of LEAGUE_SPORTS) {
    if (!grantsSport(principal, sport.sport)) continue;
    if (all) add(sport);
    for await (const open of openSports({ store }, sport.league, at)) {
      add(open);
      active.add(open.key);
      // All events of a league are of one sport.
      break;
    }
  }
  if (grantsSport(principal, 'tennis')) {
    for (const tour of Object.keys(TOURS) as Tour[]) {
      for await (const open of openSports({ store }, tour, at)) {
        add(open);
        active.add(open.key);
      }
      if (all) for (const sport of await tournamentSports(store, tour)) add(sport);
    }
  }
  return [...known.values()]
    .sort((a, b) => compareText(a.key, b.key))
    .map((sport) => shownSport(sport, active.has(sport.key)));
}
