import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AT, HOSTILE, servedSite, staffSite, userOf } from './staff-pages-harness.ts';

const hostileUser = userOf(9, {
  email: `a@x${HOSTILE}`,
  name: HOSTILE,
  timezone: HOSTILE,
  githubId: HOSTILE,
  isVerified: false,
});
const { parts, state } = staffSite({ users: [hostileUser] });
let site: Awaited<ReturnType<typeof servedSite>>;
beforeAll(async () => {
  site = await servedSite(parts);
});
afterAll(() => site.close());
beforeEach(() => {
  state.calls = [];
  state.hasMore = false;
});

describe('lists', () => {
  it.each([
    ['/admin/users', 'list'],
    ['/admin/customers', 'customers'],
  ])('%s is asked for by page and words', async (path, call) => {
    state.hasMore = true;
    const { text } = await site.get(`${path}?page=2&q=+Jane%26x+`);
    expect(state.calls).toEqual([[call, 2, 'Jane&x']]);
    expect(text).toContain(`href="${path}?page=1&amp;q=+Jane%26x+"`);
    expect(text).toContain(`href="${path}?page=3&amp;q=+Jane%26x+`);
    expect(text).toContain('value="Jane&amp;x"');
  });
  it.each(['/admin/users', '/admin/customers', '/admin/security'])('%s ends with its last page', async (path) => {
    const { text, status } = await site.get(`${path}?page=2`);
    expect(status).toBe(200);
    expect(text).not.toContain('page=3');
    expect(text).toContain('page=1');
  });
  it.each(['/admin/users', '/admin/customers', '/admin/security'])('%s of one page leads to no other', async (path) => {
    expect((await site.get(path)).text).not.toContain('aria-label="Pages"');
  });
  it.each(['/admin/users', '/admin/customers', '/admin/security'])('%s refuses what is no page', async (path) => {
    for (const page of ['0', '-1', 'x', '1.5', '99999999999']) {
      const { status, text } = await site.get(`${path}?page=${page}`);
      expect([status, state.calls]).toEqual([422, []]);
      expect(text).toContain('role="alert"');
    }
  });
  it('leads to the next page by the id that was shown last, so that no row is counted or skipped', async () => {
    state.hasMore = true;
    const { text } = await site.get('/admin/customers?page=2&q=jane');
    expect(text).toContain('href="/admin/customers?page=3&amp;q=jane&amp;before=');
    await site.get('/admin/customers?page=3&q=jane&before=77');
    expect(state.calls.at(-1)).toEqual(['customers', 3, 'jane', 77]);
  });
});

describe('the security log', () => {
  it('is asked for by what is filtered', async () => {
    await site.get('/admin/security?severity=critical&event_type=admin_action&ip=2001:db8::1&page=3');
    expect(state.calls).toEqual([
      ['security', { page: 3, severity: 'critical', type: 'admin_action', ip: '2001:db8::1' }],
    ]);
  });
  it('given empty filters, then everything is shown', async () => {
    await site.get('/admin/security?severity=&event_type=&ip=');
    expect(state.calls).toEqual([['security', { page: 1 }]]);
  });
  it.each([
    ['severity', 'high'],
    ['event_type', 'toString'],
    ['ip', HOSTILE],
    ['ip', '1.2.3'],
  ])('given a wrong %s, then 422, no rows, and the field says so', async (name, value) => {
    const { status, text } = await site.get(`/admin/security?${new URLSearchParams({ [name]: value })}`);
    expect([status, state.calls]).toEqual([422, []]);
    expect(text).toMatch(new RegExp(`name="${name}"[^>]*aria-invalid="true"`));
    expect(text).not.toContain('<script>alert');
  });
  it('shows who, by whom, where and when, in the zone of whoever reads', async () => {
    state.events = [
      {
        id: 1,
        at: AT,
        type: 'admin_action',
        severity: 'critical',
        userId: 9,
        byUserId: 3,
        path: '/admin/users/9/delete',
        ip: null,
        userAgent: null,
      },
    ];
    const { text } = await site.get('/admin/security');
    expect(text).toContain('<a href="/admin/users/9">9</a>');
    expect(text).toContain('<a href="/admin/users/3">3</a>');
    expect(text).toContain('/admin/users/9/delete');
    expect(text).toMatch(/<time datetime="2026-03-01T12:00:00.000Z">[^<]*13:00[^<]*<\/time>/);
  });
});

