import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Game, game } from '../../api/spec/events.ts';
import { EPL, MLB, NBA, NFL } from '../../api/spec/messages.ts';
import { type SpecServer, startServer } from '../../api/spec/server.ts';

let server: SpecServer;
let nfl: Game;
let soccer: Game;
beforeAll(async () => {
  server = await startServer();
  nfl = await game(server, NFL);
  soccer = await game(server, EPL);
  await server.feed(nfl.score('final', ['27', '20']), soccer.score('inprogress', ['1', '0'], { period: '2H' }));
});
afterAll(() => server.close());

const grade = (body: unknown, key?: string) => server.post('/v1/grade/slip', body, key === undefined ? {} : { key });
const ml = (more: object = {}) => ({ event_id: nfl.id, market_key: 'h2h', side: 'home', ...more });
const leg = (market_key: string, more: object = {}) => ({ event_id: nfl.id, market_key, ...more });

describe('requests rejected with 422, and the reported field', () => {
  it.each<[string, () => unknown, readonly (string | number)[]]>([
    ['neither legs nor text', () => ({}), ['body', 'legs']],
    ['an empty list', () => ({ legs: [] }), ['body', 'legs']],
    ['legs and text that are null', () => ({ legs: null, text: null }), ['body', 'legs']],
    ['blank text', () => ({ text: ' \n ' }), ['body', 'text']],
    ['blank text beside legs', () => ({ legs: [ml()], text: ' ' }), ['body', 'text']],
    ['text of 2,001 characters', () => ({ text: 'a'.repeat(2001) }), ['body', 'text']],
    ['nine legs', () => ({ legs: Array(9).fill(ml()) }), ['body', 'legs']],
    ['eight legs and one of text', () => ({ legs: Array(8).fill(ml()), text: 'Chiefs ml' }), ['body', 'text']],
    ['legs that are no list', () => ({ legs: ml() }), ['body', 'legs']],
    ['a leg that is no object', () => ({ legs: [1] }), ['body', 'legs', 0]],
    ['no event_id', () => ({ legs: [{ market_key: 'h2h', side: 'home' }] }), ['body', 'legs', 0, 'event_id']],
    ['an event_id of null', () => ({ legs: [ml({ event_id: null })] }), ['body', 'legs', 0, 'event_id']],
    ['an event_id of text', () => ({ legs: [ml({ event_id: '1' })] }), ['body', 'legs', 0, 'event_id']],
    ['no market_key', () => ({ legs: [ml({ market_key: undefined })] }), ['body', 'legs', 0, 'market_key']],
    ['no side', () => ({ legs: [ml({ side: undefined })] }), ['body', 'legs', 0, 'side']],
    ['an unknown side', () => ({ legs: [ml({ side: 'push' })] }), ['body', 'legs', 0, 'side']],
    ['over of h2h', () => ({ legs: [ml({ side: 'over' })] }), ['body', 'legs', 0, 'side']],
    ['under of spreads', () => ({ legs: [leg('spread', { side: 'under', line: 1 })] }), ['body', 'legs', 0, 'side']],
    ['draw of spreads', () => ({ legs: [leg('spread', { side: 'draw', line: 1 })] }), ['body', 'legs', 0, 'side']],
    ['home of totals', () => ({ legs: [leg('ou', { side: 'home', line: 1 })] }), ['body', 'legs', 0, 'side']],
    [
      'home of team_total',
      () => ({ legs: [leg('tt', { side: 'home', line: 1, team_id: 1 })] }),
      ['body', 'legs', 0, 'side'],
    ],
    [
      'away of a prop',
      () => ({ legs: [leg('points', { side: 'away', line: 1, player_id: 1 })] }),
      ['body', 'legs', 0, 'side'],
    ],
    ['an unknown scope', () => ({ legs: [ml({ scope: '3H' })] }), ['body', 'legs', 0, 'scope']],
    [
      'a scope of a prop',
      () => ({ legs: [leg('points', { side: 'over', line: 1, player_id: 1, scope: '1H' })] }),
      ['body', 'legs', 0, 'scope'],
    ],
    ['a line of h2h', () => ({ legs: [ml({ line: 0 })] }), ['body', 'legs', 0, 'line']],
    ['a player of h2h', () => ({ legs: [ml({ player_id: 1 })] }), ['body', 'legs', 0, 'player_id']],
    ['a team of h2h', () => ({ legs: [ml({ team_id: 1 })] }), ['body', 'legs', 0, 'team_id']],
    ['spreads without a line', () => ({ legs: [leg('spreads', { side: 'home' })] }), ['body', 'legs', 0, 'line']],
    ['a line of null', () => ({ legs: [leg('totals', { side: 'over', line: null })] }), ['body', 'legs', 0, 'line']],
    ['a line of text', () => ({ legs: [leg('totals', { side: 'over', line: '47' })] }), ['body', 'legs', 0, 'line']],
    ['a line of 1,000', () => ({ legs: [leg('totals', { side: 'over', line: 1000 })] }), ['body', 'legs', 0, 'line']],
    [
      'a line of -1,000',
      () => ({ legs: [leg('spreads', { side: 'home', line: -1000 })] }),
      ['body', 'legs', 0, 'line'],
    ],
    [
      'a player of spreads',
      () => ({ legs: [leg('spreads', { side: 'home', line: 1, player_id: 1 })] }),
      ['body', 'legs', 0, 'player_id'],
    ],
    [
      'a player of a team total',
      () => ({ legs: [leg('tt', { side: 'over', line: 1, team_id: 1, player_id: 1 })] }),
      ['body', 'legs', 0, 'player_id'],
    ],
    [
      'a team total without its team',
      () => ({ legs: [leg('tt', { side: 'over', line: 1 })] }),
      ['body', 'legs', 0, 'team_id'],
    ],
    [
      'a prop without its player',
      () => ({ legs: [leg('points', { side: 'over', line: 1 })] }),
      ['body', 'legs', 0, 'player_id'],
    ],
    ['the second leg', () => ({ legs: [ml(), ml({ line: 3 })] }), ['body', 'legs', 1, 'line']],
    ['a market of signs', () => ({ legs: [ml({ market_key: 'h2h!' })] }), ['body', 'legs', 0, 'market_key']],
    [
      'a market of 61 letters',
      () => ({ legs: [ml({ market_key: 'a'.repeat(61) })] }),
      ['body', 'legs', 0, 'market_key'],
    ],
    ['clues that are no object', () => ({ legs: [ml()], clues: 'nfl' }), ['body', 'clues']],
    ['an unknown basis', () => ({ legs: [ml()], as_of_basis: 'guessed' }), ['body', 'as_of_basis']],
  ])('%s', async (_, body, loc) => {
    const { status, body: answer, credits } = await grade(body());
    expect([status, credits]).toEqual([422, 0]);
    expect(answer.error.errors.map((one: any) => one.loc)).toContainEqual(loc);
  });
});

