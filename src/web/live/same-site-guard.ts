import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../api/calls/api-errors.ts';
import { parseHostName } from '../../api/http/requests/host-name.ts';
import { LOOPBACK } from '../../platform/settings/config.ts';

interface SameSiteParts {
  /** The address that the server listens on. */
  readonly host: string;
  /** The public address. */
  readonly baseUrl: () => string;
}

/**
 * Refuses requests that other web sites make a browser send. Routes without a key on a loopback address must not be
 * readable by every page that the operator visits. Browsers hide the answers from other origins, since they carry no
 * CORS headers. The exception is DNS rebinding: another site's name that points to this machine. That name is then in
 * `Host`, which is checked here.
 * @throws ApiError forbidden
 */
export function createSameSiteGuard({ host, baseUrl }: SameSiteParts): SameSiteGuard {
  const isLoopback = LOOPBACK.test(host);
  function guardHost({ headers }: Pick<IncomingMessage, 'headers'>): void {
    if (isLoopback && !isOwn(parseHostName(headers.host), host, baseUrl())) {
      throw new ApiError('forbidden', 'The Host header names another server.');
    }
  }
  function guardData(request: Pick<IncomingMessage, 'headers'>): void {
    const from = request.headers['sec-fetch-site'];
    if (from !== undefined && from !== 'same-origin' && from !== 'none') {
      throw new ApiError('forbidden', 'This is for the page at / only, and not for other web sites.');
    }
    guardHost(request);
  }
  function guardPage(request: Pick<IncomingMessage, 'headers'>): void {
    // Another site may link to a page: the browser shows it to the person, and hides it from that site.
    const { 'sec-fetch-mode': mode, 'sec-fetch-dest': shownAs } = request.headers;
    if (mode === 'navigate' && shownAs === 'document') guardHost(request);
    else guardData(request);
  }
  return Object.assign(guardData, { ofPage: guardPage });
}

interface SameSiteGuard {
  (request: Pick<IncomingMessage, 'headers'>): void;
  /** The same of a page that people may be led to by a link. */
  readonly ofPage: (request: Pick<IncomingMessage, 'headers'>) => void;
}

const isOwn = (name: string | null, host: string, baseUrl: string): boolean =>
  name !== null && (LOOPBACK.test(name) || name === parseHostName(host) || name === new URL(baseUrl).hostname);
