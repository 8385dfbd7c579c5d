import { afterEach, describe, expect, it } from 'vitest';
import { type Answered, PASSWORD, type WholeSite, wholeSite } from '../whole-application.ts';

const EMAIL = 'ann@x.example';
const UNKNOWN = 'bob@x.example';

let site: WholeSite;
async function opened() {
  site = await wholeSite();
  await site.user(EMAIL);
  return site;
}
afterEach(() => site.close());

/** An answer as whoever guesses sees it: without what is new in each, and without what he typed himself. */
const seen = ({ status, headers, text, cookies }: Answered, typed: string) => ({
  status,
  headers: Object.keys(headers).sort(),
  location: headers['location'],
  retryAfter: headers['retry-after'],
  // Of the same length, so that there is nothing to read from it either.
  length: text.length,
  cookies: cookies.map((cookie) => cookie.replace(/=[^;]*/, '=')),
  text: text
    .replaceAll(typed, 'TYPED')
    .replaceAll(/value="[\w-]{40,}"/g, 'TOKEN')
    .replaceAll(/made-\d+/g, 'REQUEST'),
});

describe('whether an address is known cannot be told', () => {
  it.each<[string, (email: string) => Record<string, string>]>([
    ['/login', (email) => ({ email, password: 'a wrong password' })],
    ['/login', (email) => ({ email, password: '' })],
    ['/register', (email) => ({ email, password: PASSWORD, name: 'Ann' })],
    ['/register', (email) => ({ email, password: 'short' })],
    ['/forgot-password', (email) => ({ email })],
    ['/resend-verification', (email) => ({ email })],
  ])('by %s', async (path, fields) => {
    await opened();
    const [known, unknown] = [site.browser(), site.browser()];
    const answers = [
      [await known.post(path, fields(EMAIL)), EMAIL],
      [await unknown.post(path, fields(UNKNOWN)), UNKNOWN],
    ] as const;
    expect(seen(...answers[0])).toEqual(seen(...answers[1]));
    // So do the pages that they lead to, with their flash messages.
    const { location } = answers[0][0];
    if (location === undefined) return;
    expect(seen(await known.get(location), EMAIL)).toEqual(seen(await unknown.get(location), UNKNOWN));
  });
  it('by throttles: the sixth wrong password is refused for both, and the right one with it', async () => {
    await opened();
    const answers: unknown[] = [];
    for (const email of [EMAIL, UNKNOWN]) {
      const browser = site.browser();
      for (let time = 0; time < 5; time++)
        expect((await browser.signIn(email, { password: `wrong ${time} password` })).status).toBe(422);
      const refused = await browser.signIn(email);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      answers.push(seen(refused, email));
    }
    expect(answers[0]).toEqual(answers[1]);
  });
});

describe('whether an address is known cannot be told by time', () => {
  /** So dear that an answer without a hash would stand far apart, on a busy machine too. */
  const DEAR = { memoryKib: 19_456, passes: 8, maxConcurrent: 1, maxQueued: 10 };

  // As often as throttles allow.
  it.each<[string, number, (email: string) => Record<string, string>]>([
    ['/login', 5, (email) => ({ email, password: 'a wrong password' })],
    ['/register', 9, (email) => ({ email, password: PASSWORD })],
    ['/forgot-password', 9, (email) => ({ email })],
    ['/resend-verification', 9, (email) => ({ email })],
  ])('%s: the quickest of %i answers to each are alike, asked in turn', async (path, times, fields) => {
    site = await wholeSite({ replacements: { hashing: DEAR } });
    await site.user(EMAIL);
    const quickest = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY };
    const browser = site.browser();
    await browser.post(path, fields('warm-up@x.example'));
    for (let n = 0; n < times; n++) {
      for (const [kind, email] of [
        ['known', EMAIL],
        ['unknown', `nobody-${n}@x.example`],
      ] as const) {
        const token = await browser.token();
        const begun = performance.now();
        expect((await browser.post(path, { ...fields(email), _csrf: token })).status).toBe(
          path === '/login' ? 422 : 303,
        );
        quickest[kind] = Math.min(quickest[kind], performance.now() - begun);
      }
    }
    const ratio = quickest.known / quickest.unknown;
    expect(ratio, JSON.stringify(quickest)).toBeGreaterThan(1 / 3);
    expect(ratio, JSON.stringify(quickest)).toBeLessThan(3);
  });
});

