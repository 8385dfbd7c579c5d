import { SPORT_SLUGS, type SportSlug } from '../../domain/catalogue/catalogue.ts';
import { ApiError } from './api-errors.ts';
import type { Principal } from './principal.ts';

/** The scope that covers every sport. */
export const ALL_SPORTS = 'all';

type Scoped = Pick<Principal, 'scopes'>;

export const isLimitedToSports = ({ scopes }: Scoped): boolean => !scopes.includes(ALL_SPORTS);

/** One text for one set of scopes, in any order. */
export const canonicalScopes = (scopes: readonly string[]): string =>
  scopes.includes(ALL_SPORTS) ? ALL_SPORTS : [...new Set(scopes)].sort().join();

/**
 * Whether the caller could have created a key with these scopes, and so everything such a key creates. A key shared for
 * one sport must not revoke the account's other keys or read their secrets.
 */
export const coversScopes = ({ scopes }: Scoped, made: readonly string[]): boolean =>
  scopes.includes(ALL_SPORTS) || made.every((scope) => scopes.includes(scope));

/** Purchases, usage and the ledger belong to the whole account, so they need all scopes. @throws ApiError forbidden */
export function requireAllScopes(principal: Scoped): void {
  if (!isLimitedToSports(principal)) return;
  throw new ApiError(
    'forbidden',
    'This key covers some sports only. What belongs to the whole account needs a key with the scope `all`.',
  );
}

export const grantsSport = (principal: Principal, sport: string): boolean =>
  principal.scopes.includes(ALL_SPORTS) || principal.scopes.includes(sport);

/** The sports of a list when the caller names no `sport`. */
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
