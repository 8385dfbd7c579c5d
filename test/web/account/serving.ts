import { createServer } from 'node:http';
import { Router } from 'express';
import type { People } from '../../../src/accounts/users/people.ts';
import type { NewSecurityEvent } from '../../../src/accounts/users/security-log.ts';
import { createResponder } from '../../../src/api/http/responder.ts';
import { siteCookies } from '../../../src/web/account/cookies.ts';
import { createSite } from '../../../src/web/account/site-routes.ts';
import type { SiteRoute } from '../../../src/web/account/visit.ts';
import { listenBelow32768 } from '../../api/http/listening.ts';
import { countedBytes } from '../../support/composed.ts';

export const SITE_URL = 'http://sports.example';

/** These pages on a port, with the kernel that ships around them. */
export async function servePages(routes: readonly SiteRoute[], people: Pick<People, 'session'>, baseUrl = SITE_URL) {
  const noted: NewSecurityEvent[] = [];
  const failures: unknown[] = [];
  const responder = createResponder({
    ...{ baseUrl: () => baseUrl, newRequestId: () => 'made' },
    log: { error: (fields) => void failures.push(fields) },
  });
  const site = createSite({
    ...{ routes, assets: [], people, responder, secret: 'secret', trustProxy: [], baseUrl: () => baseUrl },
    security: { note: async (event) => void noted.push(event) },
    cookies: siteCookies(() => baseUrl),
    randomBytes: countedBytes(),
    simulated: () => false,
  });
  const router = Router({ caseSensitive: true, strict: true });
  site.mount(router);
  const server = createServer((request, response) => router(request as never, response as never, () => response.end()));
  const port = await listenBelow32768(server);
  return {
    url: `http://127.0.0.1:${port}`,
    ...{ noted, failures },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
