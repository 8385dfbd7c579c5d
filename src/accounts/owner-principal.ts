import type { Principal, PrincipalOwner } from '../api/calls/principal.ts';
import { ALL_SPORTS } from '../api/calls/scopes.ts';
import { toPrincipalAccount } from './billing/account-terms.ts';
import type { BillingRegistry } from './billing/model/billing-registry.ts';

/** One shared list, since answers are cached by the list. */
const SCOPES: readonly string[] = [ALL_SPORTS];

/**
 * The principal of an account's owner, who has no key; undefined: there is no such account.
 * @param owner absent: somebody else reads the account's data
 */
export type FindOwnerPrincipal = (accountId: number, owner?: PrincipalOwner) => Promise<Principal | undefined>;

export const createOwnerPrincipalFinder =
  (registry: Pick<BillingRegistry, 'account'>): FindOwnerPrincipal =>
  async (accountId, owner) => {
    const account = await registry.account(accountId);
    if (!account) return undefined;
    return {
      keyId: null,
      accountId,
      plan: account.plan,
      scopes: SCOPES,
      unlimited: false,
      ...(owner && { owner }),
      account: toPrincipalAccount(account),
    };
  };
