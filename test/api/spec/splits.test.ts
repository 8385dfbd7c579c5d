import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Game, game } from './events.ts';
import { expectMembers } from './members.ts';
import { MLB, NFL, schedule, splits } from './messages.ts';
import { type SpecServer, startServer } from './server.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const pct = (bets_pct: number, handle_pct: number, more: Record<string, number> = {}) => ({
  bets_pct,
  handle_pct,
  ...more,
});
const MARKETS = {
  moneyline: { home: pct(60, 70, { price: -150 }), away: pct(40, 30, { price: 130 }) },
  spread: { home: pct(55, 45, { line: -3.5 }), away: pct(45, 55, { line: 3.5 }) },
  total: { over: pct(65, 52, { line: 47.5 }), under: pct(35, 48, { line: 47.5 }) },
};
const splitsOf = ({ path }: Game) => server.get(`${path}/splits`);

describe('Splits', () => {
  it('available: false: consensus is an empty object, bookmakers an empty array, captured_at null; free', async () => {
    const one = await game(server, NFL);
    const { body, credits, status } = await server.ask(`${one.path}/splits`);
    expect([status, credits]).toEqual([200, 0]);
    expect(body).toEqual({ event_id: one.id, available: false, captured_at: null, consensus: {}, bookmakers: [] });
  });

  it('consensus: moneyline, spread and total by side, with bets_pct, handle_pct, and price or line; 1 credit', async () => {
    const one = await game(server, NFL);
    await server.feed(splits(one.ref, MARKETS, { at: '2026-03-01T10:00:00Z' }));
    const { body, credits } = await server.ask(`${one.path}/splits`);
    expectMembers(body, ['event_id', 'available', 'captured_at', 'consensus', 'bookmakers']);
    expect(body).toEqual({
      event_id: one.id,
      available: true,
      captured_at: '2026-03-01T10:00:00Z',
      consensus: MARKETS,
      bookmakers: [],
    });
    expect(credits).toBe(1);
  });

  it('price and line are null where unknown', async () => {
    const one = await game(server, MLB);
    await server.feed(
      splits(one.ref, {
        moneyline: { home: pct(1, 2), away: pct(99, 98) },
        spread: { home: pct(0, 0), away: pct(100, 100) },
        total: { over: pct(50, 50), under: pct(50, 50) },
      }),
    );
    expect((await splitsOf(one)).consensus).toEqual({
      moneyline: { home: { ...pct(1, 2), price: null }, away: { ...pct(99, 98), price: null } },
      spread: { home: { ...pct(0, 0), line: null }, away: { ...pct(100, 100), line: null } },
      total: { over: { ...pct(50, 50), line: null }, under: { ...pct(50, 50), line: null } },
    });
  });

  it('bookmakers[]: bookmaker, its display name, and the same nesting', async () => {
    const one = await game(server, NFL);
    await server.feed(
      splits(one.ref, MARKETS, { bookmaker: 'south_point' }),
      splits(one.ref, { total: MARKETS.total }, { bookmaker: 'draftkings' }),
      splits(one.ref, { total: MARKETS.total }, { bookmaker: 'my_book' }),
    );
    const { bookmakers, consensus, available } = await splitsOf(one);
    expect([available, consensus]).toEqual([true, {}]);
    const by = Object.fromEntries(bookmakers.map((book: any) => [book.bookmaker, book]));
    expect(by).toEqual({
      draftkings: { bookmaker: 'draftkings', name: 'DraftKings', total: MARKETS.total },
      south_point: { bookmaker: 'south_point', name: 'South Point', ...MARKETS },
      my_book: { bookmaker: 'my_book', name: expect.any(String), total: MARKETS.total },
    });
  });

  it('what a later message leaves out stays; captured_at moves, reconfirmations included', async () => {
    const one = await game(server, NFL);
    await server.feed(splits(one.ref, MARKETS, { at: '2026-03-01T09:00:00Z' }));
    const total = { over: pct(70, 60), under: pct(30, 40) };
    await server.feed(splits(one.ref, { total }, { at: '2026-03-01T09:10:00Z' }));
    const merged = { over: pct(70, 60, { line: 47.5 }), under: pct(30, 40, { line: 47.5 }) };
    expect(await splitsOf(one)).toMatchObject({
      captured_at: '2026-03-01T09:10:00Z',
      consensus: { ...MARKETS, total: merged },
    });
    await server.feed(splits(one.ref, { total }, { at: '2026-03-01T09:20:00Z' }));
    expect((await splitsOf(one)).captured_at).toBe('2026-03-01T09:20:00Z');
    await server.feed(splits(one.ref, { total: MARKETS.total }, { at: '2026-03-01T09:05:00Z' }));
    expect(await splitsOf(one)).toMatchObject({ captured_at: '2026-03-01T09:20:00Z', consensus: { total: merged } });
  });

  it('a message without any side makes nothing available', async () => {
    const one = await game(server, NFL);
    await server.feed(splits(one.ref, { moneyline: {} }), splits(one.ref, {}, { bookmaker: 'circa' }));
    const { body, credits } = await server.ask(`${one.path}/splits`);
    expect(body).toEqual({ event_id: one.id, available: false, captured_at: null, consensus: {}, bookmakers: [] });
    expect(credits).toBe(0);
  });

  it('are turned with the sides of their own source', async () => {
    const one = await game(server, NFL);
    const [home, away] = one.sides;
    await server.feed(schedule(NFL, `t-${one.ref}`, [away, home], '2026-03-01T18:00:00Z', { source: 'other' }), {
      ...splits(`t-${one.ref}`, MARKETS),
      source: 'other',
    });
    const { consensus } = await splitsOf(one);
    expect(consensus).toEqual({
      moneyline: { home: MARKETS.moneyline.away, away: MARKETS.moneyline.home },
      spread: { home: MARKETS.spread.away, away: MARKETS.spread.home },
      total: MARKETS.total,
    });
  });
});

