import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type TestBrowser, type WholeSite, wholeSite } from '../whole-application.ts';

/** Every form of somebody who is signed in, with fields that would do something. */
const SIGNED_IN: readonly (readonly [string, Record<string, string>])[] = [
  ['/account/profile', { name: 'Forged', timezone: 'UTC', email: 'victim@x.example' }],
  ['/account/password', { current_password: PASSWORD, password: 'another fine password' }],
  ['/account/sessions/1/revoke', {}],
  ['/account/sessions/revoke-others', {}],
  ['/account/delete', { current_password: PASSWORD }],
  ['/account/github/unlink', {}],
  ['/api-keys', { name: 'forged' }],
  ['/api-keys/1/revoke', {}],
  ['/links', { path: '/v1/teams', format: 'csv' }],
  ['/links/1/revoke', {}],
  ['/bets', { csv: 'a' }],
  ['/account/books', { book: 'fanduel' }],
  ['/bets/1/delete', {}],
  ['/playground', { operation: 'list_sports' }],
  ['/onboarding/docs-visit', {}],
  ['/billing/subscribe', { plan: 'payg' }],
  ['/billing/cancel', {}],
  ['/billing/topup', { pack_id: '1' }],
  ['/billing/auto-recharge', {}],
  ['/billing/coupon', { code: 'FORGED' }],
  ['/billing/setup-intent', {}],
  ['/billing/payment-method', { payment_method: 'ok' }],
  ['/billing/payment-method/remove', {}],
  ['/logout', {}],
  ['/admin/users/1/revoke-sessions', {}],
  ['/admin/users/1/password-reset', {}],
  ['/admin/users/1/resend-verification', {}],
  ['/admin/users/1/delete', {}],
  ['/admin/users/1/staff', { staff: 'true' }],
  ['/admin/users/1/role', { role: 'admin' }],
  ['/admin/users/1/rate-limit', { requests_per_minute: '1' }],
  ['/admin/users/1/toggle', { active: 'false' }],
  ['/admin/coupons', { code: 'FORGED', kind: 'credits', value: '1000000' }],
  ['/admin/coupons/1/toggle', { active: 'false' }],
  ['/admin/coupons/1/delete', {}],
  ['/admin/plans/free', { initial_credits: '' }],
  ['/admin/plans/free/delete', {}],
  ['/admin/settings', { free_daily_cap: '' }],
  ['/admin/customers/1/entitlements', { credits: '1000000', reason: 'forged' }],
  ['/admin/customers/1/resend-verification', {}],
];
const OPEN: readonly (readonly [string, Record<string, string>])[] = [
  ['/login', { email: 'victim@x.example', password: PASSWORD }],
  ['/register', { email: 'forged@x.example', password: PASSWORD }],
  ['/forgot-password', { email: 'victim@x.example' }],
  ['/resend-verification', { email: 'victim@x.example' }],
  ['/reset-password', { token: 'x', password: PASSWORD }],
];

const EVIL = 'https://evil.example';

let site: WholeSite;
let victim: TestBrowser;
let attacker: TestBrowser;
let before: unknown;

/** What forms could have changed. */
async function state() {
  const { users } = await site.people.staff.list(1, '');
  const { staffBilling } = site.server.accounts;
  return {
    users,
    sessions: (await Promise.all(users.map(({ id }) => site.people.staff.sessionsOf(id)))).map(({ length }) => length),
    keys: await Promise.all(users.map(async ({ accountId }) => accountId && (await site.ports.keys.list(accountId)))),
    coupons: await staffBilling.coupons(),
    plans: await staffBilling.plans(),
    head: await site.ports.log.head(),
  };
}

beforeAll(async () => {
  site = await wholeSite();
  // Of the staff, so that no form is refused before its token is looked at.
  await site.user('victim@x.example', { staff: true });
  await site.user('attacker@x.example', { staff: true });
  victim = await site.signedIn('victim@x.example');
  attacker = await site.signedIn('attacker@x.example');
  before = await state();
});
afterAll(() => site.close());

describe.each(SIGNED_IN)('POST %s', (path, fields) => {
  it('is refused without the token, with a wrong one, and with that of another session', async () => {
    const stranger = await site.browser().token();
    for (const token of ['', 'wrong', await attacker.token(), stranger]) {
      expect([token, (await victim.post(path, { ...fields, _csrf: token })).status]).toEqual([token, 403]);
    }
    const bare = await victim.go(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
    expect(bare.status).toBe(403);
  });
  it.each([
    ['another Origin', { origin: EVIL }],
    ['the Origin null', { origin: 'null' }],
    ['an Origin that only begins as ours', { origin: 'https://sports.example.evil.example' }],
    ['an Origin on another port', { origin: 'https://sports.example:8443' }],
    ['Sec-Fetch-Site cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site cross-site, our own Origin', { origin: 'https://sports.example', 'sec-fetch-site': 'cross-site' }],
  ])('is refused with the right token and %s', async (_name, headers) => {
    expect((await victim.post(path, fields, headers)).status).toBe(403);
  });
  it('takes no token from the address', async () => {
    const token = encodeURIComponent(await victim.token());
    const answer = await victim.post(`${path}?_csrf=${token}`, { ...fields, _csrf: '' });
    expect(answer.status).toBe(403);
  });
});

it('none of these did anything', async () => {
  expect(await state()).toEqual(before);
});

it('they stand in the security log once a minute for an address, so that it is not buried', async () => {
  const { events } = await site.server.people.security.list({ page: 1, type: 'csrf_refused' });
  expect(events).toHaveLength(1);
});

describe.each(OPEN)('POST %s of nobody who is signed in', (path, fields) => {
  it('is refused without the token of this browser', async () => {
    const browser = site.browser();
    await browser.get('/login');
    for (const token of ['', 'wrong', await site.browser().token(), await victim.token()]) {
      expect((await browser.post(path, { ...fields, _csrf: token })).status).toBe(403);
    }
    expect((await browser.post(path, fields, { origin: EVIL })).status).toBe(403);
    expect((await browser.post(path, fields, { origin: 'null' })).status).toBe(403);
    expect((await browser.post(path, fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect(browser.session()).toBeUndefined();
  });
  it('is refused where the browser keeps no cookies', async () => {
    const token = await site.browser().token();
    expect((await site.browser().post(path, { ...fields, _csrf: token })).status).toBe(403);
  });
});

describe('a form of our own', () => {
  it.each([
    ['the Origin of the public address', { origin: 'https://sports.example' }],
    ['Sec-Fetch-Site same-origin', { 'sec-fetch-site': 'same-origin' }],
    ['neither', {}],
  ])('is taken with %s', async (_name, headers) => {
    expect((await victim.post('/account/sessions/revoke-others', {}, headers)).status).toBe(303);
  });
  it('is taken with the Origin of the host that was asked', async () => {
    const headers = { origin: site.url };
    expect((await victim.post('/account/sessions/revoke-others', {}, headers)).status).toBe(303);
  });
  it('is taken with its token in a header', async () => {
    const answer = await victim.go('/account/sessions/revoke-others', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-csrf-token': await victim.token() },
    });
    expect(answer.status).toBe(303);
  });
});
