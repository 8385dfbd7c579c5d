import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountTermsOf } from '../../../src/accounts/billing/account-terms.ts';
import { DAY, HOUR, MINUTE } from '../../../src/domain/primitives/time.ts';
import { DEFAULT_PLANS } from '../../../src/platform/settings/plans-and-packs.ts';
import { BOOTSTRAP_KEY } from '../../api/agent/serving.ts';
import { type Message, NFL, schedule, score } from '../../api/spec/messages.ts';
import { type Composed, composed } from '../../support/composed.ts';

/* Fault 2, while the server runs: the clock leaps three years ahead, and is set right again. */

const INGEST_KEY = 'feed';
const GAME = schedule(NFL, 'g1', ['Chiefs', 'Bills'], '2026-03-01T11:30:00Z');
let server: Composed;
let key: string;
beforeEach(async () => {
  const hosts: Record<string, readonly string[]> = { 'hooks.example': ['93.184.215.14'] };
  server = await composed({
    settings: { ingestKey: INGEST_KEY, bootstrapKey: BOOTSTRAP_KEY },
    replacements: { resolve: async (host: string) => hosts[host] ?? [], onWebhookDue: () => {} },
  });
  await server.core.runner.start();
  key = (await server.newKey({ plan: 'growth' })).key;
});
afterEach(() => server.close());

async function ask(path: string, method = 'GET', body?: unknown, given = key) {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${given}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}
const send = (...messages: Message[]) => ask('/ingest/v1/messages?wait=projected', 'POST', messages, INGEST_KEY);
const head = async () => {
  await server.server.accounts.credits.flush();
  return server.ports.log.head();
};
const records = () => server.ports.log.readAll(null, 1000);

/** The clock leaps, and the steady one does not. */
function leap(milliseconds: number): void {
  server.clock.uptime = server.clock.time;
  server.clock.time += milliseconds;
}
function setRight(): void {
  server.clock.time = server.clock.uptime!;
}