describe('Splits close', () => {
  const rejected = async (...messages: object[]) => {
    const { errors } = await server.report(messages);
    return errors.map(({ code, path }) => [code, path]);
  };
  const at = (time: string) => ({ at: `2026-03-01T${time}Z` });

  it('at the start as known, whatever the clock says', async () => {
    const one = await game(server, NFL, { starts_at: '2026-03-01T10:00:00Z' });
    expect(await rejected(splits(one.ref, MARKETS, at('10:00:00')))).toEqual([['splits_closed', 'at']]);
    await server.feed(splits(one.ref, MARKETS, at('09:59:59')));
    expect((await splitsOf(one)).captured_at).toBe('2026-03-01T09:59:59Z');
  });

  it('at the first live message, before the start too', async () => {
    const one = await game(server, NFL);
    await server.feed(one.score('inprogress', ['0', '0'], at('09:30:00')));
    expect(await rejected(splits(one.ref, MARKETS, at('09:30:00')))).toEqual([['splits_closed', 'at']]);
    expect((await splitsOf(one)).available).toBe(false);
    await server.feed(splits(one.ref, MARKETS, at('09:29:59')));
    expect((await splitsOf(one)).available).toBe(true);
  });

  it('and open again when the start moves back', async () => {
    const one = await game(server, NFL, { starts_at: '2026-03-01T10:00:00Z' });
    expect(await rejected(splits(one.ref, MARKETS, at('10:30:00')))).toEqual([['splits_closed', 'at']]);
    await server.feed(one.schedule({ starts_at: '2026-03-01T11:30:00Z' }));
    await server.feed(splits(one.ref, MARKETS, at('10:30:00')));
    expect((await splitsOf(one)).available).toBe(true);
  });

  it('the same message again is unchanged, also after the start', async () => {
    const one = await game(server, NFL);
    const message = splits(one.ref, MARKETS, at('09:00:00'));
    await server.feed(message);
    await server.feed(one.score('inprogress', null, at('08:59:00')));
    expect(await server.report([message])).toMatchObject({ unchanged: 1, rejected: 0 });
  });
});
