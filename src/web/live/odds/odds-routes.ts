import { z } from 'zod';
import { ApiError, badRequest, notFound } from '../../../api/calls/api-errors.ts';
import type { OperationContext } from '../../../api/calls/operation/operation.ts';
import { createInputReader } from '../../../api/calls/operation/operation-input.ts';
import { jsonPage, type PageResponse } from '../../../api/http/endpoints/public-pages.ts';
import { queryStringOf, type RoutedRequest } from '../../../api/http/routed-request.ts';
import { getOddsHistory } from '../../../api/operations/odds/get-odds-history.ts';
import { date } from '../../../api/operations/shared/parameters.ts';
import { readEvent } from '../../../api/operations/shared/read-documents.ts';
import { formatDate, formatTime } from '../../../domain/primitives/time.ts';
import type { SitePages } from '../../layout/navigation.ts';
import { createPageCookies } from '../../layout/page-cookies.ts';
import type { OddsRow, OddsScreen, ScreenMarket } from '../answers/odds-screen-answers.ts';
import { compareEntries, eventsOfDay, neighboursOf, resolveDay } from '../board/day-board.ts';
import type { ScreenColumn } from '../page/view-model/odds-screen/row-html.ts';
import { DEFAULT_VIEW, type ScreenView, viewPath, viewQuery } from '../page/view-model/odds-screen/screen-view.ts';
import { oddsHistoryPage } from './odds-history-page.ts';
import { type OddsPageFiles, oddsPage } from './odds-page.ts';
import { movedMarketOf } from './odds-row.ts';
import type { OddsScreens } from './odds-screens.ts';
import { readScreenMarket, readScreenView } from './read-screen-view.ts';
import type { ReaderBooks } from './reader-books.ts';

interface OddsRoutesParts {
  readonly context: OperationContext;
  readonly screens: OddsScreens;
  readonly pages: SitePages;
  readonly files: OddsPageFiles;
  /** The public address. */
  readonly baseUrl: () => string;
  /** Absent: this server has no accounts. */
  readonly readerBooks?: ReaderBooks | undefined;
}

type Route = (request: RoutedRequest) => Promise<PageResponse>;

/** More rows than a screen can be read of; with a league there are fewer. */
const MAX_ROWS = 150;
/** The cookie with the league, the bookmakers and the market that were chosen last. */
const REMEMBERED = 'odds_view';
const REMEMBER_SECONDS = 365 * 24 * 3600;

const screenReader = createInputReader({
  input: {
    query: z.object({ date: date('A UTC date.'), market: z.string().optional(), league: z.string().optional() }),
  },
});

