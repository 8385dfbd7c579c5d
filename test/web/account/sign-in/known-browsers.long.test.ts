import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type WholeSite, wholeSite } from '../whole-application.ts';

const EMAIL = 'ann@x.example';
const WRONG = { password: 'a wrong password' };

let site: WholeSite;
beforeEach(async () => {
  site = await wholeSite({ settings: { trustProxy: ['127.0.0.0/8'] } });
  await site.user(EMAIL);
});
afterEach(() => site.close());

/** A sign-in from this address. */
const signInFrom = async (ip: string, browser = site.browser(), fields: Readonly<Record<string, string>> = {}) =>
  browser.post('/login', { email: EMAIL, password: 'a fine long password', ...fields }, { 'x-forwarded-for': ip });

describe('an address that others have locked', () => {
  const lockOut = async () => {
    for (let n = 0; n < 100; n++) {
      const answer = await signInFrom(`198.51.100.${Math.floor(n / 4)}`, site.browser(), WRONG);
      expect(answer.status).toBe(422);
    }
  };

  it('stays open for a browser that its user has signed in with, also after the session has ended', async () => {
    const own = site.browser();
    expect((await signInFrom('203.0.113.1', own)).status).toBe(303);
    await own.post('/logout');
    await lockOut();
    const refused = await signInFrom('203.0.113.1');
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    expect((await signInFrom('203.0.113.1', own)).status).toBe(303);
  }, 60_000);

  it('is not opened by a cookie that this server has not signed', async () => {
    const forged = site.browser();
    const { id } = (await site.people.operators.list())[0]!;
    const text = Buffer.from(JSON.stringify({ name: 'x', userIds: [id] })).toString('base64url');
    forged.jar.set('__Host-browser', `${text}.${'A'.repeat(43)}`);
    await lockOut();
    expect((await signInFrom('203.0.113.1', forged)).status).toBe(429);
  }, 60_000);
});

it('a browser that signs in again has one session, and the one before has ended', async () => {
  const own = site.browser();
  await signInFrom('203.0.113.1', own);
  const before = own.session();
  await signInFrom('203.0.113.1', own);
  expect(own.session()).not.toBe(before);
  const { id } = (await site.people.operators.list())[0]!;
  expect(await site.people.staff.sessionsOf(id)).toHaveLength(1);
});

it('the 31st right password of an address in 15 minutes is 429 with Retry-After', async () => {
  for (let n = 0; n < 30; n++) expect((await signInFrom('203.0.113.9')).status).toBe(303);
  const refused = await signInFrom('203.0.113.9');
  expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
  expect((await signInFrom('203.0.113.10')).status).toBe(303);
});

it('refused forms of one address add one row a minute', async () => {
  const browser = site.browser();
  for (let n = 0; n < 60; n++) expect((await browser.post('/login', { _csrf: 'wrong' })).status).toBe(403);
  const registry = await site.registry();
  expect(await registry.selectFrom('security_events').selectAll().execute()).toHaveLength(1);
});
