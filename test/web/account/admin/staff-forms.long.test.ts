import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AT, HOSTILE, servedSite, staffSite, userOf } from './staff-pages-harness.ts';

const { parts, state } = staffSite({
  users: [userOf(9), userOf(8, { isActive: false }), userOf(7, { accountId: null, isVerified: false })],
});
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
const did = () => state.calls.filter(([name]) => name !== 'security');

/** The fields that a page says are wrong, with their messages. */
function wrongFields(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [tag] of text.matchAll(/<(?:input|select)[^>]*aria-invalid="true"[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(tag)![1]!;
    const id = /aria-describedby="([^"\s]*)/.exec(tag)![1]!;
    found[name] = new RegExp(`id="${id}">([^<]*)<`).exec(text)![1]!;
  }
  return found;
}

const USER = '/admin/users/9';
const COUPON = { code: 'NEW', kind: 'credits', value: '5' };
const VERIFY = '/admin/customers/109/resend-verification';
const CUSTOMER = '/admin/customers/109/entitlements';

describe('a wrong field', () => {
  it.each<[string, Record<string, string>, readonly string[]]>([
    [`${USER}/rate-limit`, { requests_per_minute: '0' }, ['requests_per_minute']],
    [`${USER}/rate-limit`, { requests_per_minute: '100001' }, ['requests_per_minute']],
    [`${USER}/rate-limit`, { requests_per_minute: '1.5' }, ['requests_per_minute']],
    [`${USER}/rate-limit`, { requests_per_minute: '1e3' }, ['requests_per_minute']],
    [`${USER}/rate-limit`, { requests_per_minute: 'many' }, ['requests_per_minute']],
    [`${USER}/rate-limit`, {}, ['requests_per_minute']],
    [`${USER}/staff`, { staff: 'on' }, ['staff']],
    [`${USER}/staff`, {}, ['staff']],
    [`${USER}/role`, { role: 'owner' }, ['role']],
    [`${USER}/role`, { role: 'Admin' }, ['role']],
    [`${USER}/role`, {}, ['role']],
    [`${USER}/toggle`, { active: '1' }, ['active']],
    [`${USER}/toggle`, {}, ['active']],
    ['/admin/users/8/toggle', { active: '' }, ['active']],
    ['/admin/coupons', { ...COUPON, code: 'AB' }, ['code']],
    ['/admin/coupons', { ...COUPON, code: 'A'.repeat(41) }, ['code']],
    ['/admin/coupons', { ...COUPON, code: 'A B C' }, ['code']],
    ['/admin/coupons', { ...COUPON, code: 'ÄBC' }, ['code']],
    ['/admin/coupons', { ...COUPON, code: 'spring' }, ['code']],
    ['/admin/coupons', { ...COUPON, kind: 'money' }, ['kind']],
    ['/admin/coupons', { ...COUPON, value: '0' }, ['value']],
    ['/admin/coupons', { ...COUPON, value: '1000001' }, ['value']],
    ['/admin/coupons', { ...COUPON, kind: 'percent', value: '101' }, ['value']],
    ['/admin/coupons', { ...COUPON, value: '2.5' }, ['value']],
    ['/admin/coupons', { ...COUPON, max_uses: '0' }, ['max_uses']],
    ['/admin/coupons', { ...COUPON, max_uses: '-1' }, ['max_uses']],
    ['/admin/coupons', { ...COUPON, expires_at: '2026-02-30' }, ['expires_at']],
    ['/admin/coupons', { ...COUPON, expires_at: 'tomorrow' }, ['expires_at']],
    ['/admin/coupons', { ...COUPON, expires_at: '2026-12-31T10:00:00+02:00' }, ['expires_at']],
    ['/admin/coupons', {}, ['code', 'kind', 'value']],
    ['/admin/coupons/5/toggle', { active: 'no' }, ['active']],
    ['/admin/plans/team', { name: '' }, ['name']],
    ['/admin/plans/team', { name: 'x'.repeat(101) }, ['name']],
    ['/admin/plans/team', { requests_per_minute: '0' }, ['requests_per_minute']],
    ['/admin/plans/team', { max_api_keys: '-1' }, ['max_api_keys']],
    ['/admin/plans/team', { initial_credits: '1.5' }, ['initial_credits']],
    ['/admin/plans/team', { monthly_credits: '' }, ['monthly_credits']],
    ['/admin/plans/team', { daily_credit_cap: '0' }, ['daily_credit_cap']],
    ['/admin/plans/team', { price_cents: '' }, ['price_cents']],
    ['/admin/plans/team', { price_cents: '-5', name: '' }, ['name', 'price_cents']],
    ['/admin/settings', { free_daily_cap: '0' }, ['free_daily_cap']],
    ['/admin/settings', { free_daily_cap: 'x' }, ['free_daily_cap']],
    ['/admin/settings', {}, ['free_daily_cap']],
    [CUSTOMER, {}, ['plan']],
    [CUSTOMER, { plan: 'gold' }, ['plan']],
    [CUSTOMER, { credits: '10' }, ['reason']],
    [CUSTOMER, { credits: '0', reason: 'why' }, ['credits']],
    [CUSTOMER, { credits: '1000001', reason: 'why' }, ['credits']],
    [CUSTOMER, { plan: 'free', credits: '0.5', reason: 'x'.repeat(501) }, ['credits', 'reason']],
  ])('%s with %j is 422, names the field, and does nothing', async (path, fields, wrong) => {
    const { status, text } = await site.post(path, fields);
    expect(status).toBe(422);
    expect(Object.keys(wrongFields(text)).sort()).toEqual([...wrong].sort());
    expect(Object.values(wrongFields(text))).not.toContain('');
    expect(text).toMatch(/role="alert">[^<]+</);
    expect([did(), state.noted, state.facts]).toEqual([[], [], []]);
  });

  it.each<[string, string, Record<string, string>]>([
    [`${USER}/rate-limit`, 'requests_per_minute', {}],
    ['/admin/coupons', 'code', {}],
    ['/admin/coupons', 'value', { ...COUPON }],
    ['/admin/coupons', 'max_uses', { ...COUPON }],
    ['/admin/coupons', 'expires_at', { ...COUPON }],
    ['/admin/plans/team', 'requests_per_minute', {}],
    ['/admin/plans/free', 'price_cents', {}],
    ['/admin/plans/new-one', 'daily_credit_cap', {}],
    ['/admin/settings', 'free_daily_cap', {}],
    [CUSTOMER, 'credits', { reason: 'why' }],
  ])('%s keeps what was typed into %s, escaped', async (path, name, fields) => {
    const { status, text } = await site.post(path, { ...fields, [name]: HOSTILE });
    expect(status).toBe(422);
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;"');
  });

  it('given other fields that are right, then they are kept too', async () => {
    const { text } = await site.post('/admin/coupons', { ...COUPON, kind: 'percent', value: '500', max_uses: '77' });
    expect(text).toMatch(/name="code"[^>]* value="NEW"/);
    expect(text).toMatch(/value="percent" selected/);
    expect(text).toMatch(/name="max_uses"[^>]* value="77"/);
  });

  it('given a field twice, then it is refused', async () => {
    const { text: page } = await site.get(USER);
    const token = /name="_csrf" value="([^"]+)"/.exec(page)![1]!;
    const answer = await site.ask(`${USER}/toggle`, 'admin', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `_csrf=${encodeURIComponent(token)}&active=true&active=false`,
    });
    expect(answer.status).toBe(422);
    expect(did()).toEqual([]);
  });
});

