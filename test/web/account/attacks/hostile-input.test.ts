import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, PASSWORD, type TestBrowser, type WholeSite, wholeSite } from '../whole-application.ts';

const HOSTILE = `"><script>alert('x')</script><img src=x onerror=alert(1)>`;
const EMAIL = 'ann@x.example';

let site: WholeSite;
let user: TestBrowser;
let staff: TestBrowser;
let userId: number;
let customer: string;
beforeAll(async () => {
  site = await wholeSite();
  const { id, accountId } = await site.user(EMAIL);
  userId = id;
  customer = `/admin/customers/${accountId}`;
  await site.user('staff@x.example', { staff: true });
  user = await site.signedIn(EMAIL);
  staff = await site.signedIn('staff@x.example');
  // Whatever can be written is written.
  const headers = { 'user-agent': HOSTILE };
  await user.post('/account/profile', { name: HOSTILE, timezone: 'UTC', email: EMAIL }, headers);
  const key = await user.post('/api-keys', { name: HOSTILE }, headers);
  expect(key.status).toBe(303);
  await site.browser().post('/login', { email: EMAIL, password: PASSWORD }, headers);
  await site.browser().post('/login', { email: HOSTILE, password: HOSTILE }, headers);
  await staff.post(`${customer}/entitlements`, { credits: '5', reason: HOSTILE });
  await staff.post('/admin/plans/hostile', { name: HOSTILE });
});
afterAll(() => site.close());

const isSafe = (text: string) => !/<script>alert|<img src=x|onerror=alert\(1\)>/.test(text);

describe('HTML that somebody wrote', () => {
  it('is shown, as it was written', async () => {
    const shown = '&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;';
    for (const path of ['/account', '/api-keys']) expect((await user.get(path)).text).toContain(shown);
    for (const path of ['/admin/users', `/admin/users/${userId}`, '/admin/security', '/admin/plans', customer]) {
      const { text } = await staff.get(path);
      expect([path, text.includes(shown), isSafe(text)]).toEqual([path, true, true]);
    }
  });
  it.each(['/dashboard', '/account', '/api-keys', '/billing', '/usage', '/analytics', '/playground'])(
    'is text on %s',
    async (path) => {
      const { status, text } = await user.get(path);
      expect([status, isSafe(text)]).toEqual([200, true]);
    },
  );
  it.each(['/admin/users', '/admin/users/USER', '/admin/security', '/admin/plans', '/admin/customers'])(
    'is text on %s',
    async (path) => {
      const { status, text } = await staff.get(path.replace('USER', String(userId)));
      expect([status, isSafe(text)]).toEqual([200, true]);
    },
  );
  it.each([
    '/login?next=X',
    '/register?plan=X',
    '/usage?q=X&status=X&days=X&key_id=X&page=X',
    '/analytics?days=X',
    '/playground?operation=X&sport=X',
    '/billing?plan=X',
    '/admin/users?q=X&page=X',
    '/admin/security?ip=X&severity=X&event_type=X&page=X',
    '/admin/customers?q=X',
    '/admin/plans?new=X',
    '/verify-email?token=X',
    '/reset-password?token=X',
    '/undo-email-change?token=X',
    '/X',
    '/api-keys/X/reveal',
    '/admin/users/X',
  ])('is text in the address %s', async (path) => {
    for (const browser of [site.browser(), user, staff]) {
      const { text, status } = await browser.get(path.replaceAll('X', encodeURIComponent(HOSTILE)));
      expect([status < 500, isSafe(text)]).toEqual([true, true]);
    }
  });
  it.each<[string, readonly string[]]>([
    ['/login', ['email', 'password', 'next', 'remember']],
    ['/register', ['email', 'password', 'name', 'plan']],
    ['/forgot-password', ['email']],
    ['/resend-verification', ['email']],
    ['/reset-password', ['token', 'password']],
    ['/verify-email', ['token', 'password']],
    ['/reset-password/remove', ['token', 'kind', 'id']],
    ['/undo-email-change', ['token']],
    ['/account/profile', ['name', 'timezone', 'email', 'current_password']],
    ['/account/password', ['current_password', 'password']],
    ['/account/delete', ['current_password', 'confirm']],
    ['/api-keys', ['name', 'scopes']],
    ['/playground', ['operation', 'id', 'sport', 'body']],
    ['/billing/subscribe', ['plan', 'idempotency_key']],
    ['/billing/topup', ['pack_id', 'idempotency_key']],
    ['/billing/auto-recharge', ['enabled', 'threshold', 'pack_id', 'monthly_cap']],
    ['/billing/coupon', ['code']],
    ['/billing/payment-method', ['payment_method']],
    ['/admin/users/USER/rate-limit', ['requests_per_minute']],
    ['/admin/users/USER/role', ['role']],
    ['/admin/coupons', ['code', 'kind', 'value', 'max_uses', 'expires_at']],
    ['/admin/plans/free', ['name', 'requests_per_minute', 'price_cents']],
    ['/admin/settings', ['free_daily_cap']],
  ])('is text where %s is refused', async (path, names) => {
    const address = path.replace('USER', String(userId));
    const browser = path.startsWith('/admin') ? staff : user;
    const fields = Object.fromEntries(names.map((name) => [name, HOSTILE]));
    const { status, text } = await browser.post(address, fields);
    expect([status < 500, isSafe(text)]).toEqual([true, true]);
  });
});

describe('what no form holds', () => {
  it.each(['application/json', 'multipart/form-data; boundary=x', 'text/plain'])('%s is 415', async (type) => {
    const token = await user.token();
    const answer = await user.go('/api-keys', {
      method: 'POST',
      headers: { 'content-type': type, 'x-csrf-token': token },
      body: '{"name":"x"}',
    });
    expect(answer.status).toBe(415);
  });
  it('a gigabyte is refused before it is sent', async () => {
    const cookie = [...user.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const socket = connect(site.port, '127.0.0.1');
    socket.write(
      `POST /api-keys HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1073741824\r\n\r\nname=`,
    );
    const first = await new Promise<string>((resolve, reject) => {
      socket.once('data', (data) => resolve(data.toString('utf8')));
      socket.once('error', reject);
    });
    socket.destroy();
    expect(first).toMatch(/^HTTP\/1\.1 413 /);
  });
  it('one that does not say how long it is, is refused when it is too long', async () => {
    const token = await user.token();
    const answer = await user.go('/api-keys', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'transfer-encoding': 'chunked' },
      body: `_csrf=${encodeURIComponent(token)}&name=${'x'.repeat(65 * 1024)}`,
    });
    expect(answer.status).toBe(413);
  });
  it('more fields than there are change nothing else', async () => {
    const before = (await site.people.staff.find(userId))!;
    await user.post('/account/profile', {
      name: 'Ann',
      timezone: 'UTC',
      email: EMAIL,
      is_staff: 'true',
      staff: 'true',
      role: 'admin',
      id: '1',
      account_id: '1',
      accountId: '1',
      plan: 'enterprise',
      isActive: 'false',
      __proto__: 'x',
    });
    expect(await site.people.staff.find(userId)).toEqual({ ...before, name: 'Ann' });
  });
});

describe('a forged state', () => {
  it('given GitHub is not configured, then there is nothing', async () => {
    const { status } = await ask(`${site.url}/oauth/github/callback?code=x&state=forged`);
    expect(status).toBe(404);
  });
});
