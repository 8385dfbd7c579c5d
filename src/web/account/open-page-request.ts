import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import type { Session } from '../../accounts/users/user-service.ts';
import type { ReadClientAddress } from '../../api/http/requests/client-address.ts';
import { isDirect } from '../../api/http/requests/direct-request.ts';
import { readVisitor } from '../../api/http/requests/visitor.ts';
import { queryStringOf, type RoutedRequest } from '../../api/http/routed-request.ts';
import type { PageCookies } from '../layout/page-cookies.ts';
import type { PageRequest } from './page-route.ts';
import type { TextSigner } from './text-signer.ts';

interface PageRequestParts {
  readonly users: { session(token: string): Promise<Session | undefined> };
  readonly cookies: PageCookies;
  /** Signs form tokens. */
  readonly formSigner: TextSigner;
  readonly addressOf: ReadClientAddress;
  readonly randomBytes: (size: number) => Uint8Array;
}

/** A request, and the cookie that its response has to set. */
export interface OpenedPageRequest {
  readonly visit: PageRequest;
  /** Set for a browser without a visitor cookie. It binds form tokens before sign-in. */
  readonly newVisitor: string | undefined;
}

const VISITOR = 'visitor';

/**
 * Opens a request and finds its session.
 * @throws UnavailableError if sessions cannot be read now
 */
export async function openPageRequest(
  parts: PageRequestParts,
  request: RoutedRequest,
  requestId: string,
): Promise<OpenedPageRequest> {
  const { users, cookies, formSigner, addressOf, randomBytes } = parts;
  const token = cookies.sessionTokenOf(request);
  const session = token === undefined ? undefined : await users.session(token);
  const known = cookies.read(request, VISITOR);
  const visitor = known || Buffer.from(randomBytes(18)).toString('base64url');
  return {
    visit: {
      method: request.method === 'POST' ? 'POST' : 'GET',
      path: request.originalUrl.split('?', 1)[0]!,
      params: request.params,
      query: new URLSearchParams(queryStringOf(request)),
      form: new URLSearchParams(),
      session,
      csrf: formSigner.signatureOf(session ? `session ${token}` : `visitor ${visitor}`),
      client: { ...readVisitor(request, addressOf), ...(known && { visitor: known }) },
      isDirect: isDirect(request),
      cookie: (name) => cookies.read(request, name),
      fetchSite: fetchSiteOf(request),
      requestId,
      wantsJson: wantsJson(request),
      isHead: request.method === 'HEAD',
    },
    newVisitor: session || known ? undefined : cookies.write(VISITOR, visitor, null),
  };
}

function fetchSiteOf({ headers }: IncomingMessage): string | undefined {
  const site = headers['sec-fetch-site'];
  return typeof site === 'string' ? site : undefined;
}

const wantsJson = (request: IncomingMessage): boolean =>
  new Negotiator(request).mediaType(['text/html', 'application/json']) === 'application/json';

/** Whether the client accepts HTML. */
export const asksForHtml = ({ headers }: IncomingMessage): boolean => /\btext\/html\b/i.test(headers.accept ?? '');
