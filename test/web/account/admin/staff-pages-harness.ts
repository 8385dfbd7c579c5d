import { createServer } from 'node:http';
import { Router } from 'express';
import type { Coupon, Customer, Invoice } from '../../../../src/accounts/billing/model/billing-services.ts';
import type { LedgerLine } from '../../../../src/accounts/credits/ledger-reader.ts';
import type { NewSecurityEvent, SecurityEvent } from '../../../../src/accounts/users/security-log.ts';
import type { Session, SignedInUser, User } from '../../../../src/accounts/users/user-service.ts';
import type { Health } from '../../../../src/api/calls/operation/operation.ts';
import { createResponder } from '../../../../src/api/http/responder.ts';
import { invalidField, RefusedError } from '../../../../src/domain/primitives/domain-errors.ts';
import { createAccountPages } from '../../../../src/web/account/account-pages.ts';
import { type AdminParts, adminRoutes, type StaffActOnUser } from '../../../../src/web/account/admin/admin-routes.ts';
import type {
  DoneRow,
  ShownAct,
  ShownDuplicate,
  ShownWaiting,
} from '../../../../src/web/account/admin/identity-desk.ts';
import type { LeagueFreshness } from '../../../../src/web/account/admin/league-freshness.ts';
import { createPageCookies } from '../../../../src/web/layout/page-cookies.ts';
import { listenBelow32768 } from '../../../api/http/listening.ts';

export const AT = '2026-03-01T12:00:00Z';
export const HOSTILE = `"><script>alert('x')</script>&amp;`;

export const userOf = (id: number, more: Partial<User> = {}): User => ({
  id,
  accountId: 100 + id,
  email: `u${id}@x.example`,
  name: null,
  timezone: 'UTC',
  isVerified: true,
  hasPassword: true,
  githubId: null,
  isStaff: false,
  role: 'support',
  isActive: true,
  createdAt: AT,
  ...more,
});
export const sessionOf = (user: User): Session => ({
  id: user.id,
  createdAt: AT,
  lastUsedAt: AT,
  ip: '192.0.2.1',
  userAgent: 'Browser',
  user: user as SignedInUser,
});

/** Who asks: the name is the session's token. */
export const VISITORS = {
  user: userOf(1),
  support: userOf(2, { isStaff: true }),
  admin: userOf(3, { isStaff: true, role: 'admin', timezone: 'Europe/Berlin' }),
  /** Was of the staff; the role stayed. */
  former: userOf(4, { role: 'admin' }),
} as const;
export type Visitor = keyof typeof VISITORS | 'nobody';

