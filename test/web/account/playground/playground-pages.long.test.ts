import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operations } from '../../../../src/api/operations/index.ts';
import { readableOperations } from '../../../../src/web/account/playground/readable-operations.ts';
import { temporaryFolder } from '../../../event-log/temporary-folder.ts';
import { type OwnerPages, serveOwnerPages } from '../serve-owner-pages.ts';

const READABLE = readableOperations(operations);
const folder = temporaryFolder();
let pages: OwnerPages;
let accountId: number;
let key: string;
beforeAll(async () => {
  pages = await serveOwnerPages();
});
beforeEach(async () => {
  ({ accountId, key } = await pages.newAccount());
  pages.signIn('me', accountId);
});
afterAll(() => pages.close());

const run = (fields: Readonly<Record<string, string>>, headers: object = {}) =>
  pages.post('/playground', Object.entries(fields), 'me', headers);
const JSON_WANTED = { accept: 'application/json' };
const runJson = async (fields: Readonly<Record<string, string>>) => {
  const answer = await run(fields, JSON_WANTED);
  expect(answer.status).toBe(200);
  return (await answer.json()) as { status: number; headers: Record<string, string>; body: any };
};
const balance = async () =>
  ((await (await pages.ask('/api/agent/credits', { as: 'me' })).json()) as any).total_remaining;

