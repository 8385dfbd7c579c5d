import { createServer } from 'node:http';
import { Router } from 'express';
import type { NewSecurityEvent } from '../../../src/accounts/users/security-log.ts';
import type { UserService } from '../../../src/accounts/users/user-service.ts';
import { createResponder } from '../../../src/api/http/responder.ts';
import { createAccountPages } from '../../../src/web/account/account-pages.ts';
import type { PageRoute } from '../../../src/web/account/page-route.ts';
import { createPageCookies } from '../../../src/web/layout/page-cookies.ts';
import { listenBelow32768 } from '../../api/http/listening.ts';
import { countedBytes } from '../../support/composed.ts';

export const SITE_URL = 'http://sports.example';

/** These pages on a port, with the kernel that ships around them. */
export async function servePages(
  routes: readonly PageRoute[],
  users: Pick<UserService, 'session'>,
  baseUrl = SITE_URL,
) {
  const noted: NewSecurityEvent[] = [];
  const failures: unknown[] = [];
  const responder = createResponder({
    baseUrl: () => baseUrl,
    newRequestId: () => 'made',
    log: { error: (fields) => void failures.push(fields) },
  });
  const site = createAccountPages({
    routes,
    assets: [],
    users,
    responder,
    secret: 'secret',
    trustProxy: [],
    baseUrl: () => baseUrl,
    security: { note: async (event) => void noted.push(event) },
    cookies: createPageCookies(() => baseUrl),
    randomBytes: countedBytes(),
    simulated: () => false,
  });
  const router = Router({ caseSensitive: true, strict: true });
  site.mount(router);
  const server = createServer((request, response) => router(request as never, response as never, () => response.end()));
  const port = await listenBelow32768(server);
  return {
    url: `http://127.0.0.1:${port}`,
    noted,
    failures,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
