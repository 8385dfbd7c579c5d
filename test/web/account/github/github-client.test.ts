import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGithubClient } from '../../../../src/web/account/github/github-client.ts';
import { createTimers, type Timers } from '../../../api/streams/timers.ts';
import { fakeHost } from '../../../sources/connectors/fake-provider.ts';
import { longestBlocking, MAX_BLOCKING_MS } from '../../../support/longest-blocking.ts';
import { type GithubDouble, serveGithubDouble } from './github-double.ts';

const CALLBACK = 'https://sports.example/oauth/github/callback';
const VERIFIER = 'v'.repeat(43);
const OTHER = { email: 'other@a.example', primary: false, verified: true };

let double: GithubDouble;
let timers: Timers;
beforeEach(async () => {
  double = await serveGithubDouble();
  timers = createTimers();
});
afterEach(() => double.close());

const clientOf = (apiUrl = double.settings.apiUrl) =>
  createGithubClient({
    settings: { ...double.settings, apiUrl },
    redirectUri: () => CALLBACK,
    fetch,
    setTimer: timers.setTimer,
  });
const codeOf = async (client = clientOf()) =>
  (await double.authorize(client.authorizeUrl('state', VERIFIER))).searchParams.get('code')!;

describe('the client of GitHub', () => {
  it('sends a browser to GitHub with what it has to know, the verifier hidden', () => {
    const url = new URL(clientOf().authorizeUrl('the state', VERIFIER));
    expect(`${url.origin}${url.pathname}`).toBe(`${double.settings.oauthUrl}/login/oauth/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: double.settings.clientId,
      redirect_uri: CALLBACK,
      scope: 'read:user user:email',
      state: 'the state',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(url.href).not.toContain(VERIFIER);
  });

  it('learns who it is, and the primary address where GitHub calls it verified', async () => {
    double.state.user = {
      id: 42,
      name: null,
      emails: [OTHER, { email: 'ann@a.example', primary: true, verified: true }],
    };
    expect(await clientOf().fetchUser(await codeOf(), VERIFIER)).toEqual({
      id: '42',
      name: null,
      verifiedEmail: 'ann@a.example',
    });
    double.state.user = {
      id: 43,
      name: 'Ann',
      emails: [OTHER, { email: 'ann@a.example', primary: true, verified: false }],
    };
    expect(await clientOf().fetchUser(await codeOf(), VERIFIER)).toEqual({
      id: '43',
      name: 'Ann',
      verifiedEmail: null,
    });
    const { form, accept } = double.requests.find(({ path }) => path.endsWith('access_token'))!;
    expect(accept).toBe('application/json');
    expect([...form.keys()].sort()).toEqual(['client_id', 'client_secret', 'code', 'code_verifier', 'redirect_uri']);
  });

  it('believes nobody who brings the code without its verifier, or a second time', async () => {
    const code = await codeOf();
    await expect(clientOf().fetchUser(code, 'w'.repeat(43))).rejects.toMatchObject({ code: 'github_failed' });
    const again = await codeOf();
    await clientOf().fetchUser(again, VERIFIER);
    await expect(clientOf().fetchUser(again, VERIFIER)).rejects.toMatchObject({ code: 'github_failed' });
  });

  it.each([
    ['/login/oauth/access_token', { status: 500, body: 'oops' }],
    ['/login/oauth/access_token', { status: 200, body: 'access_token=gho_1' }],
    ['/user', { status: 503, body: '{}' }],
    ['/user', { status: 200, body: '{"id": "42"}' }],
    ['/user', { status: 200, body: `{"id": 42, "name": "${'x'.repeat(2_000_000)}"}` }],
    ['/user/emails', { status: 404, body: '[]' }],
    ['/user/emails', { status: 200, body: '{}' }],
  ])('fails where %s answers otherwise than documented', async (path, fault) => {
    const code = await codeOf();
    double.state.faults.set(path, fault);
    const failure = await clientOf()
      .fetchUser(code, VERIFIER)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'github_failed' });
    expect(String(failure)).not.toMatch(/gho_|code-|v{43}/);
  });

  it('fails where GitHub is not there', async () => {
    const code = await codeOf();
    await expect(clientOf('http://127.0.0.1:9').fetchUser(code, VERIFIER)).rejects.toMatchObject({
      code: 'github_failed',
    });
  });

  it.each([
    ['larger than 1 MiB', JSON.stringify('x'.repeat(2 * 1024 * 1024))],
    ['nested deeper than 40 levels', `${'['.repeat(400_000)}${']'.repeat(400_000)}`],
  ])('fails where an answer is %s, and holds nobody up', async (_, body) => {
    const code = await codeOf();
    const host = await fakeHost((_request, response) => response.end(body));
    const { result, longest } = await longestBlocking(() =>
      clientOf(host.address)
        .fetchUser(code, VERIFIER)
        .catch((error: Error) => error.message),
    );
    await host.close();
    expect(result).toMatch(/: not as documented$/);
    expect(longest).toBeLessThan(MAX_BLOCKING_MS);
  });

  it.each(['/login/oauth/access_token', '/user', '/user/emails'])('waits 10 s for %s, and no longer', async (path) => {
    const code = await codeOf();
    double.state.faults.set(path, 'silent');
    const failed = clientOf().fetchUser(code, VERIFIER);
    failed.catch(() => {});
    while (!double.requests.some((one) => one.path === path)) await new Promise((resolve) => setImmediate(resolve));
    let isOver = false;
    failed
      .catch(() => {})
      .finally(() => {
        isOver = true;
      });
    timers.advance(9999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    timers.advance(1);
    await expect(failed).rejects.toThrow(/10 s/);
  });
});
