import { afterEach, expect, it } from 'vitest';
import { DAY } from '../../../src/domain/primitives/time.ts';
import { START } from '../http/serving.ts';
import { outcomeOf } from './metering.ts';
import { type AgentServer, serveAgent } from './serving.ts';

let server: AgentServer;
afterEach(() => server.close());

const open = async () => {
  server = await serveAgent({ trial: 'anonymous', plans: { trial: { requests_per_minute: 10 } } });
};
const start = (address: string, body: object = { anonymous: true }) =>
  server.post('/api/agent/trial', body, { key: null, headers: { 'x-forwarded-for': address } });

it('given TRIAL=anonymous, then a key of the plan trial comes at once, with its credits and its limit', async () => {
  await open();
  const { status, body, headers } = await start('203.0.113.1', { anonymous: true, client_name: 'my agent' });
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toEqual({
    id: 2,
    name: 'my agent',
    key: expect.stringMatching(/^llk_/),
    scopes: ['all'],
    max_credits_a_day: null,
    created_at: '2026-03-01T12:00:00Z',
    expires_at: '2026-03-02T12:00:00Z',
  });
  expect(await server.get('/api/agent/credits', body.key)).toMatchObject({
    tier: 'trial',
    total_remaining: 50,
    is_trial: true,
  });
  for (let n = 1; n < 10; n++) expect((await server.ask('/v1/sports', { key: body.key })).status).toBe(200);
  expect(outcomeOf(await server.ask('/v1/sports', { key: body.key }))).toBe('429 rate_limit_exceeded');
});

it('given 24 hours, then the key is 401, before its account is gone and after', async () => {
  await open();
  const { key } = (await start('203.0.113.1')).body;
  const webhook = { url: 'https://93.184.216.34/hook', event_types: ['score'] };
  expect((await server.post('/v1/webhooks', webhook, { key })).status).toBe(201);
  server.clock.time = START + DAY - 1;
  expect((await server.ask('/api/agent/credits', { key })).status).toBe(200);
  server.clock.time = START + DAY;
  expect(outcomeOf(await server.ask('/api/agent/credits', { key }))).toBe('401 unauthorized');
  await server.trials.sweep();
  expect(outcomeOf(await server.ask('/api/agent/credits', { key }))).toBe('401 unauthorized');
  const rows = (table: 'webhook_subscriptions' | 'accounts') => server.registry.selectFrom(table).selectAll().execute();
  expect(await rows('webhook_subscriptions')).toEqual([]);
  expect(await rows('accounts')).toHaveLength(1);
});

it('given two from an address, then 429 with Retry-After; by 64 bits of IPv6, and mapped IPv4 as IPv4', async () => {
  await open();
  const outcomes: string[] = [];
  for (const address of [
    '203.0.113.1',
    '::ffff:203.0.113.1',
    '203.0.113.1',
    '2001:db8::1',
    '2001:db8::2',
    '2001:db8::3',
  ])
    outcomes.push(outcomeOf(await start(address)));
  expect(outcomes).toEqual(['200', '200', '429 rate_limit_exceeded', '200', '200', '429 rate_limit_exceeded']);
  expect((await start('203.0.113.1')).headers.get('retry-after')).toBe('86400');
});

it('given such a key, then it makes no others and buys nothing', async () => {
  await open();
  const { key } = (await start('203.0.113.1')).body;
  expect(outcomeOf(await server.post('/api/agent/keys', { name: 'x' }, { key }))).toBe('403 key_limit_reached');
  const topUp = { method: 'POST', key, body: { pack_id: 1 }, headers: { 'content-type': 'application/json' } };
  expect(outcomeOf(await server.ask('/api/agent/credits/topup', topUp))).toBe('402 payment_method_required');
  server.clock.time = START + DAY;
  await server.trials.sweep();
  expect(await server.registry.selectFrom('accounts').selectAll().execute()).toHaveLength(1);
});
