import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { invalidField, RefusedError } from '../../../../src/domain/primitives/domain-errors.ts';
import { createKnownBrowsers } from '../../../../src/web/account/known-browsers.ts';
import { createRememberedNext } from '../../../../src/web/account/remembered-next.ts';
import { signInRoutes } from '../../../../src/web/account/sign-in/sign-in-routes.ts';
import { createPageCookies } from '../../../../src/web/layout/page-cookies.ts';
import { SITE_URL, servePages } from '../serve-account-pages.ts';
import { createPeopleDouble, type PeopleDouble, sessionOf } from '../session-double.ts';
import { cookieOf, createVisitor, flashOf, titleOf, typedIn, type Visitor } from '../visitor.ts';

const PASSWORD = 'a long enough password';

let double: PeopleDouble;
let served: Awaited<ReturnType<typeof servePages>>;
let visitor: Visitor;

async function serve({ isOpen = true, hasGithub = false } = {}): Promise<void> {
  double = createPeopleDouble();
  const cookies = createPageCookies(() => SITE_URL);
  const browsers = createKnownBrowsers({ cookies, secret: 'secret', randomBytes: (size) => Buffer.alloc(size) });
  served = await servePages(
    signInRoutes({
      users: double.people,
      cookies,
      browsers,
      rememberedNext: createRememberedNext(cookies, 'secret'),
      isRegistrationOpen: () => isOpen,
      hasGithub,
    }),
    double.people,
  );
  visitor = createVisitor(served.url);
}
beforeEach(() => serve());
afterEach(async () => {
  await served.close();
  expect(served.failures).toEqual([]);
});

const signedIn = (more: object = {}) => ({
  outcome: 'signed_in',
  token: 'new-token',
  session: sessionOf(1),
  maxAgeSeconds: null,
  ...more,
});
function withSession(): void {
  double.sessions.set('token', sessionOf(1));
  visitor.cookies.set('session', 'token');
}

describe('POST /login', () => {
  it.each([
    ['/usage?days=7', '/usage?days=7'],
    ['/a b/€', '/a%20b/%E2%82%AC'],
    ['/half\ud800', '/half%EF%BF%BD'],
    ['//evil.example', '/dashboard'],
    ['/\\evil.example', '/dashboard'],
    ['/\tevil', '/dashboard'],
    ['https://evil.example', '/dashboard'],
    ['evil', '/dashboard'],
    ['', '/dashboard'],
  ])('given next %j, then a right password leads to %s', async (next, to) => {
    double.does.signIn = signedIn();
    const answer = await visitor.post('/login', { email: ' a@x.example ', password: ' spaced ', remember: 'on', next });
    expect([answer.status, answer.to]).toEqual([303, to]);
    expect(double.last('signIn')![0]).toEqual({ email: 'a@x.example', password: ' spaced ', remember: true });
    expect(cookieOf(answer, 'session')).toBe('session=new-token; Path=/; HttpOnly; SameSite=Lax');
  });

  it('without next leads to the dashboard, and the first time where the registration wants', async () => {
    double.does.signIn = signedIn();
    expect((await visitor.post('/login', { email: 'a', password: 'b' })).to).toBe('/dashboard');
    double.does.signIn = signedIn({ leadsTo: '/billing?plan=growth', maxAgeSeconds: 2_592_000 });
    const answer = await visitor.post('/login', { email: 'a', password: 'b', next: '/usage' });
    expect(answer.to).toBe('/billing?plan=growth');
    expect(cookieOf(answer, 'session')).toContain('Max-Age=2592000');
  });

  it('given what is wrong, then 422 with one message; the address and next are kept, the password is not', async () => {
    double.does.signIn = { outcome: 'wrong' };
    const answer = await visitor.post('/login', { email: '<a@x>', password: 'hidden-word', next: '/usage' });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('The e-mail address or the password is wrong.');
    expect(answer.text).toMatch(/id="field-password"[^>]* aria-describedby="field-password-error" aria-invalid="true"/);
    expect(typedIn(answer, 'email')).toBe('&lt;a@x&gt;');
    expect(typedIn(answer, 'next')).toBe('/usage');
    expect(answer.text).not.toContain('hidden-word');
    expect(cookieOf(answer, 'session')).toBeUndefined();
  });

  it('given a suspended user, then 403; given an unverified one, then to the mail; and no session', async () => {
    double.does.signIn = { outcome: 'suspended' };
    const suspended = await visitor.post('/login', { email: 'a', password: 'b' });
    expect([suspended.status, titleOf(suspended)]).toEqual([403, 'This account is suspended']);
    double.does.signIn = { outcome: 'unverified' };
    const unverified = await visitor.post('/login', { email: 'a', password: 'b' });
    expect([unverified.status, unverified.to]).toEqual([303, '/verify-email']);
    for (const answer of [suspended, unverified]) expect(cookieOf(answer, 'session')).toBeUndefined();
  });

  it('given too many, then 429 with Retry-After on the same page', async () => {
    double.does.signIn = new RefusedError(429, 'Too many attempts.', { retryAfter: 77 });
    const answer = await visitor.post('/login', { email: 'a@x.example', password: 'b' });
    expect([answer.status, answer.headers.get('retry-after'), titleOf(answer)]).toEqual([429, '77', 'Sign in']);
  });

  it('given no token of the form, or another browser’s, then 403 and nobody is asked', async () => {
    const other = createVisitor(served.url);
    const { text } = await other.get('/login');
    const [, token] = /name="_csrf" value="([^"]+)"/.exec(text)!;
    await visitor.get('/login');
    for (const _csrf of ['', token!]) {
      const answer = await visitor.post('/login', [['email', 'a']], {
        page: '/nowhere',
        headers: { 'x-csrf-token': _csrf },
      });
      expect(answer.status).toBe(403);
    }
    expect(double.asked).toEqual([]);
  });
});

