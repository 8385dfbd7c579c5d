import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createUsageReader } from '../../../../src/accounts/usage/create-usage-reader.ts';
import type { UsageReader } from '../../../../src/accounts/usage/usage-reader.ts';
import { RefusedError } from '../../../../src/domain/primitives/domain-errors.ts';
import { createMemoryStore } from '../../../../src/read-models/store/memory-store.ts';
import type { PageResponse, SignedInRequest } from '../../../../src/web/account/page-route.ts';
import { usageRoutes } from '../../../../src/web/account/usage/usage-routes.ts';
import { type GivenRecord, givenCall, givenRecord, NOW, usageWorld } from '../../../accounts/usage/usage-world.ts';

const MINUTE = 60_000;
const KEYS = new Map([
  [
    1,
    [
      { id: 1, name: 'Production <b>' },
      { id: 2, name: '=HYPERLINK("x")' },
    ],
  ],
  [2, [{ id: 3, name: 'Of another' }]],
]);

let close: () => Promise<void> = async () => {};
afterEach(() => close());

async function pagesOf(records: readonly GivenRecord[], more: Partial<UsageReader> = {}) {
  const store = createMemoryStore();
  const { runner } = await usageWorld(store, records);
  close = async () => {
    await runner.stop();
    await store.close();
  };
  const usage = { ...createUsageReader({ store, now: () => NOW }), ...more };
  const routes = usageRoutes({ usage, keysOf: async (accountId) => KEYS.get(accountId) ?? [], now: () => NOW });
  return async (target: string, { accountId = 1, wantsJson = false } = {}): Promise<PageResponse> => {
    const { pathname, searchParams } = new URL(target, 'http://localhost');
    const route = routes.find(({ path }) => path === pathname)!;
    const session = { user: { accountId, timezone: 'America/New_York' } };
    const visit = { method: 'GET', path: pathname, query: searchParams, session, wantsJson, params: {} };
    if (route.method !== 'GET') throw new Error('a page is read');
    return route.run(visit as unknown as SignedInRequest);
  };
}

function htmlOf(answer: PageResponse): { readonly status: number; readonly html: string; readonly rows: string[] } {
  if (answer.kind !== 'page') throw new Error(`a page was expected, not ${answer.kind}`);
  const { html } = answer.content;
  const rows = html.match(/<tbody>([\s\S]*?)<\/tbody>/)?.[1]?.match(/<tr>[\s\S]*?<\/tr>/g) ?? [];
  return { status: answer.status ?? 200, html, rows };
}

async function csvOf(answer: PageResponse): Promise<string> {
  if (answer.kind !== 'file') throw new Error(`a file was expected, not ${answer.kind}`);
  let text = '';
  for await (const piece of answer.body as AsyncIterable<string>) text += piece;
  return text;
}

