import type { Router } from 'express';
import type { Observable } from 'rxjs';
import { z } from 'zod';
import { notFound } from '../../api/calls/api-errors.ts';
import type { FeedAges } from '../../api/calls/feed-age.ts';
import type { FeedHealth, OperationContext } from '../../api/calls/operation/operation.ts';
import { createInputReader } from '../../api/calls/operation/operation-input.ts';
import { resolveThingIds } from '../../api/calls/operation/thing-ids.ts';
import { ANONYMOUS_PRINCIPAL } from '../../api/calls/principal.ts';
import {
  createPublicPageRoute,
  jsonPage,
  type PageHandler,
  type PageResponse,
  type PageWrapper,
} from '../../api/http/endpoints/public-pages.ts';
import type { UnauthenticatedLimits } from '../../api/http/requests/unauthenticated-limits.ts';
import { mergedIntoHeaders, type Responder } from '../../api/http/responder.ts';
import { addRoute, queryStringOf, type RoutedRequest } from '../../api/http/routed-request.ts';
import { getStats } from '../../api/operations/events/get-stats.ts';
import { asOfParameters, date, eventPath, readAsOf } from '../../api/operations/shared/parameters.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { BackgroundWork } from '../../platform/async/background-work.ts';
import { createSharedRuns } from '../../platform/async/shared-runs.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { DocumentChanges } from '../../read-models/projector/document-changes.ts';
import type { SitePages } from '../layout/navigation.ts';
import type { EventStatistics } from './answers/live-page-answers.ts';
import { readLiveFeeds } from './answers/live-page-feeds.ts';
import { createBoardCache } from './board/board-cache.ts';
import { toBoardChanges } from './board/board-changes.ts';
import { createBoardHub } from './board/board-hub.ts';
import { createBoardStreams } from './board/board-streams.ts';
import { renderDayBoard, resolveDay } from './board/day-board.ts';
import { createKeptAnswers } from './event/kept-answers.ts';
import { type RequestedAsOf, readEventIntelligence, readEventLines, readEventSnapshot } from './event/live-event.ts';
import { readProbabilityHistory } from './event/probability-history.ts';
import { createStoryCache } from './event/story-cache.ts';
import { createOddsRoutes } from './odds/odds-routes.ts';
import { createOddsScreens } from './odds/odds-screens.ts';
import { readScreenMarket } from './odds/read-screen-view.ts';
import type { ReaderBooks } from './odds/reader-books.ts';
import { inLayout, oddsFilesOf, type PageFiles, plainPage, readPageFiles } from './page-files.ts';
import { createSameSiteGuard } from './same-site-guard.ts';

export interface LivePageParts {
  /** LIVE_PAGE: if off, a plain page stands at `/`, and nothing below `/live/`. */
  readonly isOn: boolean;
  /** What the header links to. */
  readonly pages: SitePages;
  /** The state of the live connectors; absent if this process has none. */
  readonly feeds?: (() => readonly FeedHealth[]) | undefined;
  /** How old the feeds are, whichever process polls; absent if none does. */
  readonly feedAges?: FeedAges | undefined;
  /** The address that the server listens on, as in HOST. */
  readonly host: string;
  /** The public address without a trailing slash. */
  readonly baseUrl: () => string;
  /** The books of whoever reads the odds screen; absent: this server has no accounts. */
  readonly readerBooks?: ReaderBooks | undefined;
  /** Adds the reader's flash message to the page at `/`. */
  readonly withFlash?: PageWrapper | undefined;
  /** What the operations read. */
  readonly context: Omit<OperationContext, 'principal' | 'call'>;
  /** Source of the stories. */
  readonly log: Pick<EventLog, 'readStream' | 'replacements'>;
  /** Commits of the projections. */
  readonly changes: Observable<DocumentChanges>;
  readonly responder: Responder;
  /** Milliseconds of a monotonic clock. */
  readonly steadyNow: () => number;
  readonly setTimer: SetTimer;
  /** From 0 (included) to 1 (excluded). */
  readonly random: () => number;
  readonly onError: (error: unknown) => void;
  /** Counts an answer from the history of an event. Absent: any number may be made. */
  readonly admitFold?: UnauthenticatedLimits['admitFold'] | undefined;
  /** Gives way to requests of the page; absent: nothing does. */
  readonly background?: Pick<BackgroundWork, 'requestStarted' | 'requestEnded'> | undefined;
  /** The folder of the built page. If there is none, a plain page stands at `/`. */
  readonly files: string;
  /** Maximum of open pages; default 100. */
  readonly maxStreams?: number;
}

