import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashKey } from '../../../src/accounts/keys/key-format.ts';
import { PEPPER } from '../http/serving.ts';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from './serving.ts';

const KEYS = '/api/agent/keys';

let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent();
});
afterEach(() => server.close());

/** A key of the same account as that of this record. */
const sharing = (accountId: number, more: object = {}) => server.newKey({ account: { id: accountId }, ...more });
const create = (body: unknown, key = server.key) => server.post(KEYS, body, { key });
const revoke = (id: number | string, key = server.key) => server.ask(`${KEYS}/${id}`, { method: 'DELETE', key });
const idsOf = async (key?: string) => (await server.get(KEYS, key)).keys.map(({ id }: { id: number }) => id);
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body.error.code];

describe('a key that is made', () => {
  it('is shown, with what the reference names and nothing else', async () => {
    const { status, body, credits, headers } = await create({ name: '  scraper ', scopes: ['nba', 'nfl', 'nba'] });
    expect([status, credits]).toEqual([201, 0]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      id: 2,
      name: 'scraper',
      key: expect.stringMatching(/^llk_[0-9A-Za-z]{12}\.[0-9A-Za-z_-]{43}$/),
      scopes: ['nba', 'nfl'],
      max_credits_a_day: null,
      created_at: '2026-03-01T12:00:00Z',
    });
  });

  it('opens what its scopes say, on the account of the key that made it', async () => {
    const { body } = await create({ name: 'x', scopes: ['nba'] });
    expect((await server.ask('/v1/events?sport=nba', { key: body.key })).status).toBe(200);
    expect(codeOf(await server.ask('/v1/events?sport=nfl', { key: body.key }))).toEqual([403, 'sport_scope_denied']);
    expect((await server.get('/api/agent/credits')).credits_used).toBe(1);
  });

  it('has the scopes of the key that made it unless it names some', async () => {
    const scoped = (await create({ name: 'scoped', scopes: ['mlb', 'nhl'] })).body.key;
    expect((await create({ name: 'x' }, scoped)).body.scopes).toEqual(['mlb', 'nhl']);
    const { key } = await server.newKey();
    expect((await create({ name: 'x' }, key)).body.scopes).toEqual(['all']);
  });

  it('is stored without its secret', async () => {
    const { key } = (await create({ name: 'x' })).body;
    const stored = JSON.stringify([
      await server.registry.selectFrom('api_keys').selectAll().execute(),
      await server.get(KEYS),
    ]);
    expect(stored).toContain(hashKey(key, PEPPER));
    expect(stored).not.toContain(key.slice(17));
  });

  it('ends when the key ends that made it', async () => {
    const { key } = await server.newKey({ expiresAt: '2026-03-01T13:00:00Z' });
    const made = (await create({ name: 'x' }, key)).body.key;
    const { keys } = await server.get(KEYS, key);
    expect(keys.map((one: any) => one.expires_at)).toEqual(['2026-03-01T13:00:00Z', '2026-03-01T13:00:00Z']);
    server.clock.time = Date.parse('2026-03-01T13:00:00Z');
    expect((await server.ask(KEYS, { key: made })).status).toBe(401);
  });
});

