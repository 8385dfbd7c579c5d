import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type AgentServer, serveAgent } from './serving.ts';

let server: AgentServer;

beforeAll(async () => {
  server = await serveAgent();
  for (let call = 0; call < 3; call++) await server.get('/v1/teams');
  await server.ask('/v1/events/999', {});
  await server.credits.flush();
  await vi.waitUntil(async () => (await server.get('/api/agent/usage?days=1')).days[0].calls >= 4);
});
afterAll(() => server.close());

it('an account reads what it has called, by day, endpoint and key, at no cost', async () => {
  const { status, body, credits } = await server.ask('/api/agent/usage?days=2');
  expect([status, credits, body.from, body.to]).toEqual([200, 0, '2026-02-28', '2026-03-01']);
  expect(body.days).toEqual([
    { date: '2026-02-28', calls: 0, errors: 0, credits: 0 },
    { date: '2026-03-01', calls: expect.any(Number), errors: 1, credits: 3 },
  ]);
  const teams = body.endpoints.find(({ endpoint }: { endpoint: string }) => endpoint === 'list_teams');
  expect(teams).toEqual({ endpoint: 'list_teams', calls: 3, credits: 3 });
  expect(body.keys).toEqual([{ key_id: server.record.id, calls: body.days[1].calls, credits: 3 }]);
});

it('an account walks its ledger, newest first, each line once', async () => {
  const whole = await server.get('/api/agent/ledger');
  const shown = whole.data.map(({ type, credits, about, key_id: keyId }: any) => [type, credits, about, keyId]);
  expect(shown.slice(0, 3)).toEqual(Array(3).fill(['charge', -1, 'list_teams', server.record.id]));
  expect(shown.at(-1)).toEqual(['grant', expect.any(Number), 'initial.free', null]);
  const walked: unknown[] = [];
  for (let after = ''; ; ) {
    const { data, has_more: more, next_after_id: next } = await server.get(`/api/agent/ledger?limit=1${after}`);
    expect([data.length, next]).toEqual([1, more ? data[0].id : null]);
    walked.push(...data);
    if (!more) break;
    after = `&after_id=${next}`;
  }
  expect(walked).toEqual(whole.data);
  expect((await server.get('/api/agent/ledger?after_id=-1')).data).toEqual([]);
  const text = await fetch(`${server.url}/api/agent/ledger?format=csv`, {
    headers: { authorization: `Bearer ${server.key}` },
  }).then((response) => response.text());
  expect(
    parse(text, { columns: true })
      .map(({ credits }: any) => credits)
      .slice(0, 3),
  ).toEqual(['-1', '-1', '-1']);
});

it('of another account nothing is told, and a key of some sports sees neither', async () => {
  const other = await server.newKey();
  expect((await server.get('/api/agent/ledger', other.key)).data).toEqual([]);
  const narrow = await server.newKey({ scopes: ['nfl'] });
  for (const path of ['/api/agent/ledger', '/api/agent/usage']) {
    const { status, body } = await server.ask(path, { key: narrow.key });
    expect([status, body.error.code]).toEqual([403, 'forbidden']);
  }
  expect((await server.ask('/api/agent/usage?days=91')).status).toBe(422);
});
