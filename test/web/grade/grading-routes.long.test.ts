import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { score } from '../../api/spec/messages.ts';
import { ONE, type SheetServer, SLIP, serveSheet } from './serve-grading-page.ts';

let server: SheetServer;
beforeEach(async () => {
  server = await serveSheet();
  await server.feedMatches();
});
afterEach(() => server.close());

const JSON_TYPE = { 'content-type': 'application/json' };
const resultsOf = (body: any) => body.legs.map(({ result }: { result: string }) => result);
/** The first that stands between these two. */
const between = (text: string, begin: string, end: string) => text.split(begin)[1]?.split(end)[0];

describe('POST /grade', () => {
  it('grades as the operation does, without a receipt', async () => {
    const { status, body, headers } = await server.post({ text: SLIP });
    expect([status, body.status, resultsOf(body)]).toEqual([200, 'partial', ['won', 'in_progress', 'in_progress']]);
    expect([body.receipt, body.slip_id]).toEqual([null, null]);

    const { key } = await server.newKey();
    const charged = await server.ask('/v1/grade/slip', {
      method: 'POST',
      body: JSON.stringify({ text: SLIP }),
      headers: { ...JSON_TYPE, authorization: `Bearer ${key}` },
    });
    expect(charged.body.receipt).not.toBeNull();
    expect(body).toEqual({ ...charged.body, receipt: null });

    expect(Object.keys(headers).filter((name) => /credits|cookie|access-control/.test(name))).toEqual([]);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-request-id']).toBeDefined();
  });

  it('takes structured legs and clues, and ignores as_of', async () => {
    const { body: found } = await server.post({ text: 'Eagles -3.5' });
    const { event_id } = found.legs[0].market;
    const leg = { event_id, market_key: 'h2h', side: 'away' };
    for (const as_of of ['2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z', 'yesterday', 7]) {
      const { status, body } = await server.post({ legs: [leg], as_of, as_of_basis: 'whatever' });
      expect([as_of, status, resultsOf(body)]).toEqual([as_of, 200, ['lost']]);
    }
    const { body } = await server.post({ text: 'over 20.5', clues: { event_id } });
    expect(resultsOf(body)).toEqual(['over']);
  });

  it('leaves nothing in the log, and no key counts there', async () => {
    const before = await server.ports.log.head();
    const { key } = await server.newKey();
    const after = await server.ports.log.head();
    const { body } = await server.post({ text: SLIP }, { headers: { authorization: `Bearer ${key}` } });
    expect(body.receipt).toBeNull();
    expect(await server.ports.log.head()).toBe(after);
    expect(before).not.toBeNull();
  });

  it.each([
    ['no JSON by its type', { body: 'text=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415],
    ['no type', { body: '{"text":"a"}' }, 415],
    ['no JSON', { body: '{', headers: JSON_TYPE }, 400],
    ['nothing', { headers: JSON_TYPE }, 422],
    ['no object', { body: '[]', headers: JSON_TYPE }, 422],
    ['no slip', { body: '{}', headers: JSON_TYPE }, 422],
    ['64 KiB and a byte', { body: JSON.stringify({ text: 'a'.repeat(64 * 1024 - 10) }), headers: JSON_TYPE }, 413],
    [
      'the same in pieces',
      { body: JSON.stringify({ text: 'a'.repeat(64 * 1024 - 10) }), headers: JSON_TYPE, isChunked: true },
      413,
    ],
    ['64 KiB', { body: JSON.stringify({ text: 'a'.repeat(64 * 1024 - 11) }), headers: JSON_TYPE }, 422],
  ])('refuses %s', async (_, asking, expected) => {
    const { status, body, headers } = await server.ask('/grade', { method: 'POST', ...asking });
    expect([status, body.error.status]).toEqual([expected, expected]);
    expect(Object.keys(headers).filter((name) => /credits|cookie|access-control/.test(name))).toEqual([]);
    if (status === 413) expect(body.error.message).toContain('64 KiB');
  });

  it('names the field that is wrong', async () => {
    const nine = Array.from({ length: 9 }, (_, leg) => `Eagles -${leg}.5`).join('\n');
    for (const text of [' ', 'a'.repeat(2001), nine]) {
      const { status, body } = await server.post({ text });
      expect([status, body.error.errors[0].loc]).toEqual([422, ['body', 'text']]);
    }
  });

  it('answers no other method, and no preflight', async () => {
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const { status, headers } = await server.ask('/grade', { method, headers: { origin: 'https://evil.example' } });
      expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD, POST']);
      expect(Object.keys(headers).filter((name) => /credits|access-control/.test(name))).toEqual([]);
    }
  });
});

describe('GET /grade', () => {
  it('shows the form, and loads nothing from elsewhere', async () => {
    const { status, text, headers } = await server.ask('/grade');
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    expect(Object.keys(headers).filter((name) => /credits|cookie|access-control|strict/.test(name))).toEqual([]);
    expect(text).toContain('<form action="/grade" method="get">');
    expect(text.match(/<h1/g)).toHaveLength(1);
    const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
    expect(loaded.filter((address) => !/^(\/|#|data:)/.test(address))).toEqual([]);
    for (const address of loaded.filter((one) => one.includes('/assets/'))) {
      expect((await server.ask(address)).status).toBe(200);
    }
  });

  it('grades the text of its address, leg by leg', async () => {
    const { status, text, headers } = await server.show(SLIP.replaceAll('\n', '\r\n'));
    expect([status, headers['x-ratelimit-remaining']]).toEqual([200, '19']);
    expect([...text.matchAll(/data-standing="([^"]+)"/g)].map(([, word]) => word)).toEqual([
      'Won',
      'In progress',
      'Not started',
    ]);
    expect(between(text, '<h2 id="result">', '</h2>')).toBe('1 won, 2 open');
    expect(text).toContain('Philadelphia Eagles 27 v New York Giants 20');
    expect(text).toContain('Kansas City Chiefs 10 v Buffalo Bills 7');
    // What was typed stands in the form again, and in a link.
    expect(between(text, 'autocomplete="off"', '</textarea>')).toContain(`>\n${SLIP}`);
    expect(text).toContain(`href="/grade?${new URLSearchParams({ text: SLIP }).toString().replaceAll('&', '&amp;')}"`);
  });

  it('escapes whatever it is given', async () => {
    const { text } = await server.show('</textarea><script>alert(1)</script> "x" -3');
    expect(text).not.toContain('<script>');
    expect(text).toContain('&lt;/textarea&gt;&lt;script&gt;');
  });

  it.each([
    ['blank', '', 'The slip must not be blank.'],
    ['too long', 'a'.repeat(2001), 'The slip must have at most 2000 characters.'],
    ['of too many legs', 'Eagles -3.5\n'.repeat(9), 'The slip must hold at most 8 legs.'],
  ])('says what is wrong with a text that is %s, and keeps it', async (_, given, message) => {
    const { status, text, headers } = await server.show(given);
    expect([status, headers['content-type']]).toEqual([422, 'text/html; charset=utf-8']);
    expect(between(text, '<p class="wrong" id="text-error">', '</p>')).toBe(message);
    expect(text).toContain('aria-describedby="text-error text-hint" aria-invalid="true"');
    expect(between(text, 'aria-invalid="true">', '</textarea>')).toBe(`\n${given}`);
  });

  it('refuses a text that is given twice', async () => {
    expect((await server.ask('/grade?text=a&text=b')).status).toBe(422);
  });

  it('follows links of other sites, and is not loaded by them', async () => {
    const from = (mode: string, site = 'cross-site') => ({
      headers: { 'sec-fetch-site': site, 'sec-fetch-mode': mode },
    });
    expect((await server.show(SLIP, from('navigate'))).status).toBe(200);
    expect((await server.show(SLIP, from('no-cors'))).status).toBe(403);
    expect((await server.show(SLIP, from('cors', 'same-origin'))).headers['x-ratelimit-remaining']).toBe('18');
  });

  it('tells browsers to come by https where the server is reached so', async () => {
    await server.close();
    server = await serveSheet({ baseUrl: () => 'https://odds.example.com' });
    expect((await server.ask('/grade')).headers['strict-transport-security']).toBe('max-age=31536000');
  });

  it('says that the demo’s games are invented', async () => {
    expect((await server.ask('/grade')).text).not.toContain('Simulated');
    await server.close();
    server = await serveSheet({ simulated: () => true });
    expect((await server.ask('/grade')).text).toContain('Simulated');
  });
});

describe('a page that follows its slip', () => {
  const follow = (text: string, ticket: string) =>
    server.ask(`/grade/live?${new URLSearchParams({ text, ticket })}`, { from: ONE });
  const ticketOf = async (text: string) => between((await server.show(text)).text, '&amp;ticket=', '"')!;

  it('sees it go on until nothing is open, and no grade is used up', async () => {
    const ticket = await ticketOf(SLIP);
    const { status, text, headers } = await follow(SLIP, ticket);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(text).toMatch(/^<section class="graded" aria-labelledby="result" data-again="20">/);

    await server.feed(score('now', 'final', ['10', '24'], { at: '2026-03-01T19:59:00Z' }));
    expect((await follow(SLIP, ticket)).text).toContain('data-standing="Lost"');
    expect((await follow(SLIP, ticket)).text).toContain('data-again="60"');
    await server.feed(score('ahead', 'final', ['10', '24'], { at: '2026-03-01T19:59:30Z' }));
    expect((await follow(SLIP, ticket)).text).not.toContain('data-again');
    expect((await server.post({ text: SLIP })).headers['x-ratelimit-remaining']).toBe('18');
  });

  it('has a ticket for this slip alone, for 24 hours', async () => {
    const ticket = await ticketOf(SLIP);
    const [until, signature] = ticket.split('.') as [string, string];
    const wrong = ['', 'x', signature, `${Number(until) + 1}.${signature}`, `${until}.${signature.slice(1)}`];
    for (const one of wrong) expect([one, (await follow(SLIP, one)).status]).toEqual([one, 403]);
    expect((await follow('Chiefs ML', ticket)).status).toBe(403);
    server.clock.time += 24 * 3_600_000;
    expect((await follow(SLIP, ticket)).status).toBe(200);
    server.clock.time += 1;
    expect((await follow(SLIP, ticket)).status).toBe(403);
  });

  it('asks 60 times in 60 seconds at most', async () => {
    const ticket = await ticketOf(SLIP);
    for (let time = 0; time < 60; time++) expect((await follow(SLIP, ticket)).status).toBe(200);
    const { status, headers } = await follow(SLIP, ticket);
    expect([status, Number(headers['retry-after'])]).toEqual([429, 60]);
  });
});

describe('the page of a receipt', () => {
  /** The id of the receipt of a slip that a key has graded. */
  async function graded(slip: object): Promise<string> {
    const { key } = await server.newKey();
    const { body } = await server.ask('/v1/grade/slip', {
      method: 'POST',
      body: JSON.stringify(slip),
      headers: { ...JSON_TYPE, authorization: `Bearer ${key}` },
    });
    return body.receipt.id;
  }
  const standings = (text: string) => [...text.matchAll(/data-standing="([^"]*)"/g)].map(([, word]) => word);

  it('shows the slip to whoever has its address, as it stands then, until it is final', async () => {
    const id = await graded({ text: SLIP });
    const { status, text, headers } = await server.ask(`/grade/${id}`);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(text).toContain('<title>Graded slip: 1 won, 2 open');
    expect(standings(text)).toEqual(['Won', 'In progress', 'Not started']);
    const live = between(text, 'data-live="', '"')!;

    await server.feed(score('now', 'final', ['10', '24'], { at: '2026-03-01T19:59:00Z' }));
    await server.feed(score('ahead', 'final', ['10', '24'], { at: '2026-03-01T19:59:30Z' }));
    const over = await server.ask(live);
    expect(standings(over.text)).toEqual(['Won', 'Lost', 'Lost']);
    expect(over.text).not.toContain('data-again');
    expect((await server.ask(`/grade/${id}`)).text).toContain('<title>Graded slip: 1 won, 2 lost');
  });

  it('names legs that came without words, and tells no stake, price or payout', async () => {
    const { body: found } = await server.post({ text: 'Eagles -3.5' });
    const { event_id } = found.legs[0].market;
    const leg = { event_id, market_key: 'spreads', side: 'away', line: 7.5, price: -113, stake: 98765 };
    const id = await graded({ legs: [leg], stake: 45678, price: 1234 });
    const { text } = await server.ask(`/grade/${id}`);
    expect(between(text, '<span class="bet">', '</span>')).toBe('New York Giants +7.5');
    for (const own of ['98765', '45678', '1234', '113']) expect(text).not.toContain(own);
  });

  it('tells what a correction has changed', async () => {
    const id = await graded({ text: 'Eagles -3.5' });
    expect((await server.ask(`/grade/${id}`)).text).not.toContain('class="correction"');
    await server.feed(score('over', 'final', ['27', '25'], { at: '2026-03-01T19:00:00Z' }));
    const { text } = await server.ask(`/grade/${id}`);
    expect(standings(text)).toEqual(['Lost']);
    expect(between(text, 'class="correction">', '</p>')).toContain('leg 1 from won to lost');
  });

  it('stays as it was where it was graded by the facts of a moment', async () => {
    const id = await graded({ text: SLIP, as_of: '2026-03-01T19:55:00Z', as_of_basis: 'observed' });
    await server.feed(score('now', 'final', ['10', '24'], { at: '2026-03-01T19:59:00Z' }));
    const { text } = await server.ask(`/grade/${id}`);
    expect(text).not.toContain('data-live');
    expect(standings(text)).toEqual(['Won', 'In progress', 'Not started']);
    expect(text).toContain('by what was known on');
  });

  it('is not there for an id that nobody was given', async () => {
    const id = await graded({ text: SLIP });
    const unknown = `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`;
    for (const path of [unknown, `${unknown}/live`, 'gr_1', 'x', 'x/live'])
      expect([path, (await server.ask(`/grade/${path}`)).status]).toEqual([path, 404]);
  });

  it('is asked for 60 times in 60 seconds at most', async () => {
    const id = await graded({ text: SLIP });
    for (let time = 0; time < 60; time++) expect((await server.ask(`/grade/${id}`)).status).toBe(200);
    expect((await server.ask(`/grade/${id}`)).status).toBe(429);
  });
});

describe('GRADE_SHEET=off', () => {
  it('leaves nothing at its paths', async () => {
    await server.close();
    server = await serveSheet({ settings: { gradeSheet: false } });
    const answers = [await server.ask('/grade'), await server.show(SLIP), await server.post({ text: SLIP })];
    answers.push(await server.ask('/grade/live?text=a&ticket=b'), await server.ask(`/grade/gr_${'A'.repeat(22)}`));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });
});
