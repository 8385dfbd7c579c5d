import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Game, game } from './events.ts';
import { ATP, injury, market, NFL, odds, player, splits, team } from './messages.ts';
import { type SpecServer, startServer } from './server.ts';

let server: SpecServer;
let one: Game;
let paths: readonly string[];
beforeAll(async () => {
  server = await startServer();
  one = await game(server, NFL, {
    sides: ['Convention Home', 'Convention Away'],
    venue: { name: 'Field', city: 'Town', timezone: 'America/New_York' },
    competition: { name: 'Cup' },
  });
  const match = await game(server, ATP, { sides: ['Convention Player', 'Convention Rival'] });
  const h2h = (price: number) => [
    market('h2h', [
      ['home', price],
      ['away', 100],
    ]),
  ];
  await server.feed(
    team(NFL, 'cv', 'Convention Home', 'CVH', { venue: { name: 'Field', city: 'Town' } }),
    player('tennis', 'cvp', 'Convention Player', { birthdate: '2000-01-01' }),
    odds(one.ref, 'pinnacle', h2h(-110), { at: '2026-03-01T09:00:00.500Z' }),
    odds(one.ref, 'pinnacle', h2h(-120), { at: '2026-03-01T09:10:00Z' }),
    splits(one.ref, { moneyline: { home: { bets_pct: 1, handle_pct: 2 } } }, { at: '2026-03-01T09:00:00Z' }),
    injury(NFL, 'Convention Home', 'Some Body', 'out', { at: '2026-03-01T09:00:00Z' }),
    one.score('inprogress', ['7', '0'], { period: '1', clock: '1:23' }),
    match.score('final', ['6 6', '1 2']),
  );
  const [{ id: teamId }] = (await server.get('/v1/teams?q=convention home')).data;
  const [{ id: playerId }] = (await server.get('/v1/players?q=convention player')).data;
  paths = [
    '/v1/sports',
    '/v1/seasons',
    '/v1/events',
    '/v1/events?include_scores=true',
    one.path,
    `${one.path}?include_odds=true&include_intelligence=true`,
    match.path,
    `${one.path}/score`,
    `${one.path}/odds`,
    `${one.path}/odds/history`,
    `${one.path}/splits`,
    `${one.path}/injuries`,
    '/v1/teams',
    `/v1/teams/${teamId}`,
    '/v1/players',
    `/v1/players/${playerId}`,
    `/v1/players/${playerId}/events`,
  ];
});
afterAll(() => server.close());

/** Every member of an answer, with its name. */
function* membersOf(value: unknown, name = ''): Generator<[string, unknown]> {
  if (Array.isArray(value)) for (const item of value) yield* membersOf(item, name);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      yield [key, member];
      yield* membersOf(member, key);
    }
  }
}
const NUMBERS = /^(prices?|price_from|price_to)$/;

describe('General conventions', () => {
  it('1: all endpoints return JSON', async () => {
    for (const path of paths) {
      expect([path, (await server.ask(path)).headers.get('content-type')]).toEqual([
        path,
        'application/json; charset=utf-8',
      ]);
    }
  });

  it('2: timestamps are UTC ISO 8601 with a Z, dates are YYYY-MM-DD', async () => {
    let seen = 0;
    for (const path of paths) {
      for (const [name, value] of membersOf(await server.get(path))) {
        if (typeof value !== 'string') continue;
        if (/_at$|^inprogress_since$|^last_updated$/.test(name)) {
          expect([path, name, value]).toEqual([
            path,
            name,
            expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
          ]);
          seen++;
        }
        if (/_date$|^birthdate$/.test(name)) {
          expect([path, name, value]).toEqual([path, name, expect.stringMatching(/^\d{4}-\d\d-\d\d$/)]);
          seen++;
        }
      }
    }
    expect(seen).toBeGreaterThan(20);
  });

  it('3: prices are American-odds integers; 4: identifiers are integers', async () => {
    for (const path of paths) {
      for (const [name, value] of membersOf(await server.get(path))) {
        if (value === null) continue;
        if (NUMBERS.test(name))
          expect([path, name, Number.isInteger(value) && Math.abs(value as number) >= 100]).toEqual([path, name, true]);
        if (name === 'id' || /_id$/.test(name))
          expect([path, name, Number.isInteger(value)]).toEqual([path, name, true]);
      }
    }
  });

  it('5: a null next_after_id means the last page', async () => {
    for (const path of ['/v1/events', '/v1/teams', '/v1/players']) {
      expect((await server.get(`${path}?limit=100`)).next_after_id).toBeNull();
      const first = await server.get(`${path}?limit=1`);
      expect(first.next_after_id).toBe((first.events ?? first.data)[0].id);
    }
  });

  it('6: list envelopes differ by resource', async () => {
    const keys = async (path: string) => Object.keys(await server.get(path)).sort();
    expect(await keys('/v1/sports')).toEqual(['sports', 'total']);
    expect(await keys('/v1/seasons')).toEqual(['seasons', 'total']);
    expect(await keys('/v1/events')).toEqual(['events', 'next_after_id', 'total']);
    for (const path of ['/v1/teams', '/v1/players'])
      expect(await keys(path)).toEqual(['data', 'has_more', 'next_after_id']);
    expect(await keys(paths.at(-1)!)).toEqual(['data', 'has_more', 'next_after_id', 'player_id']);
  });

  it('7: sub-resources are 200 with available: false, and free, when nothing is ingested', async () => {
    const bare = await game(server, NFL);
    for (const sub of ['odds', 'splits', 'injuries']) {
      const { status, body, credits } = await server.ask(`${bare.path}/${sub}`);
      expect([sub, status, body.available, credits]).toEqual([sub, 200, false, 0]);
    }
  });
});

