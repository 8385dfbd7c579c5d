import { afterEach, describe, expect, it } from 'vitest';
import { type ComposedOptions, START } from '../../../support/composed.ts';
import { ask, linkIn, PASSWORD, type WholeSite, wholeSite } from '../whole-application.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const EMAIL = 'ann@x.example';

let site: WholeSite;
async function opened(options: ComposedOptions = {}) {
  site = await wholeSite(options);
  await site.user(EMAIL);
  return site;
}
afterEach(() => site.close());
const isSignedIn = async (cookie: string) =>
  (await ask(`${site.url}/dashboard`, { headers: { cookie, accept: 'text/html' } })).status === 200;
/** What a `Set-Cookie` says beside its value, without regard to order and case. */
const flagsOf = (cookie: string) =>
  cookie
    .split(';')
    .slice(1)
    .map((flag) => flag.trim().toLowerCase())
    .sort();

describe('the cookie of a session', () => {
  it('given https, then it is bound to the host, is not read by scripts, and ends with the browser', async () => {
    await opened();
    const { cookies, location } = await site.browser().signIn(EMAIL);
    expect(location).toBe('/dashboard');
    const [cookie] = cookies.filter((one) => one.startsWith('__Host-session='));
    expect(flagsOf(cookie!)).toEqual(['httponly', 'path=/', 'samesite=lax', 'secure']);
    // 256 bits.
    expect(Buffer.from(/=([^;]+)/.exec(cookie!)![1]!, 'base64url').length).toBeGreaterThanOrEqual(32);
  });
  it('given http, then it has no prefix and no Secure', async () => {
    await opened({ baseUrl: (port) => `http://127.0.0.1:${port}` });
    const { cookies } = await site.browser().signIn(EMAIL);
    const [cookie] = cookies.filter((one) => one.startsWith('session='));
    expect(flagsOf(cookie!)).toEqual(['httponly', 'path=/', 'samesite=lax']);
    expect((await site.browser().get('/login')).headers['strict-transport-security']).toBeUndefined();
  });
  it('given remember, then it lives for 30 days', async () => {
    await opened();
    const { cookies } = await site.browser().signIn(EMAIL, { remember: 'on' });
    expect(flagsOf(cookies.find((one) => one.startsWith('__Host-session='))!)).toContain('max-age=2592000');
  });
  it('every small cookie is as closed as the session', async () => {
    await opened();
    const browser = site.browser();
    const answers = [
      await browser.get('/login'),
      await browser.signIn(EMAIL),
      await browser.post('/account/profile', { name: 'A', timezone: 'UTC', email: EMAIL }),
    ];
    const cookies = answers.flatMap((answer) => answer.cookies);
    expect(cookies.length).toBeGreaterThan(1);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-/);
      expect(flagsOf(cookie)).toEqual(expect.arrayContaining(['httponly', 'path=/', 'samesite=lax', 'secure']));
    }
  });
  it('is stored nowhere as it is', async () => {
    await opened();
    const browser = await site.signedIn(EMAIL);
    const token = browser.session()!;
    const { users } = await site.people.staff.list(1, '');
    const sessions = await site.people.staff.sessionsOf(users[0]!.id);
    expect(JSON.stringify([users, sessions])).not.toContain(token);
  });
});

describe('a value from before the sign-in', () => {
  it.each(['a'.repeat(43), '', 'x', '"', 'a b'])('%j never becomes a session', async (planted) => {
    await opened();
    const browser = site.browser();
    browser.jar.set('__Host-session', planted);
    browser.jar.set('session', planted);
    expect((await browser.signIn(EMAIL)).status).toBe(303);
    expect(browser.jar.get('__Host-session')).not.toBe(planted);
    expect(await isSignedIn(`__Host-session=${planted}`)).toBe(false);
  });
  it('given https, then a cookie without the prefix is no session', async () => {
    await opened();
    const browser = await site.signedIn(EMAIL);
    expect(await isSignedIn(`session=${browser.session()}`)).toBe(false);
    expect(await isSignedIn(`__Host-session=${browser.session()}`)).toBe(true);
  });
  it('given another sign-in of the same browser, then its session is another', async () => {
    await opened();
    const browser = await site.signedIn(EMAIL);
    const first = browser.session();
    await browser.post('/login', { email: EMAIL, password: PASSWORD });
    expect(browser.session()).not.toBe(first);
  });
  it('the token of a form from before the sign-in counts for nothing after it', async () => {
    await opened();
    const browser = site.browser();
    const early = await browser.token();
    await browser.signIn(EMAIL);
    expect((await browser.post('/account/sessions/revoke-others', { _csrf: early })).status).toBe(403);
  });
});

