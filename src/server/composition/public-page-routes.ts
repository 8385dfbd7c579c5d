import type { Router } from 'express';
import type { Operation } from '../../api/calls/operation/operation.ts';
import { oddsApiErrorPages } from '../../api/compat/odds-api-errors.ts';
import type { PageWrapper } from '../../api/http/endpoints/public-pages.ts';
import type { UnauthenticatedLimits } from '../../api/http/requests/unauthenticated-limits.ts';
import type { Responder } from '../../api/http/responder.ts';
import type { DocumentationPage } from '../../api/mcp/modern/resources.ts';
import { type BrowsePartsOfServer, browseRoutes } from '../../web/browse/browse-routes.ts';
import { BUILT_CLIENTS } from '../../web/clients/client-files.ts';
import { clientRoutes } from '../../web/clients/client-routes.ts';
import { docsRoutes } from '../../web/docs/docs-routes.ts';
import { forecastsRoutes } from '../../web/forecasts/forecasts-routes.ts';
import { gradingRoutes } from '../../web/grade/grading-routes.ts';
import type { SitePages } from '../../web/layout/navigation.ts';
import { BUILT_PAGE } from '../../web/live/page-files.ts';
import { sealRoutes } from '../../web/record/seal-routes.ts';
import type { ServerParts } from './server-parts.ts';

interface PublicPageParts
  extends Pick<
    ServerParts,
    'ports' | 'settings' | 'secrets' | 'replacements' | 'environment' | 'baseUrl' | 'simulated'
  > {
  readonly responder: Responder;
  readonly operations: readonly Operation[];
  readonly documentation: readonly DocumentationPage[];
  readonly pages: SitePages;
  readonly context: BrowsePartsOfServer['context'];
  /** The same, in which every bookmaker has a name in words. */
  readonly pageContext: BrowsePartsOfServer['context'];
  readonly withFlash: PageWrapper;
  readonly admitFold: UnauthenticatedLimits['admitFold'];
}

/** The routes of all pages that need no account, but for the live page. */
export function publicPageRoutes(parts: PublicPageParts): readonly ((router: Router) => void)[] {
  const { ports, settings, secrets, replacements: given = {}, environment, responder, baseUrl, simulated } = parts;
  const { operations, documentation, pages, context, pageContext, withFlash, admitFold } = parts;
  const { version, pace } = environment;
  const { log } = ports;
  return [
    clientRoutes({ responder, baseUrl, version, files: given.clientFiles ?? BUILT_CLIENTS, withFlash, pages }),
    docsRoutes({
      ...{ operations, responder, baseUrl, version, documentation, withFlash, pages },
      compatibilityErrors: oddsApiErrorPages,
    }),
    browseRoutes({
      isOn: settings.livePage,
      host: settings.host,
      files: given.page?.files ?? BUILT_PAGE,
      context: pageContext,
      ...{ pages, baseUrl, log, responder, simulated, admitFold },
    }),
    gradingRoutes({
      isOn: settings.gradeSheet,
      grades: ports.gradeCounter,
      pepper: secrets.pepper,
      trustProxy: settings.trustProxy,
      steadyNow: pace.now,
      ...{ context, responder, simulated, pages },
      ...given.gradingPage,
    }),
    forecastsRoutes({ context: pageContext, responder, pages, simulated, admitFold, pace }),
    sealRoutes({ log, responder, admitFold }),
  ];
}
