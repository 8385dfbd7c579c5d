import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSecretBox } from '../../../../src/api/calls/secret-box.ts';
import { RefusedError } from '../../../../src/domain/primitives/domain-errors.ts';
import { openSqliteDatabase } from '../../../../src/platform/sqlite/sqlite-database.ts';
import { openRegistry, type RegistryDatabase } from '../../../../src/server/composition/registry.ts';
import { createGithubClient } from '../../../../src/web/account/github/github-client.ts';
import { githubRoutes } from '../../../../src/web/account/github/github-routes.ts';
import { createSqlUsedOauthStates } from '../../../../src/web/account/github/used-oauth-states.ts';
import { createKnownBrowsers } from '../../../../src/web/account/known-browsers.ts';
import type { PageRoute } from '../../../../src/web/account/page-route.ts';
import { createPageCookies } from '../../../../src/web/layout/page-cookies.ts';
import { createTimers } from '../../../api/streams/timers.ts';
import { countedBytes } from '../../../support/composed.ts';
import { SITE_URL, servePages } from '../serve-account-pages.ts';
import { createPeopleDouble, type PeopleDouble, sessionOf } from '../session-double.ts';
import { cookieOf, createVisitor, type Seen, type Visitor } from '../visitor.ts';
import { type GithubDouble, serveGithubDouble } from './github-double.ts';

const MINUTE = 60_000;
const ANN = { id: 42, name: 'Ann', emails: [{ email: 'ann@a.example', primary: true, verified: true }] };

let github: GithubDouble;
let double: PeopleDouble;
let registry: RegistryDatabase;
let clock: { time: number };
let processes: Awaited<ReturnType<typeof servePages>>[];
let visitor: Visitor;

/** The pages of one process. */
function routesOf(isSet = true): readonly PageRoute[] {
  const client = createGithubClient({
    settings: github.settings,
    fetch,
    setTimer: createTimers().setTimer,
    redirectUri: () => `${SITE_URL}/oauth/github/callback`,
  });
  const cookies = createPageCookies(() => SITE_URL);
  return githubRoutes({
    client: isSet ? client : undefined,
    users: double.people,
    usedStates: createSqlUsedOauthStates(registry),
    box: createSecretBox('pepper', countedBytes()),
    cookies,
    browsers: createKnownBrowsers({ cookies, secret: 'secret', randomBytes: countedBytes() }),
    now: () => clock.time,
    randomBytes: countedBytes(),
    log: { warn() {} },
  });
}
async function serve(isSet = true) {
  const served = await servePages(routesOf(isSet), double.people);
  processes.push(served);
  return served;
}
beforeEach(async () => {
  github = await serveGithubDouble();
  github.state.user = ANN;
  double = createPeopleDouble();
  double.does.signInByGithub = { outcome: 'signed_in', token: 'new', session: sessionOf(1), maxAgeSeconds: null };
  registry = await openRegistry(openSqliteDatabase({ file: ':memory:', synchronous: 'normal' }));
  clock = { time: Date.parse('2026-03-01T12:00:00Z') };
  processes = [];
  visitor = createVisitor((await serve()).url);
});
afterEach(async () => {
  for (const one of processes) {
    await one.close();
    expect(one.failures).toEqual([]);
  }
  await github.close();
  await registry.destroy();
});

/** From here to GitHub. @returns path and query that GitHub leads back to */
async function away(query = '', by = visitor): Promise<string> {
  const { to } = await by.get(`/oauth/github/start${query}`);
  const back = await github.authorize(to!);
  expect(back.origin).toBe(SITE_URL);
  return back.pathname + back.search;
}
const signedIn = ({ status, to }: Seen) => [status, to];

