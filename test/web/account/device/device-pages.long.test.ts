import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operations } from '../../../../src/api/operations/index.ts';
import { MINUTE } from '../../../../src/domain/primitives/time.ts';
import { answerCheck } from '../../../api/spec/answer-check.ts';
import { linkIn, PASSWORD, type TestBrowser, type WholeSite, wholeSite } from '../whole-application.ts';

let site: WholeSite;
let check: Awaited<ReturnType<typeof answerCheck>>;
let people = 0;
let addresses = 0;
let browser: TestBrowser;
let email: string;
beforeAll(async () => {
  site = await wholeSite({ settings: { trustProxy: ['127.0.0.1'] } });
  check = await answerCheck(operations, site.url);
});
afterAll(async () => {
  await site.close();
  expect(site.failures).toEqual([]);
});
beforeEach(async () => {
  email = `ann${++people}@example.com`;
  await site.user(email);
  browser = await site.signedIn(email);
});

/** A call without a key, from an address of its own unless told. */
async function call(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(site.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${++addresses % 250}`, ...headers },
    body: JSON.stringify(body),
  });
  const value: any = await response.json();
  check('POST', path, response.status, value);
  return { status: response.status, headers: response.headers, body: value };
}
const start = async (name = 'my agent') => (await call('/api/agent/trial', { client_name: name })).body;
const finish = (code: string) => call('/api/agent/trial/token', { device_code: code });
const outcomeOf = ({ status, body }: { readonly status: number; readonly body: any }) =>
  status === 200 ? '200' : `${status} ${body.error.code}`;
const flash = async () => /role="status">([^<]*)</.exec((await browser.get('/device')).text)?.[1];
const keysOf = async () => {
  const { text } = await browser.get('/api-keys');
  return [...text.matchAll(/<li><div><b>([^<]*)</g)].map(([, name]) => name);
};

describe('/device', () => {
  it('given a code, then it shows who asks, and the key that is approved works with its scopes and its cap', async () => {
    const asked = await start('agent <b>of</b> Bob');
    expect(asked.verification_uri).toBe('https://sports.example/device');
    expect((await browser.get('/device')).text).toContain('name="user_code"');
    const look = await browser.post('/device', { user_code: asked.user_code.toLowerCase(), decision: 'look' });
    expect(look.status).toBe(200);
    expect(look.text).toContain('<bdi>agent &lt;b&gt;of&lt;/b&gt; Bob</bdi>');
    expect(look.text).toContain(asked.user_code);
    expect(outcomeOf(await finish(asked.device_code))).toBe('400 authorization_pending');
    const approved = await browser.post('/device', [
      ['user_code', asked.user_code],
      ['decision', 'approve'],
      ['scopes', 'nba'],
      ['scopes', 'nfl'],
      ['max_credits_a_day', '2'],
    ]);
    expect([approved.status, approved.location]).toEqual([303, '/device']);
    expect(await flash()).toBe('agent &lt;b&gt;of&lt;/b&gt; Bob gets a key. It fetches it within seconds.');
    const { status, body, headers } = await finish(asked.device_code);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toMatchObject({ scopes: ['nba', 'nfl'], max_credits_a_day: 2, expires_at: null });
    const events = (sport: string) =>
      fetch(`${site.url}/v1/events?sport=${sport}`, { headers: { authorization: `Bearer ${body.key}` } });
    expect([(await events('mlb')).status, (await events('nba')).status, (await events('nba')).status]).toEqual([
      403, 200, 200,
    ]);
    expect(((await (await events('nba')).json()) as any).error.code).toBe('credit_cap_exceeded');
    expect(outcomeOf(await finish(asked.device_code))).toBe('400 expired_token');
    expect(await keysOf()).toEqual(['agent &lt;b&gt;of&lt;/b&gt; Bob']);
    expect(await keysOf()).toHaveLength(1);
  });

  it('given a person who refuses, then the program is told', async () => {
    const { user_code: code, device_code: device } = await start();
    const refused = await browser.post('/device', { user_code: code, decision: 'refuse' });
    expect([refused.status, refused.location]).toEqual([303, '/device']);
    expect(await flash()).toBe('my agent gets no key.');
    expect(outcomeOf(await finish(device))).toBe('400 access_denied');
  });

  it('given nobody who is signed in, then it leads to the sign-in and back, and a form does nothing', async () => {
    const { user_code: code, device_code: device } = await start();
    const nobody = site.browser();
    const path = `/device?user_code=${code}`;
    expect((await nobody.get(path)).location).toBe(`/login?next=${encodeURIComponent(path)}`);
    const { status, location } = await nobody.post('/device', { user_code: code, decision: 'approve' });
    expect([status, location]).toEqual([303, '/login']);
    expect(outcomeOf(await finish(device))).toBe('400 authorization_pending');
    expect((await nobody.signIn(email, { next: path })).location).toBe(path);
    expect((await nobody.get(path)).text).toContain('<bdi>my agent</bdi>');
  });

  it('given a person without an account, then the way over the registration and its mail leads back to the code', async () => {
    const { user_code: code } = await start();
    const path = `/device?user_code=${code}`;
    const newcomer = site.browser();
    const login = (await newcomer.get((await newcomer.get(path)).location!)).text;
    const register = /href="(\/register\?next=[^"]+)"/.exec(login)![1]!.replaceAll('&amp;', '&');
    const form = (await newcomer.get(register)).text;
    const next = /name="next" value="([^"]+)"/.exec(form)![1]!;
    const fields = { email: `new${code.toLowerCase()}@example.com`, password: PASSWORD, name: '', plan: 'free' };
    expect((await newcomer.post('/register', { ...fields, next })).location).toBe('/verify-email');
    const link = linkIn((await site.mailed())[0]!);
    const token = new URL(link, site.url).searchParams.get('token')!;
    expect((await newcomer.post('/verify-email', { token, password: PASSWORD })).location).toBe('/login');
    expect((await newcomer.signIn(fields.email)).location).toBe(path);
    expect((await newcomer.get(path)).text).toContain('<bdi>my agent</bdi>');
    await newcomer.get('/logout');
    expect((await newcomer.signIn(fields.email)).location).toBe('/dashboard');
  });

  it.each([
    ['no code', { user_code: '', decision: 'approve' }, 'field-user_code-error'],
    ['a wrong code', { user_code: 'BCDF-GHJK', decision: 'approve' }, 'field-user_code-error'],
    ['no decision', { decision: '' }, 'role="alert"'],
    ['an unknown decision', { decision: 'maybe' }, 'role="alert"'],
    ['an unknown scope', { decision: 'approve', scopes: 'cricket' }, 'scopes-error'],
    ['a cap of nothing', { decision: 'approve', max_credits_a_day: '0' }, 'field-max_credits_a_day-error'],
    ['a cap that is no number', { decision: 'approve', max_credits_a_day: 'all' }, 'field-max_credits_a_day-error'],
  ])('given %s, then it is refused with 422 on the page, and nothing is done', async (_, fields, mark) => {
    const { user_code: code, device_code: device } = await start();
    const { status, text } = await browser.post('/device', { user_code: code, ...fields } as any);
    expect(status).toBe(422);
    expect(text).toContain(mark);
    expect(outcomeOf(await finish(device))).toBe('400 authorization_pending');
    expect(await keysOf()).toEqual([]);
  });

  it('given a form without its token, then it is refused, and nothing is done', async () => {
    const { user_code: code, device_code: device } = await start();
    expect((await browser.post('/device', { user_code: code, decision: 'approve', _csrf: 'x' })).status).toBe(403);
    const crossSite = { 'sec-fetch-site': 'cross-site' };
    expect((await browser.post('/device', { user_code: code, decision: 'approve' }, crossSite)).status).toBe(403);
    expect(outcomeOf(await finish(device))).toBe('400 authorization_pending');
  });

  it('given a link of another site, then it fills the form in, and does not count as a try', async () => {
    const { user_code: code } = await start();
    const headers = { 'sec-fetch-site': 'cross-site' };
    for (let n = 0; n < 12; n++) expect((await browser.get('/device?user_code=BCDF-GHJK', headers)).status).toBe(200);
    const { text } = await browser.get(`/device?user_code=${code}`, headers);
    expect(text).toContain(`value="${code}"`);
    expect(text).not.toContain('<bdi>');
    expect((await browser.get(`/device?user_code=${code}`)).text).toContain('<bdi>');
  });

  it('given 10 wrong codes, then 429 with Retry-After, for the right one too, by link and by form', async () => {
    const { user_code: code } = await start();
    for (let n = 0; n < 5; n++) {
      expect((await browser.post('/device', { user_code: 'wrong', decision: 'look' })).status).toBe(422);
      expect((await browser.get('/device?user_code=wrong')).status).toBe(422);
    }
    const locked = await browser.post('/device', { user_code: code, decision: 'approve' });
    expect([locked.status, locked.headers['retry-after']]).toEqual([429, '900']);
    const looked = await browser.get(`/device?user_code=${code}`);
    expect([looked.status, looked.headers['retry-after']]).toEqual([429, '900']);
    site.clock.time += 15 * MINUTE;
    expect((await browser.get(`/device?user_code=${(await start()).user_code}`)).status).toBe(200);
  });

  it('given an account with all of its keys, then 403 on the page and for the program, and the request goes on', async () => {
    for (let n = 0; n < 3; n++)
      await browser.post('/device', { user_code: (await start(`agent ${n}`)).user_code, decision: 'approve' });
    const { user_code: code, device_code: device } = await start();
    const { status, text } = await browser.post('/device', { user_code: code, decision: 'approve' });
    expect(status).toBe(403);
    expect(text).toContain('The plan allows 3 keys.');
    expect(text).toContain('<bdi>my agent</bdi>');
    expect(outcomeOf(await finish(device))).toBe('403 key_limit_reached');
  });
});

describe('POST /api/agent/trial', () => {
  it('is answered without a key, and a key that is sent is not read', async () => {
    for (const headers of [{}, { authorization: 'Bearer wrong' }] as Record<string, string>[]) {
      const { status, body, headers: answered } = await call('/api/agent/trial', { client_name: 'x' }, headers);
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['device_code', 'user_code', 'verification_uri', 'interval', 'expires_in']);
      expect(answered.get('x-credits-used')).toBe('0');
      expect(answered.has('x-ratelimit-limit')).toBe(false);
      expect(answered.has('access-control-allow-origin')).toBe(false);
    }
  });

  it.each([
    [{}, ['client_name']],
    [{ client_name: '' }, ['client_name']],
    [{ client_name: ' ' }, ['client_name']],
    [{ client_name: 'x'.repeat(101) }, ['client_name']],
    [{ client_name: 7 }, ['client_name']],
    [{ client_name: 'a\0b' }, ['client_name']],
    [{ client_name: `llk_${'A'.repeat(12)}.${'a'.repeat(43)}` }, ['client_name']],
    [{ client_name: 'x', anonymous: 'yes' }, ['anonymous']],
    [{ anonymous: false }, ['client_name']],
    [[], []],
  ])('given %j, then it names the field', async (given, loc) => {
    const { status, body } = await call('/api/agent/trial', given);
    expect(status).toBe(422);
    expect(body.error.errors[0].loc).toEqual(['body', ...loc]);
  });

  it('given 20 starts of an address in an hour, then 429 with Retry-After', async () => {
    const from = { 'x-forwarded-for': '203.0.113.77' };
    for (let n = 0; n < 20; n++) expect((await call('/api/agent/trial', { client_name: 'x' }, from)).status).toBe(200);
    const refused = await call('/api/agent/trial', { client_name: 'x' }, from);
    expect([outcomeOf(refused), refused.headers.get('retry-after')]).toEqual(['429 rate_limit_exceeded', '3600']);
  });

  it('given the server does not allow it, then an anonymous trial is 403', async () => {
    expect(outcomeOf(await call('/api/agent/trial', { anonymous: true }))).toBe('403 forbidden');
  });

  it('given another method or type, then 405 and 415', async () => {
    const get = await fetch(`${site.url}/api/agent/trial`);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    const text = await call('/api/agent/trial', { client_name: 'x' }, { 'content-type': 'text/plain' });
    expect(text.status).toBe(415);
  });
});

describe('POST /api/agent/trial/token', () => {
  it('given an unknown code, then it has expired; given none, then 422', async () => {
    expect(outcomeOf(await finish('unknown'))).toBe('400 expired_token');
    expect(outcomeOf(await call('/api/agent/trial/token', {}))).toBe('422 validation_error');
  });

  it('given polls that come too fast, then slow_down tells how long to wait', async () => {
    const { device_code: code } = await start();
    expect((await finish(code)).body.error).toMatchObject({ code: 'authorization_pending', retry_after: 5 });
    const slow = await finish(code);
    expect([outcomeOf(slow), slow.headers.get('retry-after')]).toEqual(['400 slow_down', '10']);
  });
});
