import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Router } from 'express';
import type { SecurityLog } from '../../accounts/users/security-log.ts';
import type { UserService } from '../../accounts/users/user-service.ts';
import { ApiError } from '../../api/calls/api-errors.ts';
import { methodNotAllowed } from '../../api/http/endpoints/operation-route.ts';
import { createPublicPageRoute, type PageWrapper } from '../../api/http/endpoints/public-pages.ts';
import { createClientAddressReader } from '../../api/http/requests/client-address.ts';
import type { Responder } from '../../api/http/responder.ts';
import { addRoute, type RoutedRequest } from '../../api/http/routed-request.ts';
import { invalidField, RefusedError } from '../../domain/primitives/domain-errors.ts';
import { withoutCaching } from '../layout/cache-headers.ts';
import { html } from '../layout/html.ts';
import type { SitePages } from '../layout/navigation.ts';
import type { Asset } from '../layout/page-assets.ts';
import type { PageCookies } from '../layout/page-cookies.ts';
import { ACCOUNT_ASSETS, flashLine, layOutAccountPage } from './account-layout.ts';
import { ACCOUNT_MENU_PATH, createAccountMenu } from './account-menu.ts';
import { signInPath } from './after-sign-in.ts';
import { isOwnOrigin } from './browser-request.ts';
import { readForm } from './form-body.ts';
import { asksForHtml, type OpenedPageRequest, openPageRequest } from './open-page-request.ts';
import { notFound } from './page-errors.ts';
import { pageHeaders } from './page-headers.ts';
import type { Access, Flash, PageRequest, PageResponse, PageRoute, Refusal, SignedInRequest } from './page-route.ts';
import { createTextSigner, isEqualInConstantTime } from './text-signer.ts';

interface AccountPagesParts {
  readonly routes: readonly PageRoute[];
  /** What the pages load beside the style sheet: scripts. */
  readonly assets: readonly Asset[];
  readonly users: Pick<UserService, 'session'>;
  readonly security: Pick<SecurityLog, 'note'>;
  readonly cookies: PageCookies;
  /** SESSION_SECRET: signs the form tokens and the flash messages. */
  readonly secret: string;
  readonly trustProxy: readonly string[];
  readonly baseUrl: () => string;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly responder: Responder;
  readonly simulated: () => boolean;
  /** What the header links to; default: all pages. */
  readonly pages?: SitePages | undefined;
}

export interface AccountPages {
  readonly mount: (router: Router) => void;
  /**
   * Wraps a page outside of the application to which one of its forms leads, so that the page shows the flash message.
   */
  readonly withFlash: PageWrapper;
  /** Answers with an HTML error page if a browser sent the request. Returns false, and answers nothing, if not. */
  tryErrorPage(error: unknown, request: RoutedRequest, response: ServerResponse): boolean;
}

type Get = PageRoute & { readonly method: 'GET' };
type Post = PageRoute & { readonly method: 'POST' };

const FLASH = 'flash';
const FLASH_SECONDS = 60;
const HTML_TYPE = 'text/html; charset=utf-8';

