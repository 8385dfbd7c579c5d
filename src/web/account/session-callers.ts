import type { IncomingMessage } from 'node:http';
import type { FindOwnerPrincipal } from '../../accounts/owner-principal.ts';
import type { Client, Session, UserService } from '../../accounts/users/user-service.ts';
import { ApiError, ApiKeyError } from '../../api/calls/api-errors.ts';
import type { Principal } from '../../api/calls/principal.ts';
import type { KeylessCaller } from '../../api/http/endpoints/operation-route.ts';
import { createClientAddressReader } from '../../api/http/requests/client-address.ts';
import { readVisitor } from '../../api/http/requests/visitor.ts';
import type { PageCookies } from '../layout/page-cookies.ts';
import { isOwnOrigin } from './browser-request.ts';
import { notFound } from './page-errors.ts';

interface SessionCallersParts {
  readonly users: Pick<UserService, 'session'>;
  readonly cookies: Pick<PageCookies, 'sessionTokenOf'>;
  readonly ownerOf: FindOwnerPrincipal;
  readonly trustProxy: readonly string[];
  readonly baseUrl: () => string;
}

/** Finds the caller of `/api/agent` for a signed-in browser: the owner of the session's account. */
export function createSessionCallers(parts: SessionCallersParts): KeylessCaller {
  const { users, cookies, ownerOf, baseUrl } = parts;
  const addressOf = createClientAddressReader(parts.trustProxy);
  return (request) => {
    const token = cookies.sessionTokenOf(request);
    if (token === undefined) return undefined;
    return async () => {
      // Checked before the session is looked up, so that a call from another site does not count as use of the session.
      if (!isOwnCall(request, baseUrl())) {
        throw new ApiError('forbidden', 'With a session this may be called by pages of this server alone.');
      }
      const session = await users.session(token);
      if (!session) throw new ApiKeyError('missing');
      const { id: userId, accountId } = session.user;
      const { ip, userAgent } = readVisitor(request, addressOf);
      const caller = await ownerOf(accountId, { userId, ip, userAgent });
      if (!caller) throw new ApiKeyError('missing');
      return caller;
    };
  };
}

/**
 * Calls have no CSRF token, unlike forms. So a call that changes something must surely come from a page of this server:
 * by `Sec-Fetch-Site: same-origin`, or by a matching `Origin`. A read needs less, since other sites cannot see the
 * answer: it must not be marked as cross-site.
 */
function isOwnCall(request: IncomingMessage, baseUrl: string): boolean {
  const { method, headers } = request;
  const site = headers['sec-fetch-site'];
  if (method === 'GET' || method === 'HEAD') return site !== 'cross-site';
  return (site === 'same-origin' || headers.origin !== undefined) && isOwnOrigin(request, baseUrl);
}

/**
 * The principal for pages that call services of the API: the owner of the session's account.
 * @throws ApiError not_found
 */
export type SessionOwner = (visit: { readonly session: Session; readonly client: Client }) => Promise<Principal>;

export const createSessionOwner =
  (ownerOf: FindOwnerPrincipal): SessionOwner =>
  async ({ session: { user }, client }) => {
    const caller = await ownerOf(user.accountId, { userId: user.id, ...client });
    if (!caller) throw notFound();
    return caller;
  };