describe('whatever people have written', () => {
  beforeAll(() => {
    state.events = [
      {
        id: 1,
        at: AT,
        type: 'signed_in',
        severity: 'info',
        userId: 9,
        byUserId: null,
        path: HOSTILE,
        ip: HOSTILE,
        userAgent: HOSTILE,
      },
    ];
    state.customers = [{ accountId: 109, email: HOSTILE, plan: HOSTILE, createdAt: AT }];
    state.coupons = [
      {
        id: 5,
        code: HOSTILE,
        kind: 'credits',
        value: 1234,
        maxUses: null,
        uses: 0,
        expiresAt: AT,
        isActive: true,
        createdAt: AT,
      },
    ];
    state.plans = [{ slug: HOSTILE, plan: { name: HOSTILE }, accounts: 0, isBuiltIn: false }];
    state.ledger = [
      { id: 1, at: AT, type: 'refund', credits: 1234.5, about: HOSTILE, requestId: HOSTILE, keyId: null },
    ];
    state.invoices = [
      {
        id: 1,
        number: HOSTILE,
        accountId: 109,
        at: AT,
        status: 'paid',
        line: HOSTILE,
        priceCents: 4900,
        discountCents: 900,
        totalCents: 4000,
        currency: 'usd',
        customerName: HOSTILE,
        customerEmail: HOSTILE,
        card: HOSTILE,
        isTest: true,
      },
    ];
  });
  it.each([
    '/admin/users',
    '/admin/users/9',
    '/admin/coupons',
    '/admin/plans',
    `/admin/plans?new=${encodeURIComponent(HOSTILE)}`,
    '/admin/customers',
    '/admin/customers/109',
    '/admin/security',
    `/admin/users?q=${encodeURIComponent(HOSTILE)}`,
    `/admin/customers?q=${encodeURIComponent(HOSTILE)}`,
    `/admin/users?page=2&x=${encodeURIComponent(HOSTILE)}`,
  ])('%s shows it as text', async (path) => {
    state.hasMore = true;
    const { text } = await site.get(path);
    expect(text).not.toContain('<script>alert');
    expect(text).not.toContain(`"><script`);
  });
  it('numbers and money are written for people', async () => {
    const { text } = await site.get('/admin/customers/109');
    for (const shown of ['995', '1,234.5', '$49.00', '$9.00', '$40.00']) expect(text).toContain(shown);
    expect((await site.get('/admin/coupons')).text).toContain('1,234 credits');
  });
});

describe('support', () => {
  it.each(['/admin/users/9', '/admin/coupons', '/admin/plans', '/admin/settings', '/admin/customers/109'])(
    '%s has only the forms that support may use',
    async (path) => {
      const { text } = await site.get(path, 'support');
      const actions = [...text.matchAll(/method="post" action="([^"]+)"/g)].map(([, action]) => action!);
      for (const action of actions) {
        expect(action).toMatch(/\/(revoke-sessions|password-reset|resend-verification)$/);
      }
    },
  );
});

describe('plans', () => {
  it('a new one is named, then filled in, without scripts', async () => {
    state.plans = [{ slug: 'free', plan: { name: 'Free Tier' }, accounts: 0, isBuiltIn: true }];
    const { text } = await site.get('/admin/plans?new=club');
    expect(text).toContain('action="/admin/plans/club"');
    const wrong = await site.get('/admin/plans?new=No+Slug');
    expect(wrong.status).toBe(422);
    expect(wrong.text).toMatch(/name="new"[^>]*aria-invalid="true"/);
  });
  it('given a built-in one, then there is no button to delete it', async () => {
    expect((await site.get('/admin/plans')).text).not.toContain('/admin/plans/free/delete');
    const { status, text } = await site.post('/admin/plans/free/delete');
    expect(status).toBe(422);
    expect(text).toContain('This plan is built in.');
  });
  it('every id on the page is there once', async () => {
    state.plans = ['free', 'team'].map((slug) => ({ slug, plan: { name: slug }, accounts: 0, isBuiltIn: false }));
    for (const path of [
      '/admin/plans?new=club',
      '/admin/users/9',
      '/admin/customers/109',
      '/admin/coupons',
      '/admin',
    ]) {
      const ids = [...(await site.get(path)).text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});
