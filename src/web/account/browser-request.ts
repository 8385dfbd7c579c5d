import type { IncomingMessage } from 'node:http';
import type { Client } from '../../accounts/users/user-service.ts';
import type { ReadClientAddress } from '../../api/http/requests/client-address.ts';

/**
 * Whether a form that was posted comes from this server's own pages, as far as the browser tells. `Origin` must be that
 * of the public address or of the `Host` that was asked; a browser that names none is believed, for the form's token
 * decides. `null` is what a sandboxed page of anybody sends.
 */
export function isOwnOrigin({ headers }: IncomingMessage, baseUrl: string): boolean {
  if (headers['sec-fetch-site'] === 'cross-site') return false;
  const { origin, host } = headers;
  if (origin === undefined) return true;
  return (
    origin === new URL(baseUrl).origin || (host !== undefined && [`http://${host}`, `https://${host}`].includes(origin))
  );
}

const MOST_USER_AGENT = 300;

/** Where a browser's request came from. */
export const readClient = (request: IncomingMessage, addressOf: ReadClientAddress): Client => ({
  ip: addressOf(request),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, MOST_USER_AGENT),
});
