import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { game, gamesOf } from './events.ts';
import { expectMembers, SUMMARY } from './members.ts';
import { ATP, NBA, NFL, NHL } from './messages.ts';
import { type SpecServer, startServer } from './server.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startServer();
  await gamesOf(server, NBA, 7, { starts_at: '2026-03-01T18:00:00Z' });
  await game(server, NFL, { starts_at: '2026-03-02T18:00:00Z' });
  const live = await game(server, NHL, { starts_at: '2026-03-01T11:00:00Z' });
  await server.feed(live.score('inprogress', ['1', '0'], { period: '1' }));
  await game(server, ATP, { starts_at: '2026-05-30T12:00:00Z' });
});
afterAll(() => server.close());

const PATH = '/v1/query';
const ask = (query: unknown, more: object = {}, key?: string) =>
  server.post(PATH, { query, ...more }, key === undefined ? {} : { key });
const followed = (equivalent: string, key?: string) => server.get(equivalent.replace(/^GET /, ''), key);

describe('POST /v1/query', () => {
  it('shows what was understood, what was not, and the events', async () => {
    const { status, body, credits } = await ask('Live  NHL games of the Bruins');
    expect([status, credits]).toEqual([200, 1]);
    expectMembers(body, [
      'query',
      'interpreted',
      'unrecognized_terms',
      'candidates',
      'equivalent_request',
      'events',
      'total',
      'next_after_id',
    ]);
    expect(body).toMatchObject({
      query: 'Live  NHL games of the Bruins',
      interpreted: { sport: 'nhl', status: 'inprogress', date: null, league: null, team_id: null, player_id: null },
      unrecognized_terms: ['bruins'],
      candidates: [],
      equivalent_request: 'GET /v1/events?sport=nhl&status=inprogress',
      total: 1,
      next_after_id: null,
    });
    const names = ['sport', 'status', 'date', 'from', 'to', 'limit', 'league', 'team_id', 'player_id'];
    expect(Object.keys(body.interpreted)).toEqual(names);
    for (const event of body.events) expectMembers(event, SUMMARY);
  });

  it.each([
    ['hello', 10],
    ['nba', 7],
    ['nba today', 7],
    ['tomorrow', 1],
    ['this week', 8],
    ['upcoming, next 2 days', 8],
    ['soccer', 0],
    ['3 nba games', 3],
    ['2026-05-30', 1],
    ['next 90 days', 10],
  ])('%j has the events of its equivalent request', async (query, total) => {
    const { status, body } = await ask(query);
    expect([status, body.total]).toEqual([200, total]);
    const { events, next_after_id } = body;
    expect({ events, total, next_after_id }).toEqual(await followed(body.equivalent_request));
  });

  it('is followed for further pages by the equivalent request', async () => {
    const { body } = await ask('nba 4');
    expect(body.next_after_id).toBe(body.events.at(-1).id);
    const next = await followed(`${body.equivalent_request}&after_id=${body.next_after_id}`);
    expect(new Set([...body.events, ...next.events].map(({ id }) => id)).size).toBe(7);
    expect(next.next_after_id).toBeNull();
  });

  it('uses the limit of the body before that of the text, which is understood all the same', async () => {
    const { body } = await ask('5 nba games, not 6', { limit: 2 });
    expect(body).toMatchObject({
      interpreted: { sport: 'nba', limit: 2 },
      unrecognized_terms: ['not', '6'],
      equivalent_request: 'GET /v1/events?sport=nba&limit=2',
      total: 2,
    });
    expect((await ask('nba', { limit: 1 })).body.equivalent_request).toBe('GET /v1/events?sport=nba&limit=1');
  });

  it('reads days by the clock of the server', async () => {
    server.setClock('2026-12-31T23:59:59Z');
    expect((await ask('tomorrow')).body.equivalent_request).toBe('GET /v1/events?date=2027-01-01');
    server.setClock('2027-01-01T00:00:00Z');
    expect((await ask('tomorrow')).body.equivalent_request).toBe('GET /v1/events?date=2027-01-02');
    server.setClock('2026-03-01T12:00:00Z');
  });

  it.each(['next 91 days', 'last 13 weeks', '2026-01-01 2026-04-02', `next ${'9'.repeat(300)} days`])(
    'is 400 for more than 90 days, and free: %s',
    async (query) => {
      const { status, body, credits } = await ask(query);
      expect([status, body.error.code, credits]).toEqual([400, 'bad_request', 0]);
    },
  );

  it('is checked by the scopes of the key, as the list is', async () => {
    const key = await server.newKey(['nba', 'nhl']);
    const denied = await ask('nfl games', {}, key);
    expect([denied.status, denied.body.error.code, denied.credits]).toEqual([403, 'sport_scope_denied', 0]);
    const both = await ask('next 400 days of nfl', {}, key);
    expect(both.status).toBe((await server.ask('/v1/events?sport=nfl&from=2026-01-01&to=2026-12-31', { key })).status);
    const { body } = await ask('all games', {}, key);
    expect(body.total).toBe(8);
    const { events } = await followed(body.equivalent_request, key);
    expect(body.events).toEqual(events);
  });

  it('reads no Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'the same' };
    for (const query of ['nba', 'nfl', 'nba']) {
      const { status, body, credits, headers: answered } = await server.post(PATH, { query }, { headers });
      expect([status, body.interpreted.sport, credits]).toEqual([200, query, 1]);
      expect(answered.has('idempotency-replayed')).toBe(false);
    }
  });
});

describe('POST /v1/query: the body', () => {
  it.each<[string, unknown, (string | number)[]]>([
    ['nothing', {}, ['query']],
    ['null', { query: null }, ['query']],
    ['no text', { query: 5 }, ['query']],
    ['a list', { query: ['nba'] }, ['query']],
    ['an empty text', { query: '' }, ['query']],
    ['white space', { query: ' \t\r\n\u00a0\u3000' }, ['query']],
    ['501 characters', { query: 'x'.repeat(501) }, ['query']],
    ['501 characters of two units each', { query: '🏀'.repeat(501) }, ['query']],
    ['1002 blanks', { query: ' '.repeat(1002) }, ['query']],
    ['a limit of 0', { query: 'nba', limit: 0 }, ['limit']],
    ['a limit of 101', { query: 'nba', limit: 101 }, ['limit']],
    ['a limit of 2.5', { query: 'nba', limit: 2.5 }, ['limit']],
    ['a limit as text', { query: 'nba', limit: '5' }, ['limit']],
    ['a limit of null', { query: 'nba', limit: null }, ['limit']],
    ['a list in the place of an object', ['nba'], []],
  ])('of %s is 422, and free', async (_, body, loc) => {
    const answer = await server.post(PATH, body);
    expect([answer.status, answer.credits]).toEqual([422, 0]);
    expect(answer.body.error.errors.map((error: any) => error.loc)).toEqual([['body', ...loc]]);
  });

  it.each(['x', 'x'.repeat(500), '🏀'.repeat(500), '\0', '\u200b', '"', '...', '\ud800', 'ﷺ'.repeat(500)])(
    'may be any text of 1 to 500 characters: %j',
    async (query) => {
      const { status, body } = await ask(query);
      expect([status, body.query]).toEqual([200, query]);
    },
  );

  it('may have unknown members', async () => {
    expect((await ask('nba', { sport: 'nfl', after_id: 1 })).body.interpreted.sport).toBe('nba');
  });
});
