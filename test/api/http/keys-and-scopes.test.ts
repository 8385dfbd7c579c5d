import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, exchange, type Served, START, serve } from './serving.ts';

const BOOTSTRAP = `llk_${'B'.repeat(12)}.${'b'.repeat(43)}`;
let served: Served;
beforeAll(async () => {
  served = await serve({ bootstrapKey: BOOTSTRAP });
});
afterAll(() => served.close());

const withKey = (path: string, key: string) => served.fetch(path, { headers: { authorization: `Bearer ${key}` } });

describe('without a valid key', () => {
  const refused = async (response: Response) => {
    expect([response.status, await codeOf(response)]).toEqual([401, 'unauthorized']);
    expect(response.headers.get('x-credits-used')).toBe('0');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect([...response.headers.keys()].filter((name) => /ratelimit|remaining/.test(name))).toEqual([]);
  };

  it.each(['/v1/things/5', '/v1/things/abc', '/v1/things/%ZZ', '/v1/nothing', '/v1', '/mcp', '/api/agent/keys'])(
    '%s is 401',
    async (path) => {
      await refused(await fetch(served.url + path));
      await refused(await fetch(served.url + path, { method: 'POST', body: 'x' }));
    },
  );

  it('a path beside them is just unknown', async () => {
    for (const path of ['/nothing', '/v12', '/api', '/mcpx', '/v1x/things', '/%ZZ']) {
      const response = await fetch(served.url + path);
      expect([404, 400]).toContain(response.status);
      expect(response.headers.get('x-credits-used')).toBe('0');
    }
  });

  it('a target in which no path is found is answered too', async () => {
    const head = 'GET //?active_only=#@&active_only=true HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const answer = await exchange(served.port, head);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"bad_request"');
  });

  it('neither another scheme nor another form of key helps', async () => {
    const { key } = served;
    const headers = [
      '',
      'Bearer',
      `Basic ${key}`,
      key,
      `Bearer ${key} ${key}`,
      `Bearer ${key}x`,
      `Bearer ${key.slice(1)}`,
    ];
    headers.push(
      `Bearer ${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`,
      `Bearer ${key.replace('.', '')}`,
      'Bearer é',
    );
    for (const authorization of headers)
      await refused(await served.fetch('/v1/things/5', { headers: { authorization } }));
  });

  it('two headers do not help, whichever is right', async () => {
    const right = `Authorization: Bearer ${served.key}\r\n`;
    const head = 'GET /v1/things/5 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
    for (const pair of [`${right}authorization: Bearer x\r\n`, `Authorization: Bearer x\r\n${right}`, right + right]) {
      expect(await exchange(served.port, `${head}${pair}\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
    }
  });

  it('the query does not carry one', async () => {
    await refused(await fetch(`${served.url}/v1/things/5?api_key=${served.key}`));
  });
});

describe('a key', () => {
  it('is accepted in any case of the scheme', async () => {
    const response = await served.fetch('/v1/things/5', { headers: { authorization: `bearer  ${served.key}` } });
    expect(response.status).toBe(200);
  });

  it('that expires is refused from that moment on', async () => {
    const { key } = await served.newKey({ expiresAt: new Date(START + 1000).toISOString() });
    served.clock.time = START + 999;
    expect((await withKey('/v1/things/5', key)).status).toBe(200);
    served.clock.time = START + 1000;
    expect((await withKey('/v1/things/5', key)).status).toBe(401);
  });

  it('that another process revokes is refused half a second later at the latest', async () => {
    const { key, record } = await served.newKey();
    expect((await withKey('/v1/things/5', key)).status).toBe(200);
    await served.registry.revoke(record.id, new Date(served.clock.time).toISOString());
    served.clock.time += 500;
    expect((await withKey('/v1/things/5', key)).status).toBe(401);
  });

  it('that is used has its last use noted', async () => {
    const { key, record } = await served.newKey();
    await withKey('/v1/things/5', key);
    const found = (await served.registry.list(record.accountId)).find(({ id }) => id === record.id);
    expect(found?.lastUsedAt).toBe(new Date(served.clock.time).toISOString());
  });

  it('of the configuration exists without the registry', async () => {
    expect((await withKey('/v1/things/5', BOOTSTRAP)).status).toBe(200);
    served.clock.time += 10_000;
    expect((await withKey('/v1/things/5', BOOTSTRAP)).headers.get('x-credits-used')).toBe('1');
    expect((await withKey('/v1/things/5', BOOTSTRAP.replace('b', 'c'))).status).toBe(401);
  });
});

describe('a scoped key', () => {
  it('is refused another sport, with the list of its scopes', async () => {
    const { key } = await served.newKey({ scopes: ['nba', 'nfl'] });
    const response = await withKey('/v1/things?sport=tennis', key);
    expect(response.status).toBe(403);
    expect(((await response.json()) as any).error).toMatchObject({
      code: 'sport_scope_denied',
      sport: 'tennis',
      granted_scopes: ['nba', 'nfl'],
      upgrade_url: 'https://sports.example/billing#plans',
    });
  });

  it('has its own sports, and unknown ones', async () => {
    const { key } = await served.newKey({ scopes: ['nba'] });
    expect((await withKey('/v1/things?sport=nba', key)).status).toBe(200);
    expect((await withKey('/v1/things?sport=curling', key)).status).toBe(200);
    expect((await withKey('/v1/things', key)).status).toBe(200);
  });
});
