import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GithubDouble, serveGithubDouble } from '../github/github-double.ts';
import { type TestBrowser, type WholeSite, wholeSite } from '../whole-application.ts';

const EMAIL = 'ann@x.example';

let github: GithubDouble;
let site: WholeSite;
beforeAll(async () => {
  github = await serveGithubDouble();
  site = await wholeSite({ settings: { github: github.settings } });
  await site.user(EMAIL);
});
afterAll(async () => {
  await site.close();
  await github.close();
});
beforeEach(() => {
  github.state.user = { id: 7, name: 'Ann', emails: [{ email: EMAIL, primary: true, verified: true }] };
});

/** Goes to GitHub, and agrees there. @returns path and query of where GitHub leads back to */
async function agreed(browser: TestBrowser, next = ''): Promise<string> {
  const start = await browser.get(`/oauth/github/start${next === '' ? '' : `?${new URLSearchParams({ next })}`}`);
  expect(start.status).toBe(303);
  const { pathname, search } = await github.authorize(start.location!);
  return pathname + search;
}
const withState = (back: string, state: string) => back.replace(/state=[^&]*/, `state=${state}`);

describe('a state', () => {
  it('of this browser signs in, once', async () => {
    const browser = site.browser();
    const back = await agreed(browser, '/usage');
    expect((await browser.get(back)).location).toBe('/usage');
    expect(browser.session()).toBeDefined();
    const again = site.browser();
    for (const [name, value] of browser.jar) if (!name.endsWith('session')) again.jar.set(name, value);
    expect((await again.get(back)).status).toBe(400);
  });
  it('cannot be used twice, though the browser has kept its cookie', async () => {
    const browser = site.browser();
    const back = await agreed(browser);
    const kept = new Map(browser.jar);
    await browser.get(back);
    const other = site.browser();
    for (const [name, value] of kept) other.jar.set(name, value);
    const second = await agreed(site.browser());
    const answer = await other.get(withState(second, new URLSearchParams(back.split('?')[1]).get('state')!));
    expect([answer.status, other.session()]).toEqual([400, undefined]);
  });
  it('of another browser signs nobody in', async () => {
    const back = await agreed(site.browser());
    const victim = site.browser();
    await agreed(victim);
    expect((await victim.get(back)).status).toBe(400);
    expect((await site.browser().get(back)).status).toBe(400);
    expect(victim.session()).toBeUndefined();
  });
  it.each(['', 'forged', 'a'.repeat(43)])('%j is none', async (state) => {
    const browser = site.browser();
    const back = await agreed(browser);
    expect((await browser.get(withState(back, state))).status).toBe(400);
    expect((await browser.get(back.replace(/[?&]state=[^&]*/, ''))).status).toBeGreaterThanOrEqual(400);
    expect(browser.session()).toBeUndefined();
  });
  it('is too old after 10 minutes', async () => {
    const browser = site.browser();
    const back = await agreed(browser);
    site.clock.time += 10 * 60_000 + 1000;
    expect((await browser.get(back)).status).toBe(400);
  });
  it('of somebody who has signed out since links nothing', async () => {
    const browser = await site.signedIn(EMAIL);
    const back = await agreed(browser);
    await browser.get('/logout');
    expect((await browser.get(back)).status).toBe(400);
    expect(browser.session()).toBeUndefined();
  });
});

it('leads to no other server afterwards', async () => {
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example']) {
    const browser = site.browser();
    expect((await browser.get(await agreed(browser, next))).location).toBe('/dashboard');
  }
});

it('asks GitHub to come back to the public address, whatever host was asked', async () => {
  const answer = await site.browser().get('/oauth/github/start', { host: 'evil.example' });
  const query = new URL(answer.location!).searchParams;
  expect(query.get('redirect_uri')).toBe('https://sports.example/oauth/github/callback');
  expect(query.get('code_challenge_method')).toBe('S256');
  expect(Buffer.from(query.get('state')!, 'base64url').length).toBeGreaterThanOrEqual(16);
  expect(query.get('scope')).toBe('read:user user:email');
});

it('shows nothing of what a link calls an error', async () => {
  const browser = site.browser();
  const evil = '<script>alert(1)</script>call +1 555';
  const query = new URLSearchParams({ error: evil, error_description: evil, state: 'x' });
  expect((await browser.get(`/oauth/github/callback?${query}`)).location).toBe('/login');
  expect((await browser.get('/login')).text).not.toContain('555');
});

it('makes nobody of an address that GitHub does not call verified', async () => {
  github.state.user = { id: 8, name: null, emails: [{ email: EMAIL, primary: true, verified: false }] };
  const browser = site.browser();
  expect((await browser.get(await agreed(browser))).location).toBe('/login');
  expect(browser.session()).toBeUndefined();
});