describe('GET /login', () => {
  it('shows the form, whose action is its path, and keeps next', async () => {
    const answer = await visitor.get('/login?next=%2Fusage%3Fa%3D1%26b%3D2');
    expect([answer.status, titleOf(answer)]).toEqual([200, 'Sign in']);
    expect(answer.text).toContain('<form method="post" action="/login">');
    expect(typedIn(answer, 'next')).toBe('/usage?a=1&amp;b=2');
    expect(answer.text).not.toContain('/oauth/github');
  });
  it('counts a next that is given twice, or leads elsewhere, as none', async () => {
    for (const query of ['next=/usage&next=/billing', 'next=//evil.example']) {
      expect(typedIn(await visitor.get(`/login?${query}`), 'next')).toBeUndefined();
    }
  });
  it('with a session leads to the dashboard', async () => {
    withSession();
    expect((await visitor.get('/login?next=/usage')).to).toBe('/dashboard');
  });
  it('offers GitHub where it is set up', async () => {
    await served.close();
    await serve({ hasGithub: true });
    expect((await visitor.get('/login?next=/usage')).text).toContain('href="/oauth/github/start?next=%2Fusage"');
    expect((await visitor.get('/register')).text).toContain('href="/oauth/github/start"');
  });
});

describe('/logout', () => {
  beforeEach(withSession);

  it('GET ends the session here and on the server', async () => {
    const answer = await visitor.get('/logout');
    expect([answer.status, answer.to]).toEqual([303, '/login']);
    expect(double.last('endSession')![0]).toMatchObject({ id: 1 });
    expect(cookieOf(answer, 'session')).toMatch(/^session=; Max-Age=0;/);
  });
  it('from another site is a page whose form does it', async () => {
    const answer = await visitor.get('/logout', { 'sec-fetch-site': 'cross-site' });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('<form method="post" action="/logout"');
    expect(double.asked).toEqual([]);
  });
  it('POST does the same, under the form’s token', async () => {
    const { text } = await visitor.get('/logout', { 'sec-fetch-site': 'cross-site' });
    const [, _csrf] = /name="_csrf" value="([^"]+)"/.exec(text)!;
    const cookie = `session=token`;
    const post = (body: Record<string, string>) =>
      fetch(`${served.url}/logout`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie },
        body: new URLSearchParams(body),
      });
    expect((await post({})).status).toBe(403);
    expect(double.asked).toEqual([]);
    const answer = await post({ _csrf: _csrf! });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login']);
    expect(double.last('endSession')).toBeDefined();
  });
  it('HEAD ends nothing', async () => {
    await visitor.head('/logout');
    expect(double.asked).toEqual([]);
  });
  it('without a session leads to the sign-in', async () => {
    visitor.cookies.delete('session');
    expect((await visitor.get('/logout')).to).toBe('/login');
    expect(double.asked).toEqual([]);
  });
});