describe('what is done', () => {
  it.each<[string, Record<string, string>, readonly unknown[]]>([
    [`${USER}/revoke-sessions`, {}, ['revokeSessions', 3, 9]],
    [`${USER}/password-reset`, {}, ['mailPasswordReset', 3, 9]],
    [`${USER}/resend-verification`, {}, ['resendVerification', 3, 9]],
    [`${USER}/delete`, {}, ['delete', 3, 9]],
    [`${USER}/staff`, { staff: 'true' }, ['setStaff', 3, 9, true]],
    [`${USER}/staff`, { staff: ' false ' }, ['setStaff', 3, 9, false]],
    [`${USER}/role`, { role: 'support' }, ['setRole', 3, 9, 'support']],
    [`${USER}/rate-limit`, { requests_per_minute: '100000' }, ['setRateLimit', 3, 9, 100_000]],
    [`${USER}/rate-limit`, { requests_per_minute: ' 1 ' }, ['setRateLimit', 3, 9, 1]],
    [`${USER}/rate-limit`, { requests_per_minute: '' }, ['setRateLimit', 3, 9, null]],
    [`${USER}/toggle`, { active: 'false', staff: 'true', role: 'admin' }, ['setActive', 3, 9, false]],
    [
      '/admin/coupons',
      { ...COUPON, code: ' summer_26 ', value: '1000000' },
      ['createCoupon', 3, { code: 'SUMMER_26', kind: 'credits', value: 1_000_000, maxUses: null, expiresAt: null }],
    ],
    [
      '/admin/coupons',
      { code: 'HALF', kind: 'percent', value: '50', max_uses: '3', expires_at: '2026-12-31' },
      ['createCoupon', 3, { code: 'HALF', kind: 'percent', value: 50, maxUses: 3, expiresAt: '2026-12-31T00:00:00Z' }],
    ],
    [
      '/admin/coupons',
      { ...COUPON, expires_at: '2026-12-31T18:30:00Z' },
      ['createCoupon', 3, { ...COUPON, value: 5, maxUses: null, expiresAt: '2026-12-31T18:30:00Z' }],
    ],
    [
      '/admin/coupons',
      { ...COUPON, expires_at: '2026-12-31 18:30' },
      ['createCoupon', 3, { ...COUPON, value: 5, maxUses: null, expiresAt: '2026-12-31T18:30:00Z' }],
    ],
    ['/admin/coupons/5/toggle', { active: 'false' }, ['setCouponActive', 3, 5, false]],
    ['/admin/coupons/5/delete', {}, ['deleteCoupon', 3, 5]],
    ['/admin/plans/team', { name: 'Teams' }, ['changePlan', 3, 'team', { name: 'Teams' }]],
    [
      '/admin/plans/team',
      {
        requests_per_minute: '',
        max_api_keys: '0',
        initial_credits: '',
        monthly_credits: '0',
        daily_credit_cap: '9',
        price_cents: '4900',
        slug: 'free',
      },
      [
        ...['changePlan', 3, 'team'],
        {
          requests_per_minute: null,
          max_api_keys: 0,
          initial_credits: null,
          monthly_credits: 0,
          daily_credit_cap: 9,
          price_cents: 4900,
        },
      ],
    ],
    ['/admin/plans/new-one', {}, ['changePlan', 3, 'new-one', {}]],
    ['/admin/plans/team/delete', {}, ['deletePlan', 3, 'team']],
    ['/admin/settings', { free_daily_cap: '300' }, ['setFreeDailyCap', 3, 300]],
    ['/admin/settings', { free_daily_cap: '' }, ['setFreeDailyCap', 3, null]],
    [CUSTOMER, { plan: 'team', credits: '' }, ['entitle', 3, 109, { plan: 'team' }]],
    [CUSTOMER, { credits: '1000000', reason: ' sorry ' }, ['entitle', 3, 109, { credits: 1_000_000, reason: 'sorry' }]],
    [
      CUSTOMER,
      { plan: 'free', credits: '1', reason: 'why' },
      ['entitle', 3, 109, { plan: 'free', credits: 1, reason: 'why' }],
    ],
    [VERIFY, {}, ['resendVerification', 3, 9, VERIFY]],
  ])('%s with %j', async (path, fields, call) => {
    expect((await site.post(path, fields)).status).toBe(303);
    expect(did()).toEqual([call]);
  });

  it('given an account of an address that somebody has registered with, then he is mailed', async () => {
    state.customers.push({ accountId: 500, email: 'U7@x.example', plan: 'free', createdAt: AT });
    const path = '/admin/customers/500/resend-verification';
    expect((await site.post(path)).status).toBe(303);
    expect(did()).toEqual([
      ['list', 1, 'U7@x.example'],
      ['resendVerification', 3, 7, path],
    ]);
  });
  it.each([null, 'key@x.example'])(
    'given an account of %s that nobody has, then nothing can be mailed',
    async (email) => {
      state.customers.push({ accountId: 501, email, plan: 'free', createdAt: AT });
      const { status, text } = await site.post('/admin/customers/501/resend-verification');
      expect([status, did().filter(([name]) => name !== 'list'), state.facts]).toEqual([422, [], []]);
      expect(text).toContain('Nobody has registered');
      state.customers.pop();
    },
  );
  it('names ids in the facts, and neither addresses nor names', async () => {
    await site.post(`${USER}/role`, { role: 'admin' });
    await site.post(`${USER}/rate-limit`, { requests_per_minute: '7' });
    expect(state.facts).toMatchObject([
      { act: 'user_role_changed', userId: 3, subject: '9', details: { role: 'admin' } },
      { act: 'user_rate_limited', userId: 3, subject: '9', details: { requestsPerMinute: 7 } },
    ]);
    expect(JSON.stringify(state.facts)).not.toContain('@');
  });
});

