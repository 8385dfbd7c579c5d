import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIdentityDesk } from '../../../../src/server/mending/identity-desk-service.ts';
import type { Message } from '../../spec/messages.ts';
import { type SpecServer, startServer } from '../../spec/server.ts';
import { GAME } from './venue-game.ts';

let server: SpecServer;
beforeEach(async () => {
  server = await startServer();
  await server.feed(GAME);
});
afterEach(() => server.close());

const MATCH = {
  sport: 'nba',
  league: 'nba',
  starts_at: '2026-03-02T03:00:00Z',
  home: 'Golden State Warriors',
  away: 'Los Angeles Lakers',
};
const about = (at: string, source = 'kalshi') => ({ source, at: `2026-03-01T${at}:00Z`, ref: 'k1', match: MATCH });
const contract = (at: string, id: string, outcome: string, more: object = {}): Message =>
  ({
    kind: 'contract',
    ...about(at),
    venue: 'kalshi',
    contract: id,
    series: 'KXNBAGAME',
    market: 'h2h',
    outcome,
    by_name: true,
    ...more,
  }) as unknown as Message;
/** The home side's ask; the other side's follows. */
const book = (at: string, ask: number, ids = ['GSW', 'LAL'], more: object = {}) => ({
  kind: 'book',
  ...about(at),
  venue: 'kalshi',
  markets: [
    {
      key: 'h2h',
      outcomes: [
        { outcome: 'home', contract: ids[0], asks: [[ask, 500]], bids: [] },
        { outcome: 'away', contract: ids[1], asks: [[1 - ask, 500]], bids: [] },
      ],
    },
  ],
  ...more,
});
const agrees = { seen: { price: 0.69, own: 0.7, other: 0.3 } };
const turned = { seen: { price: 0.31, own: 0.3, other: 0.7 } };
const prove = async (id: string, outcome: string, seen: object) => {
  for (const at of ['08:00', '08:05', '08:10']) await server.report([contract(at, id, outcome, seen)]);
};

const prices = async (query = ''): Promise<Record<string, number>> => {
  const { bookmakers } = (await server.get(`/v1/events/1/odds?bookmaker=kalshi${query}`)) as any;
  const outcomes: any[] = bookmakers[0]?.markets.flatMap((market: any) => market.outcomes) ?? [];
  return Object.fromEntries(outcomes.map(({ outcome, price }) => [outcome, price]));
};
const waiting = async () => {
  const { ports, core } = server.composed as any;
  const desk = createIdentityDesk({ ports, intake: { intake: core.intake, preview: core.preview } });
  return (await desk.waiting({ after: null, limit: 50 })).rows;
};

