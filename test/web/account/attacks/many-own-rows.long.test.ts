import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longestBlocking, MAX_BLOCKING_MS } from '../../../support/longest-blocking.ts';
import { ask, type TestBrowser, type WholeSite, wholeSite } from '../whole-application.ts';

const EMAIL = 'ann@x.example';
const EVENTS = 100_000;
const SESSIONS = 50_000;

let site: WholeSite;
let browser: TestBrowser;
let staff: TestBrowser;
let userId: number;

/** Rows that were put there: by requests there would never be so many. */
async function insert(table: 'security_events' | 'sessions', count: number, row: (n: number) => object) {
  const registry = await site.registry();
  for (let at = 0; at < count; at += 2000) {
    const rows = Array.from({ length: Math.min(2000, count - at) }, (_, n) => row(at + n));
    await registry
      .insertInto(table)
      .values(rows as never)
      .execute();
  }
}

beforeAll(async () => {
  site = await wholeSite();
  userId = (await site.user(EMAIL)).id;
  await site.user('staff@x.example', { staff: true });
  const at = new Date(site.clock.time).toISOString();
  await insert('security_events', EVENTS, () => ({
    at,
    type: 'signed_in',
    severity: 'info',
    user_id: userId,
    ip: '192.0.2.1',
  }));
  await insert('sessions', SESSIONS, (n) => ({
    user_id: userId,
    token_hash: `hash ${n}`,
    created_at: at,
    last_used_at: at,
    is_remembered: 0,
    ip: '192.0.2.1',
    user_agent: 'Browser',
  }));
  [browser, staff] = [await site.signedIn(EMAIL), await site.signedIn('staff@x.example')];
}, 120_000);
afterAll(() => site.close());

describe('given 100,000 security events and 50,000 sessions of a user', () => {
  it.each(['/account', '/account?before=30000', '/dashboard', '/billing', '/api-keys'])(
    '%s holds nobody up',
    async (path) => {
      const { result, longest } = await longestBlocking(() => browser.get(path));
      expect(result.status).toBe(200);
      expect(result.text.length).toBeLessThan(200_000);
      expect(longest).toBeLessThan(MAX_BLOCKING_MS);
    },
  );

  it('/account/export gives all of them, and holds nobody up', async () => {
    const { result, longest } = await longestBlocking(() => browser.get('/account/export'));
    expect(longest).toBeLessThan(MAX_BLOCKING_MS);
    const told = JSON.parse(result.text);
    expect(told.security_events.length).toBeGreaterThan(EVENTS - 1000);
    expect(told.sessions.length).toBeGreaterThan(SESSIONS - 1000);
    expect(new Set(told.security_events.map(({ id }: { id: number }) => id)).size).toBe(told.security_events.length);
  }, 60_000);

  it.each(['/admin/security', '/admin/security?ip=203.0.113.99', '/admin/security?page=1500', '/admin/users'])(
    '%s holds nobody up',
    async (path) => {
      const { result, longest } = await longestBlocking(() => staff.get(path));
      expect(result.status).toBe(200);
      expect(longest).toBeLessThan(MAX_BLOCKING_MS);
    },
    60_000,
  );

  it('the page of the user holds nobody up', async () => {
    const { result, longest } = await longestBlocking(() => staff.get(`/admin/users/${userId}`));
    expect(result.status).toBe(200);
    expect(longest).toBeLessThan(MAX_BLOCKING_MS);
  });

  it('a download that runs refuses the next one with 429 and Retry-After, and its end opens the way', async () => {
    const [first, second] = [browser.get('/account/export'), browser.get('/account/export')];
    const answers = await Promise.all([first, second]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429]);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await browser.get('/account/export')).status).toBe(200);
  }, 60_000);

  it('a client that goes away ends its download', async () => {
    const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const gone = new AbortController();
    const begun = await fetch(`${site.url}/account/export`, { headers: { cookie }, signal: gone.signal });
    expect(begun.status).toBe(200);
    gone.abort();
    await expect
      .poll(async () => (await ask(`${site.url}/account/export`, { headers: { cookie } })).status, { timeout: 20_000 })
      .toBe(200);
  }, 60_000);
});