describe('a session ends', () => {
  it('at the sign-out, on the server too', async () => {
    await opened();
    const browser = await site.signedIn(EMAIL);
    const cookie = `__Host-session=${browser.session()}`;
    expect((await browser.get('/logout')).location).toBe('/login');
    expect(browser.session()).toBeUndefined();
    expect(await isSignedIn(cookie)).toBe(false);
  });
  it('not by a link of another site', async () => {
    await opened();
    const browser = await site.signedIn(EMAIL);
    const answer = await browser.get('/logout', { 'sec-fetch-site': 'cross-site' });
    expect([answer.status, answer.text.includes('action="/logout"')]).toEqual([200, true]);
    expect((await browser.get('/dashboard')).status).toBe(200);
    expect((await browser.post('/logout')).location).toBe('/login');
    expect((await browser.get('/dashboard')).status).toBe(303);
  });
  it('12 hours after its last use; with remember 30 days after the sign-in, used or not', async () => {
    await opened();
    const [short, long] = [await site.signedIn(EMAIL), site.browser()];
    await long.signIn(EMAIL, { remember: 'on' });
    for (let hours = 11; hours <= 33; hours += 11) {
      site.clock.time = START + hours * HOUR;
      expect((await short.get('/dashboard')).status).toBe(200);
    }
    site.clock.time += 12 * HOUR + 1000;
    expect((await short.get('/dashboard')).status).toBe(303);
    site.clock.time = START + 30 * DAY - 1000;
    expect((await long.get('/dashboard')).status).toBe(200);
    site.clock.time = START + 30 * DAY + 1000;
    expect((await long.get('/dashboard')).status).toBe(303);
  });
  it('at a change of the password, all but this one, which goes on under another value', async () => {
    await opened();
    const [here, there] = [await site.signedIn(EMAIL), await site.signedIn(EMAIL)];
    const before = here.session()!;
    const fields = { current_password: PASSWORD, password: 'another fine password' };
    expect((await here.post('/account/password', fields)).status).toBe(303);
    expect(here.session()).not.toBe(before);
    expect((await here.get('/dashboard')).status).toBe(200);
    expect(await isSignedIn(`__Host-session=${before}`)).toBe(false);
    expect((await there.get('/dashboard')).status).toBe(303);
  });
  it('at a reset, all of them, and its link works once', async () => {
    await opened();
    const there = await site.signedIn(EMAIL);
    const browser = site.browser();
    await browser.post('/forgot-password', { email: EMAIL });
    const [mail] = await site.mailed();
    const link = linkIn(mail!);
    const token = new URLSearchParams(link.split('?')[1]).get('token')!;
    // A password that is refused does not use it up.
    expect((await browser.post('/reset-password', { token, password: 'short' })).status).toBe(422);
    expect((await browser.post('/reset-password', { token, password: 'another fine password' })).location).toBe(
      '/login',
    );
    expect((await browser.post('/reset-password', { token, password: 'one more fine password' })).status).toBe(410);
    expect((await browser.get(link)).status).toBe(410);
    expect((await there.get('/dashboard')).status).toBe(303);
    expect((await site.browser().signIn(EMAIL, { password: 'another fine password' })).status).toBe(303);
  });
  it('when staff suspends the user: no sign-in either, until he is active again', async () => {
    await opened();
    await site.user('staff@x.example', { staff: true });
    const [staff, user] = [await site.signedIn('staff@x.example'), await site.signedIn(EMAIL)];
    const { users } = await site.people.staff.list(1, EMAIL);
    const page = `/admin/users/${users[0]!.id}`;
    expect((await staff.post(`${page}/toggle`, { active: 'false' })).location).toBe(page);
    expect((await user.get('/dashboard')).status).toBe(303);
    expect((await site.browser().signIn(EMAIL)).status).toBe(403);
    expect((await site.browser().signIn(EMAIL, { password: 'a wrong password' })).status).toBe(422);
    await staff.post(`${page}/toggle`, { active: 'true' });
    expect((await user.get('/dashboard')).status).toBe(303);
    expect((await site.browser().signIn(EMAIL)).location).toBe('/dashboard');
  });
});

describe('links in mails', () => {
  it('are dead after their time', async () => {
    await opened();
    const browser = site.browser();
    await browser.post('/forgot-password', { email: EMAIL });
    await browser.post('/register', { email: 'new@x.example', password: PASSWORD });
    const mails = await site.mailed(2);
    const [reset, verify] = [mails.find(({ to }) => to === EMAIL)!, mails.find(({ to }) => to === 'new@x.example')!];
    site.clock.time += HOUR - 1000;
    expect((await browser.get(linkIn(reset))).status).toBe(200);
    site.clock.time += 2000;
    expect((await browser.get(linkIn(reset))).status).toBe(410);
    site.clock.time = START + DAY + 1000;
    expect((await browser.get(linkIn(verify))).status).toBe(410);
  });
  it('are dead once a newer one has replaced them', async () => {
    await opened();
    const browser = site.browser();
    await browser.post('/forgot-password', { email: EMAIL });
    const [first] = await site.mailed();
    await browser.post('/forgot-password', { email: EMAIL });
    const [second] = await site.mailed();
    expect((await browser.get(linkIn(first!))).status).toBe(410);
    expect((await browser.get(linkIn(second!))).status).toBe(200);
  });
  it('lead nobody in: verifying makes no session, and the same link again does the same', async () => {
    await opened();
    const browser = site.browser();
    await browser.post('/register', { email: 'new@x.example', password: PASSWORD });
    const [mail] = await site.mailed();
    const token = new URLSearchParams(linkIn(mail!).split('?')[1]).get('token')!;
    for (let time = 0; time < 2; time++)
      expect((await browser.post('/verify-email', { token, password: PASSWORD })).location).toBe('/login');
    expect((await browser.get(linkIn(mail!))).location).toBe('/login');
    expect(browser.session()).toBeUndefined();
    expect((await browser.signIn('new@x.example')).location).toBe('/dashboard');
  });
  it('begin with the public address, whatever host was asked', async () => {
    await opened();
    const browser = site.browser();
    const token = await browser.token();
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
    await browser.post('/forgot-password', { email: EMAIL, _csrf: token }, headers);
    const [mail] = await site.mailed();
    expect(mail!.text).toContain('https://sports.example/reset-password?token=');
    expect(JSON.stringify(mail)).not.toContain('evil.example');
    const page = await browser.get('/login', headers);
    expect(page.text).not.toContain('evil.example');
    const led = await browser.get('/dashboard', headers);
    expect(led.location).toBe('/login?next=%2Fdashboard');
  });
});