describe('contracts whose side is not proved', () => {
  it('given a book of unproved contracts, then it waits as side_unproved, and shows nowhere', async () => {
    const report = await server.report([contract('07:00', 'GSW', 'home'), book('08:00', 0.7)]);
    expect(report.quarantined).toBe(1);
    expect(await prices()).toEqual({});
    expect(await waiting()).toMatchObject([
      { source: 'kalshi', reason: 'side_unproved', kinds: { book: 1 }, count: 1 },
    ]);
  });

  it('given a hundred changes of such a ladder, then one message waits', async () => {
    await server.report([contract('07:00', 'GSW', 'home')]);
    await server.report(Array.from({ length: 100 }, (_, n) => book('08:00', 0.3 + n / 1000)));
    expect((await waiting()).map(({ count }) => count)).toEqual([1]);
  });

  it('given three prices over ten minutes that speak for its side, then its book is released, and the other waits', async () => {
    await server.report([book('08:00', 0.7)]);
    await prove('GSW', 'home', agrees);
    expect(await prices()).toEqual({ 'Golden State Warriors': -233 });
    expect(await waiting()).toMatchObject([{ reason: 'side_unproved', count: 1 }]);
    await prove('LAL', 'away', turned);
    await server.report([book('08:20', 0.7)]);
    expect(Object.keys(await prices())).toEqual(['Golden State Warriors', 'Los Angeles Lakers']);
    expect(await waiting()).toEqual([]);
  });

  it('given contracts that name the sides the other way round, then they are the same sides', async () => {
    const swapped = { match: { ...MATCH, home: MATCH.away, away: MATCH.home } };
    for (const at of ['08:00', '08:05', '08:10'])
      await server.report([contract(at, 'GSW', 'away', { ...swapped, ...agrees })]);
    await server.report([book('08:20', 0.7)]);
    expect(await prices()).toEqual({ 'Golden State Warriors': -233 });
  });

  it('given a proof, when its market is settled the other way, then its prices go, and its books wait again', async () => {
    await prove('GSW', 'home', agrees);
    await server.report([book('08:20', 0.7, ['GSW', 'GSW'])]);
    expect(Object.keys(await prices())).toHaveLength(2);
    const final = { kind: 'score', source: 'league', at: '2026-03-01T11:00:00Z', ref: 'g1', status: 'final' };
    const scores = [
      { role: 'home', score: '110', is_winner: true },
      { role: 'away', score: '100', is_winner: false },
    ];
    await server.report([{ ...final, ...GAME_REF, scores }]);
    await server.report([contract('11:30', 'GSW', 'home', { result: 'no' })]);
    expect(await prices()).toEqual({});
    await server.report([book('11:40', 0.9, ['GSW', 'GSW'])]);
    expect(await waiting()).toMatchObject([{ reason: 'side_unproved' }]);
  });

  it('given 20 contracts of the series that came out right, then one of that name is shown without a price', async () => {
    const final = { kind: 'score', at: '2026-03-01T11:00:00Z', status: 'final', ...GAME_REF };
    const scores = [
      { role: 'home', score: '110', is_winner: true },
      { role: 'away', score: '100', is_winner: false },
    ];
    await server.report([{ ...final, scores }]);
    const settled = Array.from({ length: 20 }, (_, n) => contract('11:10', `old-${n}`, 'home', { result: 'yes' }));
    await server.report([book('11:20', 0.7), ...settled.slice(1), contract('11:20', 'GSW', 'home')]);
    expect(await prices()).toEqual({});
    await server.report([settled[0]]);
    expect(await prices()).toEqual({ 'Golden State Warriors': -233 });
  });

  it('given contracts that are settled before the game is over here, then they count once it is, as those after it', async () => {
    const settled = Array.from({ length: 20 }, (_, n) => contract('10:50', `old-${n}`, 'home', { result: 'yes' }));
    const early = await server.report([...settled, contract('11:20', 'GSW', 'home'), book('11:20', 0.7)]);
    expect(early).toMatchObject({ accepted: 21, quarantined: 1 });
    expect((await server.report(settled)).accepted).toBe(0);
    expect(await prices()).toEqual({});
    const scores = [
      { role: 'home', score: '110', is_winner: true },
      { role: 'away', score: '100', is_winner: false },
    ];
    const told = { kind: 'score', at: '2026-03-01T11:30:00Z', ...GAME_REF, scores };
    await server.report([{ ...told, status: 'inprogress' }]);
    expect(await prices()).toEqual({});
    await server.report([{ ...told, at: '2026-03-01T11:40:00Z', status: 'final' }]);
    expect(await prices()).toEqual({ 'Golden State Warriors': -233 });
  });

  it('given such a contract that comes out wrong, then the proof of its series begins anew', async () => {
    const of = (side: string, result: string, from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => contract('10:50', `old-${from + n}`, side, { result }));
    await server.report([...of('home', 'yes', 0, 19), ...of('away', 'yes', 19, 20), ...of('home', 'yes', 20, 25)]);
    const scores = [
      { role: 'home', score: '110', is_winner: true },
      { role: 'away', score: '100', is_winner: false },
    ];
    await server.report([{ kind: 'score', at: '2026-03-01T11:00:00Z', status: 'final', ...GAME_REF, scores }]);
    await server.report([contract('11:20', 'GSW', 'home'), book('11:20', 0.7)]);
    expect(await prices()).toEqual({});
    expect(await waiting()).toMatchObject([{ reason: 'side_unproved' }]);
  });
});

const GAME_REF = { source: (GAME as any).source as string, ref: (GAME as any).ref as string };
