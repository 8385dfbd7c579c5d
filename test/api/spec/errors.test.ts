import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Game, game } from './events.ts';
import { expectMembers } from './members.ts';
import { NFL } from './messages.ts';
import { type Answer, type Ask, BASE_URL, type SpecServer, startServer } from './server.ts';

let server: SpecServer;
let one: Game;
beforeAll(async () => {
  server = await startServer();
  one = await game(server, NFL);
});
afterAll(() => server.close());

const ENVELOPE = ['code', 'message', 'status', 'doc_url', 'request_id'];

/** Checks everything that all errors share. @param extras names of the members beside those of every envelope */
function expectError(
  { status, body, headers, credits }: Answer,
  wanted: number,
  code: string,
  extras: readonly string[] = [],
): void {
  expect([status, body.error?.code]).toEqual([wanted, code]);
  expectMembers(body, ['error', 'detail']);
  expectMembers(body.error, [...ENVELOPE, ...extras]);
  expect(body.error.status).toBe(wanted);
  expect(body.error.message).not.toBe('');
  expect(body.detail).toBe(body.error.message);
  expect(body.error.doc_url).toBe(`${BASE_URL}/docs/errors/${code}`);
  expect(body.error.request_id).toBe(headers.get('x-request-id'));
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect([headers.get('x-credits-used'), credits]).toEqual(['0', 0]);
}

const EVENT_PATHS = ['', '/score', '/odds', '/odds/history', '/splits', '/injuries'];

describe('Errors: 400 bad_request', () => {
  it.each([
    ['unknown status value', '/v1/events?status=over'],
    ['bad date format', '/v1/events?date=1-2-2026'],
    ['date together with from', '/v1/events?date=2026-03-01&from=2026-03-01'],
    ['date together with to', '/v1/events?date=2026-03-01&to=2026-03-01'],
    ['date range over 90 days', '/v1/events?from=2026-01-01&to=2026-04-02'],
    ['from after to', '/v1/events?from=2026-01-02&to=2026-01-01'],
    ['an unknown after_id', '/v1/events?after_id=987654321'],
    ['an unknown after_id of teams', '/v1/teams?after_id=987654321'],
    ['an unknown after_id of players', '/v1/players?after_id=987654321'],
    ['malformed as_of', '/v1/events/1?as_of=now'],
    ['unknown exclude_status', '/v1/events/1/injuries?exclude_status=sore'],
    ['a path that is no percent-encoding', '/v1/events/%ZZ'],
  ])('%s', async (_, path) => {
    expectError(await server.ask(path), 400, 'bad_request');
  });

  it('sort=status with after_id', async () => {
    expectError(await server.ask(`/v1/events?sort=status&after_id=${one.id}`), 400, 'bad_request');
  });

  it('malformed JSON', async () => {
    for (const body of ['{', '{"event_ids": [1],}', 'event_ids=1', "{'event_ids': [1]}"]) {
      expectError(await server.post('/v1/events/batch', body), 400, 'bad_request');
    }
  });
});