/** The pages that people sign in to, and what their forms do. The checks that all routes share are made here. */
export function createAccountPages(parts: AccountPagesParts): AccountPages {
  const { routes, assets, security, cookies, baseUrl, responder, simulated, pages } = parts;
  const formSigner = createTextSigner(parts.secret, 'forms');
  const flashes = createTextSigner(parts.secret, 'flashes');
  const visits = { ...parts, formSigner, addressOf: createClientAddressReader(parts.trustProxy) };
  const isSecure = () => baseUrl().startsWith('https:');

  async function handle(paths: PathRoutes, request: RoutedRequest, response: ServerResponse): Promise<void> {
    const requestId = responder.requestId(request);
    let opened: OpenedPageRequest | undefined;
    try {
      opened = await openPageRequest(visits, request, requestId);
      const { visit } = opened;
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const route = isRead ? paths.get : request.method === 'POST' ? paths.post : undefined;
      if (!route) throw methodNotAllowed(request.method, allowedMethods(paths));
      const answer = route.method === 'GET' ? await show(route, visit) : await act(route, visit, request, response);
      await send(response, request, opened, answer);
    } catch (error) {
      sendError(response, error, opened, request, paths);
    }
  }

  async function show(route: Get, visit: PageRequest): Promise<PageResponse> {
    if (route.access === 'open') return route.run(visit);
    if (!visit.session) return { kind: 'redirect', to: signInPath(targetOf(visit)) };
    return route.run(requireAccess(route.access, visit));
  }

  async function act(
    route: Post,
    visit: PageRequest,
    request: RoutedRequest,
    response: ServerResponse,
  ): Promise<PageResponse> {
    if (route.access !== 'open') {
      if (!visit.session) return { kind: 'redirect', to: '/login' };
      requireAccess(route.access, visit);
    } else if (route.isPermittedByUrl) return route.run(visit);
    const posted: PageRequest = { ...visit, form: await readForm(request, response) };
    await refuseForged(posted, request);
    try {
      refuseRepeated(posted.form, route.lists);
      return await (route.access === 'open' ? route.run(posted) : route.run(requireAccess(route.access, posted)));
    } catch (error) {
      if (!(error instanceof RefusedError) || posted.wantsJson) throw error;
      const answer = await (route.access === 'open'
        ? route.refused(posted, refusalOf(error))
        : route.refused(requireAccess(route.access, posted), refusalOf(error)));
      return answer.kind === 'page' ? withStatus(answer, error) : answer;
    }
  }

  /** @throws ApiError forbidden if no page of this server showed this form to this browser */
  async function refuseForged(visit: PageRequest, request: RoutedRequest): Promise<void> {
    const token = visit.form.get('_csrf') ?? request.headers['x-csrf-token'];
    const isOwn =
      typeof token === 'string' && isEqualInConstantTime(token, visit.csrf) && isOwnOrigin(request, baseUrl());
    if (isOwn) return;
    const { client, path } = visit;
    await security.note({ type: 'csrf_refused', userId: visit.session?.user.id, path, client });
    throw new ApiError('forbidden', 'This form is out of date, or was not sent by this site. Load the page again.');
  }

  function takeFlash(request: RoutedRequest): { readonly flash?: Flash; readonly cookie?: string } {
    if (request.method === 'HEAD') return {};
    const text = flashes.verify(cookies.read(request, FLASH) ?? '');
    if (text === undefined || text === '') return {};
    return { flash: JSON.parse(text) as Flash, cookie: cookies.end(FLASH) };
  }

  async function send(
    response: ServerResponse,
    request: RoutedRequest,
    { visit, newVisitor }: OpenedPageRequest,
    answer: PageResponse,
  ): Promise<void> {
    const facts = { requestId: visit.requestId, hasNoCredits: true };
    const set = (made: readonly (string | undefined)[]) =>
      made.flatMap((cookie) => (cookie === undefined ? [] : ['Set-Cookie', cookie]));
    switch (answer.kind) {
      case 'page': {
        const { flash, cookie } = takeFlash(request);
        const body = layOutAccountPage(visit, { ...answer, flash, isSimulated: simulated(), pages });
        const headers = [...pageHeaders(isSecure(), answer.hosts), ...(answer.headers ?? []).flat()];
        return responder.send(response, answer.status ?? 200, HTML_TYPE, body, {
          ...facts,
          headers: [...headers, ...set([newVisitor, cookie])],
        });
      }
      case 'redirect': {
        const { to, flash, cookies: own = [] } = answer;
        const flashCookie = flash && cookies.write(FLASH, flashes.sign(JSON.stringify(flash)), FLASH_SECONDS);
        const headers = [...pageHeaders(isSecure()), 'Location', to, ...set([...own, flashCookie])];
        return responder.send(response, 303, HTML_TYPE, '', { ...facts, headers });
      }
      case 'json': {
        const headers = [...pageHeaders(isSecure()), ...(answer.headers ?? []).flat(), ...set([newVisitor])];
        return responder.sendJson(response, answer.status ?? 200, answer.value, { ...facts, headers });
      }
      case 'file': {
        const { type, name, body } = answer;
        const all = responder.headers({ ...facts, headers: pageHeaders(isSecure()) });
        const disposition = `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"`;
        response.writeHead(200, [...all, 'Content-Type', type, 'Content-Disposition', disposition]);
        if (visit.isHead) return void response.end();
        if (typeof body === 'string' || body instanceof Uint8Array) return void response.end(body);
        // A client that closes the connection early is no error.
        await pipeline(Readable.from(body), response)
          .catch((error: unknown) => {
            if (!response.destroyed) throw error;
          })
          .finally(answer.end);
      }
    }
  }

  function sendError(
    response: ServerResponse,
    error: unknown,
    opened: OpenedPageRequest | undefined,
    request: RoutedRequest,
    paths?: PathRoutes,
  ): void {
    const requestId = opened?.visit.requestId ?? responder.requestId(request);
    const apiError = asApiError(error);
    const allow =
      paths && apiError instanceof ApiError && apiError.code === 'method_not_allowed'
        ? ['Allow', allowedMethods(paths)]
        : [];
    const facts = { requestId, hasNoCredits: true, headers: allow };
    if (opened?.visit.wantsJson || response.headersSent) {
      responder.sendError(response, apiError, facts);
      return;
    }
    const { envelope, headers } = responder.describeError(response, apiError, facts);
    const { message, status } = envelope.error;
    const visit = opened?.visit ?? { path: '' };
    const body = layOutAccountPage(visit, {
      title: TITLES[status] ?? 'That did not work',
      content: html`<p>${message}</p><p>${pages?.hasLivePage === false ? html`<a href="/docs">The documentation</a> says what this server has.` : html`<a href="/search">Search</a> for a team or a game, or go to the <a href="/">live events</a>.`}</p><p class="facts">Status ${status}. Request ${requestId}.</p>`,
      isSimulated: simulated(),
      pages,
    });
    const own = withoutCaching(headers);
    responder.send(response, status, HTML_TYPE, body, {
      ...facts,
      headers: [...pageHeaders(isSecure()), ...own],
    });
  }

  const byPath = groupByPath(routes);
  const own = new Set([...byPath.keys()].map((path) => path.split('/')[1]!));
  return {
    mount(router) {
      for (const { path, page } of [ACCOUNT_ASSETS.style, ...assets]) {
        addRoute(
          router,
          path,
          createPublicPageRoute(responder, () => page),
        );
      }
      addRoute(router, ACCOUNT_MENU_PATH, createPublicPageRoute(responder, createAccountMenu(parts)));
      for (const [path, paths] of byPath) {
        addRoute(router, routeOf(path), (request, response) => handle(paths, request, response));
      }
    },
    withFlash: (page) => async (request) => {
      const made = await page(request);
      const { flash, cookie } = takeFlash(request);
      if (!flash || !cookie) return made;
      const headers = [...withoutCaching(made.headers ?? []), 'Cache-Control', 'no-store', 'Set-Cookie', cookie];
      return {
        ...made,
        headers,
        body: made.body.replace(
          made.body.includes('<main') ? /<main[^>]*>/ : '</header>',
          (start) => start + flashLine(flash).html,
        ),
      };
    },
    tryErrorPage(error, request, response) {
      const isBelow = own.has(request.originalUrl.split(/[/?]/)[1] ?? '');
      if (!isBelow && !asksForHtml(request)) return false;
      sendError(response, error, undefined, request);
      return true;
    },
  };
}

