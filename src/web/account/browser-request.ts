import type { IncomingMessage } from 'node:http';

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
