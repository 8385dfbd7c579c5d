import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adminRoutes } from '../../../../src/web/account/admin/admin-routes.ts';
import { servedSite, staffSite, type Visitor } from './staff-pages-harness.ts';

const GETS = [
  '/admin',
  '/admin/users',
  '/admin/users/{id}',
  '/admin/coupons',
  '/admin/plans',
  '/admin/settings',
  '/admin/customers',
  '/admin/customers/{account_id}',
  '/admin/data',
  '/admin/security',
];

/** Every form: right fields, who may, where it leads. */
const POSTS: readonly (readonly [string, Record<string, string>, 'support' | 'admin', string])[] = [
  ['/admin/users/{id}/revoke-sessions', {}, 'support', '/admin/users/9'],
  ['/admin/users/{id}/password-reset', {}, 'support', '/admin/users/9'],
  ['/admin/users/{id}/resend-verification', {}, 'support', '/admin/users/9'],
  ['/admin/users/{id}/delete', {}, 'admin', '/admin/users'],
  ['/admin/users/{id}/staff', { staff: 'true' }, 'admin', '/admin/users/9'],
  ['/admin/users/{id}/role', { role: 'admin' }, 'admin', '/admin/users/9'],
  ['/admin/users/{id}/rate-limit', { requests_per_minute: '' }, 'admin', '/admin/users/9'],
  ['/admin/users/{id}/toggle', { active: 'false' }, 'admin', '/admin/users/9'],
  ['/admin/coupons', { code: 'NEW', kind: 'credits', value: '5' }, 'admin', '/admin/coupons'],
  ['/admin/coupons/{coupon}/toggle', { active: 'false' }, 'admin', '/admin/coupons'],
  ['/admin/coupons/{coupon}/delete', {}, 'admin', '/admin/coupons'],
  ['/admin/plans/{slug}', { name: 'Team' }, 'admin', '/admin/plans'],
  ['/admin/plans/{slug}/delete', {}, 'admin', '/admin/plans'],
  ['/admin/settings', { free_daily_cap: '' }, 'admin', '/admin/settings'],
  ['/admin/data/act', { tab: 'acts', action: 'undo', act: '1' }, 'admin', '/admin/data?tab=acts'],
  ['/admin/data/dismiss-source', { source: 'b' }, 'admin', '/admin/data?tab=waiting'],
  ['/admin/customers/{account_id}/entitlements', { plan: 'free' }, 'admin', '/admin/customers/109'],
  ['/admin/customers/{account_id}/resend-verification', {}, 'support', '/admin/customers/109'],
];

const IDS: Readonly<Record<string, string>> = { id: '9', coupon: '5', slug: 'team', account_id: '109' };
const addressOf = (path: string, ids = IDS) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
const pathOf = (path: string) => path.replace('{coupon}', '{id}');

const { parts, state } = staffSite();
let site: Awaited<ReturnType<typeof servedSite>>;
beforeAll(async () => {
  site = await servedSite(parts);
});
afterAll(() => site.close());
beforeEach(() => {
  state.calls = [];
  state.noted.length = 0;
  state.facts.length = 0;
});
/** What changed something. */
const changes = () => state.calls.filter(([name]) => !['list', 'customers', 'security'].includes(String(name)));

it('the tables hold every route of the staff', () => {
  const routes = adminRoutes(parts).map(({ method, path }) => `${method} ${path}`);
  const held = [...GETS.map((path) => `GET ${path}`), ...POSTS.map(([path]) => `POST ${pathOf(path)}`)];
  expect(routes.sort()).toEqual(held.sort());
});

describe.each(GETS)('GET %s', (path) => {
  const address = addressOf(path);
  it('given nobody who is signed in, then it leads to the sign-in', async () => {
    const { status, location } = await site.get(address, 'nobody');
    expect([status, location]).toEqual([303, `/login?next=${encodeURIComponent(address)}`]);
  });
  it.each(['user', 'former'] as const)('given a %s, then there is nothing', async (as) => {
    expect((await site.get(address, as)).status).toBe(404);
  });
  it.each(['support', 'admin'] as const)('given %s, then it is shown, with one heading', async (as) => {
    const { status, text } = await site.get(address, as);
    expect(status).toBe(200);
    expect(text.match(/<h1/g)).toHaveLength(1);
    expect(text).toContain('aria-label="Staff"');
  });
});

describe.each(POSTS)('POST %s', (path, fields, least, leadsTo) => {
  const address = addressOf(path);
  const refusedTo: Visitor[] = ['user', 'former', ...(least === 'admin' ? (['support'] as const) : [])];

  it('given nobody who is signed in, then it leads to the sign-in and does nothing', async () => {
    const { status, location } = await site.post(address, fields, 'nobody');
    expect([status, location]).toEqual([303, '/login']);
    expect(changes()).toEqual([]);
  });
  it.each(refusedTo)('given a %s, then there is nothing, and nothing is done', async (as) => {
    expect((await site.post(address, fields, as)).status).toBe(404);
    expect([changes(), state.noted, state.facts]).toEqual([[], [], []]);
  });
  it('given a wrong token, then it is refused and nothing is done', async () => {
    expect((await site.post(address, { ...fields, _csrf: 'wrong' })).status).toBe(403);
    expect([changes(), state.facts]).toEqual([[], []]);
  });
  const allowed = least === 'support' ? (['support', 'admin'] as const) : (['admin'] as const);
  it.each(allowed)('given %s, then it is done once, and is noted and a fact once', async (as) => {
    const { status, location } = await site.post(address, fields, as);
    expect([status, location]).toEqual([303, leadsTo]);
    const by = as === 'support' ? 2 : 3;
    expect(changes()).toHaveLength(1);
    // `People` notes in the log what it does with users, together with the deed.
    const isOfPeople = address.includes('/users/') || address.endsWith('/resend-verification');
    const userId = address.includes('/customers/') ? 9 : undefined;
    const noted = { type: 'admin_action', userId, byUserId: by, path: address };
    expect(state.noted).toMatchObject(isOfPeople ? [] : [noted]);
    // What is done with money is a fact that the billing records.
    expect(state.facts).toHaveLength(isOfPeople ? 1 : 0);
    for (const fact of state.facts) expect(fact).toMatchObject({ userId: by, requestId: expect.any(String) });
  });
});

describe('what is not there', () => {
  const unknown = [
    { id: '77', coupon: '77', slug: 'NoSlug', account_id: '77' },
    { id: '0', coupon: '-1', slug: '..%2F', account_id: '1e3' },
    { id: '9999999999999999999', coupon: 'x', slug: 'a%20b', account_id: '%3Cscript%3E' },
  ];
  const withIds = [...GETS, ...POSTS.map(([path]) => path)].filter((path) => path.includes('{'));
  it.each(unknown)('given ids such as $id, then every page and every form is 404', async (ids) => {
    for (const path of withIds) {
      const isPost = POSTS.some(([one]) => one === path);
      const address = addressOf(path, ids);
      // Whatever the fields say: what is not there is told first.
      const { status } = isPost ? await site.post(address, {}) : await site.get(address);
      expect([address, status]).toEqual([address, 404]);
    }
    expect(changes().filter(([name]) => name !== 'setCouponActive')).toEqual([]);
    expect(state.facts).toEqual([]);
  });
  it('given a plan that there is not, when it is deleted, then 404', async () => {
    expect((await site.post('/admin/plans/nowhere/delete')).status).toBe(404);
  });
});
