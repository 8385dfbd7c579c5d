import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STAFF_STREAM, type StaffActedRecord } from '../../../../src/domain/accounts/staff-events.ts';
import { type TestBrowser, type WholeSite, wholeSite } from '../whole-application.ts';

/** The pages of the staff on the server that ships. */

const EMAIL = 'ann@x.example';

let site: WholeSite;
let admin: TestBrowser;
let user: TestBrowser;
let ids: { readonly user: number; readonly account: number; readonly admin: number };
beforeAll(async () => {
  site = await wholeSite();
  const ann = await site.user(EMAIL);
  const boss = await site.user('boss@x.example', { staff: true });
  ids = { user: ann.id, account: ann.accountId!, admin: boss.id };
  [admin, user] = [await site.signedIn('boss@x.example'), await site.signedIn(EMAIL)];
});
afterAll(() => site.close());

const acts = async () =>
  ((await site.ports.log.readStream(STAFF_STREAM)) as readonly StaffActedRecord[]).map(({ data }) => data);
const noted = async () => (await site.server.people.security.list({ page: 1 })).events;
const userPage = () => `/admin/users/${ids.user}`;
const customerPage = () => `/admin/customers/${ids.account}`;
async function keyOf(browser: TestBrowser): Promise<string> {
  const made = await browser.post('/api-keys', { name: 'a key' });
  const { text } = await browser.get(made.location!);
  return /sk_[\w.-]+|[a-z]+_[\w-]+\.[\w-]+/.exec(text)![0];
}
const call = (key: string, path = '/v1/sports') =>
  fetch(site.url + path, { headers: { authorization: `Bearer ${key}` } });

describe('every form of the staff', () => {
  it('is a fact with who asked, and stands in the security log with its path', async () => {
    await site.user('gone@x.example');
    const { users } = await site.people.staff.list(1, 'gone@');
    const gone = `/admin/users/${users[0]!.id}`;
    const posts: readonly (readonly [string, Record<string, string>, string, string])[] = [
      [`${gone}/revoke-sessions`, {}, 'user_sessions_revoked', 'admin_action'],
      [`${gone}/password-reset`, {}, 'user_password_reset_mailed', 'admin_action'],
      [`${gone}/resend-verification`, {}, 'user_verification_mailed', 'admin_action'],
      [`${gone}/rate-limit`, { requests_per_minute: '9' }, 'user_rate_limited', 'admin_action'],
      [`${gone}/staff`, { staff: 'true' }, 'user_staff_changed', 'staff_changed'],
      [`${gone}/role`, { role: 'support' }, 'user_role_changed', 'staff_changed'],
      [`${gone}/toggle`, { active: 'false' }, 'user_switched', 'account_suspended'],
      [`${gone}/toggle`, { active: 'true' }, 'user_switched', 'account_reactivated'],
      [`${gone}/delete`, {}, 'user_deleted', 'admin_action'],
      ['/admin/coupons', { code: 'spring', kind: 'credits', value: '70' }, 'coupon_created', 'admin_action'],
      ['/admin/coupons/1/toggle', { active: 'false' }, 'coupon_switched', 'admin_action'],
      ['/admin/coupons/1/delete', {}, 'coupon_deleted', 'admin_action'],
      ['/admin/plans/team', { name: 'Team' }, 'plan_changed', 'admin_action'],
      ['/admin/plans/team/delete', {}, 'plan_deleted', 'admin_action'],
      ['/admin/settings', { free_daily_cap: '250' }, 'setting_changed', 'admin_action'],
      [`${customerPage()}/entitlements`, { credits: '1', reason: 'sorry' }, 'account_entitled', 'admin_action'],
      [`${customerPage()}/resend-verification`, {}, 'account_verification_mailed', 'admin_action'],
    ];
    for (const [path, fields, act, event] of posts) {
      const before = await acts();
      expect([path, (await admin.post(path, fields)).status]).toEqual([path, 303]);
      const [fact, ...more] = (await acts()).slice(before.length);
      expect([path, fact, more]).toEqual([
        path,
        expect.objectContaining({ act, userId: ids.admin, requestId: expect.any(String) }),
        [],
      ]);
      const [newest, next] = (await noted()).filter(({ severity }) => severity === 'critical');
      expect(newest).toMatchObject({ type: event, byUserId: ids.admin });
      if (event === 'admin_action') {
        expect(newest!.path).toBe(path);
        expect(next!.path).not.toBe(path);
      }
    }
    // Ids only: deletion needs no change of the log.
    expect(JSON.stringify(await acts())).not.toMatch(/@|Ann/);
  });
});

