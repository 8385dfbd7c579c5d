import type { Router } from 'express';
import type { Observable } from 'rxjs';
import { z } from 'zod';
import { notFound } from '../../api/calls/errors.ts';
import type { FeedHealth, OperationContext } from '../../api/calls/operation.ts';
import { inputReader } from '../../api/calls/operation-input.ts';
import { VISITOR } from '../../api/calls/principal.ts';
import { type AroundPage, jsonPage, type OpenPage, openRoute, type Page } from '../../api/http/open-routes.ts';
import type { Responder } from '../../api/http/responder.ts';
import { addRoute, type RoutedRequest, searchOf } from '../../api/http/routed-request.ts';
import { getStats } from '../../api/operations/events/get-stats.ts';
import { asOfParameters, date, pathId, readAsOf } from '../../api/operations/parameters.ts';
import type { CacheSize } from '../../domain/cache-size.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import type { SetTimer } from '../../platform/time/timer.ts';
import type { CommittedChanges } from '../../read-models/projector/changes.ts';
import { boardJson, shownDay } from './board.ts';
import { createBoardCache } from './board-cache.ts';
import { boardChanges } from './board-changes.ts';
import { createBoardHub } from './board-hub.ts';
import { createBoardStreams } from './board-stream-route.ts';
import { readLines } from './event-lines.ts';
import type { EventStatistics, LiveFeed, LiveFeeds } from './live-answers.ts';
import { readLiveIntelligence } from './live-intelligence.ts';
import { readMoment } from './moment.ts';
import { createSiteGuard } from './own-site.ts';
import { type PageFiles, readPageFiles } from './page-files.ts';
import { plainPage } from './plain-page.ts';
import { readProbabilities } from './probability-story.ts';
import { createStories } from './story.ts';

export interface LivePageParts {
  /** LIVE_PAGE: without it there is a plain page at `/`, and nothing below `/live/`. */
  readonly isOn: boolean;
  /** GRADE_SHEET: the page leads to it. */
  readonly hasSheet: boolean;
  /** How the live connectors are; absent where there are none. */
  readonly feeds?: (() => readonly FeedHealth[]) | undefined;
  /** Where the server listens, as HOST has it. */
  readonly host: string;
  /** The public address, without a slash at its end. */
  readonly baseUrl: () => string;
  /** Adds to the page at `/` what is for its reader alone. */
  readonly telling?: AroundPage | undefined;
  /** What the operations read. */
  readonly context: Omit<OperationContext, 'principal' | 'call'>;
  /** Tells an event's story. */
  readonly log: Pick<EventLog, 'readStream'>;
  /** What the projections commit. */
  readonly changes: Observable<CommittedChanges>;
  readonly responder: Responder;
  /** Milliseconds of a clock that never goes back. */
  readonly steadyNow: () => number;
  readonly setTimer: SetTimer;
  /** From 0 to 1, without 1. */
  readonly random: () => number;
  readonly onError: (error: unknown) => void;
  /** With the page as the build has made it. Where there is none, a plain page stands at `/`. */
  readonly files: string;
  /** Pages that may be open at once; default 100. */
  readonly mostStreams?: number;
}

/** The page at `/` and what it reads. */
export interface LivePage {
  readonly mount: (router: Router) => void;
  /** Pages that are open. */
  readonly size: number;
  /** What open pages have not taken yet, in bytes. */
  readonly buffered: number;
  /** By name; none where the page is off. */
  readonly caches: Readonly<Record<string, () => CacheSize>>;
  /** Tells every open page to come back. Resolves when all have ended. */
  close(): Promise<void>;
}

