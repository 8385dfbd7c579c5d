import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ListWebhookDeliveriesArguments } from '../../src/api/client/index.ts';
import { DAY, formatTime } from '../../src/domain/primitives/time.ts';
import { MAX_ACTIVE_SUBSCRIPTIONS } from '../../src/webhooks/create-webhook-services.ts';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../api/agent/serving.ts';
import { START } from '../api/http/serving.ts';
import { NFL, schedule } from '../api/spec/messages.ts';
import { temporaryFolder } from '../event-log/temporary-folder.ts';
import { failed, message, record, succeeded } from './store/stored-webhooks.ts';

const HOSTS = { 'hooks.example': ['93.184.215.14'], 'inside.example': ['93.184.215.14', '10.1.2.3'] };
const URL = 'https://hooks.example/in';
const GAME = schedule(NFL, 'g1', ['Chiefs', 'Bills'], '2026-03-08T18:00:00Z');
const folder = temporaryFolder();
let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent({ hosts: HOSTS });
});
afterEach(() => server.close());

const create = (body: object = {}, key = server.key, headers = {}) =>
  server.post('/v1/webhooks', { url: URL, ...body }, { key, headers });
/** The subscription that a right creation gives. */
async function created(body: object = {}, key = server.key) {
  const answer = await create(body, key);
  expect(answer.status).toBe(201);
  return answer.body;
}
const act = (path: string, body: unknown = {}, key = server.key) => server.post(`/v1/webhooks/${path}`, body, { key });
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body.error?.code];
const list = async (key = server.key) => (await server.client(key).listWebhooks()).data;
const due = () => server.webhookStore.due(server.clock.time, 100, new Set());

