import type { IncomingMessage } from 'node:http';
import type { Client } from '../../accounts/users/user-service.ts';
import type { ReadClientAddress } from '../../api/http/requests/client-address.ts';

/**
 * Whether a posted form comes from this server's own pages, as far as the browser tells. `Origin` must be the public
 * address or the requested `Host`. A browser that sends no `Origin` passes: the form token decides. `Origin: null`
 * fails, since any site's sandboxed page sends it.
 */
export function isOwnOrigin({ headers }: IncomingMessage, baseUrl: string): boolean {
  if (headers['sec-fetch-site'] === 'cross-site') return false;
  const { origin, host } = headers;
  if (origin === undefined) return true;
  return (
    origin === new URL(baseUrl).origin || (host !== undefined && [`http://${host}`, `https://${host}`].includes(origin))
  );
}

const MAX_USER_AGENT_LENGTH = 300;

/** The address and user agent that a request came from. */
export const readClient = (request: IncomingMessage, addressOf: ReadClientAddress): Client => ({
  ip: addressOf(request),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH),
});
