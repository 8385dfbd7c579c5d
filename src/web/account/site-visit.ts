import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import type { Session } from '../../accounts/users/user.ts';
import type { ClientAddress } from '../../api/http/client-address.ts';
import { type RoutedRequest, searchOf } from '../../api/http/routed-request.ts';
import type { SiteCookies } from './cookies.ts';
import { clientOf } from './request-client.ts';
import type { Signed } from './signed.ts';
import type { Visit } from './visit.ts';

export interface VisitParts {
  readonly people: { session(token: string): Promise<Session | undefined> };
  readonly cookies: SiteCookies;
  /** Of the forms' tokens. */
  readonly forms: Signed;
  readonly addressOf: ClientAddress;
  readonly randomBytes: (size: number) => Uint8Array;
}

/** A visit, and what its answer has to set. */
export interface OpenedVisit {
  readonly visit: Visit;
  /** Of a browser that has none yet: it binds the tokens of forms before anybody is signed in. */
  readonly newVisitor: string | undefined;
}

const VISITOR = 'visitor';

/** Looks who it is. @throws Unavailable where that cannot be known now */
export async function openVisit(parts: VisitParts, request: RoutedRequest, requestId: string): Promise<OpenedVisit> {
  const { people, cookies, forms, addressOf, randomBytes } = parts;
  const token = cookies.sessionTokenOf(request);
  const session = token === undefined ? undefined : await people.session(token);
  const known = cookies.read(request, VISITOR);
  const visitor = known || Buffer.from(randomBytes(18)).toString('base64url');
  return {
    visit: {
      method: request.method === 'POST' ? 'POST' : 'GET',
      path: request.originalUrl.split('?', 1)[0]!,
      params: request.params,
      query: new URLSearchParams(searchOf(request)),
      form: new URLSearchParams(),
      session,
      csrf: forms.mark(session ? `session ${token}` : `visitor ${visitor}`),
      client: clientOf(request, addressOf),
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

/** Whoever asks for pages. */
export const asksForHtml = ({ headers }: IncomingMessage): boolean => /\btext\/html\b/i.test(headers.accept ?? '');