describe('POST /v1/webhooks', () => {
  it('subscribes to scores and statuses of all sports unless told, and shows the secret', async () => {
    const answer = await create();
    expect([answer.status, answer.credits]).toEqual([201, 0]);
    expect(answer.body).toEqual({
      id: expect.any(Number),
      url: URL,
      format: 'ledgerline',
      event_types: ['score', 'status'],
      sport: null,
      event_id: null,
      filter: null,
      quiet: { min_interval_seconds: 0 },
      signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      is_active: true,
    });
    expect((await created()).signing_secret).not.toBe(answer.body.signing_secret);
  });

  it('takes types, a sport and an event; what is named twice counts once', async () => {
    await server.feed(GAME);
    const event_id = await server.eventId('feed', 'g1');
    const event_types = ['injury', 'line_move', 'injury'];
    expect(await created({ event_types, sport: 'nfl', event_id })).toMatchObject({
      event_types: ['injury', 'line_move'],
      sport: 'nfl',
      event_id,
    });
    expect(await created({ sport: null, event_id: null })).toMatchObject({ sport: null, event_id: null });
  });

  it('keeps what the publisher goes by: account, scopes, the time and the end of the log', async () => {
    await server.feed(GAME);
    const { key, record } = await server.newKey({ scopes: ['nfl', 'nba'] });
    const end = await server.log.head();
    const { id, signing_secret: secret } = await created({}, key);
    const kept = (await server.webhookStore.find(id))!;
    expect(kept).toMatchObject({ accountId: record.accountId, scopes: ['nfl', 'nba'], secret, createdAt: START });
    // What the account is due may be noted first. The call itself is noted only when it is over.
    const before = (await server.log.readAll(end, 100)).filter(({ position }) => position <= kept.createdAfter!);
    expect(before.filter(({ type }) => !type.startsWith('CreditsGranted'))).toEqual([]);
  });

  it.each([
    ['http://hooks.example/in', 'must begin with https://'],
    ['not a url', 'must not have blanks or control characters'],
    ['https://127.0.0.1/in', 'must not lead to'],
    ['https://[::1]/in', 'must not lead to'],
    ['https://nowhere.example/in', 'must lead to a public address'],
    ['https://inside.example/in', 'must lead to a public address'],
  ])('refuses the URL %s with 422', async (url, msg) => {
    const { status, body } = await create({ url });
    expect([status, body.error.code]).toEqual([422, 'validation_error']);
    expect(body.error.errors).toEqual([
      { loc: ['body', 'url'], msg: expect.stringContaining(msg), type: 'refused_url' },
    ]);
    expect(await list()).toEqual([]);
  });

  it('fault 18: tells nobody whether a name leads inside or nowhere', async () => {
    const [inside, nowhere] = [
      await create({ url: 'https://inside.example/in' }),
      await create({ url: 'https://nowhere.example/in' }),
    ];
    const told = ({ body }: { body: any }) => ({ ...body, error: { ...body.error, request_id: undefined } });
    expect(told(inside)).toEqual(told(nowhere));
    expect(inside.body.error.errors[0].msg).toBe('must lead to a public address');
  });

  it('refuses a URL that is too long with 422', async () => {
    const answer = await create({ url: `${URL}${'x'.repeat(2048)}` });
    expect([answer.status, answer.body.error.errors[0].loc]).toEqual([422, ['body', 'url']]);
  });

  it('keeps the URL in its normal form', async () => {
    expect((await created({ url: 'HTTPS://Hooks.Example.:443/in?a=1#b' })).url).toBe('https://hooks.example/in?a=1');
  });

  it.each([
    [{ url: undefined }, ['body', 'url']],
    [{ url: 7 }, ['body', 'url']],
    [{ event_types: [] }, ['body', 'event_types']],
    [{ event_types: ['score', 'goal'] }, ['body', 'event_types', 1]],
    [{ event_types: 'score' }, ['body', 'event_types']],
    [{ sport: 'curling' }, ['body', 'sport']],
    [{ event_id: '5' }, ['body', 'event_id']],
  ])('refuses a body with %j with 422', async (body, loc) => {
    const answer = await create(body);
    expect(codeOf(answer)).toEqual([422, 'validation_error']);
    expect(answer.body.error.errors[0].loc).toEqual(loc);
  });

  it('refuses sports and events outside the scopes, unknown events, and an event of another sport', async () => {
    await server.feed(GAME);
    const event_id = await server.eventId('feed', 'g1');
    const { key } = await server.newKey({ scopes: ['nba'] });
    expect(codeOf(await create({ sport: 'nfl' }, key))).toEqual([403, 'sport_scope_denied']);
    expect(codeOf(await create({ event_id }, key))).toEqual([403, 'sport_scope_denied']);
    expect(codeOf(await create({ event_id: 4711 }))).toEqual([404, 'not_found']);
    expect(codeOf(await create({ event_id, sport: 'nba' }))).toEqual([400, 'bad_request']);
    expect([await list(), await list(key)]).toEqual([[], []]);
    expect((await create({ sport: 'nba' }, key)).status).toBe(201);
  });

  it('stops at as many as an account may have that are active; the operator may have more', async () => {
    for (let count = 0; count < MAX_ACTIVE_SUBSCRIPTIONS; count++) await created();
    expect(codeOf(await create())).toEqual([403, 'forbidden']);
    const [oldest] = await list();
    await server.client().deleteWebhook({ id: oldest!.id });
    await created();
    for (let count = 0; count <= MAX_ACTIVE_SUBSCRIPTIONS; count++) await created({}, BOOTSTRAP_KEY);
    expect(await list(BOOTSTRAP_KEY)).toHaveLength(MAX_ACTIVE_SUBSCRIPTIONS + 1);
  });

  it('repeated with its Idempotency-Key gives the first answer, secret included, also when it was removed', async () => {
    const once = () => create({}, server.key, { 'idempotency-key': 'k' });
    const first = await once();
    const second = await once();
    expect([second.status, second.headers.get('idempotency-replayed'), second.body]).toEqual([201, 'true', first.body]);
    expect(await list()).toHaveLength(1);
    const stored = JSON.stringify(await server.registry.selectFrom('idempotency_records').selectAll().execute());
    expect(stored).toContain('hooks.example');
    expect(stored).not.toContain('whsec_');
    await server.client().deleteWebhook({ id: first.body.id });
    expect((await once()).body).toEqual(first.body);
  });
});

