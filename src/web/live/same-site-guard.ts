import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../api/calls/api-errors.ts';
import { parseHostName } from '../../api/http/requests/host-name.ts';
import { LOOPBACK } from '../../platform/settings/config.ts';

interface SameSiteParts {
  /** Where the server listens. */
  readonly host: string;
  /** The public address. */
  readonly baseUrl: () => string;
}

/**
 * Refuses what other web sites make a browser ask. Routes without a key on a loopback address must not be readable by
 * any page that the operator happens to visit: the browser keeps other origins from reading the answers (they carry
 * no CORS headers), except where a name of theirs is made to point to this machine. Such a name stands in `Host`.
 * @throws ApiError forbidden
 */
export function createSameSiteGuard({ host, baseUrl }: SameSiteParts): (request: IncomingMessage) => void {
  const isLoopback = LOOPBACK.test(host);
  return ({ headers }) => {
    const from = headers['sec-fetch-site'];
    if (from !== undefined && from !== 'same-origin' && from !== 'none') {
      throw new ApiError('forbidden', 'This is for the page at / only, and not for other web sites.');
    }
    if (isLoopback && !isOwn(parseHostName(headers.host), host, baseUrl())) {
      throw new ApiError('forbidden', 'The Host header names another server.');
    }
  };
}

const isOwn = (name: string | null, host: string, baseUrl: string): boolean =>
  name !== null && (LOOPBACK.test(name) || name === parseHostName(host) || name === new URL(baseUrl).hostname);