describe('a key is refused', () => {
  it.each([
    [{}, [['body', 'name']]],
    [{ name: '' }, [['body', 'name']]],
    [{ name: ' \t ' }, [['body', 'name']]],
    [{ name: 'x'.repeat(101) }, [['body', 'name']]],
    [{ name: 'a\0b' }, [['body', 'name']]],
    [{ name: 7 }, [['body', 'name']]],
    [{ name: 'x', scopes: 'nba' }, [['body', 'scopes']]],
    [{ name: 'x', scopes: [] }, [['body', 'scopes']]],
    [
      { name: 'x', scopes: ['nba', 'cricket', 'NFL'] },
      [
        ['body', 'scopes', 1],
        ['body', 'scopes', 2],
      ],
    ],
    [{ name: 'x', scopes: [null] }, [['body', 'scopes', 0]]],
    [[], [['body']]],
  ])('for the body %j', async (body, places) => {
    const answer = await create(body);
    expect(codeOf(answer)).toEqual([422, 'validation_error']);
    expect(answer.body.error.errors.map(({ loc }: any) => loc)).toEqual(places);
    expect(await idsOf()).toEqual([1]);
  });

  it('up to 100 characters, blanks aside, a name is accepted', async () => {
    expect((await create({ name: ` ${'x'.repeat(100)} ` })).status).toBe(201);
  });

  it.each([['all'], ['nfl'], ['nba', 'nfl']])(
    'where it would open more than the calling one: %j',
    async (...scopes) => {
      const { key } = await server.newKey({ scopes: ['nba', 'mlb'] });
      expect(codeOf(await create({ name: 'x', scopes }, key))).toEqual([403, 'forbidden']);
      expect((await create({ name: 'x', scopes: ['mlb'] }, key)).status).toBe(201);
    },
  );

  it('to the operator’s own key, which has no account', async () => {
    expect(codeOf(await create({ name: 'x' }, BOOTSTRAP_KEY))).toEqual([403, 'forbidden']);
    expect(await server.get(KEYS, BOOTSTRAP_KEY)).toEqual({ keys: [], total: 0 });
    expect(codeOf(await revoke(1, BOOTSTRAP_KEY))).toEqual([404, 'not_found']);
  });
});