/** What the pages stand on, in memory: `calls` holds whatever was done. */
export function staffSite(more: { readonly users?: readonly User[] } = {}) {
  const users = new Map<number, User>([
    ...Object.values(VISITORS).map((user): [number, User] => [user.id, user]),
    ...(more.users ?? [userOf(9)]).map((user): [number, User] => [user.id, user]),
  ]);
  const state = {
    calls: [] as readonly unknown[][],
    noted: [] as NewSecurityEvent[],
    facts: [] as StaffActOnUser[],
    health: HEALTH,
    leagues: [] as readonly LeagueFreshness[],
    events: [] as SecurityEvent[],
    customers: [{ accountId: 109, email: 'u9@x.example', plan: 'free', createdAt: AT }] as Customer[],
    coupons: [
      {
        id: 5,
        code: 'SPRING',
        kind: 'credits',
        value: 1234,
        maxUses: 10,
        uses: 2,
        expiresAt: null,
        isActive: true,
        createdAt: AT,
      },
    ] as Coupon[],
    ledger: [] as LedgerLine[],
    invoices: [] as Invoice[],
    hasMore: false,
    cap: 250 as number | null,
    plans: [
      { slug: 'free', plan: { name: 'Free Tier', requests_per_minute: 20 }, accounts: 3, isBuiltIn: true },
      { slug: 'team', plan: { name: 'Team', requests_per_minute: null }, accounts: 0, isBuiltIn: false },
    ] as { slug: string; plan: Record<string, unknown>; accounts: number; isBuiltIn: boolean }[],
    rateLimit: null as number | null,
    waiting: [] as ShownWaiting[],
    next: null as string | null,
    ofSource: { groups: 200, messages: 450, left: 12, isMoreLeft: false },
    duplicates: [] as ShownDuplicate[],
    acts: [] as ShownAct[],
    done: {} as Partial<DoneRow>,
    tried: {
      act: null,
      action: 'split',
      what: 'event',
      from: 'b:77',
      into: 9,
      moved: { records: 3, refs: 1 },
    } as DoneRow,
  };
  const did = (...call: unknown[]) => {
    state.calls = [...state.calls, call];
  };
  /** What `People` holds: nobody does these to himself. */
  const notSelf = (by: User, userId: number) => {
    if (by.id === userId) throw new RefusedError(422, 'Nobody does this to himself.');
  };
  const find = async (id: number) => users.get(id);
  const parts: AdminParts = {
    now: () => Date.parse(AT),
    desk: {
      async waiting(asked) {
        did('waiting', asked);
        return { rows: state.waiting, next: state.next };
      },
      async dismissSource(source, said, isTrial) {
        if (!isTrial) did('dismissSource', source, said);
        return state.ofSource;
      },
      duplicates: async () => state.duplicates,
      acts: async () => state.acts,
      async act(wanted, isTrial) {
        if (wanted.act === 5005) {
          const why = 'b:77 has records of event 2. `split event b:77 --into ID` gives them to another event';
          throw new RefusedError(422, `has_records: act: ${why}`);
        }
        if (wanted.act === 404) throw new RefusedError(422, 'not_found: act: there is no such act');
        if (wanted.source_ref?.ref === '404')
          throw new RefusedError(422, 'not_found: source_ref: there is no event b:404');
        if (isTrial) return state.tried;
        did('act', wanted);
        const moved = { records: 3, refs: 1 };
        return {
          act: 7,
          action: wanted.action,
          what: wanted.what ?? null,
          from: 'b:77',
          into: 2,
          moved,
          ...state.done,
        };
      },
    },
    users: {
      staff: {
        find,
        ofAccount: async (accountId) => [...users.values()].find((user) => user.accountId === accountId),
        async list(page, q, before) {
          did('list', page, q, ...(before === undefined ? [] : [before]));
          return { users: [...users.values()], hasMore: state.hasMore };
        },
        sessionsOf: async (id) => (users.has(id) ? [sessionOf(users.get(id)!)] : []),
        revokeSessions: async (by, id) => did('revokeSessions', by.id, id),
        mailPasswordReset: async (by, id) => did('mailPasswordReset', by.id, id),
        resendVerification: async (by, id, _client, path) =>
          did('resendVerification', by.id, id, ...(path ? [path] : [])),
        async delete(by, id) {
          notSelf(by, id);
          did('delete', by.id, id);
        },
        async setStaff(by, id, isStaff) {
          if (!isStaff) notSelf(by, id);
          did('setStaff', by.id, id, isStaff);
        },
        async setRole(by, id, role) {
          if (role !== 'admin') notSelf(by, id);
          did('setRole', by.id, id, role);
        },
        setRateLimit: async (by, id, limit) => did('setRateLimit', by.id, id, limit),
        rateLimitOf: async () => state.rateLimit,
        async setActive(by, id, isActive) {
          if (!isActive) notSelf(by, id);
          did('setActive', by.id, id, isActive);
        },
      },
    },
    securityLog: {
      note: async (event) => void state.noted.push(event),
      async *ofUser() {},
      async list(filter) {
        did('security', filter);
        return { events: state.events, hasMore: state.hasMore };
      },
    },
    billing: {
      coupons: async () => state.coupons,
      async createCoupon(act, coupon) {
        if (coupon.code === 'SPRING') throw invalidField('code', 'There is a coupon of this code.');
        did('createCoupon', act.userId, coupon);
      },
      async setCouponActive(act, id, isActive) {
        did('setCouponActive', act.userId, id, isActive);
        return state.coupons.some((coupon) => coupon.id === id);
      },
      async deleteCoupon(act, id) {
        const isThere = state.coupons.some((coupon) => coupon.id === id);
        if (isThere) did('deleteCoupon', act.userId, id);
        return isThere;
      },
      async customers(page, q, before) {
        did('customers', page, q, ...(before === undefined ? [] : [before]));
        return { customers: state.customers, hasMore: state.hasMore };
      },
      customer: async (id) => state.customers.find(({ accountId }) => accountId === id),
      entitle: async (act, accountId, given) => did('entitle', act.userId, accountId, given),
      plans: async () => state.plans,
      changePlan: async (act, slug, change) => did('changePlan', act.userId, slug, change),
      async deletePlan(act, slug) {
        if (slug === 'free') throw new RefusedError(422, 'This plan is built in.');
        did('deletePlan', act.userId, slug);
      },
      freeDailyCap: async () => state.cap,
      setFreeDailyCap: async (act, cap) => did('setFreeDailyCap', act.userId, cap),
    },
    invoicesOf: async () => state.invoices,
    balanceOf: async () => ({
      tier: 'free',
      credits_used: 10,
      credit_limit: 1000,
      bonus_credits: 5,
      total_remaining: 995,
      is_trial: false,
      is_trial_expired: false,
    }),
    ledgerEnd: async (_accountId, limit) => state.ledger.slice(0, limit),
    recordStaffAct: async (act) => void state.facts.push(act),
    health: async () => state.health,
    leagues: async () => state.leagues,
    recent: () => ({ spans: [], disk: [] }),
  };
  return { state, parts };
}

