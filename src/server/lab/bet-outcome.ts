import type { EventDocument } from '../../../projections/sports-events/events.ts';
import { isSoccer } from '../../domain/catalogue/sport-rules.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { profileOfSide } from '../../domain/side-profiles.ts';
import { type MarketSide, outcomesOf, type QuotedMarket } from '../../intelligence/prices/quotes.ts';

/** Roles as feeds and answers write them. */
const ROLES: Readonly<Record<string, MarketSide>> = {
  home: 'home',
  player_1: 'home',
  p1: 'home',
  away: 'away',
  player_2: 'away',
  p2: 'away',
  draw: 'draw',
  over: 'over',
  under: 'under',
};

/**
 * The side of a market that a bet names: by its role, or by the name or abbreviation of a side, in any case and without
 * accents. Undefined if it names none, or both.
 */
export function findSide(document: EventDocument, market: QuotedMarket, outcome: string): MarketSide | undefined {
  const sides = outcomesOf(market, isSoccer(document.sport));
  const role = Object.hasOwn(ROLES, outcome.toLowerCase()) ? ROLES[outcome.toLowerCase()] : undefined;
  if (role) return sides.includes(role) ? role : undefined;
  const wanted = normalizeName(outcome);
  const named = ([0, 1] as const).filter((index) => {
    const profile = profileOfSide(document, index);
    return [profile?.name, profile?.abbreviation].some((name) => name && normalizeName(name) === wanted);
  });
  if (named.length !== 1) return undefined;
  const side = named[0] === 0 ? 'home' : 'away';
  return sides.includes(side) ? side : undefined;
}
