import type { IncomingMessage } from 'node:http';
import { LOOPBACK } from '../../platform/settings/config.ts';
import { ApiError } from '../calls/api-errors.ts';
import { parseHostName } from '../http/requests/host-name.ts';

export interface OriginGuardParts {
  /** Where the server listens. */
  readonly host: string;
  /** The public address as it was set, where it was. */
  readonly publicUrl: string | undefined;
  /** The one in force. */
  readonly baseUrl: () => string;
}

/** What the protocol names; other addresses of this machine count only where the server listens on them. */
const OWN_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/**
 * Refuses what a web site makes a browser ask (DNS rebinding): a name of the site that points to this machine stands in
 * `Host`, and the site itself in `Origin`. Programs send no `Origin`.
 * @throws ApiError forbidden
 */
export function createOriginGuard({ host, publicUrl, baseUrl }: OriginGuardParts): (request: IncomingMessage) => void {
  const isLoopback = LOOPBACK.test(host);
  /** Clients send the same again and again. */
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
