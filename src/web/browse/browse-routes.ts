import type { Router } from 'express';
import { z } from 'zod';
import { createInputReader } from '../../api/calls/operation/operation-input.ts';
import { createPublicPageRoute, type PageHandler, type PageResponse } from '../../api/http/endpoints/public-pages.ts';
import type { UnauthenticatedLimits } from '../../api/http/requests/unauthenticated-limits.ts';
import type { Responder } from '../../api/http/responder.ts';
import { addRoute, queryStringOf, type RoutedRequest } from '../../api/http/routed-request.ts';
import { date, integer, text } from '../../api/operations/shared/parameters.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { SitePages } from '../layout/navigation.ts';
import { SEARCH_PATH, SUGGESTIONS_PATH } from '../layout/search-field.ts';
import { createSameSiteGuard } from '../live/same-site-guard.ts';
import { type BrowsePage, createBrowseFrame, redirectTo } from './browse-page.ts';
import { BROWSE_STYLE_ASSET } from './browse-style.ts';
import { readEventAssets } from './events/event-assets.ts';
import { createEventPage, readId } from './events/event-routes.ts';
import { createKeylessCalls, type KeylessContext, keylessContext } from './keyless-calls.ts';
import { readLeaguePage } from './leagues/league-routes.ts';
import { readPlayerPage } from './players/player-routes.ts';
import { findMatches, type SearchDepth } from './search/find-matches.ts';
import { searchPage, suggestionOptions } from './search/search-page.ts';
import { createSeasonOutlooks } from './shared/season-outlook.ts';
import { readTeamPage } from './teams/team-routes.ts';

export interface BrowsePartsOfServer {
  /** LIVE_PAGE: the pages show what the live page does, and are off with it. */
  readonly isOn: boolean;
  /** What the header links to. */
  readonly pages: SitePages;
  /** The address that the server listens on, as in HOST. */
  readonly host: string;
  readonly baseUrl: () => string;
  readonly context: KeylessContext;
  readonly responder: Responder;
  readonly simulated: () => boolean;
  /** What events' stories and sources are read from. */
  readonly log: Pick<EventLog, 'readStream' | 'replacements'>;
  /** The folder of the built pages. */
  readonly files: string;
  /** Counts a page that is made from many documents. Absent: any number may be made. */
  readonly admitFold?: UnauthenticatedLimits['admitFold'] | undefined;
}

const searchReader = createInputReader({ input: { query: z.object({ q: text('', { max: 200 }).default('') }) } });
const dateReader = createInputReader({ input: { query: z.object({ date: date('The day in the middle.') }) } });
/** Until a year that no game has. */
const LAST_MOMENT = Date.UTC(3000, 0);
const beforeReader = createInputReader({
  input: { query: z.object({ before: integer('Of the results.', { min: 0, max: LAST_MOMENT }).optional() }) },
});
/** Two sides may meet once in four years. */
const PAGE_DEPTH: SearchDepth = { limit: 10, spansOfTwo: 24, hasNear: true };
/** Asked at each key that is pressed, and not counted. */
const SUGGESTION_DEPTH: SearchDepth = { limit: 4, spansOfTwo: 1, hasNear: false };
const MIN_CHARACTERS = 2;

/** The pages of what the server knows: search, events, teams, players, leagues. They need no key. */
export function browseRoutes(parts: BrowsePartsOfServer): (router: Router) => void {
  const { isOn, responder } = parts;
  if (!isOn) return () => undefined;
  const frame = createBrowseFrame(parts);
  const guard = createSameSiteGuard(parts);
  const context = keylessContext(parts.context);
  const call = createKeylessCalls(context);
  const readOutlook = createSeasonOutlooks(call, context.now);

  const admit = (request: RoutedRequest): void => {
    const refusal = parts.admitFold?.(request);
    if (refusal) throw refusal;
  };
  const event = createEventPage({ frame, context, call, log: parts.log, admit, assets: readEventAssets(parts.files) });

  /** The pages of teams, players and leagues are made from many documents, and each one counts. */
  const counted =
    (what: 'team' | 'player', read: (id: number, request: RoutedRequest) => Promise<BrowsePage>) =>
    async (request: RoutedRequest): Promise<PageResponse> => {
      const id = readId(request.params['id']!, what);
      const meant = context.replacements.meaningOf(what, id);
      if (meant !== id) return redirectTo(`/${what}s/${meant}`);
      admit(request);
      return frame.page(`/${what}s/${id}`, await read(id, request));
    };

  async function league(request: RoutedRequest): Promise<PageResponse> {
    admit(request);
    const { slug = '' } = request.params;
    const { date } = dateReader.fromHttp({}, queryStringOf(request), undefined);
    return frame.page(`/leagues/${slug}`, await readLeaguePage(call, context, slug, date ?? null, readOutlook));
  }

  async function find(request: RoutedRequest, depth: SearchDepth, beforehand: (request: RoutedRequest) => void) {
    const q = searchReader.fromHttp({}, queryStringOf(request), undefined).q.trim();
    if (q.length < MIN_CHARACTERS) return { q, found: undefined };
    beforehand(request);
    return { q, found: await findMatches(call, context, q, depth) };
  }

  async function search(request: RoutedRequest): Promise<PageResponse> {
    const { q, found } = await find(request, PAGE_DEPTH, admit);
    const title = q === '' ? 'Search' : `${q} · Search`;
    return frame.page(SEARCH_PATH, { title, content: searchPage(q, found), isUnlisted: true });
  }

  async function suggestions(request: RoutedRequest): Promise<PageResponse> {
    const { found } = await find(request, SUGGESTION_DEPTH, () => {});
    const body = found ? suggestionOptions(found).html : '';
    return { status: 200, type: 'text/html; charset=utf-8', headers: FRAGMENT_HEADERS, body };
  }

  return (router) => {
    const open = (path: string, page: PageHandler) => addRoute(router, path, createPublicPageRoute(responder, page));
    /** Links of other sites lead here too, but no page of theirs reads it. */
    const openPage = (path: string, page: (request: RoutedRequest) => Promise<PageResponse>) =>
      open(path, async (request) => {
        try {
          guard.ofPage(request);
          return await page(request);
        } catch (error) {
          const shown = frame.errorPage(request.originalUrl.split('?', 1)[0]!, error);
          if (!shown) throw error;
          return shown;
        }
      });
    open(BROWSE_STYLE_ASSET.path, () => BROWSE_STYLE_ASSET.page);
    openPage(SEARCH_PATH, search);
    openPage('/events/:id', (request) => event(request, readId(request.params['id']!, 'event')));
    openPage(
      '/teams/:id',
      counted('team', (id, request) => {
        const { before } = beforeReader.fromHttp({}, queryStringOf(request), undefined);
        return readTeamPage(call, context, id, readOutlook, before);
      }),
    );
    openPage(
      '/players/:id',
      counted('player', (id) => readPlayerPage(call, context, id)),
    );
    openPage('/leagues', async () => redirectTo(SEARCH_PATH));
    openPage('/leagues/:slug', league);
    open(SUGGESTIONS_PATH, (request) => {
      guard(request);
      return suggestions(request);
    });
  };
}

const FRAGMENT_HEADERS = [
  ...['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
];
