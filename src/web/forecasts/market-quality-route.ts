import { LRUCache } from 'lru-cache';
import { createInputReader } from '../../api/calls/operation/operation-input.ts';
import { createPublicPageRoute, type PageResponse } from '../../api/http/endpoints/public-pages.ts';
import { queryStringOf, type RoutedRequest } from '../../api/http/routed-request.ts';
import { getMarketQuality } from '../../api/operations/intelligence/get-market-quality.ts';
import { findLeague, SPORTS } from '../../domain/catalogue/catalogue.ts';
import { MINUTE } from '../../domain/primitives/time.ts';
import { createSharedRuns } from '../../platform/async/shared-runs.ts';
import { createKeylessCalls, keylessContext } from '../browse/keyless-calls.ts';
import { publicPage } from '../layout/site-page.ts';
import type { ForecastsPageParts } from './forecasts-page-parts.ts';
import { marketQualityPage } from './market-quality-page.ts';

/** An answer is as old as this at most, in milliseconds, and so many are kept. */
const MAX_AGE = MINUTE;
const MAX_KEPT = 100;

type Quality = Awaited<ReturnType<typeof getMarketQuality.run>>;

/** The page at `/forecasts/markets`. It needs no key, because it shows measures of prices, and no price. */
export function marketQualityRoute(parts: ForecastsPageParts) {
  const { pages, simulated, pace, responder } = parts;
  const context = keylessContext(parts.context);
  const call = createKeylessCalls(context);
  const reader = createInputReader({ input: getMarketQuality.input });
  const shared = createSharedRuns<string, Quality>();
  const kept = new LRUCache<string, Quality>({ max: MAX_KEPT, ttl: MAX_AGE, ttlResolution: 0, perf: pace });
  const fallback = SPORTS[0]!.leagues[0]!.slug;

  async function read(question: Readonly<Record<string, unknown>>, request: RoutedRequest): Promise<Quality> {
    const name = JSON.stringify(question);
    const known = kept.get(name);
    if (known) return known;
    return shared.run(name, async () => {
      const refusal = parts.admitFold?.(request);
      if (refusal) throw refusal;
      const answer = await call(getMarketQuality, question);
      kept.set(name, answer);
      return answer;
    });
  }

  async function page(request: RoutedRequest): Promise<PageResponse> {
    const asked = queryStringOf(request);
    // Without a league it shows the first one.
    const text = /(?:^|&)league=/.test(asked) ? asked : `${asked}${asked && '&'}league=${fallback}`;
    const { league, market, days } = reader.fromHttp({}, text, undefined);
    const quality = await read({ league, market, days }, request);
    return publicPage(
      marketQualityPage({
        league: findLeague(league)!,
        quality,
        nameOf: context.bookmakers.nameOf,
        pages,
        isSimulated: simulated(),
      }),
    );
  }
  return createPublicPageRoute(responder, page);
}
