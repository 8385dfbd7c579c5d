import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GithubDouble, serveGithubDouble } from '../github/github-double.ts';
import { type Application, application, PASSWORD } from '../signed-up-application.ts';
import { cookieOf, flashOf, type Seen, titleOf, typedIn } from '../visitor.ts';

const SESSION = '__Host-session';
const HOUR = 3_600_000;

let app: Application;
let github: GithubDouble;
beforeAll(async () => {
  github = await serveGithubDouble();
  app = await application({ github: github.settings });
});
afterAll(async () => {
  await app.close();
  await github.close();
  expect(app.server.failures).toEqual([]);
});

/** Another for each test. */
let EMAIL: string;
let tests = 0;
beforeEach(() => {
  EMAIL = `ann${++tests}@a.example`;
});

const led = ({ status, to }: Seen) => [status, to];

describe('from the registration to the session', () => {
  it('registers, opens the link, signs in, and out again', async () => {
    const ann = app.visitor();
    expect(led(await ann.post('/register', { email: EMAIL, password: PASSWORD, plan: 'payg' }))).toEqual([
      303,
      '/verify-email',
    ]);
    const early = await ann.post('/login', { email: EMAIL, password: PASSWORD });
    expect([...led(early), cookieOf(early, SESSION)]).toEqual([303, '/verify-email', undefined]);
    await app.link(EMAIL);
    const link = await app.link(EMAIL);
    // A scanner of mails opens links.
    expect((await app.visitor().get(link)).status).toBe(200);
    expect((await ann.post('/login', { email: EMAIL, password: PASSWORD })).to).toBe('/verify-email');
    const renewed = await app.link(EMAIL);
    expect((await app.verify(app.visitor(), renewed, 'not the password')).status).toBe(422);
    expect(led(await app.verify(app.visitor(), renewed))).toEqual([303, '/login']);
    expect(led(await ann.get(renewed))).toEqual([303, '/login']);
    expect(flashOf(await ann.get('/login'))).toBe('Your e-mail address is verified.');
    const signedIn = await ann.post('/login', { email: EMAIL, password: PASSWORD, next: '/account' });
    expect(led(signedIn)).toEqual([303, '/account']);
    expect(cookieOf(signedIn, SESSION)).toMatch(/^__Host-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(typedIn(await ann.get('/account'), 'email')).toBe(EMAIL);
    const token = ann.cookies.get(SESSION)!;
    expect(led(await ann.get('/logout'))).toEqual([303, '/login']);
    ann.cookies.set(SESSION, token);
    expect((await ann.get('/account')).status).toBe(303);
  });

  it('given another browser that registers the same address later, each signs in by its own registration', async () => {
    const [ann, stranger] = [app.visitor(), app.visitor()];
    await ann.post('/register', { email: EMAIL, password: PASSWORD, plan: 'payg' });
    await stranger.post('/register', { email: EMAIL, password: 'the password of a stranger', plan: 'payg' });
    await app.link(EMAIL);
    await app.link(EMAIL);

    expect(led(await ann.post('/login', { email: EMAIL, password: PASSWORD }))).toEqual([303, '/verify-email']);

    const own = await app.link(EMAIL);
    expect((await app.verify(stranger, own, 'the password of a stranger')).status).toBe(422);
    expect(led(await app.verify(app.visitor(), own))).toEqual([303, '/login']);
    expect((await stranger.post('/login', { email: EMAIL, password: 'the password of a stranger' })).status).toBe(422);
  });

  it('answers the same of a known address, and tells its owner by mail', async () => {
    await app.signedIn(EMAIL);
    const answers = [];
    for (const email of [EMAIL, 'nobody@a.example']) {
      const visitor = app.visitor();
      const { status, to, headers, text } = await visitor.post('/register', { email, password: PASSWORD });
      const kept = [...headers].filter(([name]) => !/^(set-cookie|x-request-id|date)$/.test(name));
      answers.push({ status, to, text, kept, flash: flashOf(await visitor.get('/verify-email')) });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect((await app.mail(EMAIL)).subject).toBe('You already have an account');
    expect((await app.mail('nobody@a.example')).subject).toBe('Verify your e-mail address');
  });

  it('a link that is too old is 410; the form there brings another, which replaces it', async () => {
    const ann = app.visitor();
    await ann.post('/register', { email: EMAIL, password: PASSWORD });
    const old = await app.link(EMAIL);
    app.server.clock.time += 24 * HOUR + 1;
    const dead = await ann.get(old);
    expect([dead.status, titleOf(dead)]).toEqual([410, 'This link is not good any more']);
    await ann.post('/resend-verification', { email: EMAIL }, { page: old });
    const link = await app.link(EMAIL);
    expect((await ann.get(old)).status).toBe(410);
    expect(led(await app.verify(ann, link))).toEqual([303, '/login']);
  });

  it('the first sign-in of who wants growth leads to paying for it, the second does not', async () => {
    const ann = app.visitor();
    await ann.post('/register?plan=growth', { email: EMAIL, password: PASSWORD, plan: 'growth' });
    await app.verify(ann, await app.link(EMAIL));
    const signIn = () => ann.post('/login', { email: EMAIL, password: PASSWORD, remember: 'on' });
    const first = await signIn();
    expect(led(first)).toEqual([303, '/billing?plan=growth']);
    expect(cookieOf(first, SESSION)).toContain('; Max-Age=2592000;');
    await ann.get('/logout');
    expect((await signIn()).to).toBe('/dashboard');
  });

  it('a wrong password and an unknown address are answered alike, and five of them close the door', async () => {
    await app.signedIn(EMAIL);
    const tries = async (email: string) => {
      const visitor = app.visitor();
      const answers = [];
      for (let time = 0; time < 6; time++) {
        const answer = await visitor.post('/login', { email, password: `wrong password ${time}` });
        const alert = /role="alert">([^<]*)</.exec(answer.text)?.[1];
        answers.push([answer.status, answer.headers.has('retry-after'), alert]);
      }
      return answers;
    };
    const known = await tries(EMAIL);
    expect(known.map(([status]) => status)).toEqual([422, 422, 422, 422, 422, 429]);
    expect(await tries('nobody@a.example')).toEqual(known);
    expect((await app.visitor().post('/login', { email: EMAIL, password: PASSWORD })).status).toBe(429);
  });
});

describe('a forgotten password', () => {
  it('is set by the link, once; a refused one does not use it up; all sessions end', async () => {
    const ann = await app.signedIn(EMAIL);
    const elsewhere = app.visitor();
    expect(led(await elsewhere.post('/forgot-password', { email: EMAIL }))).toEqual([303, '/forgot-password']);
    const link = await app.link(EMAIL);
    const token = new URL(link, 'http://x').searchParams.get('token')!;
    const set = (password: string) => elsewhere.post('/reset-password', { token, password }, { page: link });
    expect((await set('password123')).status).toBe(422);
    expect(led(await set('another fine password'))).toEqual([303, '/login']);
    expect((await elsewhere.get(link)).status).toBe(410);
    expect((await ann.get('/account')).to).toBe('/login?next=%2Faccount');
    expect((await app.mail(EMAIL)).subject).toBe('Your password was changed');
    expect((await elsewhere.post('/login', { email: EMAIL, password: PASSWORD })).status).toBe(422);
    expect((await elsewhere.post('/login', { email: EMAIL, password: 'another fine password' })).to).toBe('/dashboard');
  });
});

describe('one’s own account', () => {
  it('another address counts once its link was opened', async () => {
    const ann = await app.signedIn(EMAIL);
    const given = { name: 'Ann B', timezone: 'Europe/Berlin', email: `new-${EMAIL}` };
    const post = (current_password: string) =>
      ann.post('/account/profile', { ...given, current_password }, { page: '/account' });
    expect((await post('wrong')).status).toBe(422);
    expect(led(await post(PASSWORD))).toEqual([303, '/account']);
    const page = await ann.get('/account');
    expect([typedIn(page, 'email'), typedIn(page, 'name')]).toEqual([EMAIL, 'Ann B']);
    expect(page.text).toMatch(/<time datetime="[^"]*Z">[^<]* GMT\+1|<time datetime="[^"]*Z">[^<]* CET/);
    expect((await app.mail(EMAIL)).subject).toBe('Your e-mail address is about to change');
    await app.verify(ann, await app.link(given.email));
    expect(typedIn(await ann.get('/account'), 'email')).toBe(given.email);
  });

  it('after another password this browser goes on under a new cookie, others do not', async () => {
    const ann = await app.signedIn(EMAIL);
    const other = app.visitor();
    await other.post('/login', { email: EMAIL, password: PASSWORD });
    const before = ann.cookies.get(SESSION)!;
    const given = { current_password: PASSWORD, password: 'another fine password' };
    expect(led(await ann.post('/account/password', given, { page: '/account' }))).toEqual([303, '/account']);
    expect(ann.cookies.get(SESSION)).not.toBe(before);
    expect((await ann.get('/account')).status).toBe(200);
    expect((await other.get('/account')).status).toBe(303);
    other.cookies.set(SESSION, before);
    expect((await other.get('/account')).status).toBe(303);
  });

  it('ends its own sessions, and nobody else’s', async () => {
    const ann = await app.signedIn(EMAIL);
    const bob = await app.signedIn(`bob-${EMAIL}`);
    const other = app.visitor();
    await other.post('/login', { email: EMAIL, password: PASSWORD });
    const path = /action="(\/account\/sessions\/\d+\/revoke)"/.exec((await ann.get('/account')).text)![1]!;
    expect((await bob.post(path, {}, { page: '/account' })).status).toBe(404);
    expect((await other.get('/account')).status).toBe(200);
    expect(led(await ann.post(path, {}, { page: '/account' }))).toEqual([303, '/account']);
    expect((await other.get('/account')).status).toBe(303);
  });

  it('is downloaded without secrets, and deleted with all of it', async () => {
    const ann = await app.signedIn(EMAIL);
    await ann.post('/onboarding/docs-visit', {}, { page: '/account' });
    const told = JSON.parse((await ann.get('/account/export')).text);
    expect(told).toMatchObject({ user: { email: EMAIL }, sessions: [{ current: true }], keys: [], invoices: [] });
    expect(told.ledger.length).toBeGreaterThan(0);
    expect(told.security_events.map(({ type }: { type: string }) => type)).toContain('signed_in');
    expect(JSON.stringify(told)).not.toMatch(/argon2|password_hash|token/);
    expect((await ann.post('/account/delete', { current_password: 'wrong' }, { page: '/account' })).status).toBe(422);
    const gone = await ann.post('/account/delete', { current_password: PASSWORD }, { page: '/account' });
    expect(led(gone)).toEqual([303, '/']);
    expect((await ann.get('/account')).status).toBe(303);
    expect((await ann.post('/login', { email: EMAIL, password: PASSWORD })).status).toBe(422);
  });
});

describe('GitHub', () => {
  const emails = (email: string, verified = true) => [{ email, primary: true, verified }];
  beforeEach(() => {
    github.state.user = { id: tests, name: 'Ann', emails: emails(EMAIL) };
  });
  async function byGithub(visitor = app.visitor(), query = '') {
    const { to } = await visitor.get(`/oauth/github/start${query}`);
    const back = await github.authorize(to!);
    expect(back.origin).toBe('https://sports.example');
    return { visitor, answer: await visitor.get(back.pathname + back.search) };
  }

  it('makes a user without a password, who signs in again by the numeric id, whatever the address is then', async () => {
    const { visitor, answer } = await byGithub(undefined, '?next=/account');
    expect(led(answer)).toEqual([303, '/account']);
    const page = await visitor.get('/account');
    expect(typedIn(page, 'email')).toBe(EMAIL);
    expect(page.text).toContain('Set a password');
    expect((await visitor.post('/account/github/unlink', {}, { page: '/account' })).status).toBe(422);
    github.state.user = { ...github.state.user, emails: emails(`moved-${EMAIL}`) };
    const again = await byGithub();
    expect(typedIn(await again.visitor.get('/account'), 'email')).toBe(EMAIL);
  });

  it('signs in whoever has verified the same address', async () => {
    await app.signedIn(EMAIL);
    const { visitor } = await byGithub();
    expect((await visitor.get('/account')).text).toContain('GitHub is linked');
  });

  it('without a verified address makes nobody, and says so', async () => {
    github.state.user = { ...github.state.user, emails: emails(EMAIL, false) };
    const { visitor, answer } = await byGithub();
    expect(led(answer)).toEqual([303, '/login']);
    expect(flashOf(await visitor.get('/login'))).toMatch(/no verified e-mail/);
  });

  it('is linked in a session and unlinked again; one that another user has stays there', async () => {
    const bob = await app.signedIn(`bob-${EMAIL}`);
    expect(led((await byGithub(bob)).answer)).toEqual([303, '/account']);
    expect(flashOf(await bob.get('/account'))).toMatch(/^GitHub is linked/);
    const ann = await app.signedIn(EMAIL);
    expect(led((await byGithub(ann)).answer)).toEqual([303, '/account']);
    expect(flashOf(await ann.get('/account'))).toBe('This GitHub account is linked to another user.');
    expect(led(await bob.post('/account/github/unlink', {}, { page: '/account' }))).toEqual([303, '/account']);
    expect((await bob.get('/account')).text).toContain('href="/oauth/github/start"');
  });
});

it('given a closed registration, then /register is 404', async () => {
  const closed = await application({ registration: 'closed' });
  expect((await closed.visitor().get('/register')).status).toBe(404);
  await closed.close();
});