describe('signing in with GitHub', () => {
  it('leads there, with a state of its own each time, bound to the browser by a cookie', async () => {
    const answers = [await visitor.get('/oauth/github/start'), await visitor.get('/oauth/github/start')];
    const states = answers.map(({ to }) => new URL(to!).searchParams.get('state')!);
    expect(answers[0]!.status).toBe(303);
    expect(new Set(states).size).toBe(2);
    for (const state of states) expect(Buffer.from(state, 'base64url').length).toBeGreaterThanOrEqual(16);
    const cookie = cookieOf(answers[1]!, 'oauth')!;
    expect(cookie).toMatch(/; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toContain(states[1]);
  });

  it('comes back to a session, and goes on where it was going', async () => {
    const answer = await visitor.get(await away('?next=%2Fusage%3Fdays%3D7'));
    expect(signedIn(answer)).toEqual([303, '/usage?days=7']);
    expect(double.last('signInByGithub')![0]).toEqual({ id: '42', name: 'Ann', verifiedEmail: 'ann@a.example' });
    expect(cookieOf(answer, 'session')).toMatch(/^session=new;/);
    expect(cookieOf(answer, 'oauth')).toMatch(/Max-Age=0/);
    expect(signedIn(await visitor.get(await away('?next=//evil.example')))).toEqual([303, '/dashboard']);
  });

  it('of one who is suspended is 403, of one without a verified address leads back with a message', async () => {
    double.does.signInByGithub = { outcome: 'suspended' };
    expect((await visitor.get(await away())).status).toBe(403);
    double.does.signInByGithub = { outcome: 'wrong' };
    const answer = await visitor.get(await away());
    expect(signedIn(answer)).toEqual([303, '/login']);
    expect([cookieOf(answer, 'flash'), cookieOf(answer, 'session')]).toEqual([expect.any(String), undefined]);
  });

  it('that was cancelled there leads back with a message, and shows what GitHub wrote, as text', async () => {
    const back = new URL(await away(), SITE_URL);
    const state = back.searchParams.get('state')!;
    const query = new URLSearchParams({ state, error: 'access_denied', error_description: 'You\n<b>said</b> no' });
    const answer = await visitor.get(`/oauth/github/callback?${query}`);
    expect(signedIn(answer)).toEqual([303, '/login']);
    const flash = Buffer.from(/^flash=([\w-]+)/.exec(cookieOf(answer, 'flash')!)![1]!, 'base64url').toString();
    expect(JSON.parse(flash)).toEqual({
      kind: 'error',
      text: 'Signing in with GitHub was cancelled. GitHub says: You <b>said</b> no',
    });
    // It is used up all the same.
    expect((await visitor.get(back.pathname + back.search)).status).toBe(400);
    expect(double.asked).toEqual([]);
  });
});

describe('a state', () => {
  const refused = async (path: string, by = visitor) => {
    const answer = await by.get(path);
    expect(answer.status).toBe(400);
    expect(double.asked.filter(({ method }) => method !== 'mustConfirm')).toEqual([]);
  };

  it('that is missing, another or given twice is 400, and GitHub is asked nothing', async () => {
    const back = await away();
    github.requests.length = 0;
    await refused('/oauth/github/callback?code=x');
    await refused(`${back.replace(/state=[^&]+/, 'state=other')}`);
    await refused(`${back}&state=other`);
    await refused(back.replace(/code=[^&]+/, 'code='));
    expect(github.requests).toEqual([]);
  });
  it('of another browser is 400', async () => {
    const other = createVisitor(processes[0]!.url);
    await refused(await away(), other);
    await away('', other);
    await refused(await away(), other);
  });
  it('is good for ten minutes', async () => {
    const back = await away();
    clock.time += 10 * MINUTE;
    await refused(back);
    const again = await away();
    clock.time += 10 * MINUTE - 1;
    expect((await visitor.get(again)).status).toBe(303);
  });
  it('works once, also where the browser keeps its cookie, and at another process', async () => {
    const back = await away();
    const cookie = visitor.cookies.get('oauth')!;
    const there = createVisitor((await serve()).url);
    there.cookies.set('oauth', cookie);
    const answers = await Promise.all([visitor.get(back), there.get(back)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400]);
    visitor.cookies.set('oauth', cookie);
    expect((await visitor.get(back)).status).toBe(400);
    expect(double.asked).toHaveLength(1);
  });
  it('begun while somebody was signed in is of no use to anybody else', async () => {
    double.sessions.set('one', sessionOf(1)).set('two', sessionOf(2));
    visitor.cookies.set('session', 'one');
    const back = await away();
    visitor.cookies.set('session', 'two');
    await refused(back);
  });
  it('leaves no rows behind once it counts no more', async () => {
    for (let trip = 0; trip < 3; trip++) {
      await visitor.get(await away());
      clock.time += 10 * MINUTE;
    }
    expect(await registry.selectFrom('used_oauth_states').selectAll().execute()).toHaveLength(1);
  });
});

describe('in a session', () => {
  beforeEach(() => {
    double.sessions.set('token', sessionOf(1));
    visitor.cookies.set('session', 'token');
  });
  it('GitHub is linked to the user', async () => {
    const answer = await visitor.get(await away());
    expect(signedIn(answer)).toEqual([303, '/account']);
    expect(double.last('linkGithub')!.slice(0, 2)).toEqual([sessionOf(1), '42']);
    expect(double.last('signInByGithub')).toBeUndefined();
    expect(visitor.cookies.get('session')).toBe('token');
  });
  it('given a session without a fresh proof, then the password is asked for, and nobody goes to GitHub before', async () => {
    double.does.mustConfirm = true;
    const shown = await visitor.get('/oauth/github/start');
    expect([shown.status, cookieOf(shown, 'oauth')]).toEqual([200, undefined]);
    expect(shown.text).toContain('<form method="post" action="/oauth/github/start">');
    const answer = await visitor.post('/oauth/github/start', { current_password: ' secret ' });
    expect(signedIn(answer)).toEqual([303, '/account']);
    expect(double.last('confirmSession')!.slice(0, 2)).toEqual([sessionOf(1), ' secret ']);
    double.does.confirmSession = new RefusedError(422, 'Wrong.', { fields: { current_password: 'Wrong.' } });
    expect((await visitor.post('/oauth/github/start', { current_password: 'no' })).status).toBe(422);
    expect(double.last('linkGithub')).toBeUndefined();
  });
  it('given a session that has ended since, then a later one of the same user links nothing', async () => {
    const back = await away();
    double.sessions.set('token', { ...sessionOf(1), id: 2 });
    expect((await visitor.get(back)).status).toBe(400);
    expect(double.last('linkGithub')).toBeUndefined();
  });
  it('one that is linked to another user stays there, with a message', async () => {
    double.does.linkGithub = new RefusedError(409, 'This GitHub account is linked to another user.');
    const answer = await visitor.get(await away());
    expect(signedIn(answer)).toEqual([303, '/account']);
    expect(cookieOf(answer, 'flash')).toBeDefined();
  });
});

describe('where GitHub fails', () => {
  it.each([
    ['/login/oauth/access_token', 500],
    ['/user', 502],
    ['/user/emails', 403],
  ])('at %s, it is 502 and nobody is signed in', async (path, status) => {
    const back = await away();
    github.state.faults.set(path, { status, body: '{}' });
    const answer = await visitor.get(back);
    expect([answer.status, cookieOf(answer, 'session')]).toEqual([502, undefined]);
    expect(double.asked).toEqual([]);
  });
});

it('where it is not set up, there is nothing', async () => {
  const other = createVisitor((await serve(false)).url);
  expect((await other.get('/oauth/github/start')).status).toBe(404);
  expect((await other.get('/oauth/github/callback?code=x&state=y')).status).toBe(404);
});

it('HEAD sets nothing off', async () => {
  const answer = await visitor.head('/oauth/github/start');
  expect(cookieOf(answer, 'oauth')).toBeUndefined();
  const back = await away();
  await visitor.head(back);
  expect(double.asked).toEqual([]);
  expect((await visitor.get(back)).status).toBe(303);
});
