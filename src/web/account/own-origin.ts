import type { IncomingMessage } from 'node:http';

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
