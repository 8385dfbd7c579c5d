import type { IncomingMessage } from 'node:http';
import type { OwnerCaller } from '../../accounts/account-owner.ts';
import type { People } from '../../accounts/users/people.ts';
import { ApiError } from '../../api/calls/errors.ts';
import { KeyRefusal } from '../../api/calls/key-refusal.ts';
import { clientAddress } from '../../api/http/client-address.ts';
import type { KeylessCaller } from '../../api/http/operation-route.ts';
import type { SiteCookies } from './cookies.ts';
import { isOwnOrigin } from './own-origin.ts';
import { clientOf } from './request-client.ts';

export interface SessionCallersParts {
  readonly people: Pick<People, 'session'>;
  readonly cookies: Pick<SiteCookies, 'sessionTokenOf'>;
  readonly ownerOf: OwnerCaller;
  readonly trustProxy: readonly string[];
  readonly baseUrl: () => string;
}

/** Who calls `/api/agent` from a browser that is signed in: the owner of the session's account. */
export function sessionCallers(parts: SessionCallersParts): KeylessCaller {
  const { people, cookies, ownerOf, baseUrl } = parts;
  const addressOf = clientAddress(parts.trustProxy);
  return (request) => {
    const token = cookies.sessionTokenOf(request);
    if (token === undefined) return undefined;
    return async () => {
      // Before the session is looked up: what another site asks for is no use of it.
      if (!isOwnCall(request, baseUrl())) {
        throw new ApiError('forbidden', 'With a session this may be called by pages of this server alone.');
      }
      const session = await people.session(token);
      if (!session) throw new KeyRefusal('missing');
      const { id: userId, accountId } = session.user;
      const { ip, userAgent } = clientOf(request, addressOf);
      const caller = await ownerOf(accountId, { userId, ip, userAgent });
      if (!caller) throw new KeyRefusal('missing');
      return caller;
    };
  };
}

/**
 * There is no token against forged calls, as forms have one. So what changes something must come from a page of this
 * server for certain: the browser says so, or names the page's origin. What reads gives nothing away, for pages of others
 * cannot see the answer; the browser's word is enough.
 */
function isOwnCall(request: IncomingMessage, baseUrl: string): boolean {
  const { method, headers } = request;
  const site = headers['sec-fetch-site'];
  if (method === 'GET' || method === 'HEAD') return site !== 'cross-site';
  return (site === 'same-origin' || headers.origin !== undefined) && isOwnOrigin(request, baseUrl);
}
