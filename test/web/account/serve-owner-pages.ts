import { expect } from 'vitest';
import type { CustomerBilling } from '../../../src/accounts/billing/model/billing-services.ts';
import { restoreRateLimitWindows } from '../../../src/accounts/restore-rate-limits.ts';
import type { UsageReader } from '../../../src/accounts/usage/usage-reader.ts';
import type { NewSecurityEvent } from '../../../src/accounts/users/security-log.ts';
import type { Session } from '../../../src/accounts/users/user-service.ts';
import { createMemoryLimits } from '../../../src/api/limits/memory-limits.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { DEFAULT_PLANS, type Plan } from '../../../src/platform/settings/plans-and-packs.ts';
import { createAccountPages } from '../../../src/web/account/account-pages.ts';
import { alertRoutes } from '../../../src/web/account/alerts/alert-routes.ts';
import { dashboardRoutes } from '../../../src/web/account/dashboard/dashboard-routes.ts';
import { deviceRoutes } from '../../../src/web/account/device/device-routes.ts';
import { logKeyChanges } from '../../../src/web/account/keys/key-security-log.ts';
import { keysRoutes } from '../../../src/web/account/keys/keys-routes.ts';
import { playgroundRoutes } from '../../../src/web/account/playground/playground-routes.ts';
import { createSessionCallers, createSessionOwner } from '../../../src/web/account/session-callers.ts';
import { createPageCookies } from '../../../src/web/layout/page-cookies.ts';
import { BASE_URL, type Composed, composed } from '../../support/composed.ts';

export interface OwnerPagesOptions {
  /** The data folder; in memory unless told. A second server on it goes on where one ended. */
  readonly folder?: string;
  readonly time?: number;
  readonly plans?: Readonly<Record<string, Partial<Plan>>>;
  readonly billing?: Partial<CustomerBilling>;
  readonly usage?: Partial<UsageReader>;
  /** Its public address is where it listens, for a browser: without https, and so with plain names of cookies. */
  readonly isPlain?: boolean;
}

const AT = '2026-03-01T12:00:00Z';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/**
 * The pages of keys, playground and dashboard on the server that ships. Who is signed in is told by the test; everything
 * behind it is real, but what `billing` and `usage` name.
 */
export async function serveOwnerPages({
  folder,
  time,
  plans = {},
  billing = {},
  usage = {},
  isPlain = false,
}: OwnerPagesOptions = {}) {
  const sessions = new Map<string, Session>();
  const noted: NewSecurityEvent[] = [];
  const cookies = createPageCookies(() => baseUrl());
  const users = { session: async (token: string) => sessions.get(token) };
  const security = { note: async (event: NewSecurityEvent) => void noted.push(event) };
  const limits = createMemoryLimits();
  let opened!: Composed;
  // The server asks for its routes before it is there itself.
  const accounts = lazily(() => logKeyChanges(opened.server.accounts.services, security));
  const ownerOf: Composed['server']['accounts']['findOwnerPrincipal'] = (...given) =>
    opened.server.accounts.findOwnerPrincipal(...given);
  const callerOf = createSessionOwner(ownerOf);
  const now = () => opened.clock.time;
  const baseUrl = () => (isPlain ? opened.url : BASE_URL);
  opened = await composed({
    ...(folder === undefined ? {} : { folder }),
    ...(time === undefined ? {} : { time }),
    settings: {
      plans: Object.fromEntries(
        Object.entries(DEFAULT_PLANS).map(([slug, plan]) => [slug, { ...plan, ...plans[slug] }]),
      ),
    },
    replacements: {
      context: { accounts },
      keyless: createSessionCallers({ users, cookies, ownerOf, trustProxy: [], baseUrl }),
      routes: ({ responder }) => [
        createAccountPages({
          users,
          security,
          cookies,
          responder,
          baseUrl,
          assets: [],
          secret: 'secret',
          trustProxy: [],
          routes: [
            ...keysRoutes({
              callerOf,
              accounts,
              security,
              now,
              keys: lazily(() => opened.ports.keys),
              reveals: lazily(() => opened.ports.keyReveals),
            }),
            ...deviceRoutes({ callerOf, approvals: lazily(() => opened.server.trials.approvals) }),
            ...playgroundRoutes({
              callerOf,
              operations,
              limits,
              now,
              responder,
              pipeline: lazily(() => opened.server.pipeline),
            }),
            ...alertRoutes({
              callerOf,
              webhooks: lazily(() => opened.server.webhooks.services),
              findEvent: async () => undefined,
              isMailSent: true,
            }),
            ...dashboardRoutes({
              callerOf,
              accounts,
              baseUrl,
              now,
              plans: () => ({ ...DEFAULT_PLANS }),
              billing: billing as CustomerBilling,
              usage: usage as UsageReader,
            }),
          ],
          randomBytes: (size) => Buffer.alloc(size, 7),
          simulated: () => false,
        }).mount,
      ],
    },
  });
  await opened.core.runner.start();
  await opened.core.projected();
  // As the server does with its own.
  await restoreRateLimitWindows(opened.ports.log, limits, now());

  const ask = (path: string, { as, ...init }: RequestInit & { readonly as?: string } = {}) =>
    fetch(opened.url + path, {
      redirect: 'manual',
      ...init,
      headers: { ...(as ? { cookie: `${isPlain ? '' : '__Host-'}session=${as}` } : {}), ...(init.headers as object) },
    });

  return {
    ...opened,
    noted,
    ask,
    /** A session, by the token that stands for it, of an account that is there. */
    signIn(token: string, accountId: number, id = accountId) {
      const user = { id, accountId, email: `u${id}@x.example`, name: null, timezone: 'Europe/Berlin' };
      sessions.set(token, {
        id,
        createdAt: AT,
        lastUsedAt: AT,
        ip: '127.0.0.1',
        userAgent: '',
        user: {
          ...user,
          isVerified: true,
          hasPassword: true,
          githubId: null,
          isStaff: false,
          role: 'support',
          isActive: true,
          createdAt: AT,
        },
      });
    },
    signOut: (token: string) => void sessions.delete(token),
    /** An account of its own, with the key that made it. */
    async newAccount(plan?: string) {
      const { key, record } = await opened.newKey(plan === undefined ? {} : { plan });
      return { key, accountId: record.accountId, keyId: record.id };
    },
    /** A page's text, with this status. */
    async show(path: string, as: string, status = 200): Promise<string> {
      const answer = await ask(path, { as });
      const text = await answer.text();
      expect([path, answer.status]).toEqual([path, status]);
      return text;
    },
    /** A form, with the token that a page shows. */
    async post(path: string, fields: readonly (readonly [string, string])[], as: string, headers: object = {}) {
      const shown = await (await ask('/api-keys', { as })).text();
      const token = /name="_csrf" value="([^"]+)"/.exec(shown)![1]!;
      const body = new URLSearchParams({ _csrf: token });
      for (const [name, value] of fields) body.append(name, value);
      return ask(path, { method: 'POST', body: body.toString(), as, headers: { ...FORM, ...headers } });
    },
    async close() {
      await opened.close();
      expect(opened.failures).toEqual([]);
    },
  };
}
export type OwnerPages = Awaited<ReturnType<typeof serveOwnerPages>>;

/** What will be there when it is used. */
const lazily = <T extends object>(get: () => T): T => new Proxy({} as T, { get: (_, name) => get()[name as keyof T] });