describe('Response headers', () => {
  it('X-Credits-Used: the price of every case', async () => {
    const prices: Record<string, number> = { [`${one.path}?include_odds=true&include_intelligence=true`]: 2 };
    for (const path of paths) expect([path, (await server.ask(path)).credits]).toEqual([path, prices[path] ?? 1]);
    expect((await server.ask('/v1/health')).credits).toBe(0);
  });

  it('ETag: strong, the same for the same answer; If-None-Match is a free 304', async () => {
    for (const path of paths) {
      const { headers } = await server.ask(path);
      const tag = headers.get('etag')!;
      expect([path, tag]).toEqual([path, expect.stringMatching(/^"[^"]+"$/)]);
      expect((await server.ask(path)).headers.get('etag')).toBe(tag);
      const held = await server.ask(path, { headers: { 'if-none-match': tag } });
      expect([path, held.status, held.body, held.credits]).toEqual([path, 304, '', 0]);
      expect(held.headers.get('etag')).toBe(tag);
    }
  });

  it('ETag: changes with the answer', async () => {
    const tagOf = async () => (await server.ask(`${one.path}/score`)).headers.get('etag')!;
    const before = await tagOf();
    await server.feed(one.score('inprogress', ['14', '0']));
    expect(await tagOf()).not.toBe(before);
    const { status, credits } = await server.ask(`${one.path}/score`, { headers: { 'if-none-match': before } });
    expect([status, credits]).toEqual([200, 1]);
  });

  it('ETag: does not hide an error', async () => {
    expect((await server.ask('/v1/events/987654', { headers: { 'if-none-match': '*' } })).status).toBe(404);
  });

  it('X-Request-Id: echoed, or made', async () => {
    const { headers } = await server.ask('/v1/sports', { headers: { 'x-request-id': 'my-id-1' } });
    expect(headers.get('x-request-id')).toBe('my-id-1');
    const made = await Promise.all(paths.map(async (path) => (await server.ask(path)).headers.get('x-request-id')));
    expect(new Set(made).size).toBe(paths.length);
    const { body } = await server.ask('/v1/events/987654', { headers: { 'x-request-id': 'my-id-2' } });
    expect(body.error.request_id).toBe('my-id-2');
  });

  it('HEAD answers with the head of GET', async () => {
    for (const path of paths) {
      const [get, head] = [await server.ask(path), await server.ask(path, { method: 'HEAD' })];
      expect([path, head.status, head.body]).toEqual([path, 200, '']);
      for (const name of ['etag', 'content-length', 'x-credits-used']) {
        expect([path, name, head.headers.get(name)]).toEqual([path, name, get.headers.get(name)]);
      }
    }
  });

  it('unknown query parameters are ignored', async () => {
    for (const path of paths) {
      const { body } = await server.ask(`${path}${path.includes('?') ? '&' : '?'}unknown=1&unknown=2&x[]=%00`);
      expect([path, body]).toEqual([path, await server.get(path)]);
    }
  });
});

describe('Open without a key', () => {
  it.each(['/openapi.json', '/healthz', '/readyz', '/docs/errors/not_found'])('%s', async (path) => {
    expect((await fetch(server.url + path)).status).toBe(200);
  });

  it('OpenAPI: 3.1, info.version 1.0.0, every endpoint', async () => {
    const document: any = await (await fetch(`${server.url}/openapi.json`)).json();
    expect([document.openapi.slice(0, 4), document.info.version]).toEqual(['3.1.', '1.0.0']);
    const listed = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    for (const endpoint of [
      'GET /v1/health',
      'GET /v1/sports',
      'GET /v1/seasons',
      'GET /v1/events',
      'GET /v1/events/{id}',
      'POST /v1/events/batch',
      'GET /v1/events/{id}/score',
      'GET /v1/events/{id}/stream',
      'GET /v1/events/{id}/odds',
      'GET /v1/events/{id}/odds/history',
      'GET /v1/events/{id}/splits',
      'GET /v1/events/{id}/injuries',
      'GET /v1/teams',
      'GET /v1/teams/{id}',
      'GET /v1/players',
      'GET /v1/players/{id}',
      'GET /v1/players/{id}/events',
    ]) {
      expect(listed).toContain(endpoint);
    }
  });
});