it.each(['2026-03-01', 'yesterday', '2026-03-01T12:00:01Z'])('as_of %s is 400', async (as_of) => {
  const { status, body } = await grade({ legs: [ml()], as_of });
  expect([status, body.error.code]).toEqual([400, 'bad_request']);
});

it.each([
  ['moneyline', 'h2h', {}],
  ['ML', 'h2h', {}],
  ['Spread', 'spreads', { line: -3 }],
])('the market %s is %s', async (key, canonical, more) => {
  const sent = leg(key, { side: 'home', ...more });
  const { body } = await grade({ legs: [sent] });
  expect(body.legs[0].market.market_key).toBe(canonical);
  expect(body.legs[0].input).toEqual(sent);
});

describe('legs that are unmapped', () => {
  const other = () => game(server, NBA);
  it.each<[string, () => object | Promise<object>, RegExp]>([
    ['an unknown event', () => ml({ event_id: 999_999 }), /no event 999999/],
    ['an unknown player', () => leg('receptions', { side: 'over', line: 1.5, player_id: 999_999 }), /no player/],
    ['an unknown team', () => leg('tt', { side: 'over', line: 1.5, team_id: 999_999 }), /no team/],
    [
      'a team of another event',
      async () => {
        const { participants } = await server.get((await other()).path);
        return leg('tt', { side: 'over', line: 1.5, team_id: participants[0].team.id });
      },
      /does not play/,
    ],
    ['a period market', () => leg('first_half_spreads', { side: 'home', line: -3 }), /period market/],
    ['a scope of another sport', () => ml({ scope: 'F5' }), /scope F5/],
    ['five innings', () => leg('first_five_totals', { side: 'over', line: 4.5 }), /period market/],
    ['a draw outside soccer', () => ml({ side: 'draw' }), /soccer only/],
  ])('%s', async (_, made, message) => {
    const { body, credits } = await grade({ legs: [await made(), ml()] });
    const [first, second] = body.legs;
    expect([first.result, first.current, first.facts, first.market.settleable]).toEqual([null, null, [], false]);
    expect(first.message).toMatch(message);
    const { scope, ...market } = first.market;
    expect(scope === undefined || scope === 'F5').toBe(true);
    expect(Object.keys(market).sort()).toEqual(['event_id', 'line', 'market_key', 'settleable', 'side']);
    expect([second.result, body.status, credits]).toEqual(['won', 'partial', 1]);
    expect(body.summary).toEqual({ graded: 1, pending: 0, unmapped: 1, hits: 1, misses: 0, pushes: 0, voids: 0 });
  });

  it('a slip with only unmapped legs is free and has no receipt', async () => {
    const { body, credits } = await grade({ legs: [ml({ event_id: 999_999 }), ml({ side: 'draw' })] });
    expect([body.status, body.receipt, credits]).toEqual(['unmapped', null, 0]);
    expect(body.legs.map(({ event_resolve }: any) => event_resolve.status)).toEqual(['not_found', 'resolved']);
    expect(body.legs[0].market.event_id).toBeNull();
  });
});

