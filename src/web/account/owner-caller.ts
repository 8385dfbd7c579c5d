import type { OwnerCaller } from '../../accounts/account-owner.ts';
import type { Client, Session } from '../../accounts/users/user.ts';
import type { Principal } from '../../api/calls/principal.ts';
import { notFound } from './not-found.ts';

/** Who calls where a page calls what keys call otherwise: the owner of the session's account. @throws ApiError not_found */
export type VisitCaller = (visit: { readonly session: Session; readonly client: Client }) => Promise<Principal>;

export const visitCaller =
  (ownerOf: OwnerCaller): VisitCaller =>
  async ({ session: { user }, client }) => {
    const caller = await ownerOf(user.accountId, { userId: user.id, ...client });
    if (!caller) throw notFound();
    return caller;
  };
