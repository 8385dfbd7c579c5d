import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SecurityEvent } from '../../../../src/accounts/users/security-log.ts';
import { invalidField, RefusedError } from '../../../../src/domain/primitives/domain-errors.ts';
import { accountSettingsRoutes } from '../../../../src/web/account/account-settings/account-settings-routes.ts';
import { createPageCookies } from '../../../../src/web/layout/page-cookies.ts';
import { SITE_URL, servePages } from '../serve-account-pages.ts';
import { AT, createPeopleDouble, type PeopleDouble, sessionOf } from '../session-double.ts';
import { cookieOf, createVisitor, flashOf, titleOf, typedIn, type Visitor } from '../visitor.ts';

const PATH = '/account';

let double: PeopleDouble;
let served: Awaited<ReturnType<typeof servePages>>;
let visitor: Visitor;
let events: SecurityEvent[];
/** Downloads that have ended. */
let ended: number;

async function serve({ hasGithub = true, user = {} } = {}): Promise<void> {
  double = createPeopleDouble();
  const sessions = [sessionOf(1, user), { ...sessionOf(2), userAgent: '<Other>' }];
  double.does.sessionsOf = { sessions, hasMore: false };
  ended = 0;
  double.does.beginExport = {
    sessions: (async function* () {
      yield* sessions;
    })(),
    end: async () => void ended++,
  };
  events = [];
  const routes = accountSettingsRoutes({
    users: double.people,
    security: {
      async *ofUser(userId) {
        yield* events.filter((event) => event.userId === userId);
      },
    },
    cookies: createPageCookies(() => SITE_URL),
    hasGithub,
    exportSources: {
      account: async (accountId) => ({ id: accountId, plan: 'free' }),
      async *keys(accountId) {
        yield { id: 7, account_id: accountId };
      },
      async *bets(accountId) {
        yield { id: 9, account_id: accountId };
      },
      async *invoices() {},
      async *ledger(accountId) {
        for (let entry = 1; entry <= 3; entry++) yield { account_id: accountId, entry };
      },
    },
  });
  served = await servePages(routes, double.people);
  visitor = createVisitor(served.url);
  double.sessions.set('token', sessionOf(1, user));
  visitor.cookies.set('session', 'token');
}
beforeEach(() => serve());
afterEach(async () => {
  await served.close();
  expect(served.failures).toEqual([]);
});

const post = (path: string, fields: Readonly<Record<string, string>> = {}) =>
  visitor.post(`${PATH}${path}`, fields, { page: PATH });
const POSTS = ['/profile', '/password', '/delete', '/sessions/2/revoke', '/sessions/revoke-others', '/github/unlink'];

describe('without a session', () => {
  it.each(POSTS)('POST /account%s leads to the sign-in, and nothing is done', async (path) => {
    visitor.cookies.clear();
    const answer = await post(path);
    expect([answer.status, answer.to]).toEqual([303, '/login']);
    expect(double.asked).toEqual([]);
  });
  it('GET leads to the sign-in and back', async () => {
    visitor.cookies.clear();
    expect((await visitor.get(PATH)).to).toBe('/login?next=%2Faccount');
    expect((await visitor.get('/account/export')).to).toBe('/login?next=%2Faccount%2Fexport');
  });
});