/** The routes of one path. */
interface PathRoutes {
  get?: Get;
  post?: Post;
}

function groupByPath(routes: readonly PageRoute[]): Map<string, PathRoutes> {
  const all = new Map<string, PathRoutes>();
  // Fixed paths come before paths with parameters, which would match them too.
  for (const route of [...routes].sort((a, b) => (specificityOf(a.path) < specificityOf(b.path) ? -1 : 1))) {
    const here = all.get(route.path) ?? {};
    if (route.method === 'GET') here.get = route;
    else here.post = route;
    all.set(route.path, here);
  }
  return all;
}

const specificityOf = (path: string): string => path.replaceAll('{', '\uffff');
const routeOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
const allowedMethods = ({ get, post }: PathRoutes): string =>
  [...(get ? ['GET', 'HEAD'] : []), ...(post ? ['POST'] : [])].join(', ');

/** @throws ApiError not_found, so that users without access do not learn that the page exists */
function requireAccess(access: Exclude<Access, 'open'>, visit: PageRequest): SignedInRequest {
  const { isStaff, role } = visit.session!.user;
  if (access !== 'signed-in' && !isStaff) throw notFound();
  if (access === 'admin' && role !== 'admin') throw notFound();
  return visit as SignedInRequest;
}

const targetOf = ({ path, query }: PageRequest): string => (query.size > 0 ? `${path}?${query}` : path);

/** @throws RefusedError */
function refuseRepeated(form: URLSearchParams, lists: readonly string[] = []): void {
  for (const name of new Set(form.keys())) {
    if (!lists.includes(name) && form.getAll(name).length > 1) throw invalidField(name, 'Give it once.');
  }
}

const refusalOf = ({ status, message, fields }: RefusedError): Refusal => ({ status, message, fields });

const withStatus = (
  answer: PageResponse & { readonly kind: 'page' },
  { status, retryAfter }: RefusedError,
): PageResponse => ({
  ...answer,
  status,
  headers: [
    ...(answer.headers ?? []),
    ...(retryAfter === undefined ? [] : [['Retry-After', String(retryAfter)] as const]),
  ],
});

/** A refusal as an API error, for when there is no page to show it on. */
function asApiError(error: unknown): unknown {
  if (!(error instanceof RefusedError)) return error;
  const { status, message, fields, retryAfter = 1 } = error;
  switch (status) {
    case 402:
      return new ApiError('payment_method_required', message);
    case 403:
      return new ApiError('forbidden', message);
    case 404:
      return notFound();
    case 429:
      return new ApiError('rate_limit_exceeded', message, { retry_after: retryAfter });
    case 503:
      return new ApiError('service_unavailable', message, { retry_after: retryAfter });
    default: {
      const errors = Object.entries(fields).map(([name, msg]) => ({ loc: ['body', name], msg, type: 'value_error' }));
      return new ApiError('validation_error', message, { errors });
    }
  }
}

const TITLES: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Not found',
  405: 'Not here',
  429: 'Too many',
  503: 'Not now',
};
