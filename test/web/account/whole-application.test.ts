import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHEAP } from '../../accounts/users/users-world.ts';
import { type Composed, composed } from '../../support/composed.ts';
import { createVisitor, flashOf, type Visitor } from './visitor.ts';

/* Keys, playground and dashboard with the people, the billing and the usage that ship. */

const EMAIL = 'ann@sports.example';
const PASSWORD = 'a long enough phrase';
const JSON_WANTED = { accept: 'application/json' };
let server: Composed;
let ann: Visitor;
beforeAll(async () => {
  server = await composed({
    baseUrl: (port) => `http://127.0.0.1:${port}`,
    replacements: { hashing: CHEAP },
  });
  await server.core.runner.start();
  await server.server.people.users.operators.create({ email: EMAIL, staff: false, password: PASSWORD });
  ann = createVisitor(server.url);
  expect((await ann.post('/login', { email: EMAIL, password: PASSWORD })).to).toBe('/dashboard');
});
afterAll(async () => {
  await server.close();
  expect(server.failures).toEqual([]);
});

const bearer = (key: string) => fetch(`${server.url}/v1/sports`, { headers: { authorization: `Bearer ${key}` } });
const notedOf = async () => {
  const { events } = await server.server.people.security.list({ page: 1 });
  return events.map(({ type }) => type).filter((type) => type.startsWith('key_'));
};

describe('somebody who has signed in', () => {
  it('makes a key, sees it once, uses it and revokes it', async () => {
    const made = await ann.post('/api-keys', { name: 'mine' });
    const shown = await ann.get(made.to!);
    const key = /llk_\w{12}\.[\w-]{43}/.exec(shown.text)![0];
    expect((await ann.get(made.to!)).status).toBe(410);
    expect((await bearer(key)).status).toBe(200);
    const revoke = made.to!.replace('/reveal', '/revoke');
    expect((await ann.post(revoke, {}, { page: '/api-keys' })).to).toBe('/api-keys');
    server.clock.time += 1000;
    expect((await bearer(key)).status).toBe(401);
    expect(await notedOf()).toEqual(['key_revoked', 'key_revealed', 'key_created']);
  });

  it('makes keys at /api/agent from pages of this server, which is noted too', async () => {
    const { text } = await ann.get('/api-keys');
    expect(text).toContain('<h1>API keys</h1>');
    const cookie = [...ann.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const make = (headers: Readonly<Record<string, string>>) =>
      fetch(`${server.url}/api/agent/keys`, {
        method: 'POST',
        body: '{"name": "agent"}',
        headers: { cookie, 'content-type': 'application/json', ...headers },
      });
    expect((await make({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await make({})).status).toBe(403);
    expect((await make({ 'sec-fetch-site': 'same-origin' })).status).toBe(201);
    expect((await notedOf())[0]).toBe('key_created');
  });

  it('runs a call in the playground, which the dashboard shows', async () => {
    const run = await ann.post(
      '/playground',
      { operation: 'list_sports' },
      { page: '/api-keys', headers: JSON_WANTED },
    );
    const { status, headers } = JSON.parse(run.text);
    expect([run.status, status, headers['x-credits-used']]).toEqual([200, 200, '1']);
    await server.server.accounts.credits.flush();
    await server.core.projected();
    const { status: shown, text } = await ann.get('/dashboard');
    expect(shown).toBe(200);
    expect(text).toMatch(/list_sports<\/td>\s*<td class="wide">Session</);
  });

  it('is rewarded for the documentation once', async () => {
    const visit = () => ann.post('/onboarding/docs-visit', {}, { page: '/dashboard', headers: JSON_WANTED });
    const answers = [await visit(), await visit()];
    expect(answers.map(({ text }) => JSON.parse(text))).toEqual([{ granted: 100 }, { granted: 0 }]);
  });

  it('is told once what was done, where it leads out of the application too', async () => {
    await server.server.people.users.operators.create({
      email: 'bob@sports.example',
      staff: false,
      password: PASSWORD,
    });
    const bob = createVisitor(server.url);
    await bob.post('/login', { email: 'bob@sports.example', password: PASSWORD });
    expect((await bob.post('/onboarding/docs-visit', {}, { page: '/dashboard' })).to).toBe('/docs');
    await bob.head('/docs');
    const shown = await bob.get('/docs');
    expect(flashOf(shown)).toBe('100 credits were added.');
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect(flashOf(await bob.get('/docs'))).toBeUndefined();

    expect((await bob.post('/account/delete', { current_password: PASSWORD }, { page: '/account' })).to).toBe('/');
    expect(flashOf(await bob.get('/'))).toBe('Your account is deleted.');
    expect(flashOf(await bob.get('/'))).toBeUndefined();
  });
});
