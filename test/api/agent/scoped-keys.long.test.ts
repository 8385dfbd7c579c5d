import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { feedGames, type Games } from './games.ts';
import { outcomeOf, putCard } from './metering.ts';
import { type AgentServer, serveAgent } from './serving.ts';

/* A key that is given away for one sport: what it can do with the account that it belongs to. */

const URL = 'https://hooks.example/in';
const KEYS = '/api/agent/keys';
let server: AgentServer;
let games: Games;
let keys: Record<'all' | 'nba' | 'nfl' | 'both' | 'sameSet', { readonly id: number; readonly key: string }>;
beforeEach(async () => {
  server = await serveAgent({ hosts: { 'hooks.example': ['93.184.215.14'] } });
  games = await feedGames(server);
  const { key, record } = await server.newKey({ plan: 'growth' });
  const make = async (...scopes: string[]) => {
    const made = await server.newKey({ account: { id: record.accountId }, scopes });
    return { id: made.record.id, key: made.key };
  };
  keys = {
    all: { id: record.id, key },
    nba: await make('nba'),
    nfl: await make('nfl'),
    both: await make('nba', 'nfl'),
    sameSet: await make('nfl', 'nba'),
  };
});
afterEach(() => server.close());

type Holder = keyof typeof keys;
const subscribe = async (by: Holder, body: object = {}, headers = {}) =>
  server.post('/v1/webhooks', { url: URL, ...body }, { key: keys[by].key, headers });
const subscribed = async (by: Holder, body: object = {}): Promise<number> => {
  const answer = await subscribe(by, body);
  expect(answer.status).toBe(201);
  return answer.body.id;
};
const listed = async (by: Holder): Promise<number[]> =>
  (await server.get('/v1/webhooks', keys[by].key)).data.map(({ id }: { id: number }) => id);

/** Every way to manage one subscription. */
const WAYS: readonly (readonly [string, string, object?])[] = [
  ['GET', '/deliveries'],
  ['POST', '/test', {}],
  ['POST', '/rotate-secret', {}],
  ['POST', '/replay', { from: '2026-03-01T00:00:00Z' }],
  ['DELETE', ''],
];
async function manage(by: Holder, id: number): Promise<readonly string[]> {
  const outcomes = [];
  for (const [method, path, body] of WAYS) {
    const headers = { 'content-type': 'application/json' };
    const ask = { key: keys[by].key, method, ...(body ? { body, headers } : {}) };
    outcomes.push(outcomeOf(await server.ask(`/v1/webhooks/${id}${path}`, ask)));
  }
  return outcomes;
}
const ALL_404 = WAYS.map(() => '404 not_found');
const ALL_DONE = ['200', '200', '200', '200', '204'];

describe('fault 8: subscriptions', () => {
  it.each<[string, Holder, (games: Games) => object, Holder[], Holder[]]>([
    ['of all sports', 'all', () => ({}), ['all'], ['nba', 'nfl', 'both']],
    ['of a sport', 'all', () => ({ sport: 'nba' }), ['all', 'nba', 'both'], ['nfl']],
    ['of an event', 'all', ({ bare }) => ({ event_id: bare }), ['all', 'nba', 'both'], ['nfl']],
    ['of a sport and an event', 'all', ({ full }) => ({ sport: 'nfl', event_id: full }), ['nfl', 'both'], ['nba']],
    ['of the sports of its key', 'both', () => ({}), ['all', 'both', 'sameSet'], ['nba', 'nfl']],
    ['of the one sport of its key', 'nba', () => ({}), ['all', 'nba', 'both'], ['nfl']],
  ])('%s are managed by keys that could have made them, and not there for others', async (_, maker, body, may, not) => {
    for (const by of not) {
      const id = await subscribed(maker, body(games));
      expect(await listed(by)).toEqual([]);
      expect([by, await manage(by, id)]).toEqual([by, ALL_404]);
      expect((await server.webhookStore.find(id))?.previousSecret).toBeNull();
    }
    for (const by of may) {
      const id = await subscribed(maker, body(games));
      expect(await listed(by)).toContain(id);
      expect([by, await manage(by, id)]).toEqual([by, ALL_DONE]);
    }
  });
});

