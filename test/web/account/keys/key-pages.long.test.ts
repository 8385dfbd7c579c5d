import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../event-log/temporary-folder.ts';
import { type OwnerPages, serveOwnerPages } from '../serve-owner-pages.ts';

const folder = temporaryFolder();
const MINUTE = 60_000;
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

const make = (name = 'scraper', scopes: readonly string[] = [], as = 'me') =>
  pages.post('/api-keys', [['name', name], ...scopes.map((scope) => ['scopes', scope] as const)], as);
const SECRET = /llk_[0-9A-Za-z]{12}\.[0-9A-Za-z_-]{43}/;
/** The secret that a reveal shows. */
const revealed = async (path: string, as = 'me') => SECRET.exec(await pages.show(path, as))![0];
async function made(...given: Parameters<typeof make>): Promise<string> {
  const answer = await make(...given);
  expect(answer.status).toBe(303);
  return answer.headers.get('location')!;
}
const statusWith = async (key: string, path = '/v1/sports') =>
  (await fetch(pages.url + path, { headers: { authorization: `Bearer ${key}` } })).status;
const notes = () => pages.noted.map(({ type, userId, path }) => [type, userId, path]);

describe('a key that its account’s owner makes', () => {
  it('is shown once, works, and is listed without its secret', async () => {
    const path = await made('my <agent>');
    expect(path).toBe(`/api-keys/${keyId + 1}/reveal`);
    const key = await revealed(path);
    expect(await statusWith(key)).toBe(200);
    expect(await pages.show(path, 'me', 410)).not.toMatch(SECRET);
    const list = await pages.show('/api-keys', 'me');
    expect(list).toContain('my &lt;agent&gt;');
    expect(list).not.toContain(key.slice(17));
    expect(notes()).toEqual([
      ['key_created', accountId, `/api-keys/${keyId + 1}`],
      ['key_revealed', accountId, `/api-keys/${keyId + 1}/reveal`],
    ]);
  });

  it.each([
    [[], '/v1/events?sport=nfl', 200],
    [['all'], '/v1/events?sport=nfl', 200],
    [['nba', 'all'], '/v1/events?sport=nfl', 200],
    [['nba', 'mlb'], '/v1/events?sport=nba', 200],
    [['nba', 'mlb'], '/v1/events?sport=nfl', 403],
  ])('with the scopes %j answers %s with %i', async (scopes, path, status) => {
    expect(await statusWith(await revealed(await made('k', scopes)), path)).toBe(status);
  });

  it('given a daily cap, then the key has it, and the list shows it', async () => {
    const answer = await pages.post(
      '/api-keys',
      [
        ['name', 'k'],
        ['max_credits_a_day', ' 1 '],
      ],
      'me',
    );
    const key = await revealed(answer.headers.get('location')!);
    expect([await statusWith(key), await statusWith(key)]).toEqual([200, 402]);
    const list = await pages.show('/api-keys', 'me');
    expect(list).toContain('At most 1 credit a day');
    expect(list).toContain('No cap on its credits');
  });

  it.each(['0', '-1', '1.5', 'many', '1000000001'])('given a daily cap of %s, then the page says so', async (cap) => {
    const fields = [
      ['name', 'k'],
      ['max_credits_a_day', cap],
    ] as const;
    const answer = await pages.post('/api-keys', fields, 'me');
    const text = await answer.text();
    expect(answer.status).toBe(422);
    expect(text).toContain('id="field-max_credits_a_day-error"');
    expect(text).toContain(`value="${cap}"`);
  });

  it.each([
    ['name', '', []],
    ['name', ' ', []],
    ['name', 'x'.repeat(101), []],
    ['name', `llk_${'A'.repeat(12)}.${'a'.repeat(43)}`, []],
    ['scopes', 'fine', ['nba', 'cricket']],
    ['scopes', 'fine', ['']],
  ])('given a wrong %s, then the page says so and there is no key', async (field, name, scopes) => {
    const answer = await make(name, scopes);
    const text = await answer.text();
    expect(answer.status).toBe(422);
    expect(text).toMatch(field === 'name' ? /id="field-name-error"/ : /id="scopes-error"/);
    expect(text).toContain('aria-invalid="true"');
    expect(await pages.ports.keys.list(accountId)).toHaveLength(1);
    expect(pages.noted).toEqual([]);
  });

  it('given as many keys as the plan allows, then 403 on the same page, and again one when one is revoked', async () => {
    await made('2');
    await made('3');
    const refused = await make('fourth', ['nba']);
    const text = await refused.text();
    expect(refused.status).toBe(403);
    expect(text).toContain('The plan allows 3 keys.');
    expect(text).toContain('value="fourth"');
    expect(text).toMatch(/value="nba" checked/);
    expect((await pages.post(`/api-keys/${keyId + 1}/revoke`, [], 'me')).status).toBe(303);
    await made('fourth');
  });

  it('given many at once, then no more than the plan allows', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => make(`k${i}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 303, 403, 403, 403, 403, 403, 403]);
  });

  it('given too many made in a day, then 429 tells when', async () => {
    for (let id = keyId + 1; ; id++) {
      const answer = await make();
      if (answer.status !== 303) {
        expect([answer.status, answer.headers.get('retry-after'), id - keyId]).toEqual([429, '86400', 14]);
        return;
      }
      await pages.post(`/api-keys/${id}/revoke`, [], 'me');
    }
  });
});

describe('the windows of a key that its account’s owner makes', () => {
  const remaining = async (key: string) => {
    const answer = await fetch(`${pages.url}/v1/health`, { headers: { authorization: `Bearer ${key}` } });
    return Number(answer.headers.get('x-ratelimit-remaining'));
  };

  it('begin with what a key has used that was revoked within the last minute, over a restart too', async () => {
    const data = folder.path('windows');
    mkdirSync(data, { recursive: true });
    const before = pages;
    pages = await serveOwnerPages({ folder: data });
    const { key: first, accountId: mine, keyId: old } = await pages.newAccount();
    pages.signIn('me', mine);
    for (let left = 19; left >= 10; left--) expect(await remaining(first)).toBe(left);
    // One that is made beside it begins anew: the owner has no window.
    const beside = await revealed(await made('beside'));
    expect(await remaining(beside)).toBe(19);
    pages.clock.time += 1000;
    await pages.post(`/api-keys/${old}/revoke`, [], 'me');
    const next = await revealed(await made('next'));
    expect(await remaining(next)).toBe(9);
    const { time } = pages.clock;
    await pages.close();
    pages = await serveOwnerPages({ folder: data, time });
    expect([await remaining(next), await remaining(beside)]).toEqual([8, 18]);
    await pages.close();
    pages = before;
  });
});

describe('the showing of a new key', () => {
  it('given two at once, then one of them shows it', async () => {
    const path = await made();
    const answers = await Promise.all(Array.from({ length: 6 }, () => pages.ask(path, { as: 'me' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410, 410, 410]);
    expect(notes().filter(([type]) => type === 'key_revealed')).toHaveLength(1);
  });

  it('HEAD does not use it up', async () => {
    const path = await made();
    for (const _ of [1, 2]) expect((await pages.ask(path, { as: 'me', method: 'HEAD' })).status).toBe(200);
    await revealed(path);
    expect((await pages.ask(path, { as: 'me', method: 'HEAD' })).status).toBe(410);
  });

  it('given 10 minutes, then it is gone', async () => {
    const [first, second] = [await made('2'), await made('3')];
    pages.clock.time += 10 * MINUTE - 1;
    await revealed(first);
    pages.clock.time += 1;
    await pages.show(second, 'me', 410);
  });

  it('is for the session that made the key: another of the same user gets 410 and does not use it up', async () => {
    const path = await made();
    pages.signIn('elsewhere', accountId, accountId + 100);
    await pages.show(path, 'elsewhere', 410);
    await revealed(path);
  });

  it('given another user, or no such key, then the same 404, and it is not used up', async () => {
    const path = await made();
    const { accountId: other } = await pages.newAccount();
    pages.signIn('other', other);
    const answers = await Promise.all(
      [path, '/api-keys/99999/reveal', '/api-keys/x/reveal', '/api-keys/-1/reveal'].map((one) =>
        pages.show(one, 'other', 404),
      ),
    );
    const [first, ...more] = answers.map((text) => text.replaceAll(/made-\d+/g, 'ID').replace(/<nav.*nav>/s, ''));
    for (const text of more) expect(text).toBe(first);
    await revealed(path);
  });

  it('given a key that was made otherwise, or that is revoked, then 410', async () => {
    await pages.show(`/api-keys/${keyId}/reveal`, 'me', 410);
    const path = await made();
    await pages.post(`/api-keys/${keyId + 1}/revoke`, [], 'me');
    await pages.show(path, 'me', 410);
  });

  it('given nobody who is signed in, then it leads to the sign-in, and it is not used up', async () => {
    const path = await made();
    const answer = await pages.ask(path);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `/login?next=%2Fapi-keys%2F${keyId + 1}%2Freveal`,
    ]);
    await revealed(path);
  });

  it('given a restart, then it is still there once', async () => {
    const data = folder.path('restart');
    mkdirSync(data, { recursive: true });
    const own = pages;
    pages = await serveOwnerPages({ folder: data });
    const { accountId: mine } = await pages.newAccount();
    pages.signIn('me', mine);
    const path = await made();
    await pages.close();
    pages = await serveOwnerPages({ folder: data });
    pages.signIn('me', mine);
    expect(await statusWith(await revealed(path))).toBe(200);
    await pages.show(path, 'me', 410);
    await pages.close();
    pages = own;
  });
});

describe('a key that is revoked', () => {
  it('opens nothing within a second, and revoking it again is 404', async () => {
    const key = await revealed(await made());
    expect(await statusWith(key)).toBe(200);
    const answer = await pages.post(`/api-keys/${keyId + 1}/revoke`, [], 'me');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/api-keys']);
    pages.clock.time += 999;
    expect(await statusWith(key)).toBe(401);
    expect((await pages.post(`/api-keys/${keyId + 1}/revoke`, [], 'me')).status).toBe(404);
    expect(notes().at(-1)).toEqual(['key_revoked', accountId, `/api-keys/${keyId + 1}`]);
  });

  it('given another’s, then 404, and it goes on', async () => {
    const { key, keyId: foreign } = await pages.newAccount();
    expect((await pages.post(`/api-keys/${foreign}/revoke`, [], 'me')).status).toBe(404);
    pages.clock.time += 1000;
    expect(await statusWith(key)).toBe(200);
    expect(pages.noted).toEqual([]);
  });

  it('given a form without a token, then it goes on', async () => {
    const answer = await pages.ask(`/api-keys/${keyId}/revoke`, {
      method: 'POST',
      as: 'me',
      body: 'a=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.status).toBe(403);
    expect((await pages.ports.keys.find(keyId))!.revokedAt).toBeNull();
  });
});
