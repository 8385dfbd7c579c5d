import { SPORT_SLUGS, type SportSlug } from '../../domain/catalogue/catalogue.ts';
import { ApiError } from './api-errors.ts';
import type { Principal } from './principal.ts';

/** The scope of a key that opens every sport. */
export const ALL_SPORTS = 'all';

type Scoped = Pick<Principal, 'scopes'>;

export const isLimitedToSports = ({ scopes }: Scoped): boolean => !scopes.includes(ALL_SPORTS);

/** The same text for the same set of scopes, however they are written. */
export const canonicalScopes = (scopes: readonly string[]): string =>
  scopes.includes(ALL_SPORTS) ? ALL_SPORTS : [...new Set(scopes)].sort().join();

/**
 * Whether a key of these scopes could have been made by the caller: it could then have made whatever that key made. A
 * key that is given away for one sport must not end the account's others, or read their secrets.
 */
export const coversScopes = ({ scopes }: Scoped, made: readonly string[]): boolean =>
  scopes.includes(ALL_SPORTS) || made.every((scope) => scopes.includes(scope));

/** @throws ApiError forbidden: what is bought is the whole account's */
export function requireAllScopes(principal: Scoped): void {
  if (!isLimitedToSports(principal)) return;
  throw new ApiError('forbidden', 'This key covers some sports only. A key with the scope `all` can buy.');
}

export const grantsSport = (principal: Principal, sport: string): boolean =>
  principal.scopes.includes(ALL_SPORTS) || principal.scopes.includes(sport);

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
