import type { Router } from 'express';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { badRequest } from '../../api/calls/api-errors.ts';
import { createInputReader } from '../../api/calls/operation/operation-input.ts';
import { createPublicPageRoute, type PageResponse } from '../../api/http/endpoints/public-pages.ts';
import { addRoute, queryStringOf, type RoutedRequest } from '../../api/http/routed-request.ts';
import { date, eventCursor, oneOf, readDate, text } from '../../api/operations/shared/parameters.ts';
import { findSport, SPORT_SLUGS, SPORTS, type Sport } from '../../domain/catalogue/catalogue.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import { DAY, formatDate, SECOND } from '../../domain/primitives/time.ts';
import { QUOTED_MARKETS } from '../../intelligence/prices/quotes.ts';
import { createSharedRuns } from '../../platform/async/shared-runs.ts';
import { createKeylessCalls, keylessContext } from '../browse/keyless-calls.ts';
import { nearestStart } from '../browse/shared/nearest-start.ts';
import { type Html, html } from '../layout/html.ts';
import { publicPage } from '../layout/site-page.ts';
import type { MarketWorth } from '../record/record-section.ts';
import { nameOfSport } from '../record/record-section.ts';
import { type DayQuestion, readDayForecasts } from './day-forecasts.ts';
import { dayTables, noGames } from './day-table.ts';
import {
  dayText,
  FORECASTS_PATH,
  FORECASTS_STYLE_ASSET,
  type ForecastsPageView,
  forecastsPage,
  linkTo,
} from './forecasts-page.ts';
import type { ForecastsPageParts } from './forecasts-page-parts.ts';
import { MARKET_QUALITY_PATH } from './market-quality-page.ts';
import { marketQualityRoute } from './market-quality-route.ts';

/** Where the record stood before it had the forecasts above it. */
const FORMER_PATH = '/record';

const input = {
  query: z.object({
    sport: text('Sport slug.').optional(),
    league: text('League slug.').optional(),
    date: date('A UTC date; today unless given.'),
    sort: oneOf('Order.', ['status', 'time']).default('status'),
    after: eventCursor,
  }),
};

/** A day's tables are as old as this at most, in milliseconds, and so many are kept. */
const MAX_AGE = 15 * SECOND;
const MAX_KEPT = 100;
/** How long the page waits for a record that is being counted. */
const RECORD_TIMEOUT = SECOND;

type DayOfPage = Pick<ForecastsPageView, 'games' | 'more'>;