describe('/register', () => {
  const given = { email: ' a@x.example ', password: PASSWORD, name: ' Ann ', plan: 'growth' };

  it('POST leads to the mail, without a session, the same each time', async () => {
    const answers = [await visitor.post('/register', given), await visitor.post('/register', given)];
    for (const answer of answers) {
      expect([answer.status, answer.to]).toEqual([303, '/verify-email']);
      expect(cookieOf(answer, 'session')).toBeUndefined();
    }
    expect(double.last('register')![0]).toEqual({
      email: 'a@x.example',
      password: PASSWORD,
      name: 'Ann',
      plan: 'growth',
    });
    expect(flashOf(await visitor.get('/verify-email'))).toBe('We have sent you a mail. Open its link to go on.');
    expect(flashOf(await visitor.get('/verify-email'))).toBeUndefined();
  });
  it('GET chooses the plan that the query names, and free for any other', async () => {
    expect((await visitor.get('/register?plan=payg')).text).toContain('<option value="payg" selected>');
    expect((await visitor.get('/register?plan=enterprise')).text).toContain('<option value="free" selected>');
  });
  it('given what is refused, then the same page with what was typed, but for the password', async () => {
    double.does.register = invalidField('password', 'Use at least 10 characters.');
    const answer = await visitor.post('/register', { ...given, password: 'short-word' });
    expect([answer.status, titleOf(answer)]).toEqual([422, 'Register']);
    expect(answer.text).toMatch(/id="field-password"[^>]* aria-invalid="true"/);
    expect(answer.text).toContain('Use at least 10 characters.');
    expect([typedIn(answer, 'email'), typedIn(answer, 'name')]).toEqual(['a@x.example', 'Ann']);
    expect(answer.text).toContain('<option value="growth" selected>');
    expect(answer.text).not.toContain('short-word');
  });
  it('a field given twice is refused, and nobody is registered', async () => {
    const twice = [
      ['email', 'a@x.example'],
      ['email', 'b@x.example'],
      ['password', PASSWORD],
    ] as const;
    expect((await visitor.post('/register', twice)).status).toBe(422);
    expect(double.asked).toEqual([]);
  });
  it('closed, then it is not there, whoever asks', async () => {
    await served.close();
    await serve({ isOpen: false });
    expect((await visitor.get('/register')).status).toBe(404);
    expect((await visitor.post('/register', given, { page: '/login' })).status).toBe(404);
    expect(double.asked).toEqual([]);
    expect((await visitor.get('/login')).text).not.toContain('<p>No account yet?');
  });
});