describe('Errors: 401 unauthorized', () => {
  const refused = async (ask: Ask, path = '/v1/sports') => {
    const answer = await server.ask(path, ask);
    expectError(answer, 401, 'unauthorized');
    const names = [...answer.headers.keys()];
    expect(names.filter((name) => name.startsWith('x-ratelimit') || name === 'x-credits-remaining')).toEqual([]);
  };

  it('a missing key', async () => {
    for (const path of ['/v1/health', '/v1/sports', one.path, '/v1/nothing', '/v1/events/abc', '/v1/teams?limit=0']) {
      await refused({ key: null }, path);
    }
  });

  it('a malformed key', async () => {
    for (const key of ['x', 'llk_short.key', `llk_${'a'.repeat(12)}`, `${'a'.repeat(16)}.${'b'.repeat(43)}`]) {
      await refused({ key });
    }
    for (const authorization of ['Basic abc', 'Bearer', 'Bearer ', 'abc']) {
      await refused({ key: null, headers: { authorization } });
    }
  });

  it('an invalid key, one of another secret too', async () => {
    const key = await server.newKey(['all']);
    await refused({ key: `llk_${'a'.repeat(12)}.${'b'.repeat(43)}` });
    await refused({ key: `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}` });
  });

  it('an inactive key', async () => {
    const key = await server.newKey(['all']);
    expect((await server.ask('/v1/sports', { key })).status).toBe(200);
    await server.revoke(key);
    server.setClock('2026-03-01T12:00:01Z');
    await refused({ key });
  });

  it('an expired key', async () => {
    const key = await server.newKey(['all'], '2026-03-01T12:30:00Z');
    server.setClock('2026-03-01T12:29:59.999Z');
    expect((await server.ask('/v1/sports', { key })).status).toBe(200);
    server.setClock('2026-03-01T12:30:00Z');
    await refused({ key });
    server.setClock('2026-03-01T12:00:02Z');
  });

  it('a key in the query, which only the stream accepts', async () => {
    const key = await server.newKey(['all']);
    await refused({ key: null }, `/v1/sports?api_key=${key}`);
  });

  it('the scheme is case-insensitive', async () => {
    const key = await server.newKey(['all']);
    expect((await server.ask('/v1/sports', { key: null, headers: { authorization: `bearer ${key}` } })).status).toBe(
      200,
    );
  });
});

describe('Errors: 403 sport_scope_denied', () => {
  const EXTRAS = ['sport', 'granted_scopes', 'upgrade_url'];
  const denied = (answer: Answer) => {
    expectError(answer, 403, 'sport_scope_denied', EXTRAS);
    const { sport, granted_scopes, upgrade_url } = answer.body.error;
    expect([sport, granted_scopes]).toEqual(['nfl', ['nba', 'tennis']]);
    expect(upgrade_url).toMatch(new RegExp(`^${BASE_URL}/`));
  };
  let key: string;
  beforeAll(async () => {
    key = await server.newKey(['nba', 'tennis']);
  });

  it.each(EVENT_PATHS)('an event of another sport: /v1/events/{id}%s', async (path) => {
    denied(await server.ask(one.path + path, { key }));
  });

  it.each(['/v1/seasons', '/v1/events', '/v1/teams', '/v1/players'])('a sport: %s?sport=nfl', async (path) => {
    denied(await server.ask(`${path}?sport=nfl`, { key }));
  });

  it('a team, a batch', async () => {
    const { participants } = await server.get(one.path);
    denied(await server.ask(`/v1/teams/${participants[0].team.id}`, { key }));
    denied(await server.post('/v1/events/batch', { event_ids: [one.id] }, { key }));
  });

  it('an unknown event, team or player stays 404', async () => {
    for (const path of ['/v1/events/987654', '/v1/teams/987654', '/v1/players/987654']) {
      expectError(await server.ask(path, { key }), 404, 'not_found');
    }
  });
});

describe('Errors: 404 not_found', () => {
  it.each(EVENT_PATHS)('an unknown event: /v1/events/{id}%s', async (path) => {
    for (const id of ['987654', '0', '-1', String(Number.MAX_SAFE_INTEGER)]) {
      expectError(await server.ask(`/v1/events/${id}${path}`), 404, 'not_found');
    }
  });

  it.each(['/v1/teams/987654', '/v1/players/987654', '/v1/players/987654/events'])('%s', async (path) => {
    expectError(await server.ask(path), 404, 'not_found');
  });

  it('no odds movement recorded', async () => {
    expectError(await server.ask(`${one.path}/odds/history`), 404, 'not_found');
  });

  it.each(['/v1', '/v1/', '/v1/nothing', '/v1/events/', '/v1/events/1/nothing', '/v1/Sports', '/v1/sports/'])(
    'an unknown path: %s',
    async (path) => {
      expectError(await server.ask(path), 404, 'not_found');
    },
  );
});