describe('oneself', () => {
  it.each<[string, Record<string, string>]>([
    ['delete', {}],
    ['toggle', { active: 'false' }],
    ['staff', { staff: 'false' }],
    ['role', { role: 'support' }],
  ])('nobody does %s to himself', async (act, fields) => {
    const { status, text } = await site.post(`/admin/users/3/${act}`, fields);
    expect(status).toBe(422);
    expect(text).toContain('role="alert">Nobody does this to himself.');
    expect([did(), state.noted, state.facts]).toEqual([[], [], []]);
  });
  it('the own page has no button for it', async () => {
    const { text } = await site.get('/admin/users/3');
    expect(text).not.toMatch(/action="\/admin\/users\/3\/(delete|toggle)"/);
  });
});

describe('what cannot be taken back', () => {
  it.each([
    ['/admin/users/9', '/admin/users/9/delete'],
    ['/admin/users/9', '/admin/users/9/toggle'],
    ['/admin/coupons', '/admin/coupons/5/delete'],
    ['/admin/plans', '/admin/plans/team/delete'],
  ])('%s asks twice before %s: its button stands in a closed box', async (page, action) => {
    const { text } = await site.get(page);
    const boxes = [...text.matchAll(/<details>.*?<\/details>/gs)].map(([box]) => box);
    expect(boxes.filter((box) => box.includes(`action="${action}"`))).toHaveLength(1);
    expect(text.split(`action="${action}"`)).toHaveLength(2);
  });
});
