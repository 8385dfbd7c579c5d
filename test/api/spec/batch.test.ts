import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Game, gamesOf } from './events.ts';
import { DETAIL, expectMembers } from './members.ts';
import { ATP, market, NFL, odds } from './messages.ts';
import { type SpecServer, startServer } from './server.ts';

let server: SpecServer;
let games: readonly Game[];
let tennis: Game;
beforeAll(async () => {
  server = await startServer();
  games = await gamesOf(server, NFL, 25);
  [tennis] = (await gamesOf(server, ATP, 1)) as [Game];
  const h2h = market('h2h', [
    ['home', -120],
    ['away', 105],
  ]);
  await server.feed(odds(games[0]!.ref, 'pinnacle', [h2h]), odds(games[1]!.ref, 'fanduel', [h2h]));
});
afterAll(() => server.close());

const PATH = '/v1/events/batch';
const batch = (body: unknown, key?: string) => server.post(PATH, body, key === undefined ? {} : { key });
const idOf = (index: number) => games[index]!.id;

describe('POST /v1/events/batch', () => {
  it('{events[], not_found[], total}: event details in the order of the request', async () => {
    const { status, body } = await batch({ event_ids: [idOf(3), tennis.id, idOf(0)] });
    expect(status).toBe(200);
    expectMembers(body, ['events', 'not_found', 'total']);
    expect(body.events.map(({ id }: any) => id)).toEqual([idOf(3), tennis.id, idOf(0)]);
    expect([body.not_found, body.total]).toEqual([[], 3]);
    for (const event of body.events) expectMembers(event, DETAIL);
    expect(body.events).toEqual(await Promise.all([games[3]!, tennis, games[0]!].map(({ path }) => server.get(path))));
  });

  it('each id once, at its first place; total counts them; duplicates are billed once', async () => {
    const { body, credits } = await batch({ event_ids: [idOf(2), idOf(1), idOf(2), idOf(1), idOf(2)] });
    expect(body.events.map(({ id }: any) => id)).toEqual([idOf(2), idOf(1)]);
    expect([body.total, credits]).toEqual([2, 2]);
  });

  it('unknown ids go to not_found, in their order, and are free', async () => {
    const { body, credits } = await batch({ event_ids: [987_654, idOf(1), 0, -3, 987_654] });
    expect(body).toMatchObject({ not_found: [987_654, 0, -3], total: 1 });
    expect(credits).toBe(1);
    const none = await batch({ event_ids: [987_654] });
    expect([none.status, none.body, none.credits]).toEqual([200, { events: [], not_found: [987_654], total: 0 }, 0]);
  });

  it('event_ids: 1 to 25', async () => {
    const all = games.map(({ id }) => id);
    const { body, credits } = await batch({ event_ids: all });
    expect([body.total, credits]).toEqual([25, 25]);
    expect((await batch({ event_ids: [] })).status).toBe(422);
    expect((await batch({ event_ids: [...all, tennis.id] })).status).toBe(422);
  });

  it.each([
    ['nothing', undefined],
    ['no event_ids', {}],
    ['null', { event_ids: null }],
    ['a number', { event_ids: 1 }],
    ['a text', { event_ids: '1,2' }],
    ['texts', { event_ids: ['1'] }],
    ['a fraction', { event_ids: [1.5] }],
    ['an integer out of range', { event_ids: [2 ** 60] }],
    ['an array', [1]],
    ['a wrong include_odds', { event_ids: [1], include_odds: 'true' }],
    ['a wrong include_intelligence', { event_ids: [1], include_intelligence: 1 }],
    ['a wrong bookmaker', { event_ids: [1], bookmaker: 5 }],
    ['a wrong as_of_basis', { event_ids: [1], as_of_basis: 'x' }],
  ])('%s is 422 with error.errors', async (_, body) => {
    const answer = await batch(body);
    expect([answer.status, answer.body.error.code, answer.credits]).toEqual([422, 'validation_error', 0]);
    for (const error of answer.body.error.errors) {
      expectMembers(error, ['loc', 'msg', 'type']);
      expect(error.loc[0]).toBe('body');
    }
  });

  it('include_odds, bookmaker (default pinnacle): odds, and 1 credit more where there are any', async () => {
    const event_ids = [idOf(0), idOf(1), idOf(2)];
    const pinnacle = await batch({ event_ids, include_odds: true });
    expect(pinnacle.body.events.map(({ odds: { available } }: any) => available)).toEqual([true, false, false]);
    expect(pinnacle.credits).toBe(4);
    const fanduel = await batch({ event_ids, include_odds: true, bookmaker: 'fanduel' });
    expect(fanduel.body.events.map(({ odds: { available } }: any) => available)).toEqual([false, true, false]);
    const all = await batch({ event_ids, include_odds: true, bookmaker: 'all' });
    expect(all.body.events.map(({ odds: { available } }: any) => available)).toEqual([true, true, false]);
    expect(all.credits).toBe(5);
    expect((await batch({ event_ids })).credits).toBe(3);
  });

  it('include_intelligence: adds it, for 1 credit where it is available', async () => {
    const { body, credits } = await batch({ event_ids: [idOf(0)], include_intelligence: true });
    expectMembers(body.events[0], [...DETAIL, 'intelligence']);
    expect([body.events[0].intelligence.available, credits]).toEqual([true, 2]);
    const bare = await batch({ event_ids: [idOf(2)], include_intelligence: true });
    expect([bare.body.events[0].intelligence.available, bare.credits]).toEqual([false, 1]);
  });

  it('an out-of-scope id is 403, for the whole batch', async () => {
    const key = await server.newKey(['tennis']);
    const answer = await batch({ event_ids: [tennis.id, idOf(0)] }, key);
    expect([answer.status, answer.body.error.code, answer.body.error.sport]).toEqual([
      403,
      'sport_scope_denied',
      'nfl',
    ]);
    expect((await batch({ event_ids: [tennis.id, 987_654] }, key)).status).toBe(200);
  });

  it('as_of and as_of_basis are members of the body', async () => {
    const event_ids = [idOf(0)];
    expect((await batch({ event_ids, as_of: '2026-03-01T11:59:59Z' })).body).toEqual({
      events: [],
      not_found: event_ids,
      total: 0,
    });
    expect((await batch({ event_ids, as_of: '2026-03-01T11:59:59Z', as_of_basis: 'observed' })).body.total).toBe(1);
    for (const as_of of ['yesterday', '2026-03-01T12:00:01Z', '']) {
      expect([as_of, (await batch({ event_ids, as_of })).status]).toEqual([as_of, 400]);
    }
  });

  it('unknown members are ignored', async () => {
    expect((await batch({ event_ids: [idOf(0)], nonsense: true })).status).toBe(200);
  });
});
