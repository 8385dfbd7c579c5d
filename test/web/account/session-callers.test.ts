import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OwnerPages, serveOwnerPages } from './serve-owner-pages.ts';

/* /api/agent with a browser's session in the place of a key. */

const KEYS = '/api/agent/keys';
const SAME = { 'sec-fetch-site': 'same-origin' };
const JSON_TYPE = { 'content-type': 'application/json' };
let pages: OwnerPages;
let accountId: number;
/** Of the account. */
let keyId: number;
beforeAll(async () => {
  pages = await serveOwnerPages();
});
beforeEach(async () => {
  ({ accountId, keyId } = await pages.newAccount());
  pages.signIn('me', accountId);
  pages.noted.length = 0;
});
afterAll(() => pages.close());

const make = (headers: object = SAME, as: string | undefined = 'me', body: object = { name: 'x' }) =>
  pages.ask(KEYS, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...JSON_TYPE, ...headers },
    ...(as === undefined ? {} : { as }),
  });
const bodyOf = async (answer: Response): Promise<any> => answer.json();
const codeOf = async (answer: Response) => [answer.status, (await bodyOf(answer)).error?.code];
const keysOf = async () => (await pages.ports.keys.list(accountId)).map(({ id }) => id);

describe('a session', () => {
  it('is the account, costs nothing and has a limit of its own beside those of keys', async () => {
    const answer = await pages.ask('/api/agent/credits', { as: 'me' });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ tier: 'free', total_remaining: 1000 });
    expect(answer.headers.get('x-ratelimit-limit')).toBe('600');
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(answer.headers.get('x-credits-used')).toBe('0');
    // The plan's limit is 20 in 60 seconds.
    for (let call = 0; call < 30; call++) {
      expect((await pages.ask('/api/agent/credit-packs', { as: 'me' })).status).toBe(200);
    }
  });

  it('makes a key with its scopes, lists and revokes it, which the security log tells', async () => {
    const made = await make(SAME, 'me', { name: 'agent', scopes: ['nba'] });
    expect(made.status).toBe(201);
    const { id, key } = await bodyOf(made);
    expect((await fetch(`${pages.url}/v1/sports`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
    const list = await bodyOf(await pages.ask(KEYS, { as: 'me' }));
    expect(list.keys.map((one: { readonly id: number }) => one.id)).toEqual([keyId, id]);
    expect((await pages.ask(`${KEYS}/${id}`, { as: 'me', method: 'DELETE', headers: SAME })).status).toBe(204);
    expect(pages.noted.map(({ type, userId, path }) => [type, userId, path])).toEqual([
      ['key_created', accountId, `/api-keys/${id}`],
      ['key_revoked', accountId, `/api-keys/${id}`],
    ]);
  });

  it('without scopes makes a key for all', async () => {
    expect((await bodyOf(await make())).scopes).toEqual(['all']);
  });

  it('stays within the number of keys of the plan', async () => {
    expect([(await make()).status, (await make()).status]).toEqual([201, 201]);
    expect(await codeOf(await make())).toEqual([403, 'key_limit_reached']);
  });

  it('reaches no key of another account', async () => {
    const { keyId: foreign } = await pages.newAccount();
    const answer = await pages.ask(`${KEYS}/${foreign}`, { as: 'me', method: 'DELETE', headers: SAME });
    expect(await codeOf(answer)).toEqual([404, 'not_found']);
  });

  it('gives way to a key, a wrong one too', async () => {
    const { key, accountId: other } = await pages.newAccount('growth');
    const withKey = (value: string) =>
      pages.ask('/api/agent/credits', { as: 'me', headers: { authorization: `Bearer ${value}` } });
    const answer = await withKey(key);
    expect((await bodyOf(answer)).tier).toBe('growth');
    expect(answer.headers.get('x-ratelimit-limit')).not.toBeNull();
    expect((await withKey('nonsense')).status).toBe(401);
    expect(other).not.toBe(accountId);
  });

  it('that has ended is nobody', async () => {
    pages.signOut('me');
    expect(await codeOf(await pages.ask('/api/agent/credits', { as: 'me' }))).toEqual([401, 'unauthorized']);
    expect(await codeOf(await make())).toEqual([401, 'unauthorized']);
  });

  it.each(['/v1/sports', '/v1/nothing', '/mcp', '/compat/v4/sports'])('opens nothing at %s', async (path) => {
    expect((await pages.ask(path, { as: 'me', headers: SAME })).status).toBe(401);
  });

  it('learns what is not there, and which methods are', async () => {
    expect(await codeOf(await pages.ask('/api/agent/nothing', { as: 'me' }))).toEqual([404, 'not_found']);
    const answer = await pages.ask(KEYS, { as: 'me', method: 'PUT', headers: SAME });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });

  it('is recorded without a key', async () => {
    await pages.ask('/api/agent/credits', { as: 'me' });
    await pages.server.accounts.credits.flush();
    const records = await pages.ports.log.readAll(null, 1000);
    const own = records.filter(({ type, data }) => type === 'CallsAnswered' && (data as any).accountId === accountId);
    expect(own.flatMap(({ data }) => (data as any).calls)).toMatchObject([
      { keyId: null, operation: 'get_credits', status: 200 },
    ]);
  });
});

describe('what another site makes a browser ask', () => {
  it.each([
    ['nothing of the kind', {}],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour', { 'sec-fetch-site': 'same-site' }],
    ['the user’s own typing', { 'sec-fetch-site': 'none' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin that nobody has', { origin: 'null' }],
    ['the same origin, and another one', { ...SAME, origin: 'https://evil.example' }],
    ['another site, and the own origin', { 'sec-fetch-site': 'cross-site', origin: 'https://sports.example' }],
  ])('given headers that tell of %s, then a key is neither made nor revoked', async (_, headers) => {
    expect(await codeOf(await make(headers))).toEqual([403, 'forbidden']);
    const revoking = await pages.ask(`${KEYS}/${keyId}`, { as: 'me', method: 'DELETE', headers });
    expect(await codeOf(revoking)).toEqual([403, 'forbidden']);
    expect(await keysOf()).toEqual([keyId]);
    expect((await pages.ports.keys.find(keyId))!.revokedAt).toBeNull();
  });

  it.each([
    ['the same origin', SAME],
    ['the public address', { origin: 'https://sports.example' }],
  ])('given headers that tell of %s, then a key is made', async (_, headers) => {
    expect((await make(headers)).status).toBe(201);
  });

  it('given the host that was asked as the origin, then a key is made', async () => {
    expect((await make({ origin: pages.url })).status).toBe(201);
  });

  it('reads nothing for another site, and gives no page of another the answer', async () => {
    const read = (headers: object) => pages.ask(KEYS, { as: 'me', headers: headers as Record<string, string> });
    expect(await codeOf(await read({ 'sec-fetch-site': 'cross-site' }))).toEqual([403, 'forbidden']);
    const answer = await read({ 'sec-fetch-site': 'same-site', origin: 'https://evil.example' });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await pages.ask(KEYS, {
      as: 'me',
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });
});