describe('guessing is held back', () => {
  it('given 15 minutes without a guess, then the right password signs in again', async () => {
    await opened();
    const browser = site.browser();
    for (let time = 0; time < 6; time++) await browser.signIn(EMAIL, { password: 'a wrong password' });
    expect((await browser.signIn(EMAIL)).status).toBe(429);
    site.clock.time += 15 * 60_000 + 1000;
    expect((await browser.signIn(EMAIL)).status).toBe(303);
  });
  it('given 20 wrong ones for many addresses from one IP, then the next is 429', async () => {
    await opened();
    const browser = site.browser();
    for (let n = 0; n < 20; n++) {
      expect((await browser.signIn(`u${n}@x.example`, { password: 'a wrong password' })).status).toBe(422);
    }
    expect((await browser.signIn(EMAIL)).status).toBe(429);
  });
  it('a forged X-Forwarded-For makes nobody another', async () => {
    await opened();
    const browser = site.browser();
    for (let n = 0; n < 6; n++) {
      const fields = { email: EMAIL, password: 'a wrong password' };
      const { status } = await browser.post('/login', fields, { 'x-forwarded-for': `203.0.113.${n}` });
      expect(status).toBe(n < 5 ? 422 : 429);
    }
  });
  it.each([
    ['/register', 20],
    ['/forgot-password', 20],
    ['/resend-verification', 20],
  ])('%s is taken %i times an hour from one IP', async (path, most) => {
    await opened();
    const browser = site.browser();
    const send = (n: number) => browser.post(path, { email: `u${n}@x.example`, password: PASSWORD });
    for (let n = 0; n < most; n++) expect((await send(n)).status).toBe(303);
    const refused = await send(most);
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    site.clock.time += 3_600_000 + 1000;
    expect((await send(most)).status).toBe(303);
  });
  it('given 3 mails of a kind for an address in an hour, then silently none', async () => {
    await opened();
    const browser = site.browser();
    for (let n = 0; n < 4; n++)
      expect((await browser.post('/forgot-password', { email: EMAIL })).location).toBe('/forgot-password');
    expect(await site.mailed(3)).toHaveLength(3);
    await site.server.people.resume();
    expect(site.mails).toEqual([]);
  });
  it('10 wrong coupons an hour for an account', async () => {
    await opened();
    const browser = await site.signedIn(EMAIL);
    for (let n = 0; n < 10; n++)
      expect((await browser.post('/billing/coupon', { code: `GUESS-${n}` })).status).toBe(422);
    expect((await browser.post('/billing/coupon', { code: 'GUESS-10' })).status).toBe(429);
  });
});

describe('where a sign-in leads', () => {
  const bad = [
    '//evil.example',
    '/\\evil.example',
    '\\/evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/\n/evil.example',
    '/a\r\nSet-Cookie: x=y',
    '%2F%2Fevil.example',
    '///evil.example',
    ' //evil.example',
    'dashboard',
    '',
  ];
  it('is a path of this server, whatever the form says', async () => {
    await opened();
    for (const next of bad) {
      const { status, location } = await site.browser().signIn(EMAIL, { next });
      expect([next, status, location]).toEqual([next, 303, '/dashboard']);
    }
    expect((await site.browser().signIn(EMAIL, { next: '/usage?days=7' })).location).toBe('/usage?days=7');
  });
  it('given it twice, then it counts for nothing', async () => {
    await opened();
    const answer = await site.browser().post('/login', [
      ['email', EMAIL],
      ['password', PASSWORD],
      ['next', '/usage'],
      ['next', '//evil.example'],
    ]);
    // A field twice is refused; where it is not, it leads nowhere else.
    if (answer.status === 303) expect(answer.location).toBe('/dashboard');
    else expect(answer.status).toBe(422);
  });
  it('given a wrong one in the address of the page, then the form does not hold it', async () => {
    await opened();
    for (const next of bad.filter((one) => one.includes('evil'))) {
      const page = await site.browser().get(`/login?next=${encodeURIComponent(next)}`);
      expect([next, page.status, page.text.includes('evil')]).toEqual([next, 200, false]);
    }
  });
});