/** The odds screen and the history of a price, and the data of the screen. */
export function createOddsRoutes({ context, screens, pages, files, baseUrl, readerBooks }: OddsRoutesParts): {
  readonly page: Route;
  readonly history: Route;
  readonly data: Route;
} {
  const { store, now, bookmakers } = context;
  const cookies = createPageCookies(baseUrl);

  /** The rows of a day, with and without prices. */
  async function readRows(day: number, market: ScreenMarket, league: string | null) {
    const ids = await eventsOfDay(store, day, league);
    const entries = await screens.of(market).cache.read(ids);
    return [...entries.values()].sort(compareEntries);
  }

  async function data(request: RoutedRequest): Promise<PageResponse> {
    const asked = screenReader.fromHttp({}, queryStringOf(request), undefined);
    const market = readScreenMarket(asked.market ?? null);
    const day = await resolveDay(store, asked.date, now(), asked.league ?? null);
    const generated_at = formatTime(now());
    const entries = await readRows(day, market, asked.league ?? null);
    const head: Omit<OddsScreen, 'events'> = { date: formatDate(day), market, generated_at };
    const { headers } = jsonPage(200, null);
    return {
      ...jsonPage(200, null, [...headers!, 'Cross-Origin-Resource-Policy', 'same-origin']),
      // The cache has the JSON of each event.
      body: `${JSON.stringify(head).slice(0, -1)},"events":[${entries.map(({ json }) => json).join(',')}]}`,
    };
  }

  async function page(request: RoutedRequest): Promise<PageResponse> {
    const search = queryStringOf(request);
    const remembered = cookies.read(request, REMEMBERED);
    if (search === '' && remembered !== undefined) {
      const view = readRemembered(remembered);
      if (view && viewQuery(view) !== viewQuery(DEFAULT_VIEW)) return redirect(viewPath(view));
    }
    const view = readScreenView(search);
    // A form sends each ticked bookmaker under the same name.
    if (new URLSearchParams(search).getAll('books').length > 1) return redirect(viewPath(view));
    const mine = (await readerBooks?.(request)) ?? null;
    // Of somebody else's link, or after signing out: the address says what is shown.
    if (view.isMine && mine === null) return redirect(viewPath({ ...view, isMine: false }));
    const answer = await render(view.isMine ? { ...view, books: mine! } : view, mine !== null);
    const kept = viewQuery({ ...view, date: null });
    if (search === '' || kept === remembered) return answer;
    const cookie = ['Set-Cookie', cookies.write(REMEMBERED, kept, REMEMBER_SECONDS)];
    return { ...answer, headers: [...answer.headers!, ...cookie] };
  }

  async function render(view: ScreenView, hasMyBooks: boolean): Promise<PageResponse> {
    const { league, market } = view;
    const day = await resolveDay(store, view.date ?? undefined, now(), league);
    const [entries, { previous, next }] = await Promise.all([
      readRows(day, market, league),
      neighboursOf(store, day, league),
    ]);
    const priced = entries.filter(({ event }) => event.books.length > 0);
    // The page shows no positions.
    const rows = priced.slice(0, MAX_ROWS).map(({ event }): OddsRow => ({ ...event, position: '0' }));
    return oddsPage(
      {
        view,
        hasMyBooks,
        day: { date: formatDate(day), previous, next },
        rows,
        withoutPrices: entries.length - priced.length,
        leftOut: priced.length - rows.length,
        hasEvents: entries.length > 0 || previous !== null || next !== null,
        bookmakers: bookmakersOf(rows, bookmakers.compare),
        nameOf: bookmakers.nameOf,
        now: now(),
      },
      pages,
      files,
    );
  }

  async function history(request: RoutedRequest): Promise<PageResponse> {
    const query = new URLSearchParams(queryStringOf(request));
    const id = Number(/^\d{1,15}$/.exec(query.get('event') ?? '')?.[0]);
    const slug = query.get('book') ?? '';
    if (!Number.isSafeInteger(id)) throw badRequest('event must be the id of an event');
    if (slug === '' || slug.length > 64) throw badRequest('book must be the slug of a bookmaker');
    const market = readScreenMarket(query.get('market'));
    await readEvent(context, id);
    const entry = (await screens.of(market).cache.read([id])).get(id);
    if (!entry) throw notFound(`There is no event ${id}.`);
    const moved = movedMarketOf(market, entry.event.sport);
    return oddsHistoryPage(
      {
        row: { ...entry.event, position: '0' },
        book: { slug, name: bookmakers.nameOf(slug) },
        market,
        movements:
          moved === null ? [] : (await readMovements(id, slug)).filter(({ market_key }) => market_key === moved),
        format: query.get('format') === 'decimal' ? 'decimal' : 'american',
        now: now(),
      },
      pages,
      files,
    );
  }

  /** The API answers not_found if nothing has moved. */
  async function readMovements(id: number, bookmaker: string) {
    try {
      const input = { id, bookmaker, limit: 200, as_of: undefined, as_of_basis: 'recorded' } as const;
      return (await getOddsHistory.run(input, context)).movements;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') return [];
      throw error;
    }
  }

  return { page, history, data };
}

function readRemembered(value: string): ScreenView | undefined {
  try {
    return readScreenView(value);
  } catch {
    // What another version has remembered.
    return undefined;
  }
}

const redirect = (to: string): PageResponse => ({
  status: 303,
  type: 'text/plain; charset=utf-8',
  body: '',
  headers: ['Location', to, 'Cache-Control', 'no-store'],
});

function bookmakersOf(rows: readonly OddsRow[], compare: (a: string, b: string) => number): ScreenColumn[] {
  const names = new Map(rows.flatMap(({ books }) => books.map(({ slug, name }) => [slug, name] as const)));
  return [...names].map(([slug, name]) => ({ slug, name })).sort((a, b) => compare(a.slug, b.slug));
}
