import { createServer } from 'node:http';
import { Router } from 'express';
import type { CustomerBilling } from '../../../../src/accounts/billing/model/billing-services.ts';
import type { NewSecurityEvent } from '../../../../src/accounts/users/security-log.ts';
import type { Session } from '../../../../src/accounts/users/user-service.ts';
import { createResponder } from '../../../../src/api/http/responder.ts';
import { DEFAULT_PACKS, DEFAULT_PLANS } from '../../../../src/platform/settings/plans-and-packs.ts';
import { createAccountPages } from '../../../../src/web/account/account-pages.ts';
import { billingRoutes } from '../../../../src/web/account/billing/billing-routes.ts';
import { CARD_ASSETS, type CardEntry } from '../../../../src/web/account/billing/card-entry.ts';
import { BASE_ASSETS, SITE_ASSETS } from '../../../../src/web/layout/page-assets.ts';
import { createPageCookies } from '../../../../src/web/layout/page-cookies.ts';
import { listenBelow32768 } from '../../../api/http/listening.ts';
import { fakeBilling } from './fake-billing.ts';

const AT = '2026-11-25T12:00:00Z';
const sessionOf = (id: number): Session => ({
  id,
  createdAt: AT,
  lastUsedAt: AT,
  ip: '127.0.0.1',
  userAgent: '',
  user: {
    id: 10 + id,
    accountId: id,
    email: `u${id}@x.example`,
    name: null,
    timezone: 'America/New_York',
    isVerified: true,
    hasPassword: true,
    githubId: null,
    isStaff: false,
    role: 'support',
    isActive: true,
    createdAt: AT,
  },
});
const SESSIONS = new Map([
  ['ada', sessionOf(1)],
  ['bob', sessionOf(2)],
]);

const BALANCE = {
  tier: 'growth',
  credits_used: 1250.5,
  credit_limit: 25_000,
  bonus_credits: 5000,
  total_remaining: 28_749.5,
  is_trial: false,
  is_trial_expired: false,
};

/**
 * The billing pages on a port of their own. `ada` owns account 1, `bob` account 2.
 * @param real what stands behind the pages instead of a fake
 */
export async function serveBilling(cardEntry: CardEntry = 'development', real?: CustomerBilling) {
  const { billing: fake, state } = fakeBilling();
  const billing = real ?? fake;
  const noted: NewSecurityEvent[] = [];
  let made = 0;
  const randomBytes = (size: number) => Buffer.alloc(size, ++made);
  const security = { note: async (event: NewSecurityEvent) => void noted.push(event) };
  // The real address comes after the first listening.
  let url = 'http://127.0.0.1';
  const baseUrl = () => url;
  const site = createAccountPages({
    routes: billingRoutes({
      ...{ billing, balanceOf: async () => BALANCE, cardEntry, security, baseUrl, randomBytes },
      plans: () => DEFAULT_PLANS,
      packs: DEFAULT_PACKS,
      now: () => Date.parse(AT),
    }),
    assets: [...Object.values(SITE_ASSETS), BASE_ASSETS.style, CARD_ASSETS.script],
    responder: createResponder({ baseUrl, newRequestId: () => 'request-1', log: { error() {} } }),
    secret: 'secret',
    trustProxy: [],
    baseUrl,
    security,
    randomBytes,
    users: { session: async (token) => SESSIONS.get(token) },
    cookies: createPageCookies(baseUrl),
    simulated: () => false,
  });
  const router = Router({ caseSensitive: true, strict: true });
  site.mount(router);
  router.use((request, response) => {
    if (!site.tryErrorPage(new Error('nothing here'), request as never, response as never)) response.end();
  });
  const server = createServer((request, response) => router(request as never, response as never, () => response.end()));
  url = `http://127.0.0.1:${await listenBelow32768(server)}`;

  const ask = (path: string, { as = 'ada', ...init }: RequestInit & { readonly as?: string } = {}) =>
    fetch(url + path, {
      redirect: 'manual',
      ...init,
      headers: { cookie: `session=${as}`, ...(init.headers as Record<string, string>) },
    });
  const read = async (path = '/billing', as = 'ada') => (await ask(path, { as })).text();
  async function post(path: string, fields: Readonly<Record<string, string>> = {}, as = 'ada') {
    const token = /name="_csrf" value="([^"]+)"/.exec(await read('/billing', as))![1]!;
    const body = new URLSearchParams({ _csrf: token, ...fields });
    return ask(path, { as, method: 'POST', body });
  }
  return {
    state,
    noted,
    url,
    ask,
    read,
    post,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
export type ServedBilling = Awaited<ReturnType<typeof serveBilling>>;