describe('the form', () => {
  it('shows the inputs of what was chosen, with the values of the query, and runs nothing', async () => {
    const text = await pages.show('/playground?operation=list_events&sport=nba&status=final&limit=%3C5', 'me');
    expect(text).toMatch(/name="limit"[^>]*value="&lt;5"/);
    expect(text).toContain('<option value="list_events" selected>');
    expect(text).toContain('name="sport"');
    expect(await balance()).toBe(1000);
  });

  it('can be shown of each that reads', async () => {
    for (const name of READABLE.keys()) {
      const text = await pages.show(`/playground?operation=${name}`, 'me');
      expect(text).toContain(`<h2>${name}</h2>`);
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  it('has no input of the names that the form has itself', () => {
    const own = ['operation', 'body', '_csrf'];
    for (const { path, query } of READABLE.values()) {
      expect([...path, ...query].filter(({ name }) => own.includes(name))).toEqual([]);
    }
  });

  it('never shows a key, wherever it was typed', async () => {
    for (const field of ['q', 'sport', 'body']) {
      const text = await pages.show(`/playground?operation=search_players&${field}=${key}`, 'me');
      expect(text).not.toContain(key.slice(17));
    }
    for (const wanted of [{}, JSON_WANTED]) {
      const fields = { operation: 'search_players', q: `x ${key}`, sport: key };
      expect(await (await run(fields, wanted)).text()).not.toContain(key.slice(17));
    }
  });
});

describe('a run', () => {
  it('shows what REST answers, whose price it has', async () => {
    const rest = await fetch(`${pages.url}/v1/sports`, { headers: { authorization: `Bearer ${key}` } });
    expect(await balance()).toBe(999);
    const { status, headers, body } = await runJson({ operation: 'list_sports' });
    expect(status).toBe(200);
    expect(body).toEqual(await rest.json());
    expect(headers['etag']).toBe(rest.headers.get('etag'));
    expect(headers['content-type']).toBe(rest.headers.get('content-type'));
    expect([headers['x-credits-used'], headers['x-credits-remaining']]).toEqual(['1', '998']);
    expect(headers['x-ratelimit-limit']).toBe('600');
    expect(await balance()).toBe(998);
  });

  it('is recorded as a call without a key', async () => {
    await runJson({ operation: 'list_sports' });
    await pages.server.accounts.credits.flush();
    const records = await pages.ports.log.readAll(null, 1000);
    const own = records.filter(({ type, data }) => type === 'CreditsCharged' && (data as any).accountId === accountId);
    expect(own.flatMap(({ data }) => (data as any).charges)).toMatchObject([
      { keyId: null, operation: 'list_sports', status: 200, credits: 1 },
    ]);
  });

  it('shows the answer on the page, with what was typed', async () => {
    const answer = await run({ operation: 'list_seasons', sport: 'nba' });
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text).toContain('Status 200');
    expect(text).toContain('X-Credits-Used: ');
    expect(text).toMatch(/value="nba"[^>]*(?:selected|>)/);
  });

  it.each([
    ['an id that nothing has', { operation: 'get_event', id: '99' }, 404, 'not_found'],
    ['a missing id', { operation: 'get_event', id: '' }, 422, 'validation_error'],
    ['a wrong input', { operation: 'list_events', limit: 'many' }, 422, 'validation_error'],
    ['a wrong date', { operation: 'list_events', from: '2026-02-30' }, 400, 'bad_request'],
    ['a body that is no JSON', { operation: 'batch_get_events', body: '{"event_ids": [1' }, 400, 'bad_request'],
    ['a body that is nested too deep', { operation: 'batch_get_events', body: '['.repeat(5000) }, 400, 'bad_request'],
    ['a wrong body', { operation: 'batch_get_events', body: '{"event_ids": "1"}' }, 422, 'validation_error'],
  ])('given %s, then the page is 200 and shows the refusal, which costs nothing', async (_, fields, status, code) => {
    const shown = await runJson(fields as unknown as Record<string, string>);
    expect([shown.status, shown.body.error.code, shown.headers['x-credits-used']]).toEqual([status, code, '0']);
    const page = await run(fields as unknown as Record<string, string>);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(`Status ${status}`);
    expect(await balance()).toBe(1000);
  });

  it('takes a body, and an empty one as {}', async () => {
    const { status, body } = await runJson({
      operation: 'estimate_cost',
      body: '{"calls": [{"tool": "list_sports", "arguments": {}}]}',
    });
    expect([status, typeof body]).toEqual([200, 'object']);
    expect((await runJson({ operation: 'estimate_cost' })).status).toBe(422);
  });

  it('given no credits, then it shows the 402', async () => {
    pages.signIn('me', (await pages.newAccount('payg')).accountId);
    const { status, body } = await runJson({ operation: 'list_sports' });
    expect([status, body.error.code]).toEqual([402, 'insufficient_credits']);
  });

  it.each(['create_key', 'revoke_key', 'top_up_credits', 'create_webhook', 'stream_scores', 'nothing', ''])(
    'of %j is refused: it does not read',
    async (operation) => {
      const page = await run({ operation, name: 'x', pack_id: '1', id: '1', body: '{"name": "x"}' });
      expect(page.status).toBe(422);
      expect(await page.text()).toContain('aria-invalid="true"');
      expect((await run({ operation, id: '1' }, JSON_WANTED)).status).toBe(422);
      expect(await pages.ports.keys.list(accountId)).toHaveLength(1);
    },
  );

  it('is for forms of this site', async () => {
    const answer = await pages.ask('/playground', {
      method: 'POST',
      as: 'me',
      body: 'operation=list_sports',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.status).toBe(403);
    expect(await balance()).toBe(1000);
  });
});

describe('the limit of the playground', () => {
  it('is 20 in 60 seconds for an account, whatever its calls come to', async () => {
    const { accountId: other } = await pages.newAccount();
    pages.signIn('other', other);
    for (let call = 0; call < 20; call++) expect((await run({ operation: 'get_event', id: 'x' })).status).toBe(200);
    pages.clock.time += 500;
    const refused = await run({ operation: 'list_sports' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await refused.text()).toContain('<h1>Playground</h1>');
    expect((await run({ operation: 'list_sports' }, JSON_WANTED)).status).toBe(429);
    expect((await pages.post('/playground', [['operation', 'list_sports']], 'other')).status).toBe(200);
    pages.clock.time += 59_500;
    expect((await run({ operation: 'list_sports' })).status).toBe(200);
  });

  it('holds over a restart', async () => {
    const data = folder.path('playground');
    mkdirSync(data, { recursive: true });
    const before = pages;
    pages = await serveOwnerPages({ folder: data });
    const { accountId: mine } = await pages.newAccount();
    pages.signIn('me', mine);
    for (let call = 0; call < 19; call++) await run({ operation: call === 7 ? 'get_credits' : 'list_sports' });
    const { time } = pages.clock;
    await pages.close();
    pages = await serveOwnerPages({ folder: data, time: time + 1000 });
    pages.signIn('me', mine);
    const statuses = [await run({ operation: 'list_sports' }), await run({ operation: 'list_sports' })];
    expect(statuses.map(({ status }) => status)).toEqual([200, 429]);
    pages.clock.time = time + 60_000;
    expect((await run({ operation: 'list_sports' })).status).toBe(200);
    await pages.close();
    pages = before;
  });

  it('takes nothing from the keys of the account, and they nothing from it', async () => {
    for (let call = 0; call < 20; call++) await run({ operation: 'get_credits' });
    const answer = await fetch(`${pages.url}/v1/health`, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('19');
  });
});
