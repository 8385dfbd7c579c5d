import { SPORT_SLUGS, type SportSlug } from '../domain/catalogue.ts';
import { ApiError } from './errors.ts';
import type { Principal } from './principal.ts';

export const isScoped = (principal: Principal): boolean => !principal.scopes.includes('all');

export const grantsSport = (principal: Principal, sport: string): boolean =>
  principal.scopes.includes('all') || principal.scopes.includes(sport);

/** The sports that a list without `sport` holds for this caller. */
export const grantedSports = (principal: Principal): readonly SportSlug[] =>
  SPORT_SLUGS.filter((sport) => grantsSport(principal, sport));

/** @throws ApiError sport_scope_denied */
export function requireSport(principal: Principal, sport: string): void {
  if (grantsSport(principal, sport)) return;
  throw new ApiError('sport_scope_denied', `This API key has no access to ${sport}.`, {
    sport,
    granted_scopes: principal.scopes,
  });
}