describe('fault 8: an Idempotency-Key', () => {
  const named = { 'idempotency-key': 'k' };
  const isReplay = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed') === 'true';

  it('does not get the answer, and so the secret, of a key with other scopes', async () => {
    const first = await subscribe('all', {}, named);
    const other = await subscribe('nba', {}, named);
    expect([other.status, isReplay(other)]).toEqual([201, false]);
    expect(other.body.id).not.toBe(first.body.id);
    expect(other.body.signing_secret).not.toBe(first.body.signing_secret);
  });

  it('is shared by keys with the same set of scopes, in any order', async () => {
    const first = await subscribe('both', {}, named);
    const again = await subscribe('sameSet', {}, named);
    expect([isReplay(again), again.body]).toEqual([true, first.body]);
    const all = await server.newKey({ account: { id: await accountOf() }, scopes: ['nba', 'all'] });
    await subscribe('all', {}, named);
    expect(isReplay(await server.post('/v1/webhooks', { url: URL }, { key: all.key, headers: named }))).toBe(true);
  });

  const accountOf = async () => (await server.keyRegistry.find(keys.all.id))!.accountId;
});

describe('fault 8: keys', () => {
  const shown = async (by: Holder) => {
    const { keys: some, total } = await server.get(KEYS, keys[by].key);
    expect(total).toBe(some.length);
    return some.map(({ id }: { id: number }) => id);
  };
  const revoke = (by: Holder, id: number) => server.ask(`${KEYS}/${id}`, { method: 'DELETE', key: keys[by].key });

  it('within its scopes are what a key sees, itself among them', async () => {
    const { all, nba, nfl, both, sameSet } = keys;
    expect(await shown('all')).toEqual([all, nba, nfl, both, sameSet].map(({ id }) => id));
    expect(await shown('nba')).toEqual([nba.id]);
    expect(await shown('both')).toEqual([nba, nfl, both, sameSet].map(({ id }) => id));
  });

  it('beyond its scopes it cannot revoke: they are not there', async () => {
    for (const id of [keys.all.id, keys.nfl.id, keys.both.id]) {
      expect(outcomeOf(await revoke('nba', id))).toBe('404 not_found');
    }
    expect((await revoke('both', keys.nfl.id)).status).toBe(204);
    expect((await revoke('nba', keys.nba.id)).status).toBe(204);
    expect((await revoke('all', keys.both.id)).status).toBe(204);
  });

  it('that were revoked are listed within its scopes, 100 of them', async () => {
    const { accountId } = (await server.keyRegistry.find(keys.nba.id))!;
    const own: number[] = [];
    for (let made = 0; made < 100; made++) {
      for (const scopes of [['nba'], ['all']]) {
        const { record } = await server.newKey({ account: { id: accountId }, scopes });
        if (scopes[0] === 'nba') own.push(record.id);
        await server.keyRegistry.revoke(record.id, new Date(server.clock.time + made).toISOString());
      }
    }
    server.clock.time += 1000;
    expect(await shown('nba')).toEqual([keys.nba.id, ...own]);
  });

  it('that are scoped buy nothing, and see the balance and the packs', async () => {
    const { accountId } = (await server.keyRegistry.find(keys.nba.id))!;
    await putCard(server, accountId, 'ok');
    const buy = (by: Holder, headers = {}) =>
      server.post('/api/agent/credits/topup', { pack_id: 1 }, { key: keys[by].key, headers });
    const before = await server.get('/api/agent/credits', keys.nba.key);
    for (const headers of [{}, { 'idempotency-key': 'k' }]) {
      expect(outcomeOf(await buy('nba', headers))).toBe('403 forbidden');
      expect(outcomeOf(await buy('both', headers))).toBe('403 forbidden');
    }
    expect(await server.get('/api/agent/credits', keys.nba.key)).toEqual(before);
    expect((await server.get('/api/agent/credit-packs', keys.nba.key)).total).toBeGreaterThan(0);
    expect((await buy('all', { 'idempotency-key': 'k' })).status).toBe(200);
  });
});