describe('/usage', () => {
  let get: Awaited<ReturnType<typeof pagesOf>>;
  beforeEach(async () => {
    get = await pagesOf([
      givenRecord([givenCall(NOW - 3 * MINUTE, { credits: 1234.5, milliseconds: 2500 })]),
      givenRecord([givenCall(NOW - 2 * MINUTE, { status: 404, keyId: 2, operation: 'get_odds' })]),
      givenRecord([givenCall(NOW - MINUTE, { status: 500, keyId: 0, operation: null })], { isCharged: false }),
      givenRecord([givenCall(NOW)], { accountId: 2 }),
      givenRecord([givenCall(NOW - 31 * 24 * 60 * MINUTE)]),
    ]);
  });

  it('shows the calls of 30 days, the newest first, in the time zone of whoever looks', async () => {
    const { status, rows } = htmlOf(await get('/usage'));
    expect(status).toBe(200);
    const cells = rows.map((row) =>
      row
        .replaceAll(/<[^>]*>/g, '|')
        .replaceAll(/\|+/g, '|')
        .replace(/ (EST|GMT-5)\|/, '|'),
    );
    expect(cells).toEqual([
      '|22 Nov 2026, 06:59|Session|–|500|0|3|Req-2.0|',
      '|22 Nov 2026, 06:58|=HYPERLINK(&quot;x&quot;)|get_odds|404|1|3|Req-1.0|',
      '|22 Nov 2026, 06:57|Production &lt;b&gt;|get_event|200|1,234.5|2,500|Req-0.0|',
    ]);
    expect(rows[0]).toContain('<time datetime="2026-11-22T11:59:00.000Z">');
  });

  it.each([
    ['days=90', ['2', '1', '0', '4']],
    ['days=1&page=1', ['2', '1', '0']],
    ['page=2', []],
    ['key_id=2', ['1']],
    ['status=4xx', ['1']],
    ['status=5XX', ['2']],
    ['status=200', ['0']],
    ['status=4xx&status=&key_id=', undefined],
    ['q=EVENT', ['0']],
    ['q=req-1', ['1']],
    ['q= odds &status=&key_id=&days=', ['1']],
    ['key_id=2&q=event', []],
    // Of another account, and of nobody.
    ['key_id=3', []],
    ['key_id=999999999999', []],
  ] as const)('%s', async (query, expected) => {
    const { status, rows } = htmlOf(await get(`/usage?${query}`));
    if (expected === undefined) expect(status).toBe(422);
    else expect([status, rows.map((row) => /Req-(\d)/.exec(row)![1])]).toEqual([200, expected]);
  });

  it.each([
    ['page', '0'],
    ['page', 'x'],
    ['page', '1.5'],
    ['days', '0'],
    ['days', '91'],
    ['days', '-1'],
    ['days', '1e1'],
    ['key_id', 'abc'],
    ['key_id', '0'],
    ['status', '99'],
    ['status', '600'],
    ['status', '3xx'],
    ['status', '20'],
    ['format', 'xml'],
  ])('a wrong %s, %s, is refused with its message, and shows no rows', async (name, value) => {
    for (const format of name === 'format' ? '' : ['', '&format=csv']) {
      const { status, html, rows } = htmlOf(await get(`/usage?${name}=${value}${format}`));
      expect([status, rows]).toEqual([422, []]);
      expect(html).toContain('role="alert"');
      if (name === 'page' || name === 'format') expect(html).toContain('class="wrong"');
      else
        expect(html).toMatch(new RegExp(`id="field-${name}"[^>]*aria-describedby="field-${name}-error" aria-invalid`));
    }
    await expect(get(`/usage?${name}=${value}`, { wantsJson: true })).rejects.toThrow(RefusedError);
  });

  it('leads on through the pages, with the filters', async () => {
    const many = Array.from({ length: 120 }, (_, n) => givenRecord([givenCall(NOW - n)]));
    await close();
    get = await pagesOf(many);
    const first = htmlOf(await get('/usage?status=2xx'));
    expect(first.rows).toHaveLength(100);
    expect(first.html).toContain('href="/usage?status=2xx&amp;page=2"');
    const last = htmlOf(await get('/usage?status=2xx&page=2'));
    expect(last.rows).toHaveLength(20);
    expect(last.html).not.toContain('page=3');
  });

  it('as CSV has the same calls, and no cell that a spreadsheet would run', async () => {
    const answer = await get('/usage?format=csv&page=7');
    expect(answer).toMatchObject({ kind: 'file', type: 'text/csv; charset=utf-8', name: 'usage-2026-11-22.csv' });
    expect(await csvOf(answer)).toBe(
      [
        'at,key_id,key_name,operation,status,credits,milliseconds,request_id',
        '2026-11-22T11:59:00Z,,,,500,0,3,Req-2.0',
        '2026-11-22T11:58:00Z,2,"\'=HYPERLINK(""x"")",get_odds,404,1,3,Req-1.0',
        '2026-11-22T11:57:00Z,1,Production <b>,get_event,200,1234.5,2500,Req-0.0',
        '',
      ].join('\r\n'),
    );
    expect(parse(await csvOf(await get('/usage?format=csv&status=404')), { columns: true })).toMatchObject([
      { key_name: '\'=HYPERLINK("x")' },
    ]);
  });
});

it('no text of a CSV begins as a formula does unless it is a number, and what has commas, quotes or line breaks is quoted', async () => {
  const names = ['=1', '+a', '-a', '-1', '@1', '\t1', '\r1', 'a,b', 'a"b', 'a\nb', 'a=1'];
  const calls = names.map((_, index) => givenCall(NOW - index, { keyId: index + 1 }));
  KEYS.set(
    5,
    names.map((name, index) => ({ id: index + 1, name })),
  );
  const get = await pagesOf([givenRecord(calls, { accountId: 5 })]);
  const text = await csvOf(await get('/usage?format=csv', { accountId: 5 }));
  const told = (parse(text, { columns: true }) as { key_name: string }[]).map(({ key_name }) => key_name);
  expect(told).toEqual(["'=1", "'+a", "'-a", '-1', "'@1", "'\t1", "'\r1", 'a,b', 'a"b', 'a\nb', 'a=1']);
});

it('a CSV has at most 100,000 rows, and comes in pieces', async () => {
  let asked = 0;
  const all: UsageReader['all'] = async function* (_, most) {
    asked = most;
    const call = { at: '2026-11-22T12:00:00Z', keyId: 1, operation: null, status: 200, credits: 1, milliseconds: 1 };
    for (let n = 0; n < 5000; n++) yield { ...call, requestId: `r${n}` };
  };
  const get = await pagesOf([], { all });
  const answer = await get('/usage?format=csv');
  const pieces: string[] = [];
  if (answer.kind === 'file') for await (const piece of answer.body as AsyncIterable<string>) pieces.push(piece);
  expect(asked).toBe(100_000);
  expect(pieces.length).toBeGreaterThan(5);
  expect(pieces.join('').split('\r\n')).toHaveLength(5002);
});

