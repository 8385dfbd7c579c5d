import type { Router } from 'express';
import { badRequest } from '../../api/calls/api-errors.ts';
import type { OperationContext } from '../../api/calls/operation/operation.ts';
import { createPublicPageRoute } from '../../api/http/endpoints/public-pages.ts';
import type { Responder } from '../../api/http/responder.ts';
import { addRoute, queryStringOf } from '../../api/http/routed-request.ts';
import { findSport, SPORT_SLUGS, SPORTS, type Sport } from '../../domain/catalogue/catalogue.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import { QUOTED_MARKETS } from '../../intelligence/prices/quotes.ts';
import type { SitePages } from '../layout/navigation.ts';
import { RECORD_STYLE_ASSET, type RecordPageView, recordPage } from './record-page.ts';

interface RecordPageParts {
  readonly context: Pick<OperationContext, 'record'>;
  readonly responder: Responder;
  /** What the header links to; default: all pages. */
  readonly pages?: SitePages | undefined;
  readonly simulated: () => boolean;
}

const PATH = '/record';

/** The page at `/record`. It needs no key, because it shows only the server's own forecasts. */
export function recordRoutes({ context, responder, pages, simulated }: RecordPageParts): (router: Router) => void {
  const { record } = context;
  const rowsOf = (sport: Sport) =>
    Promise.all(QUOTED_MARKETS.map(async (market) => ({ market, rows: await record.rows(sport.slug, market) })));

  /** The requested sport, otherwise the first one with a record. */
  async function recordOf(slug: string | null): Promise<Pick<RecordPageView, 'sport' | 'markets'>> {
    const requested = slug === null ? undefined : findSport(slug);
    if (slug !== null && !requested) throw badRequest(`sport must be one of ${SPORT_SLUGS.join(', ')}`);
    try {
      for (const sport of requested ? [requested] : SPORTS) {
        const markets = await rowsOf(sport);
        if (requested || markets.some(({ rows }) => rows.length > 0)) return { sport, markets };
      }
      return { sport: SPORTS[0]!, markets: [] };
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      return { sport: requested ?? SPORTS[0]!, markets: undefined };
    }
  }

  const page = createPublicPageRoute(responder, async (request) => {
    const shown = await recordOf(new URLSearchParams(queryStringOf(request)).get('sport'));
    return recordPage({ ...shown, pages, isSimulated: simulated() });
  });
  return (router) => {
    addRoute(router, PATH, page);
    addRoute(
      router,
      RECORD_STYLE_ASSET.path,
      createPublicPageRoute(responder, () => RECORD_STYLE_ASSET.page),
    );
  };
}
