import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byPeriods } from '../../api/markets/lines.ts';
import { type Game, game } from '../../api/spec/events.ts';
import { ATP, MLB, NBA, NFL } from '../../api/spec/messages.ts';
import { type SpecServer, startServer } from '../../api/spec/server.ts';
import { innings, made } from './settlement-cases.ts';

let server: SpecServer;
let retired: Game;
let extraInnings: Game;
let short: Game;
let overtime: Game;
let late: Game;
beforeAll(async () => {
  server = await startServer();
  [retired, extraInnings, short, overtime, late] = await Promise.all([
    game(server, ATP),
    game(server, MLB),
    game(server, NFL),
    game(server, NBA),
    game(server, NFL),
  ]);
  const ended = { score: '6 1', is_winner: true };
  await server.feed(
    retired.score('final', [ended, { score: '4 2', is_winner: false }], { result_type: 'retired' }),
    extraInnings.score('final', [innings(0, 0, 0, 0, 1, 0, 0, 0, 0, 3), innings(0, 1, 0, 0, 0, 0, 0, 0, 0, 0)]),
    short.score('final', [byPeriods(7, 7, 7, 0), byPeriods(0, 3, 0, 0)], { period: '4', clock: '9:30' }),
    overtime.score(
      'final',
      [
        made('110', { '1': 25, '2': 25, '3': 25, '4': 25, OT: 10 }),
        made('105', { '1': 25, '2': 25, '3': 25, '4': 25, OT: 5 }),
      ],
      {
        result_type: 'overtime',
      },
    ),
    late.schedule({ at: '2026-03-01T11:00:00Z', starts_at: '2026-03-03T18:00:00Z' }),
  );
});
afterAll(() => server.close());

const leg = ({ id: event_id }: Game, market_key: string, side: string, more: object = {}) => ({
  event_id,
  market_key,
  side,
  ...more,
});
async function detailOf(bet: object, rules?: string): Promise<string | null> {
  const { status, body } = await server.post('/v1/grade/slip', { legs: [bet], ...(rules ? { rules } : {}) });
  expect([status, body.error]).toEqual([200, undefined]);
  return body.legs[0].result_detail;
}

describe('a leg by the rules of a house', () => {
  it.each<[string, () => object, Readonly<Record<string, string | null>>]>([
    [
      'a tennis player who retired in the second set',
      () => leg(retired, 'h2h', 'home'),
      { spec: 'won', smarkets: 'won', titanbet: 'void', ibetias: 'won' },
    ],
    [
      'runs of the tenth inning',
      () => leg(extraInnings, 'totals', 'over', { line: 3.5 }),
      { spec: 'won', draftkings: 'won', sportsbet_io: 'lost' },
    ],
    [
      'the winner after ten innings, where nine were level',
      () => leg(extraInnings, 'h2h', 'home'),
      { spec: 'won', sportsbet_io: 'push' },
    ],
    [
      'a game that was given up after 50.5 minutes',
      () => leg(short, 'h2h', 'home'),
      { spec: 'won', betmgm: 'void', draftkings: 'won', thescore: 'void' },
    ],
    [
      'a total that was passed by then',
      () => leg(short, 'totals', 'over', { line: 20.5 }),
      { spec: 'won', betmgm: 'void', thescore: 'won' },
    ],
    [
      'a total that was not',
      () => leg(short, 'totals', 'over', { line: 24.5 }),
      { spec: 'lost', betmgm: 'void', draftkings: 'lost', thescore: 'void' },
    ],
    [
      'a second half with overtime',
      () => leg(overtime, 'totals', 'over', { line: 105.5, scope: '2H' }),
      { spec: 'won', bodog: 'won', kalshi: 'lost' },
    ],
    [
      'a game that was put off by two days',
      () => leg(late, 'h2h', 'home'),
      { spec: null, draftkings: null, bodog: 'void', smarkets: 'void' },
    ],
  ])('given %s, then each settles it its own way', async (_, bet, expected) => {
    const found: Record<string, string | null> = {};
    for (const rules of Object.keys(expected)) found[rules] = await detailOf(bet(), rules);
    expect(found).toEqual(expected);
  });
});

describe('how a rule set is asked for', () => {
  const ask = (query: string, body: object) =>
    server.post(`/v1/grade/slip${query}`, { legs: [leg(retired, 'h2h', 'home')], ...body });
  const detail = async (query: string, body: object) => (await ask(query, body)).body.legs[0].result_detail;

  it('given it in the body or in the query, then both count, and the body goes before', async () => {
    expect(await detail('', { rules: 'titanbet' })).toBe('void');
    expect(await detail('?rules=titanbet', {})).toBe('void');
    expect(await detail('?rules=titanbet', { rules: null })).toBe('void');
    expect(await detail('?rules=titanbet', { rules: 'spec' })).toBe('won');
    expect(await detail('?rules=spec', { rules: 'titanbet' })).toBe('void');
    expect(await detail('', {})).toBe('won');
  });

  it('given an unknown one, then it is 422 with its place', async () => {
    const placeOf = async (query: string, body: object) => {
      const answer = await ask(query, body);
      return [answer.status, answer.body.error.errors[0].loc];
    };
    expect(await placeOf('', { rules: 'nobody' })).toEqual([422, ['body', 'rules']]);
    expect(await placeOf('?rules=nobody', {})).toEqual([422, ['query', 'rules']]);
    expect(await placeOf('?rules=nobody', { rules: null })).toEqual([422, ['query', 'rules']]);
    expect(await placeOf('?rules=spec&rules=titanbet', {})).toEqual([422, ['query', 'rules']]);
    expect(await placeOf('?rules=nobody', { rules: 'bodog' })).toEqual([422, ['query', 'rules']]);
    expect(await placeOf('?rules=bodog', { rules: 'nobody' })).toEqual([422, ['body', 'rules']]);
  });

  it('given none, then the answer names none; else its source and day', async () => {
    expect((await ask('', {})).body.rules).toBeUndefined();
    const { rules, honesty } = (await ask('', { rules: 'smarkets' })).body;
    expect(rules).toEqual({
      book: 'smarkets',
      exchange: true,
      source: expect.stringContaining('smarkets.com'),
      date: '2026-11-29',
    });
    expect(honesty.note).toContain('the rules of smarkets');
  });

  it('given a receipt of one, then it is graded again by the same rules', async () => {
    const match = await game(server, ATP);
    const sides = (winner: boolean) =>
      [
        { score: '6 1', is_winner: winner },
        { score: '4 2', is_winner: !winner },
      ] as const;
    await server.feed(match.score('final', sides(true) as never, { result_type: 'retired' }));
    const { receipt } = (await server.post('/v1/grade/slip', { legs: [leg(match, 'h2h', 'home')], rules: 'titanbet' }))
      .body;
    await server.feed(match.score('final', sides(false) as never, { result_type: 'retired' }));
    expect((await server.get(`/v1/grade/receipts/${receipt.id}`)).superseded).toBe(false);
  });
});