describe('the number of keys', () => {
  it('ends at what the plan allows; revoked ones do not count', async () => {
    const [second, third] = [await create({ name: '2' }), await create({ name: '3' })];
    expect([second.status, third.status]).toEqual([201, 201]);
    const refused = await create({ name: '4' });
    expect(codeOf(refused)).toEqual([403, 'key_limit_reached']);
    expect(refused.body.error).toMatchObject({
      message: 'The plan allows 3 keys.',
      upgrade_url: 'https://sports.example/billing#plans',
    });
    await revoke(second.body.id);
    expect((await create({ name: '5' })).status).toBe(201);
    expect(codeOf(await create({ name: '6' }))).toEqual([403, 'key_limit_reached']);
  });

  it('comes after the scopes: what may never be granted is forbidden', async () => {
    const { key } = await server.newKey({ plan: 'trial', scopes: ['nba'] });
    expect(codeOf(await create({ name: 'x', scopes: ['all'] }, key))).toEqual([403, 'forbidden']);
    expect(codeOf(await create({ name: 'x' }, key))).toEqual([403, 'key_limit_reached']);
  });

  it.each([
    ['trial', 1],
    ['free', 3],
    ['payg', 10],
    ['growth', 25],
  ])('is on the plan %s %i, however many are asked for at once', async (plan, most) => {
    const { key, record } = await server.newKey({ plan });
    // More than one key, for each has only so many places for requests at once.
    const callers = [key, (await sharing(record.accountId)).key, (await sharing(record.accountId)).key];
    const answers = await Promise.all(
      callers.flatMap((caller) => Array.from({ length: 10 }, () => create({ name: 'x' }, caller))),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(Math.max(0, most - 3));
    for (const answer of answers) if (answer.status !== 201) expect(codeOf(answer)).toEqual([403, 'key_limit_reached']);
    expect(await idsOf(key)).toHaveLength(Math.max(3, most));
  });

  it('has no end on a plan without one', async () => {
    const { key } = await server.newKey({ plan: 'enterprise' });
    const answers = await Promise.all(Array.from({ length: 16 }, () => create({ name: 'x' }, key)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  });

  it('is not the operator’s concern', async () => {
    const { accountId } = server.record;
    for (let i = 0; i < 5; i++) await sharing(accountId);
    expect(await idsOf()).toHaveLength(6);
    expect(codeOf(await create({ name: 'x' }))).toEqual([403, 'key_limit_reached']);
  });
});

describe('the list of keys', () => {
  it('tells of each what is known, and not the secret', async () => {
    server.clock.time += 60_000;
    const { id, key } = (await create({ name: 'x', scopes: ['nba'] })).body;
    server.clock.time += 1500;
    await server.get('/api/agent/credits', key);
    const { keys, total } = await server.get(KEYS);
    expect(total).toBe(2);
    expect(keys[1]).toEqual({
      id,
      name: 'x',
      prefix: key.slice(0, 16),
      scopes: ['nba'],
      created_at: '2026-03-01T12:01:00Z',
      last_used_at: '2026-03-01T12:01:01.500Z',
      expires_at: null,
      max_credits_a_day: null,
      is_active: true,
    });
  });

  it('is of the account alone', async () => {
    const other = await server.newKey();
    await create({ name: 'x' });
    expect(await idsOf()).toEqual([1, 3]);
    expect(await idsOf(other.key)).toEqual([2]);
  });

  it('is never an old one', async () => {
    const first = await server.ask(KEYS);
    await create({ name: 'x' });
    const tag = first.headers.get('etag')!;
    const second = await server.ask(KEYS, { headers: { 'if-none-match': tag } });
    expect([second.status, second.body.total]).toEqual([200, 2]);
  });

  it('holds revoked and expired keys, which are not active', async () => {
    const { accountId } = server.record;
    const revoked = (await create({ name: 'revoked' })).body.id;
    const expired = (await sharing(accountId, { expiresAt: '2026-03-01T12:00:01Z' })).record.id;
    await revoke(revoked);
    const active = async () =>
      Object.fromEntries((await server.get(KEYS)).keys.map((one: any) => [one.id, one.is_active]));
    expect(await active()).toEqual({ 1: true, [revoked]: false, [expired]: true });
    server.clock.time += 1000;
    expect(await active()).toEqual({ 1: true, [revoked]: false, [expired]: false });
  });
});

describe('a revocation', () => {
  it('is 204, in force within half a second, and happens once', async () => {
    const { id, key } = (await create({ name: 'x' })).body;
    expect((await server.ask(KEYS, { key })).status).toBe(200);
    const { status, body, credits } = await revoke(id);
    expect([status, body, credits]).toEqual([204, undefined, 0]);
    server.clock.time += 500;
    expect(codeOf(await server.ask(KEYS, { key }))).toEqual([401, 'unauthorized']);
    expect(codeOf(await revoke(id))).toEqual([404, 'not_found']);
  });

  it('may be of the calling key itself', async () => {
    expect((await revoke(server.record.id)).status).toBe(204);
    server.clock.time += 500;
    expect(codeOf(await server.ask(KEYS))).toEqual([401, 'unauthorized']);
  });

  it('of a key of another account is 404, and changes nothing', async () => {
    const other = await server.newKey();
    expect(codeOf(await revoke(other.record.id))).toEqual([404, 'not_found']);
    server.clock.time += 500;
    expect((await server.ask(KEYS, { key: other.key })).status).toBe(200);
  });

  it.each(['99', '0', '-1', '9007199254740991'])('of %s, which is no key, is 404', async (id) => {
    expect(codeOf(await revoke(id))).toEqual([404, 'not_found']);
  });

  it('of what is no id is 422', async () => {
    expect(codeOf(await revoke('x1'))).toEqual([422, 'validation_error']);
  });
});

describe('the routes of keys', () => {
  it('cost nothing, and answer with nothing left and past the cap', async () => {
    const { key } = await server.newKey({ plan: 'payg' });
    expect(codeOf(await server.ask('/v1/sports', { key }))).toEqual([402, 'insufficient_credits']);
    const made = await create({ name: 'x' }, key);
    expect([made.status, made.credits, made.headers.get('x-credits-remaining')]).toEqual([201, 0, '0']);
    expect((await server.ask(KEYS, { key })).status).toBe(200);
    expect((await revoke(made.body.id, key)).status).toBe(204);
  });

  it('count in the window of requests', async () => {
    const left = async () => Number((await server.ask(KEYS)).headers.get('x-ratelimit-remaining'));
    const before = await left();
    await create({ name: 'x' });
    await revoke(99);
    expect(await left()).toBe(before - 3);
  });

  it.each([
    ['GET', KEYS],
    ['POST', KEYS],
    ['DELETE', `${KEYS}/1`],
  ])('%s %s needs a key', async (method, path) => {
    expect(codeOf(await server.ask(path, { method, key: null }))).toEqual([401, 'unauthorized']);
  });
});