describe('GET /account', () => {
  it('shows the profile and all sessions, this one marked and not to be ended there', async () => {
    const answer = await visitor.get(PATH);
    expect([answer.status, titleOf(answer)]).toEqual([200, 'Account']);
    expect([typedIn(answer, 'name'), typedIn(answer, 'email')]).toEqual(['User 1', 'u1@x.example']);
    expect(answer.text).toContain('<option value="UTC" selected>');
    expect(answer.text).toContain('&lt;Other&gt;');
    expect(answer.text).toContain('action="/account/sessions/2/revoke"');
    expect(answer.text).not.toContain('action="/account/sessions/1/revoke"');
    expect(answer.text).toContain(`<time datetime="${AT}">`);
    const ids = [...answer.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
  it('offers GitHub where it is set up, or to be unlinked where it is linked', async () => {
    expect((await visitor.get(PATH)).text).toContain('href="/oauth/github/start"');
    await served.close();
    await serve({ hasGithub: false });
    expect((await visitor.get(PATH)).text).not.toContain('GitHub');
    await served.close();
    await serve({ hasGithub: false, user: { githubId: '42' } });
    expect((await visitor.get(PATH)).text).toContain('action="/account/github/unlink"');
  });
  it('asks whoever has no password for none', async () => {
    await served.close();
    await serve({ user: { hasPassword: false, githubId: '42' } });
    const { text } = await visitor.get(PATH);
    expect(text).not.toContain('name="current_password"');
    expect(text).toContain('name="confirm"');
  });
});

describe('POST /account/profile', () => {
  const given = { name: ' Ann ', timezone: 'Europe/Berlin', email: 'U1@x.example', current_password: '' };

  it('changes what is given, and nothing else', async () => {
    const answer = await post('/profile', { ...given, is_staff: 'true' });
    expect([answer.status, answer.to]).toEqual([303, PATH]);
    const [session, changed] = double.last('changeProfile')!;
    expect(session).toMatchObject({ id: 1 });
    expect(changed).toEqual({ name: 'Ann', timezone: 'Europe/Berlin', email: 'U1@x.example', currentPassword: '' });
    expect(flashOf(await visitor.get(PATH))).toBe('Saved.');
  });
  it('given another address, then says where the link was sent', async () => {
    await post('/profile', { ...given, email: 'new@x.example', current_password: ' spaced ' });
    expect(double.last('changeProfile')![1]).toMatchObject({ email: 'new@x.example', currentPassword: ' spaced ' });
    expect(flashOf(await visitor.get(PATH))).toBe('Saved. Open the link that we have sent to new@x.example.');
  });
  it('without a time zone it is UTC, without an address it stays', async () => {
    await post('/profile', { name: 'Ann' });
    expect(double.last('changeProfile')![1]).toMatchObject({ timezone: 'UTC', email: 'u1@x.example' });
  });
  it('given what is refused, then the page with what was typed in this form, but for passwords', async () => {
    double.does.changeProfile = invalidField('current_password', 'This is not your password.');
    const answer = await post('/profile', { ...given, name: 'Typed', current_password: 'hidden-word' });
    expect(answer.status).toBe(422);
    expect(typedIn(answer, 'name')).toBe('Typed');
    expect(answer.text).toContain('<option value="Europe/Berlin" selected>');
    expect(answer.text).toMatch(/id="profile-current"[^>]* aria-invalid="true"/);
    expect(answer.text.match(/aria-invalid="true"/g)).toHaveLength(1);
    expect(answer.text).not.toContain('hidden-word');
  });
});

describe('POST /account/password', () => {
  it('goes on under a new cookie', async () => {
    double.does.changePassword = { token: 'new-token', session: sessionOf(1), maxAgeSeconds: 2_592_000 };
    const answer = await post('/password', { current_password: ' old ', password: ' new ' });
    expect([answer.status, answer.to]).toEqual([303, PATH]);
    expect(double.last('changePassword')![1]).toEqual({ currentPassword: ' old ', password: ' new ' });
    expect(cookieOf(answer, 'session')).toMatch(/^session=new-token; Max-Age=2592000;/);
  });
  it('given what is refused, then 422, and the cookie stays', async () => {
    double.does.changePassword = invalidField('password', 'Too common.');
    const answer = await post('/password', { current_password: 'old', password: 'password123' });
    expect(answer.status).toBe(422);
    expect(answer.text).toMatch(/id="field-password"[^>]* aria-invalid="true"/);
    expect(answer.text).not.toContain('password123');
    expect(cookieOf(answer, 'session')).toBeUndefined();
  });
});

describe('sessions', () => {
  it('one is ended by its id; another’s or an unknown one is not there', async () => {
    double.does.revokeSession = true;
    const answer = await post('/sessions/2/revoke');
    expect([answer.status, answer.to]).toEqual([303, PATH]);
    expect(double.last('revokeSession')!.slice(0, 2)).toEqual([sessionOf(1).user, 2]);
    double.does.revokeSession = false;
    expect((await post('/sessions/3/revoke')).status).toBe(404);
    expect((await post('/sessions/x/revoke')).status).toBe(404);
  });
  it('all others are ended at once', async () => {
    const answer = await post('/sessions/revoke-others');
    expect([answer.status, answer.to]).toEqual([303, PATH]);
    expect(double.last('revokeOthers')![0]).toMatchObject({ id: 1 });
  });
});

describe('POST /account/github/unlink', () => {
  it('unlinks; without a password 422 on the same page', async () => {
    expect((await post('/github/unlink')).to).toBe(PATH);
    double.does.unlinkGithub = new RefusedError(422, 'Set a password first.');
    const answer = await post('/github/unlink');
    expect([answer.status, titleOf(answer)]).toEqual([422, 'Account']);
    expect(answer.text).toContain('role="alert">Set a password first.');
  });
});

describe('POST /account/delete', () => {
  it('ends the session and leads away', async () => {
    const answer = await post('/delete', { current_password: 'word' });
    expect([answer.status, answer.to]).toEqual([303, '/']);
    expect(double.last('deleteUser')![1]).toEqual({ currentPassword: 'word', confirm: '' });
    expect(cookieOf(answer, 'session')).toMatch(/^session=; Max-Age=0;/);
  });
  it('given a wrong password, then nothing has happened', async () => {
    double.does.deleteUser = invalidField('current_password', 'This is not your password.');
    const answer = await post('/delete', { current_password: 'hidden-word' });
    expect(answer.status).toBe(422);
    expect(answer.text).toMatch(/id="delete-current"[^>]* aria-invalid="true"/);
    expect(cookieOf(answer, 'session')).toBeUndefined();
  });
});

describe('GET /account/export', () => {
  it('is a download of all that is kept, and of nobody else', async () => {
    const event = (id: number, userId: number): SecurityEvent => ({
      id,
      at: AT,
      type: 'signed_in',
      severity: 'info',
      userId,
      byUserId: 9,
      path: null,
      ip: null,
      userAgent: null,
    });
    events = [event(1000, 2), ...Array.from({ length: 120 }, (_, id) => event(id, 1))];
    const answer = await visitor.get('/account/export');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+\.json"$/);
    const told = JSON.parse(answer.text);
    expect(Object.keys(told).sort()).toEqual(
      ['user', 'account', 'keys', 'bets', 'sessions', 'invoices', 'ledger', 'security_events'].sort(),
    );
    expect(told).toMatchObject({
      user: { id: 1, account_id: 101, email: 'u1@x.example', timezone: 'UTC' },
      account: { id: 101 },
      keys: [{ account_id: 101 }],
      sessions: [
        { id: 1, current: true },
        { id: 2, current: false },
      ],
      invoices: [],
      ledger: [{ account_id: 101, entry: 1 }, { entry: 2 }, { entry: 3 }],
    });
    expect(told.security_events).toHaveLength(120);
    expect(ended).toBe(1);
    expect(answer.text).not.toMatch(/byUserId|by_user|token/);
  });
});