const HEADERS = [
  ...['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
];

const day = inputReader({ input: { query: z.object({ date: date('A UTC date.') }) } });
const one = inputReader({
  input: { path: pathId('event'), query: z.object({ as_of: asOfParameters.as_of }) },
});

export function createLivePage(parts: LivePageParts): LivePage {
  const { isOn, hasSheet, responder, telling = (page) => page } = parts;
  const files = isOn ? readPageFiles(parts.files) : undefined;
  const marks = [...(hasSheet ? ['sheet'] : []), ...(parts.feeds ? ['feeds'] : [])];
  const index = files && marks.reduce(marked, files.index);
  const data = isOn ? liveData(parts) : undefined;
  const mount = (router: Router): void => {
    const open: Open = (path, page) => addRoute(router, path, openRoute(responder, page));
    open(
      '/',
      telling(() => index ?? plainPage(hasSheet)),
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

/** The page finds the mark, and shows what it stands for. */
const marked = (index: Page, mark: string): Page => ({
  ...index,
  body: index.body.replace('<html', `<html data-${mark}`),
});

function asset({ assets }: PageFiles, name: string): Page {
  const found = assets.get(name);
  if (!found) throw notFound(`There is no file ${JSON.stringify(name.slice(0, 100))}.`);
  return found;
}

type Open = (path: string, page: OpenPage) => void;

/** The routes without a key, and the stream. */
function liveData(parts: LivePageParts) {
  const { log, changes, responder, steadyNow, setTimer, random, onError, mostStreams, baseUrl } = parts;
  const context: OperationContext = { ...parts.context, principal: VISITOR, call: { requestId: 'live' } };
  const { store, now } = context;
  const guard = createSiteGuard(parts);
  const cache = createBoardCache(store, context.bookmakers);
  const stories = createStories(context, log);
  const hub = createBoardHub({ store, cache, now: steadyNow, setTimer, onError });
  const listening = boardChanges(changes).subscribe({
    next: (changed) => {
      cache.drop(changed.map(({ eventId }) => eventId));
      hub.take(changed);
    },
    error: onError,
  });
  const dayOf = (request: RoutedRequest): Promise<number> =>
    shownDay(store, day.fromHttp({}, searchOf(request), undefined).date, now());
  const streams = createBoardStreams({
    hub,
    responder,
    baseUrl,
    guard,
    dayOf,
    now,
    steadyNow,
    setTimer,
    random,
    mostStreams,
  });
  const json = (body: string): Page => ({ ...jsonPage(200, null, HEADERS), body });

  async function board(request: RoutedRequest): Promise<Page> {
    return json(await boardJson({ store, cache }, await dayOf(request), now()));
  }

  async function feeds(): Promise<Page> {
    const told = (parts.feeds?.() ?? []).map(
      ({ name, state, last_success_at, budget }): LiveFeed => ({
        ...{ name, state, last_success_at },
        budget: budget && { used: budget.used, limit: budget.limit },
      }),
    );
    return json(JSON.stringify({ feeds: told } satisfies LiveFeeds));
  }

  async function moment(request: RoutedRequest): Promise<Page> {
    const { id, as_of } = one.fromHttp(request.params, searchOf(request), undefined);
    const asOf = readAsOf({ as_of, as_of_basis: 'observed' }, now);
    return json(JSON.stringify(await readMoment(context, cache, id, asOf && { ...asOf, text: as_of })));
  }

  async function lines(request: RoutedRequest): Promise<Page> {
    const { id, as_of } = one.fromHttp(request.params, searchOf(request), undefined);
    const asOf = readAsOf({ as_of, as_of_basis: 'observed' }, now);
    return json(JSON.stringify(await readLines(context, id, asOf && { ...asOf, text: as_of })));
  }

  async function intelligence(request: RoutedRequest): Promise<Page> {
    const { id, as_of } = one.fromHttp(request.params, searchOf(request), undefined);
    const asOf = readAsOf({ as_of, as_of_basis: 'observed' }, now);
    return json(JSON.stringify(await readLiveIntelligence(context, id, asOf && { ...asOf, text: as_of })));
  }

  async function probabilities(request: RoutedRequest): Promise<Page> {
    const { id } = one.fromHttp(request.params, '', undefined);
    return json(JSON.stringify(await readProbabilities(context, id)));
  }

  async function statistics(request: RoutedRequest): Promise<Page> {
    const { id } = one.fromHttp(request.params, '', undefined);
    const answer: EventStatistics = await getStats.run({ id, as_of: undefined, as_of_basis: 'recorded' }, context);
    return json(JSON.stringify(answer));
  }

  async function story(request: RoutedRequest): Promise<Page> {
    const { id } = one.fromHttp(request.params, '', undefined);
    return json(await stories.json(id));
  }

  return {
    streams,
    caches: { board: () => cache.size },
    mount(router: Router, open: Open) {
      const guarded = (path: string, page: (request: RoutedRequest) => Promise<Page>) =>
        open(path, (request) => {
          guard(request);
          return page(request);
        });
      guarded('/live/board', board);
      guarded('/live/feeds', feeds);
      guarded('/live/events/:id', moment);
      guarded('/live/events/:id/story', story);
      guarded('/live/events/:id/lines', lines);
      guarded('/live/events/:id/stats', statistics);
      guarded('/live/events/:id/intelligence', intelligence);
      guarded('/live/events/:id/probabilities', probabilities);
      addRoute(router, '/live/stream', streams.handler);
    },
    async close() {
      listening.unsubscribe();
      await streams.close();
      hub.close();
    },
  };
}