describe('Errors: 405, 413, 415', () => {
  it.each([
    ['POST', '/v1/sports', 'GET, HEAD'],
    ['DELETE', '/v1/events', 'GET, HEAD'],
    ['PUT', '/v1/teams/1', 'GET, HEAD'],
    ['PATCH', '/v1/health', 'GET, HEAD'],
    ['GET', '/v1/events/batch', 'POST'],
    ['OPTIONS', '/v1/events/batch', 'POST'],
  ])('405 method_not_allowed with Allow: %s %s', async (method, path, allow) => {
    const answer = await server.ask(path, { method });
    expectError(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe(allow);
  });

  it('413 payload_too_large: a body over 1 MiB', async () => {
    const body = JSON.stringify({ event_ids: [1], more: 'x'.repeat(1024 * 1024) });
    expectError(await server.post('/v1/events/batch', body), 413, 'payload_too_large');
  });

  it('415 unsupported_media_type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      const headers = { 'content-type': type };
      expectError(
        await server.post('/v1/events/batch', '{"event_ids":[1]}', { headers }),
        415,
        'unsupported_media_type',
      );
    }
  });
});

describe('Errors: 422 validation_error', () => {
  const invalid = async (path: string, loc: readonly string[]) => {
    const answer = await server.ask(path);
    expectError(answer, 422, 'validation_error', ['errors']);
    for (const item of answer.body.error.errors) expectMembers(item, ['loc', 'msg', 'type']);
    expect(answer.body.error.errors.map((item: any) => item.loc)).toContainEqual(loc);
  };

  it.each(EVENT_PATHS)('a non-integer id: /v1/events/abc%s', async (path) => {
    for (const id of ['abc', '1.5', '1e3', '0x1', '%20', '1,2'])
      await invalid(`/v1/events/${id}${path}`, ['path', 'id']);
  });

  it.each(['/v1/teams/abc', '/v1/players/abc', '/v1/players/abc/events'])('a non-integer id: %s', async (path) => {
    await invalid(path, ['path', 'id']);
  });

  it.each(['/v1/events', '/v1/teams', '/v1/players'])('limit outside 1-100: %s', async (path) => {
    for (const limit of ['0', '101', '-5', 'x']) await invalid(`${path}?limit=${limit}`, ['query', 'limit']);
  });

  it.each([
    ['/v1/sports', 'active_only'],
    ['/v1/seasons', 'current_only'],
    ['/v1/events', 'include_scores'],
    ['/v1/events', 'has_recommend'],
    ['/v1/events/1', 'include_odds'],
    ['/v1/events/1', 'include_intelligence'],
    ['/v1/events/1', 'include_alts'],
    ['/v1/teams', 'active'],
    ['/v1/players', 'active'],
    ['/v1/players', 'ranked'],
  ])('a wrong boolean: %s?%s', async (path, name) => {
    for (const bad of ['1', '0', 'True', 'yes', '']) await invalid(`${path}?${name}=${bad}`, ['query', name]);
  });

  it('an unknown sort', async () => {
    await invalid('/v1/events?sort=name', ['query', 'sort']);
  });

  it.each([
    ['/v1/events', 'sport'],
    ['/v1/events', 'date'],
    ['/v1/events/1', 'bookmaker'],
    ['/v1/events/1/odds', 'bookmaker'],
    ['/v1/events/1/injuries', 'exclude_status'],
    ['/v1/events/1/score', 'as_of'],
    ['/v1/teams', 'q'],
    ['/v1/players', 'country'],
  ])('a repeated single parameter: %s?%s', async (path, name) => {
    await invalid(`${path}?${name}=a&${name}=a`, ['query', name]);
  });

  it('an integer out of range', async () => {
    await invalid('/v1/events?limit=99999999999999999999', ['query', 'limit']);
  });

  it('every wrong field is listed', async () => {
    const { body } = await server.ask('/v1/events?limit=0&sort=x&include_scores=1&season_id=x');
    expect(body.error.errors.map(({ loc }: any) => loc[1]).sort()).toEqual([
      'include_scores',
      'limit',
      'season_id',
      'sort',
    ]);
  });
});

describe('Errors: doc_url', () => {
  it.each([
    'bad_request',
    'unauthorized',
    'not_found',
    'validation_error',
    'sport_scope_denied',
    'rate_limit_exceeded',
  ])('leads to a page that is open without a key: %s', async (code) => {
    const response = await fetch(`${server.url}/docs/errors/${code}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await response.text()).toContain(code);
  });
});