/** The page at `/` and the data that it loads. */
export interface LivePage {
  readonly mount: (router: Router) => void;
  /** Open pages. */
  readonly size: number;
  /** Bytes that open pages have not received yet. */
  readonly buffered: number;
  /** By name; empty if the page is off. */
  readonly caches: Readonly<Record<string, () => CacheSize>>;
  /** Asks every open page to reconnect. Resolves when all streams have ended. */
  close(): Promise<void>;
}

const HEADERS = [
  ...['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
];

const dateReader = createInputReader({ input: { query: z.object({ date: date('A UTC date.') }) } });
/** The page always asks as of a time of observation. */
const as_of_basis = z.literal('observed').default('observed');
const eventInput = { path: eventPath(), query: z.object({ as_of: asOfParameters.as_of, as_of_basis }) };
const eventReader = createInputReader({ input: eventInput });

export function createLivePage(parts: LivePageParts): LivePage {
  const { isOn, pages, responder, withFlash = (page) => page } = parts;
  const files = isOn ? readPageFiles(parts.files) : undefined;
  const marks = parts.feeds || parts.feedAges ? ['feeds'] : [];
  const index = files && marks.reduce(withDataAttribute, inLayout(files.index, pages));
  const data = isOn ? createLiveRoutes(parts, files) : undefined;
  const mount = (router: Router): void => {
    const open: Open = (path, page) => addRoute(router, path, createPublicPageRoute(responder, page));
    open(
      '/',
      withFlash(() => index ?? plainPage(pages)),
    );
    if (files) open('/live/assets/:name', (request) => asset(files, request.params['name']!));
    data?.mount(router, open);
  };
  return {
    mount,
    get size() {
      return data?.streams.size ?? 0;
    },
    get buffered() {
      return data?.streams.buffered ?? 0;
    },
    caches: data?.caches ?? {},
    close: async () => data?.close(),
  };
}

/** The page reads the attribute, and shows the matching part. */
const withDataAttribute = (index: PageResponse, mark: string): PageResponse => ({
  ...index,
  body: index.body.replace('<html', `<html data-${mark}`),
});

function asset({ assets }: PageFiles, name: string): PageResponse {
  const found = assets.get(name);
  if (!found) throw notFound(`There is no file ${JSON.stringify(name.slice(0, 100))}.`);
  return found;
}

type Open = (path: string, page: PageHandler) => void;

/** The routes without a key, and the stream. */
function createLiveRoutes(parts: LivePageParts, files: PageFiles | undefined) {
  const { log, changes, responder, steadyNow, setTimer, random, onError, maxStreams, baseUrl, background } = parts;
  const context: OperationContext = { ...parts.context, principal: ANONYMOUS_PRINCIPAL, call: { requestId: 'live' } };
  const { store, now } = context;
  const guard = createSameSiteGuard(parts);
  const cache = createBoardCache(store, context.bookmakers);
  const screens = createOddsScreens({ store, bookmakers: context.bookmakers, now, steadyNow, setTimer, onError });
  const stories = createStoryCache(context, log);
  const answers = createKeptAnswers(log);
  const hub = createBoardHub({ name: 'board', store, cache, now: steadyNow, setTimer, onError });
  const listening = toBoardChanges(changes).subscribe({
    next: (changed) => {
      cache.invalidate(changed.map(({ eventId }) => eventId));
      hub.applyChanges(changed);
      screens.applyChanges(changed);
    },
    error: onError,
  });
  const odds = createOddsRoutes({
    context,
    screens,
    pages: parts.pages,
    files: oddsFilesOf(files),
    baseUrl,
    readerBooks: parts.readerBooks,
  });
  const dayOf = (request: RoutedRequest): Promise<number> =>
    resolveDay(store, dateReader.fromHttp({}, queryStringOf(request), undefined).date, now());
  const hubOf = (request: RoutedRequest) => {
    const market = new URLSearchParams(queryStringOf(request)).get('odds');
    return market === null ? hub : screens.of(readScreenMarket(market)).hub;
  };
  const streams = createBoardStreams({
    hubOf,
    responder,
    baseUrl,
    guard,
    dayOf,
    now,
    steadyNow,
    setTimer,
    random,
    maxStreams,
  });
  const json = (body: string, headers: readonly string[] = []): PageResponse => ({
    ...jsonPage(200, null, [...HEADERS, ...headers]),
    body,
  });

  async function board(request: RoutedRequest): Promise<PageResponse> {
    return json(await renderDayBoard({ store, cache }, await dayOf(request), now()));
  }

  const feeds = async (): Promise<PageResponse> => json(JSON.stringify(readLiveFeeds(parts)));

  /** What is asked of an event, under the id that it has now. */
  function readEventRequest(request: RoutedRequest, search: string) {
    const given = eventReader.fromHttp(request.params, search, undefined);
    const { input, mergedInto } = resolveThingIds(eventInput, given, context.replacements);
    return { ...(input as typeof given), headers: mergedIntoHeaders(mergedInto) };
  }

  const admitFold = (request: RoutedRequest) => () => {
    const refusal = parts.admitFold?.(request);
    if (refusal) throw refusal;
  };

  /** A route about one event, made from its history. */
  function eventRoute(name: string, make: (id: number) => Promise<string>) {
    return async (request: RoutedRequest): Promise<PageResponse> => {
      const { id: eventId, headers } = readEventRequest(request, '');
      const question = { name: `${name} ${eventId}`, eventId, admit: admitFold(request), isTimeless: false };
      return json(await answers.answer({ ...question, make: () => make(eventId) }), headers);
    };
  }

  /** @param isTimeless whether an answer as of a moment depends on the event's own records alone */
  function asOfRoute(
    name: string,
    read: (id: number, asOf: RequestedAsOf | undefined) => Promise<unknown>,
    { isTimeless = false, foldsNow = true } = {},
  ) {
    const shared = createSharedRuns<number, string>();
    return async (request: RoutedRequest): Promise<PageResponse> => {
      const { id: eventId, as_of, as_of_basis, headers } = readEventRequest(request, queryStringOf(request));
      const asOf = readAsOf({ as_of, as_of_basis }, now);
      const make = async () => JSON.stringify(await read(eventId, asOf && { ...asOf, text: as_of }));
      if (!asOf && !foldsNow) return json(await shared.run(eventId, make), headers);
      const question = { name: `${name} ${eventId} ${as_of}`, eventId, admit: admitFold(request), make };
      return json(await answers.answer({ ...question, isTimeless: isTimeless && asOf !== undefined }), headers);
    };
  }

  async function statistics(id: number): Promise<string> {
    const answer: EventStatistics = await getStats.run({ id, as_of: undefined, as_of_basis: 'recorded' }, context);
    return JSON.stringify(answer);
  }

  return {
    streams,
    caches: { board: () => cache.size, 'odds-screen': () => screens.size, 'kept-answers': () => answers.size },
    mount(router: Router, open: Open) {
      const guarded = (
        path: string,
        page: (request: RoutedRequest) => Promise<PageResponse>,
        guardOf: (request: RoutedRequest) => void = guard,
      ) =>
        open(path, async (request) => {
          guardOf(request);
          background?.requestStarted();
          try {
            return await page(request);
          } finally {
            background?.requestEnded();
          }
        });
      guarded('/live/board', board);
      guarded('/live/odds', odds.data);
      guarded('/odds', odds.page, guard.ofPage);
      guarded('/odds/history', odds.history, guard.ofPage);
      guarded('/live/feeds', feeds);
      guarded(
        '/live/events/:id',
        asOfRoute('snapshot', (id, asOf) => readEventSnapshot(context, cache, id, asOf), {
          isTimeless: true,
          foldsNow: false,
        }),
      );
      guarded('/live/events/:id/story', eventRoute('story', stories.readJson));
      guarded(
        '/live/events/:id/lines',
        asOfRoute('lines', (id, asOf) => readEventLines(context, id, asOf)),
      );
      guarded('/live/events/:id/stats', eventRoute('stats', statistics));
      guarded(
        '/live/events/:id/intelligence',
        asOfRoute('intelligence', (id, asOf) => readEventIntelligence(context, id, asOf)),
      );
      guarded(
        '/live/events/:id/probabilities',
        eventRoute('probabilities', async (id) => JSON.stringify(await readProbabilityHistory(context, id))),
      );
      addRoute(router, '/live/stream', streams.handler);
    },
    async close() {
      listening.unsubscribe();
      await streams.close();
      hub.close();
      screens.close();
    },
  };
}