/** The page at `/forecasts`. It needs no key, because it shows only the server's own forecasts, and no prices. */
export function forecastsRoutes(parts: ForecastsPageParts): (router: Router) => void {
  const { responder, pages, simulated, pace } = parts;
  const context = keylessContext(parts.context);
  const call = createKeylessCalls(context);
  const { record, now } = context;
  const reader = createInputReader({ input });
  const shared = createSharedRuns<string, DayOfPage>();
  const kept = new LRUCache<string, DayOfPage>({ max: MAX_KEPT, ttl: MAX_AGE, ttlResolution: 0, perf: pace });

  async function worthOf(sport: Sport): Promise<readonly MarketWorth[] | undefined> {
    const markets = Promise.all(
      QUOTED_MARKETS.map(async (market) => ({
        market,
        rows: await record.rows(sport.slug, market),
        months: await record.months(sport.slug, market),
      })),
    ).catch((error: unknown) => {
      if (error instanceof UnavailableError) return undefined;
      throw error;
    });
    let cancel = (): void => {};
    const late = new Promise<undefined>((resolve) => {
      cancel = pace.setTimer(() => resolve(undefined), RECORD_TIMEOUT);
    });
    return Promise.race([markets, late]).finally(() => cancel());
  }

  /** The requested sport, otherwise the first one with a record. */
  async function sportOf(slug: string | undefined): Promise<{ sport: Sport; markets: ForecastsPageView['markets'] }> {
    const requested = slug === undefined ? undefined : findSport(slug);
    if (slug !== undefined && !requested) throw badRequest(`sport must be one of ${SPORT_SLUGS.join(', ')}`);
    const first = requested ?? SPORTS[0]!;
    const markets = await worthOf(first);
    if (requested || !markets) return { sport: first, markets };
    for (const sport of SPORTS) {
      const worth = await worthOf(sport);
      if (worth?.some(({ rows }) => rows.length > 0)) return { sport, markets: worth };
    }
    return { sport: first, markets };
  }

  async function dayOf(sport: Sport, question: DayQuestion, request: RoutedRequest): Promise<DayOfPage> {
    const name = JSON.stringify(question);
    const known = kept.get(name);
    if (known) return known;
    return shared.run(name, async () => {
      const again = kept.get(name);
      if (again) return again;
      const day = await readDayForecasts(call, question, () => {
        const refusal = parts.admitFold?.(request);
        if (refusal) throw refusal;
      });
      const { league, date: shownDate } = question;
      const found = sport.leagues.find(({ slug }) => slug === league)?.name ?? nameOfSport(sport);
      const games: Html =
        day.games.length === 0 ? noGames(found, await nearestDays(question)) : dayTables(sport, shownDate, day);
      const shown = { games, more: moreOf(question, day) };
      kept.set(name, shown);
      return shown;
    });
  }

  /** Links to the last day with games before that of the question, and to the next one after it. */
  async function nearestDays({ sport, league, date: day }: DayQuestion): Promise<Html[]> {
    const where: Record<string, string> = league === undefined ? { sport } : { league };
    const begin = readDate('date', day);
    const found = await Promise.all([
      nearestStart(context, where, 'before', begin),
      nearestStart(context, where, 'from', begin + DAY),
    ]);
    return found.flatMap((start) => {
      if (start === undefined) return [];
      const to = formatDate(start);
      const link = linkTo({ sport, ...(league !== undefined && { league }), date: to });
      return [html`<a href="${link}">${dayText(to)}</a>`];
    });
  }

  async function page(request: RoutedRequest): Promise<PageResponse> {
    const query = reader.fromHttp({}, queryStringOf(request), undefined);
    const today = formatDate(now());
    const shownDate = query.date === undefined ? today : formatDate(readDate('date', query.date));
    const { sport, markets } = await sportOf(query.sport);
    const { league, sort, after } = query;
    const day = await dayOf(sport, { sport: sport.slug, league, date: shownDate, sort, after }, request);
    const body = forecastsPage({
      ...{ sport, league, date: shownDate, today, markets, pages, ...day },
      isSimulated: simulated(),
    });
    return publicPage(body);
  }

  function former(request: RoutedRequest): PageResponse {
    const query = queryStringOf(request);
    const to = `${FORECASTS_PATH}${query === '' ? '' : `?${query}`}#record`;
    return { status: 308, type: 'text/plain; charset=utf-8', body: `See ${to}\n`, headers: ['Location', to] };
  }

  return (router) => {
    addRoute(router, FORECASTS_PATH, createPublicPageRoute(responder, page));
    addRoute(router, MARKET_QUALITY_PATH, marketQualityRoute(parts));
    addRoute(router, FORMER_PATH, createPublicPageRoute(responder, former));
    addRoute(
      router,
      FORECASTS_STYLE_ASSET.path,
      createPublicPageRoute(responder, () => FORECASTS_STYLE_ASSET.page),
    );
  };
}

/** The query of the page after this one; undefined if it holds all games. */
function moreOf(
  { sport, league, date: day, sort }: DayQuestion,
  { nextAfter, isCut }: Awaited<ReturnType<typeof readDayForecasts>>,
): string | undefined {
  if (sort === 'time' ? nextAfter === null : !isCut) return undefined;
  const query = new URLSearchParams({ sport, ...(league !== undefined && { league }), date: day, sort: 'time' });
  if (nextAfter !== null) query.set('after', String(nextAfter));
  return query.toString();
}
