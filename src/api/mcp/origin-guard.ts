import type { IncomingMessage } from 'node:http';
import { LOOPBACK } from '../../platform/settings/config.ts';
import { ApiError } from '../calls/api-errors.ts';
import { parseHostName } from '../http/requests/host-name.ts';

export interface OriginGuardParts {
  /** Address on which the server listens. */
  readonly host: string;
  /** The public address from the configuration, if set. */
  readonly publicUrl: string | undefined;
  /** The public address in use. */
  readonly baseUrl: () => string;
}

/** The names from the protocol's specification; other loopback addresses count only if the server listens on one. */
const OWN_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/**
 * Refuses requests that a foreign web site makes a browser send (DNS rebinding): `Host` then has a name of the site,
 * which resolves to this machine, and `Origin` is the site. Programs send no `Origin`.
 * @throws ApiError forbidden
 */
export function createOriginGuard({ host, publicUrl, baseUrl }: OriginGuardParts): (request: IncomingMessage) => void {
  const isLoopback = LOOPBACK.test(host);
  /** The last accepted header: clients repeat the same one. */
  let lastOwn: string | undefined;

  function isOwnHost(header: string | undefined): boolean {
    if (header !== undefined && header === lastOwn) return true;
    const isOwn = namesUs(header);
    if (isOwn) lastOwn = header;
    return isOwn;
  }

  function namesUs(header: string | undefined): boolean {
    if (!isLoopback && publicUrl === undefined) return true;
    const name = parseHostName(header);
    return name !== null && ((isLoopback && OWN_NAMES.has(name)) || name === parseHostName(new URL(baseUrl()).host));
  }

  function isOwnOrigin(origin: string): boolean {
    if (!/^https?:/i.test(origin) || !URL.canParse(origin)) return false;
    const { origin: own, hostname } = new URL(origin);
    return own === new URL(baseUrl()).origin || (isLoopback && LOOPBACK.test(hostname.replace(/^\[|\]$/g, '')));
  }

  return ({ headers }) => {
    if (!isOwnHost(headers.host)) throw new ApiError('forbidden', 'The Host header names another server.');
    if (headers.origin !== undefined && !isOwnOrigin(headers.origin)) {
      throw new ApiError('forbidden', 'Web pages of other sites may not call this.');
    }
  };
}