describe('the subscriptions of an account', () => {
  it('are listed without secrets, to every key of the account with these scopes and to no other', async () => {
    const { signing_secret: _, ...shown } = await created();
    const { key: sibling } = await server.newKey({ account: { id: server.record.accountId } });
    const { key: stranger } = await server.newKey();
    const answer = await server.ask('/v1/webhooks', { key: sibling });
    expect([answer.status, answer.credits, answer.body]).toEqual([200, 0, { data: [shown] }]);
    expect(await list(stranger)).toEqual([]);
    expect(await list(BOOTSTRAP_KEY)).toEqual([]);
    expect(await list()).toEqual([shown]);
  });

  it('show when they have ended', async () => {
    const { id } = await created();
    await list();
    await record(server.webhookStore, [failed(await stored(id), START, { deactivate: 'gone' })]);
    expect(await list()).toMatchObject([{ id, is_active: false }]);
  });

  it('are removed, once', async () => {
    const { id } = await created();
    const remove = () => server.ask(`/v1/webhooks/${id}`, { method: 'DELETE' });
    expect(await remove()).toMatchObject({ status: 204, credits: 0 });
    expect(codeOf(await remove())).toEqual([404, 'not_found']);
    expect(await list()).toEqual([]);
  });

  it('are unknown to everyone else', async () => {
    const { id } = await created();
    const { key } = await server.newKey();
    for (const one of [key, BOOTSTRAP_KEY]) {
      expect(codeOf(await server.ask(`/v1/webhooks/${id}`, { method: 'DELETE', key: one }))).toEqual([
        404,
        'not_found',
      ]);
      expect(codeOf(await server.ask(`/v1/webhooks/${id}/deliveries`, { key: one }))).toEqual([404, 'not_found']);
      for (const path of ['test', 'rotate-secret', 'replay']) {
        expect(codeOf(await act(`${id}/${path}`, { after_delivery_id: 1 }, one))).toEqual([404, 'not_found']);
      }
    }
    expect(await list()).toHaveLength(1);
    expect([await due(), server.wakes()]).toEqual([[], 0]);
  });
});

/** A message that the publisher has stored. */
async function stored(id: number, given: Parameters<typeof message>[1] = {}) {
  return server.webhookStore.add(message(id, { createdAt: START, ...given }));
}