describe('/analytics', () => {
  const yesterday = NOW - 24 * 60 * MINUTE;
  const given = [
    givenRecord([givenCall(yesterday), givenCall(yesterday, { status: 429, credits: 0.5, keyId: 2, operation: 'a' })]),
    givenRecord([givenCall(NOW, { keyId: 2, operation: 'b' }), givenCall(NOW, { keyId: 0, operation: null })]),
    givenRecord([givenCall(NOW)], { accountId: 2 }),
  ];

  it('as JSON has a row for every day, and lists by calls', async () => {
    const get = await pagesOf(given);
    const answer = await get('/analytics?format=json&days=3');
    expect(answer).toEqual({
      kind: 'json',
      status: 200,
      value: {
        days: [
          { date: '2026-11-20', calls: 0, errors: 0, credits: 0 },
          { date: '2026-11-21', calls: 2, errors: 1, credits: 1.5 },
          { date: '2026-11-22', calls: 2, errors: 0, credits: 2 },
        ],
        operations: [
          { operation: 'a', calls: 1, credits: 0.5 },
          { operation: 'b', calls: 1, credits: 1 },
          { operation: 'get_event', calls: 1, credits: 1 },
          { operation: null, calls: 1, credits: 1 },
        ],
        keys: [
          { key_id: 2, calls: 2, credits: 1.5 },
          { key_id: 1, calls: 1, credits: 1 },
          { key_id: null, calls: 1, credits: 1 },
        ],
      },
    });
    const whole = await get('/analytics?format=json');
    expect(whole.kind === 'json' && (whole.value as { days: unknown[] }).days).toHaveLength(30);
  });

  it('draws calls and credits by day, operation and key, statuses and latency, with a table beside each and no inline style', async () => {
    const get = await pagesOf(given);
    const { html, status } = htmlOf(await get('/analytics'));
    expect(status).toBe(200);
    expect(html.match(/<svg class="plot"[^>]* role="img" aria-label="[^"]/g)).toHaveLength(9);
    expect(html.match(/<table>/g)).toHaveLength(5);
    expect(html).not.toMatch(/\sstyle=|<style|<script/);
    expect(html).toContain('<th scope="row">2026-11-21</th><td class="number">2</td><td class="number">1</td>');
    expect(html).toContain('<th scope="row">Production &lt;b&gt;</th>');
    const ids = [...html.matchAll(/\bid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has the median and the 95th percentile of each day’s latency, and the calls by status', async () => {
    const times = Array.from({ length: 21 }, (_, n) =>
      givenCall(NOW - n, { milliseconds: 10 * n, status: n ? 200 : 503 }),
    );
    const get = await pagesOf([givenRecord([...times, givenCall(yesterday, { milliseconds: 7 })])]);
    const { html } = htmlOf(await get('/analytics'));
    const row = (name: string, cells: readonly string[]) =>
      `<tr><th scope="row">${name}</th>${cells.map((cell) => `<td class="number">${cell}</td>`).join('')}</tr>`;
    expect(html).toContain(row('2026-11-22', ['100', '190']));
    expect(html).toContain(row('2026-11-21', ['7', '7']));
    expect(html).toContain(row('200', ['21', '21']));
    expect(html).toContain(row('503', ['1', '1']));
    expect(html).not.toContain('Of the newest');
  });

  it('says how many calls the latency is of, where there are too many', async () => {
    const call = {
      at: new Date(NOW).toISOString(),
      keyId: 1,
      operation: 'a',
      credits: 1,
      milliseconds: 3,
      requestId: 'r',
    };
    const get = await pagesOf(given, {
      async *all(_, limit) {
        for (let n = 0; n < limit; n++) yield { ...call, status: 200 };
      },
    });
    expect(htmlOf(await get('/analytics')).html).toContain('Of the newest 20,000 calls.');
  });

  it('says so where nothing was called', async () => {
    const get = await pagesOf([]);
    const { html } = htmlOf(await get('/analytics'));
    expect(html.match(/Nothing was called/g)).toHaveLength(2);
    expect(html).not.toContain('NaN');
  });

  it.each(['days=0', 'days=91', 'days=x', 'format=csv', 'days=3&days=4'])('%s is refused', async (query) => {
    const get = await pagesOf(given);
    const { status, html } = htmlOf(await get(`/analytics?${query}`));
    expect(status).toBe(422);
    expect(html).not.toContain('<table>');
    await expect(get(`/analytics?${query}`, { wantsJson: true })).rejects.toThrow(RefusedError);
  });
});