describe('/verify-email', () => {
  it('without a token says to look for the mail, with the form for another', async () => {
    const answer = await visitor.get('/verify-email');
    expect([answer.status, titleOf(answer)]).toEqual([200, 'Look for our mail']);
    expect(answer.text).toContain('action="/resend-verification"');
    expect(double.asked).toEqual([]);
  });
  it('given the link of a registration, then opening it only asks for the password; the form leads to the sign-in', async () => {
    double.does.findVerification = 'registration';
    double.does.verifyEmail = true;
    const page = '/verify-email?token=%3Cright';
    const shown = await visitor.get(page);
    expect([shown.status, typedIn(shown, 'token')]).toEqual([200, '&lt;right']);
    expect(shown.text).toContain('<form method="post" action="/verify-email">');
    expect(shown.text).toContain('type="password"');
    expect(double.last('verifyEmail')).toBeUndefined();
    const answer = await visitor.post('/verify-email', { token: '<right', password: ` ${PASSWORD}` }, { page });
    expect([answer.status, answer.to, cookieOf(answer, 'session')]).toEqual([303, '/login', undefined]);
    expect(double.last('verifyEmail')!.slice(0, 2)).toEqual(['<right', ` ${PASSWORD}`]);
  });
  it('given a wrong password of the registration, then the same page again, without what was typed', async () => {
    double.does.findVerification = 'registration';
    double.does.verifyEmail = invalidField('password', 'This is not the password.');
    const page = '/verify-email?token=right';
    const answer = await visitor.post('/verify-email', { token: 'right', password: 'hidden-word' }, { page });
    expect([answer.status, typedIn(answer, 'token')]).toEqual([422, 'right']);
    expect(answer.text).toMatch(/id="field-password"[^>]* aria-invalid="true"/);
    expect(answer.text).not.toContain('hidden-word');
  });
  it('given the link of a new address, then a button without a password; of one that was used, the sign-in', async () => {
    double.does.findVerification = 'new_address';
    const shown = await visitor.get('/verify-email?token=right');
    expect(shown.text).toContain('Use this address');
    expect(shown.text).not.toContain('type="password"');
    double.does.findVerification = 'verified';
    expect((await visitor.get('/verify-email?token=right')).to).toBe('/login');
    expect(double.last('verifyEmail')).toBeUndefined();
  });
  it('given a token that is not good, then 410 with the form for another', async () => {
    double.does.verifyEmail = false;
    const page = '/verify-email';
    expect((await visitor.post(page, { token: 'old', password: PASSWORD })).status).toBe(410);
    const answer = await visitor.get('/verify-email?token=old');
    expect(answer.status).toBe(410);
    expect(answer.text).toContain('action="/resend-verification"');
    expect((await visitor.get('/verify-email?token=')).status).toBe(410);
  });
  it('HEAD opens no link', async () => {
    await visitor.head('/verify-email?token=right');
    expect(double.last('verifyEmail')).toBeUndefined();
  });
  it('POST /resend-verification always leads back with one message', async () => {
    const page = '/verify-email';
    const answer = await visitor.post('/resend-verification', { email: ' a@x.example ' }, { page });
    expect([answer.status, answer.to]).toEqual([303, '/verify-email']);
    expect(double.last('resendVerification')![0]).toBe('a@x.example');
    expect(flashOf(await visitor.get(page))).toMatch(/^If this address waits/);
    double.does.resendVerification = new RefusedError(429, 'Too many.', { retryAfter: 9 });
    const refused = await visitor.post('/resend-verification', { email: 'a@x.example' }, { page });
    expect([refused.status, refused.headers.get('retry-after'), typedIn(refused, 'email')]).toEqual([
      429,
      '9',
      'a@x.example',
    ]);
  });
});

describe('/undo-email-change', () => {
  const page = '/undo-email-change?token=%3Cgood';
  const post = (token = '<good') => visitor.post('/undo-email-change', { token }, { page });

  it('GET only shows what the button does; the button stops a change that waits', async () => {
    double.does.findEmailUndo = { kind: 'pending', newEmail: '<evil@x.example>' };
    const shown = await visitor.get(page);
    expect([shown.status, titleOf(shown), typedIn(shown, 'token')]).toEqual([
      200,
      'Keep your e-mail address',
      '&lt;good',
    ]);
    expect(shown.text).toContain('&lt;evil@x.example&gt;');
    expect(double.last('undoEmailChange')).toBeUndefined();
    double.does.undoEmailChange = { outcome: 'cancelled' };
    expect((await post()).to).toBe('/forgot-password');
    expect(double.last('undoEmailChange')![0]).toBe('<good');
  });
  it('the button takes an address back, and leads to a new password', async () => {
    double.does.findEmailUndo = { kind: 'changed', newEmail: 'evil@x.example', oldEmail: 'ann@x.example' };
    expect(titleOf(await visitor.get(page))).toBe('Take your e-mail address back');
    double.does.undoEmailChange = { outcome: 'taken_back', resetToken: 'new-token' };
    const answer = await post();
    expect([answer.status, answer.to]).toEqual([303, '/reset-password?token=new-token']);
    expect(cookieOf(answer, 'session')).toMatch(/Max-Age=0/);
  });
  it('given a link that is not good, then 410; an address that has another account, 409', async () => {
    expect((await visitor.get(page)).status).toBe(410);
    expect((await visitor.get('/undo-email-change')).status).toBe(410);
    double.does.undoEmailChange = { outcome: 'gone' };
    expect((await visitor.post('/undo-email-change', { token: 'x' }, { page: '/login' })).status).toBe(410);
    double.does.undoEmailChange = { outcome: 'taken' };
    expect((await visitor.post('/undo-email-change', { token: 'x' }, { page: '/login' })).status).toBe(409);
  });
});