describe('fault 2: while the clock is doubted', () => {
  const refused: readonly (readonly [string, string, unknown?])[] = [
    ['GET', '/v1/sports'],
    ['GET', '/v1/events/1/score'],
    ['POST', '/v1/events/batch', { event_ids: [1] }],
    ['GET', '/v1/events/1/stream'],
    ['POST', '/api/agent/keys', { name: 'another', scopes: ['all'] }],
    ['DELETE', '/api/agent/keys/1'],
    ['POST', '/api/agent/credits/topup', { pack_id: 1 }],
    ['POST', '/v1/webhooks', { url: 'https://hooks.example/in' }],
    ['POST', '/v1/webhooks/1/test', {}],
    ['POST', '/v1/webhooks/1/rotate-secret', {}],
    ['POST', '/v1/webhooks/1/replay', { from: '2026-01-01T00:00:00Z' }],
    ['DELETE', '/v1/webhooks/1'],
  ];
  const open: readonly (readonly [string, string, unknown?])[] = [
    ['GET', '/v1/health'],
    ['GET', '/api/agent/credits'],
    ['GET', '/api/agent/keys'],
    ['GET', '/v1/webhooks'],
    ['GET', '/v1/webhooks/1/deliveries'],
  ];

  beforeEach(async () => {
    await send(GAME, score('g1', 'inprogress', ['0', '0']));
    expect((await ask('/v1/webhooks', 'POST', { url: 'https://hooks.example/in' })).status).toBe(201);
    expect((await ask('/v1/sports')).status).toBe(200);
  });

  it('nothing is appended, what would append is 503, and what appends nothing goes on', async () => {
    const before = await head();
    leap(1000 * DAY);
    for (const [method, path, body] of refused) {
      const answer = await ask(path, method, body);
      expect([method, path, answer.status, answer.body.error.code]).toEqual([method, path, 503, 'service_unavailable']);
      expect(answer.body.error.retry_after).toBe(5);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(answer.headers.get('x-credits-used')).toBe('0');
    }
    for (const [method, path, body] of open) {
      expect([method, path, (await ask(path, method, body)).status]).toEqual([method, path, 200]);
    }
    const taken = await send(score('g1', 'inprogress', ['7', '0'], { at: '2026-03-01T11:59:00Z' }));
    expect([taken.status, taken.body.error.code]).toEqual([503, 'service_unavailable']);
    // What the operator's own key reads appends nothing.
    expect((await ask('/v1/events/1/score', 'GET', undefined, BOOTSTRAP_KEY)).status).toBe(200);
    await expect(server.server.accounts.administration.create({ name: 'n', scopes: ['all'] })).rejects.toThrow(
      'ACCEPT_CLOCK=',
    );

    expect(await head()).toBe(before);
    expect((await server.ports.keys.list())[0]).toMatchObject({
      revokedAt: null,
      lastUsedAt: expect.stringMatching(/^2026/),
    });
  });

  it('wrong input is told first, and a key that is out of credits is told that nothing can be charged', async () => {
    leap(DAY);
    expect((await ask('/v1/events/batch', 'POST', { event_ids: 'all' })).status).toBe(422);
    expect((await ask('/v1/sports', 'GET', undefined, 'llk_wrong')).status).toBe(401);
    setRight();
    const poor = await server.newKey({ credits: 0 });
    leap(DAY);
    expect((await ask('/v1/sports', 'GET', undefined, poor.key)).status).toBe(503);
  });

  it('health is degraded by the clock, and tells the time of the steady one', async () => {
    leap(5 * MINUTE);
    expect((await ask('/v1/health')).body).toMatchObject({ status: 'ok' });
    setRight();
    expect((await ask('/v1/health')).body.time).toBe('2026-03-01T12:00:00.000Z');
    leap(5 * MINUTE + 1);
    const { body } = await ask('/v1/health');
    expect(body).toMatchObject({ status: 'degraded', reasons: ['clock'], time: '2026-03-01T12:00:00.000Z' });
  });

  it('no credits expire, and no month begins', async () => {
    const credits = (await ask('/api/agent/credits')).body;
    expect(credits.total_remaining).toBe(49_999);
    leap(1000 * DAY);
    expect((await ask('/api/agent/credits')).body).toEqual(credits);
    await ask('/v1/sports');
    setRight();
    expect((await ask('/api/agent/credits')).body).toEqual(credits);
    await head();
    const types = (await records()).map(({ type }) => type);
    expect(types).not.toContain('CreditsExpired');
    expect(types.filter((type) => type === 'CreditsGranted')).toHaveLength(1);
  });

  it('a call that has begun before fails with its charge, and costs nothing', async () => {
    const { credits, authenticate } = server.server.accounts;
    const before = (await ask('/api/agent/credits')).body.total_remaining;
    const terms = accountTermsOf(await authenticate(key), DEFAULT_PLANS)!;
    const hold = await credits.reserve(terms, 1);
    leap(DAY);
    const call = { at: '2026-03-01T12:00:00Z', keyId: 1, operation: 'x', requestId: 'r', status: 200, milliseconds: 1 };
    await expect(Promise.resolve(hold.charge(call, 1))).rejects.toMatchObject({ code: 'unavailable' });
    setRight();
    expect((await ask('/api/agent/credits')).body.total_remaining).toBe(before);
    server.failures.splice(0);
  });

  it('all goes on by itself when it is right again', async () => {
    leap(1000 * DAY);
    for (const [method, path, body] of refused) await ask(path, method, body);
    setRight();
    expect((await ask('/v1/health')).body).toMatchObject({ status: 'ok' });
    expect((await send(score('g1', 'inprogress', ['7', '0'], { at: '2026-03-01T11:59:00Z' }))).body.accepted).toBe(1);
    const answer = await ask('/v1/events/1/score');
    expect([answer.status, answer.body.updated_at]).toEqual([200, '2026-03-01T12:00:00Z']);
    expect((await ask('/api/agent/keys', 'POST', { name: 'another', scopes: ['all'] })).status).toBe(201);
    expect((await ask('/v1/webhooks/1', 'DELETE')).status).toBe(204);
    await head();
    expect(new Set((await records()).map(({ recordedAt }) => recordedAt))).toEqual(
      new Set(['2026-03-01T12:00:00.000Z']),
    );
  });

  it('a machine that sleeps is no leap', async () => {
    server.clock.uptime = server.clock.time;
    server.clock.time += 40 * DAY;
    server.clock.uptime += 40 * DAY;
    expect((await ask('/v1/health')).body).toMatchObject({ status: 'ok' });
    expect((await ask('/v1/sports')).status).toBe(200);
  });

  it('a clock that goes back does no harm: recorded times stay where they were until it has caught up', async () => {
    leap(-HOUR);
    expect((await ask('/v1/sports')).status).toBe(200);
    expect((await send(score('g1', 'inprogress', ['7', '0'], { at: '2026-03-01T10:59:00Z' }))).status).toBe(200);
    expect((await ask('/v1/health')).body).toMatchObject({ status: 'degraded', reasons: ['log_ahead'] });
    expect((await records()).at(-1)!.recordedAt).toBe('2026-03-01T12:00:00.000Z');
    setRight();
    expect((await ask('/v1/health')).body).toMatchObject({ status: 'ok' });
  });
});