const HEALTH: Health = {
  status: 'ok',
  version: '0.1.0',
  time: AT,
  log: { position: '12' },
  quarantined: 0,
  projections: [{ name: 'events', position: '12', lag_events: 0, lag_seconds: 0 }],
};

/** The pages on a port, with the kernel that ships. */
export async function servedSite(parts: AdminParts) {
  const baseUrl = () => 'http://sports.example';
  let requests = 0;
  const newRequestId = () => `request-${++requests}`;
  const responder = createResponder({ baseUrl, newRequestId, log: { error() {} } });
  const site = createAccountPages({
    routes: adminRoutes(parts),
    assets: [],
    responder,
    secret: 'secret',
    trustProxy: [],
    baseUrl,
    users: {
      async session(token) {
        const user = VISITORS[token as keyof typeof VISITORS];
        return user && sessionOf(user);
      },
    },
    security: parts.securityLog,
    cookies: createPageCookies(baseUrl),
    randomBytes: (size) => Buffer.alloc(size, 7),
    simulated: () => false,
  });
  const router = Router({ caseSensitive: true, strict: true });
  site.mount(router);
  const server = createServer((request, response) => router(request as never, response as never, () => response.end()));
  const url = `http://127.0.0.1:${await listenBelow32768(server)}`;

  const ask = (path: string, as: Visitor, init: RequestInit = {}) =>
    fetch(url + path, {
      ...init,
      redirect: 'manual',
      headers: { ...(as === 'nobody' ? {} : { cookie: `session=${as}` }), ...(init.headers as object) },
    });
  const tokens = new Map<Visitor, string>();
  async function tokenOf(as: Visitor): Promise<string> {
    const known = tokens.get(as);
    if (known !== undefined) return known;
    // Whoever sees no form has no token; what is posted is refused before it is looked at.
    const text = await (await ask('/admin/users/9', as)).text();
    const token = /name="_csrf" value="([^"]+)"/.exec(text)?.[1] ?? 'none';
    tokens.set(as, token);
    return token;
  }

  return {
    ask,
    /** A page's status and text. */
    async get(path: string, as: Visitor = 'admin') {
      const answer = await ask(path, as);
      return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
    },
    async post(path: string, fields: Readonly<Record<string, string>> = {}, as: Visitor = 'admin') {
      const answer = await ask(path, as, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ _csrf: await tokenOf(as), ...fields }).toString(),
      });
      return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