describe('GET /v1/webhooks/{id}/deliveries', () => {
  const deliveries = (id: number, query = '') => server.ask(`/v1/webhooks/${id}/deliveries${query}`);

  it('tells of every attempt, newest first', async () => {
    const { id } = await created();
    const sent = await stored(id, { eventType: 'line_move', eventId: 9 });
    await record(server.webhookStore, [failed(sent, START + 5, { retryAt: START + 30_005, error: 'status 500' })]);
    server.clock.time += 30_005;
    await record(server.webhookStore, [succeeded((await due())[0]!, START + 30_010)]);
    const answer = await deliveries(id);
    const [second, first] = answer.body.data;
    expect(first).toEqual({
      id: expect.any(Number),
      event_type: 'line_move',
      event_id: 9,
      attempt: 1,
      parent_delivery_id: null,
      status_code: 500,
      success: false,
      error: 'status 500',
      given_up: false,
      next_retry_at: null,
      delivered_at: new Date(START + 5).toISOString(),
    });
    expect(second).toMatchObject({ attempt: 2, parent_delivery_id: first.id, success: true, error: null });
    expect([answer.status, answer.credits, answer.body.next_after_id]).toEqual([200, 0, null]);
  });

  it('shows when the next attempt is due', async () => {
    const { id } = await created();
    await record(server.webhookStore, [failed(await stored(id), START, { retryAt: START + 30_000 })]);
    const [row] = (await deliveries(id)).body.data;
    expect(row.next_retry_at).toBe(new Date(START + 30_000).toISOString().replace('.000', ''));
  });

  it('comes in pages that overlap nowhere, and filtered', async () => {
    const { id } = await created();
    await record(server.webhookStore, [
      succeeded(await stored(id), START),
      failed(await stored(id, { eventType: 'injury' }), START),
      failed(await stored(id), START, { retryAt: null, givenUp: true }),
      ...(await Promise.all(Array.from({ length: 27 }, async () => succeeded(await stored(id), START)))),
    ]);
    const first = (await deliveries(id)).body;
    expect(first.data).toHaveLength(25);
    expect(first.next_after_id).toBe(first.data[24].id);
    const second = (await deliveries(id, `?after_id=${first.next_after_id}`)).body;
    expect([second.data.length, second.next_after_id]).toEqual([5, null]);
    const ids = [...first.data, ...second.data].map((row: any) => row.id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(new Set(ids).size).toBe(30);
    expect((await deliveries(id, '?limit=30')).body).toMatchObject({ next_after_id: null });
    const count = async (filters: Partial<ListWebhookDeliveriesArguments>) =>
      (await server.client().listWebhookDeliveries({ id, limit: 100, ...filters })).data.length;
    expect(await count({ success: false })).toBe(2);
    expect(await count({ success: true })).toBe(28);
    expect(await count({ given_up: true })).toBe(1);
    expect(await count({ given_up: false, success: false })).toBe(1);
    expect(await count({ event_type: 'injury' })).toBe(1);
    expect(await count({ event_type: 'intelligence' })).toBe(0);
  });

  it.each(['limit=0', 'limit=101', 'success=yes', 'given_up=1', 'event_type=test', 'event_type=goal', 'after_id=x'])(
    'refuses %s with 422',
    async (query) => {
      const { id } = await created();
      expect(codeOf(await deliveries(id, `?${query}`))).toEqual([422, 'validation_error']);
    },
  );
});

describe('what was tried more than 30 days ago', () => {
  it('is gone from the list at once', async () => {
    const { id } = await created();
    const times = [START, START + 1, START + DAY];
    const sent = [await stored(id), await stored(id), await stored(id)];
    await record(
      server.webhookStore,
      sent.map((one, i) => failed(one, times[i]!, { retryAt: null, givenUp: i === 2 })),
    );
    const seen = async (query = '') =>
      (await server.ask(`/v1/webhooks/${id}/deliveries${query}`)).body.data.map((row: any) => row.delivered_at);
    server.clock.time = START + 30 * DAY - 1;
    expect(await seen()).toHaveLength(3);
    server.clock.time = START + 30 * DAY;
    expect(await seen()).toEqual(times.slice(1).reverse().map(formatTime));
    expect(await seen('?success=false&limit=1')).toEqual([formatTime(START + DAY)]);
    expect(await seen('?given_up=false&event_type=score')).toEqual([formatTime(START + 1)]);
    server.clock.time = START + 31 * DAY;
    expect(await seen()).toEqual([]);
  });
});

describe('POST /v1/webhooks/{id}/test', () => {
  it('makes a message of the type test due at once, and tells its name', async () => {
    const { id } = await created();
    const { status, body, credits } = await act(`${id}/test`);
    expect([status, credits, body]).toEqual([200, 0, { webhook_id: expect.stringMatching(/^msg_[\w-]{24}$/) }]);
    const [one] = await due();
    expect(one).toMatchObject({ webhookId: body.webhook_id, subscriptionId: id, eventType: 'test', eventId: null });
    expect(JSON.parse(one!.body)).toEqual({
      type: 'test',
      timestamp: new Date(START).toISOString().replace('.000', ''),
      data: { event_id: null, subscription_id: id },
    });
    expect(server.wakes()).toBe(1);
  });

  it('is 400, as a replay, where the subscription has ended', async () => {
    const { id } = await created();
    await record(server.webhookStore, [failed(await stored(id), START, { deactivate: 'failing' })]);
    for (const answer of [await act(`${id}/test`), await act(`${id}/replay`, { from: '2020-01-01T00:00:00Z' })]) {
      expect(codeOf(answer)).toEqual([400, 'bad_request']);
      expect(answer.body.error.message).toBe(`subscription ${id} has ended: its endpoint has failed for 5 days`);
    }
    expect(await due()).toEqual([]);
  });
});

describe('POST /v1/webhooks/{id}/rotate-secret', () => {
  it('gives a new secret; the one before signs for 24 hours more', async () => {
    const { id, signing_secret: before } = await created();
    const { status, body, credits } = await act(`${id}/rotate-secret`);
    expect([status, credits]).toEqual([200, 0]);
    expect(body).toEqual({ signing_secret: expect.stringMatching(/^whsec_/) });
    expect(body.signing_secret).not.toBe(before);
    expect(await server.webhookStore.find(id)).toMatchObject({
      secret: body.signing_secret,
      previousSecret: { secret: before, until: START + DAY },
    });
  });

  it('repeated with its Idempotency-Key rotates once', async () => {
    const { id } = await created();
    const once = () => server.post(`/v1/webhooks/${id}/rotate-secret`, {}, { headers: { 'idempotency-key': 'k' } });
    const first = await once();
    expect((await once()).body).toEqual(first.body);
    expect((await server.webhookStore.find(id))!.secret).toBe(first.body.signing_secret);
  });
});

describe('POST /v1/webhooks/{id}/replay', () => {
  it('sends again what was made from a time on, or after the message of an attempt', async () => {
    const { id } = await created();
    const [first, second] = [await stored(id), await stored(id, { createdAt: START + 1000 })];
    await record(server.webhookStore, [succeeded(first, START + 2000), succeeded(second, START + 2000)]);
    server.clock.time = START + DAY;
    const from = new Date(START + 1000).toISOString();
    const answer = await act(`${id}/replay`, { from });
    expect([answer.status, answer.credits, answer.body]).toEqual([200, 0, { replayed: 1 }]);
    expect(await due()).toEqual([{ ...second, nextAttemptAt: START + DAY }]);
    expect(server.wakes()).toBe(1);
    const { data } = (await server.ask(`/v1/webhooks/${id}/deliveries`)).body;
    await deliverAll();
    expect((await act(`${id}/replay`, { after_delivery_id: data[1].id })).body).toEqual({ replayed: 1 });
    await deliverAll();
    expect((await act(`${id}/replay`, { after_delivery_id: data[0].id })).body).toEqual({ replayed: 0 });
    expect((await act(`${id}/replay`, { from: '2020-01-01T00:00:00Z' })).body).toEqual({ replayed: 2 });
  });

  /** All that is due succeeds. */
  async function deliverAll(): Promise<void> {
    await record(
      server.webhookStore,
      (await due()).map((one) => succeeded(one, server.clock.time)),
    );
  }

  it('runs until each of its messages had an attempt: another meanwhile is 429, and does not count', async () => {
    const { id } = await created();
    const other = await created();
    const messages = [await stored(id), await stored(id)];
    await stored(other.id);
    await deliverAll();
    const replay = (of = id) => act(`${of}/replay`, { from: '2020-01-01T00:00:00Z' });
    expect((await replay()).body).toEqual({ replayed: 2 });
    for (let count = 0; count < 10; count++) {
      const refused = await replay();
      expect([...codeOf(refused), refused.body.error.retry_after, refused.headers.get('retry-after')]).toEqual([
        429,
        'concurrency_limit_exceeded',
        1,
        '1',
      ]);
    }
    expect((await replay(other.id)).body).toEqual({ replayed: 1 });
    const [first] = (await due()).filter((one) => one.id === messages[0]!.id);
    await record(server.webhookStore, [failed(first!, server.clock.time, { retryAt: server.clock.time + 30_000 })]);
    expect(codeOf(await replay())).toEqual([429, 'concurrency_limit_exceeded']);
    await deliverAll();
    // A retry that is due holds up no replay: its message had its attempt.
    expect((await replay()).body).toEqual({ replayed: 2 });
  });

  it('fault 11: 5 in a sliding hour for a subscription; then 429 until the first is an hour old', async () => {
    const { id } = await created();
    const other = await created();
    await stored(id);
    const replay = async (of = id) => {
      await deliverAll();
      return act(`${of}/replay`, { from: '2020-01-01T00:00:00Z' });
    };
    for (let count = 0; count < 5; count++) {
      expect((await replay()).body).toEqual({ replayed: 1 });
      server.clock.time += 60_000;
    }
    const refused = await replay();
    expect([...codeOf(refused), refused.body.error.retry_after, refused.headers.get('retry-after')]).toEqual([
      429,
      'rate_limit_exceeded',
      55 * 60,
      '3300',
    ]);
    expect((await replay(other.id)).status).toBe(200);
    server.clock.time += 55 * 60_000 - 1;
    expect((await replay()).body.error.retry_after).toBe(1);
    server.clock.time += 1;
    expect((await replay()).body).toEqual({ replayed: 1 });
    expect(codeOf(await replay())).toEqual([429, 'rate_limit_exceeded']);
  });

  it('fault 11: counts over restarts, and what runs goes on', async () => {
    const file = folder.path('restarted');
    const replay = (one: AgentServer, id: number, key: string) =>
      one.post(`/v1/webhooks/${id}/replay`, { from: '2020-01-01T00:00:00Z' }, { key });
    const deliver = async ({ webhookStore, clock }: AgentServer) =>
      record(
        webhookStore,
        (await webhookStore.due(clock.time, 100, new Set())).map((one) => succeeded(one, clock.time)),
      );
    const first = await serveAgent({ file, hosts: HOSTS });
    const { key } = first;
    const { id } = (await first.post('/v1/webhooks', { url: URL }, { key })).body;
    await first.webhookStore.add(message(id, { createdAt: START }));
    await deliver(first);
    for (let count = 0; count < 4; count++) {
      expect((await replay(first, id, key)).body).toEqual({ replayed: 1 });
      await deliver(first);
    }
    expect((await replay(first, id, key)).body).toEqual({ replayed: 1 });
    await first.close();

    const second = await serveAgent({ file, hosts: HOSTS, time: START + 1000 });
    onTestFinished(() => second.close());
    expect(codeOf(await replay(second, id, key))).toEqual([429, 'concurrency_limit_exceeded']);
    await deliver(second);
    const refused = await replay(second, id, key);
    expect([...codeOf(refused), refused.body.error.retry_after]).toEqual([429, 'rate_limit_exceeded', 3599]);
  });

  it('reaches the messages of 7 days, also after an attempt that is kept no longer', async () => {
    const { id } = await created();
    await stored(id);
    await deliverAll();
    server.clock.time = START + 7 * DAY;
    await stored(id, { createdAt: START + 1 });
    await stored(id, { createdAt: START + DAY });
    await deliverAll();
    const all = (await server.ask(`/v1/webhooks/${id}/deliveries`)).body.data;
    expect(all).toHaveLength(3);
    expect((await act(`${id}/replay`, { from: '2020-01-01T00:00:00Z' })).body).toEqual({ replayed: 2 });
    await deliverAll();
    expect((await act(`${id}/replay`, { after_delivery_id: all[2].id })).body).toEqual({ replayed: 2 });
    await deliverAll();
    server.clock.time = START + 14 * DAY;
    expect((await act(`${id}/replay`, { after_delivery_id: all[2].id })).body).toEqual({ replayed: 0 });
    server.clock.time = START + 38 * DAY;
    expect((await server.ask(`/v1/webhooks/${id}/deliveries`)).body).toEqual({ data: [], next_after_id: null });
    while (
      await server.webhookStore.prune({ messages: START + 31 * DAY, deliveries: START + 8 * DAY, replays: START }, 1)
    );
    await stored(id, { createdAt: START + 38 * DAY });
    await deliverAll();
    expect((await act(`${id}/replay`, { after_delivery_id: all[0].id })).body).toEqual({ replayed: 1 });
    expect(codeOf(await act(`${id}/replay`, { after_delivery_id: 4711 }))).toEqual([400, 'bad_request']);
  });

  it.each([
    [{}, 'give either from or after_delivery_id'],
    [{ from: '2020-01-01T00:00:00Z', after_delivery_id: 1 }, 'give either from or after_delivery_id'],
    [{ from: '2020-01-01' }, 'from must be a UTC ISO 8601 time with a trailing Z'],
    [{ after_delivery_id: 4711 }, 'after_delivery_id: there is no 4711 among the deliveries'],
  ])('refuses %j with 400', async (body, text) => {
    const { id } = await created();
    const answer = await act(`${id}/replay`, body);
    expect([...codeOf(answer), answer.body.error.message]).toEqual([400, 'bad_request', text]);
  });

  it('knows no attempts of other subscriptions', async () => {
    const [own, other] = [await created(), await created()];
    await record(server.webhookStore, [succeeded(await stored(other.id), START)]);
    const { data } = (await server.ask(`/v1/webhooks/${other.id}/deliveries`)).body;
    expect(codeOf(await act(`${own.id}/replay`, { after_delivery_id: data[0].id }))).toEqual([400, 'bad_request']);
  });
});