describe('/forgot-password and /reset-password', () => {
  it('asking always leads back with one message', async () => {
    const answer = await visitor.post('/forgot-password', { email: 'a@x.example' });
    expect([answer.status, answer.to]).toEqual([303, '/forgot-password']);
    expect(flashOf(await visitor.get('/forgot-password'))).toMatch(/^If there is an account/);
    double.does.forgotPassword = new RefusedError(429, 'Too many.', { retryAfter: 9 });
    expect((await visitor.post('/forgot-password', { email: 'a@x.example' })).status).toBe(429);
  });
  it('GET shows the form for a good token, 410 for another, and asks for a mail without one', async () => {
    double.does.isResetValid = true;
    const good = await visitor.get('/reset-password?token=%3Cgood');
    expect([good.status, typedIn(good, 'token')]).toEqual([200, '&lt;good']);
    expect(good.text).toContain('<form method="post" action="/reset-password">');
    double.does.isResetValid = false;
    expect((await visitor.get('/reset-password?token=old')).status).toBe(410);
    expect((await visitor.get('/reset-password')).to).toBe('/forgot-password');
  });
  it('GET lists what a new password does not end, each with a button that removes it', async () => {
    double.does.isResetValid = true;
    double.does.accessAfterReset = {
      github: { linkedAt: '2026-03-01T11:00:00.000Z' },
      keys: [{ id: 7, name: '<mine>', prefix: 'llk_abc', createdAt: '2026-02-01T11:00:00.000Z', lastUsedAt: null }],
      webhooks: [{ id: 9, url: 'https://hooks.example/' }],
      links: [{ id: 11, path: '/v1/teams?q=<x>', createdAt: '2026-02-01T11:00:00.000Z' }],
      formerAddresses: [{ email: 'old@x.example', until: '2026-03-07T11:00:00.000Z' }],
    };
    const page = '/reset-password?token=good';
    const { text } = await visitor.get(page);
    for (const part of [
      'Unlink GitHub',
      '&lt;mine&gt;',
      'llk_abc',
      'https://hooks.example/',
      '/v1/teams?q=&lt;x&gt;',
      'old@x.example',
    ])
      expect(text).toContain(part);
    double.does.removeAccess = true;
    const path = '/reset-password/remove';
    for (const [fields, removed] of [
      [{ kind: 'github' }, { kind: 'github' }],
      [
        { kind: 'key', id: '7' },
        { kind: 'key', id: 7 },
      ],
      [
        { kind: 'webhook', id: '9' },
        { kind: 'webhook', id: 9 },
      ],
      [
        { kind: 'link', id: '11' },
        { kind: 'link', id: 11 },
      ],
    ] as const) {
      const answer = await visitor.post(path, { token: 'good', ...fields }, { page });
      expect([answer.status, answer.to]).toEqual([303, page]);
      expect(double.last('removeAccess')!.slice(0, 2)).toEqual(['good', removed]);
    }
    const asked = double.asked.length;
    expect((await visitor.post(path, { token: 'good', kind: 'account', id: '1' }, { page })).status).toBe(200);
    expect(double.asked.slice(asked).map(({ method }) => method)).not.toContain('removeAccess');
  });
  it('POST sets the password and leads to the sign-in; the session that was is over', async () => {
    double.does.isResetValid = true;
    double.does.resetPassword = true;
    const page = '/reset-password?token=good';
    const answer = await visitor.post('/reset-password', { token: 'good', password: ` ${PASSWORD} ` }, { page });
    expect([answer.status, answer.to]).toEqual([303, '/login']);
    expect(double.last('resetPassword')!.slice(0, 2)).toEqual(['good', ` ${PASSWORD} `]);
    expect(cookieOf(answer, 'session')).toMatch(/Max-Age=0/);
  });
  it('POST with a token that is not good is 410; a refused password leaves the form as it was', async () => {
    double.does.isResetValid = true;
    double.does.resetPassword = false;
    const page = '/reset-password?token=good';
    expect((await visitor.post('/reset-password', { token: 'old', password: PASSWORD }, { page })).status).toBe(410);
    double.does.resetPassword = invalidField('password', 'Too common.');
    const refused = await visitor.post('/reset-password', { token: 'good', password: 'password123' }, { page });
    expect([refused.status, typedIn(refused, 'token')]).toEqual([422, 'good']);
    expect(refused.text).toContain('Too common.');
    expect(refused.text).not.toContain('password123');
  });
});