describe('what staff do is in force', () => {
  it('given credits, then the balance and the end of the ledger show them, with the reason', async () => {
    await admin.post(`${customerPage()}/entitlements`, { credits: '4321', reason: 'for the outage' });
    const { text } = await admin.get(customerPage());
    expect(text).toContain('4,321');
    expect(text).toContain('for the outage');
  });
  it('given a plan, then the account is on it', async () => {
    await admin.post(`${customerPage()}/entitlements`, { plan: 'payg' });
    expect((await site.server.accounts.customerBilling.overview(ids.account)).plan.slug).toBe('payg');
    await admin.post(`${customerPage()}/entitlements`, { plan: 'free' });
  });
  it('given a coupon, then a user redeems it once; switched off, nobody does', async () => {
    await admin.post('/admin/coupons', { code: 'Gift-1', kind: 'credits', value: '12', expires_at: '2030-01-01' });
    const [coupon] = await site.server.accounts.staffBilling.coupons();
    expect(coupon).toMatchObject({ code: 'GIFT-1', value: 12, maxUses: null, isActive: true });
    expect((await user.post('/billing/coupon', { code: 'gift-1' })).location).toBe('/billing');
    expect((await user.post('/billing/coupon', { code: 'GIFT-1' })).status).toBe(422);
    expect((await admin.get('/admin/coupons')).text).toContain('12 credits');
    await admin.post('/admin/coupons', { code: 'OFF', kind: 'credits', value: '12' });
    const off = (await site.server.accounts.staffBilling.coupons()).find(({ code }) => code === 'OFF')!;
    expect((await admin.post(`/admin/coupons/${off.id}/toggle`, { active: 'false' })).status).toBe(303);
    expect((await user.post('/billing/coupon', { code: 'OFF' })).status).toBe(422);
    expect((await admin.post('/admin/coupons', { code: 'off', kind: 'credits', value: '1' })).status).toBe(422);
  });
  it('given a rate limit, then the keys have it; empty, they have the plan’s again', async () => {
    const key = await keyOf(user);
    await admin.post(`${userPage()}/rate-limit`, { requests_per_minute: '77' });
    site.clock.time += 2000;
    expect((await call(key)).headers.get('x-ratelimit-limit')).toBe('77');
    expect((await admin.get(userPage())).text).toContain('value="77"');
    await admin.post(`${userPage()}/rate-limit`, { requests_per_minute: '' });
    site.clock.time += 2000;
    expect((await call(key)).headers.get('x-ratelimit-limit')).toBe('20');
  });
  it('given a change of a plan, then its accounts have it', async () => {
    const key = await keyOf(user);
    await admin.post('/admin/plans/free', { requests_per_minute: '33' });
    site.clock.time += 2000;
    expect((await call(key)).headers.get('x-ratelimit-limit')).toBe('33');
    await admin.post('/admin/plans/free', { requests_per_minute: '20' });
  });
  it('given a daily cap, then the page of settings and the plan have it', async () => {
    await admin.post('/admin/settings', { free_daily_cap: '7777' });
    expect((await admin.get('/admin/settings')).text).toContain('7,777 credits');
    expect((await admin.get('/admin/plans')).text).toContain('7,777');
    await admin.post('/admin/settings', { free_daily_cap: '' });
    expect((await admin.get('/admin/settings')).text).toContain('value=""');
  });
  it('given a suspended user, then his keys answer 401, and again when he is active', async () => {
    const key = await keyOf(user);
    expect((await call(key)).status).toBe(200);
    await admin.post(`${userPage()}/toggle`, { active: 'false' });
    site.clock.time += 1000;
    expect((await call(key)).status).toBe(401);
    expect((await admin.get(userPage())).text).toContain('suspended');
    await admin.post(`${userPage()}/toggle`, { active: 'true' });
    site.clock.time += 1000;
    expect((await call(key)).status).toBe(200);
  });
  it('given the end of all sessions, then they have ended', async () => {
    const browser = await site.signedIn(EMAIL);
    expect((await admin.post(`${userPage()}/revoke-sessions`)).status).toBe(303);
    expect((await browser.get('/dashboard')).status).toBe(303);
  });
  it('given support, then it reads and helps, and the rest is not there', async () => {
    await site.user('help@x.example');
    const { users } = await site.people.staff.list(1, 'help@');
    const helper = `/admin/users/${users[0]!.id}`;
    await admin.post(`${helper}/staff`, { staff: 'true' });
    await admin.post(`${helper}/role`, { role: 'support' });
    const support = await site.signedIn('help@x.example');
    expect((await support.get(userPage())).status).toBe(200);
    expect((await support.post(`${userPage()}/revoke-sessions`)).status).toBe(303);
    expect((await support.post(`${helper}/role`, { role: 'admin' })).status).toBe(404);
    expect((await support.post(`${userPage()}/delete`)).status).toBe(404);
    await admin.post(`${helper}/staff`, { staff: 'false' });
    expect((await support.get('/admin')).status).toBe(404);
  });
  it.each<[string, Record<string, string>]>([
    ['delete', {}],
    ['toggle', { active: 'false' }],
    ['staff', { staff: 'false' }],
    ['role', { role: 'support' }],
  ])('nobody does %s to himself', async (act, fields) => {
    expect((await admin.post(`/admin/users/${ids.admin}/${act}`, fields)).status).toBe(422);
    expect((await admin.get('/admin')).status).toBe(200);
  });
});

describe('lists', () => {
  it('the security log is filtered, 50 a page, the newest first', async () => {
    const client = { ip: '192.0.2.7', userAgent: 'Browser' };
    const note = () => site.server.people.security.note({ type: 'password_changed', client });
    for (let n = 0; n < 51; n++) await note();
    const first = await admin.get('/admin/security?event_type=password_changed&severity=warning&ip=192.0.2.7');
    expect(first.text.match(/<tr><td><time/g)).toHaveLength(50);
    expect(first.text).toContain('page=2');
    const second = await admin.get('/admin/security?event_type=password_changed&page=2');
    expect(second.text.match(/<tr><td><time/g)).toHaveLength(1);
    expect((await admin.get('/admin/security?event_type=password_changed&severity=info')).text).toContain('0 events');
    expect((await admin.get('/admin/security?ip=192.0.2.99')).text).toContain('0 events');
  });
  it('users and customers are found by words', async () => {
    expect((await admin.get('/admin/users?q=ANN%40')).text).toContain(EMAIL);
    expect((await admin.get('/admin/users?q=nobody-here')).text).toContain('0 users');
    expect((await admin.get('/admin/customers?q=ann%40')).text).toContain(`href="${customerPage()}"`);
    expect((await admin.get(`/admin/customers?q=${ids.account}`)).text).toContain(`href="${customerPage()}"`);
  });
});