describe('the whole answer', () => {
  it.each<[string, () => readonly object[], string, readonly number[]]>([
    ['all settled', () => [ml(), ml({ side: 'away' })], 'graded', [2, 0, 0, 1, 1, 0, 0]],
    ['a push', () => [leg('ou', { side: 'over', line: 47 }), ml()], 'graded', [2, 0, 0, 1, 0, 1, 0]],
    ['an under that went over', () => [leg('ou', { side: 'under', line: 40 })], 'graded', [1, 0, 0, 0, 1, 0, 0]],
    ['some pending', () => [ml(), ml({ event_id: soccer.id })], 'partial', [1, 1, 0, 1, 0, 0, 0]],
    ['all pending', () => [ml({ event_id: soccer.id })], 'pending', [0, 1, 0, 0, 0, 0, 0]],
    [
      'pending and unmapped',
      () => [ml({ event_id: soccer.id }), ml({ side: 'draw' })],
      'pending',
      [0, 1, 1, 0, 0, 0, 0],
    ],
    ['the same leg twice', () => [ml(), ml()], 'graded', [2, 0, 0, 2, 0, 0, 0]],
  ])('%s', async (_, legs, status, counts) => {
    const { body } = await grade({ legs: legs() });
    expect([body.status, body.slip_id]).toEqual([status, null]);
    const names = ['graded', 'pending', 'unmapped', 'hits', 'misses', 'pushes', 'voids'];
    expect(body.summary).toEqual(Object.fromEntries(names.map((name, index) => [name, counts[index]])));
  });

  it('has its rules in words for every sport, and its source', async () => {
    const { branding, honesty } = (await grade({ legs: [ml()] })).body;
    expect(Object.keys(branding)).toEqual(['name', 'url', 'attribution']);
    const { sports } = await server.get('/v1/sports?active_only=false');
    expect(Object.keys(honesty.house_rules).sort()).toEqual(sports.map(({ slug }: any) => slug).sort());
    expect(honesty.not_graded.length).toBeGreaterThan(0);
  });
});

describe('a key of one sport', () => {
  it('gets 403 for an event of another sport, whatever else is in the slip', async () => {
    const key = await server.newKey(['nba']);
    const own = await game(server, NBA);
    const { status, body, credits } = await grade({ legs: [ml({ event_id: own.id }), ml()] }, key);
    expect([status, body.error.code, credits]).toEqual([403, 'sport_scope_denied', 0]);
    expect((await grade({ legs: [ml({ event_id: own.id })] }, key)).status).toBe(200);
  });

  it('gets 403 also if the leg matches nothing else', async () => {
    const key = await server.newKey(['mlb']);
    const prop = leg('receptions', { side: 'over', line: 1.5, player_id: 999_999 });
    expect((await grade({ legs: [prop] }, key)).status).toBe(403);
    const own = await game(server, MLB);
    expect((await grade({ legs: [{ ...prop, event_id: own.id }] }, key)).body.status).toBe('unmapped');
  });
});
