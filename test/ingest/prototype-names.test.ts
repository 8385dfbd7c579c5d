import { expect, it } from 'vitest';
import { type Message, withServer } from '../system/properties/small-server.ts';
import { NOW } from '../system/properties/world.ts';

/** Names that every object of the language has, and the one that is its prototype. All fit the contract's slugs. */
const NAMES = ['__proto__', 'constructor', 'valueof', 'hasownproperty', 'tostring'];
const common = { source: 's', at: '2026-09-01T00:00:00Z', ref: 'e1' };
const schedule: Message = {
  kind: 'schedule',
  ...common,
  sport: 'nfl',
  league: 'nfl',
  starts_at: '2026-09-10T18:00:00Z',
  participants: [
    { role: 'home', name: 'constructor' },
    { role: 'away', name: '__proto__' },
  ],
};
const price = (outcome: string, value: number) => ({ outcome, price: value });

it.each(NAMES)('takes %s for the name of a bookmaker, and shows its prices and splits', async (bookmaker) => {
  await withServer({ time: NOW }, async (server) => {
    const outcomes = [price('home', -110), price('away', -105)];
    const odds = { kind: 'odds', ...common, bookmaker, markets: [{ key: 'h2h', outcomes }] };
    const moved = {
      ...odds,
      at: '2026-09-02T00:00:00Z',
      markets: [{ key: 'h2h', complete: false, outcomes: [price('home', -120)] }],
    };
    const moneyline = { home: { bets_pct: 60, handle_pct: 40 } };
    const splits = { kind: 'splits', ...common, bookmaker, markets: { moneyline } };
    const outcome = await server.accept([schedule, odds, moved, { ...moved, at: '2026-09-03T00:00:00Z' }, splits]);
    expect(outcome.map(({ status }) => status)).toEqual(Array(5).fill('accepted'));
    await server.projected();
    const { events } = (await server.ask('list_events', {})) as { events: [{ id: number }] };
    const { id } = events[0];
    const markets = [{ outcomes: [{ price: -120 }, { price: -105 }] }];
    expect(await server.ask('get_odds', { id, bookmaker })).toMatchObject({
      available: true,
      bookmakers: [{ bookmaker, captured_at: '2026-09-03T00:00:00Z', markets }],
    });
    expect(await server.ask('get_odds_history', { id, bookmaker })).toMatchObject({ total: 1 });
    expect(await server.ask('get_splits', { id })).toMatchObject({ bookmakers: [{ bookmaker, name: bookmaker }] });
  });
});

it.each(NAMES)('keeps a market of the name %s apart from the others', async (key) => {
  await withServer({ time: NOW }, async (server) => {
    const odds = (at: string, more: Message) => {
      const market = { key, outcomes: [price('over', 100)], complete: false, ...more };
      return { kind: 'odds', ...common, at, bookmaker: 'b', markets: [market] };
    };
    const alternate = odds('2026-09-02T00:00:00Z', { alternate: true });
    const outcome = await server.accept([schedule, odds('2026-09-01T00:00:00Z', {}), alternate]);
    expect(outcome.map(({ status }) => status)).toEqual(Array(3).fill('accepted'));
    await server.projected();
    const [document] = Object.values((await server.documents())['odds']!) as [{ books: { b: { markets: object } } }];
    expect(Object.entries(document.books.b.markets)).toEqual([
      [key, [price('over', 100)]],
      [`${key}+`, [price('over', 100)]],
    ]);
  });
});

it('takes such names for periods, teams and players', async () => {
  await withServer({ time: NOW }, async (server) => {
    const scores = [{ role: 'home', score: '1', period_scores: [{ period: 'constructor', score: 1 }] }];
    const score = { kind: 'score', ...common, status: 'inprogress', period: '__proto__', scores };
    const about = { sport: 'nfl', league: 'nfl', team: 'constructor', player: '__proto__', status: 'out' };
    const outcomes = await server.accept([schedule, score, { kind: 'injury', ...common, ...about }]);
    expect(outcomes.map(({ status }) => status)).toEqual(Array(3).fill('accepted'));
    await server.projected();
    const { events } = (await server.ask('list_events', { include_scores: true })) as { events: [{ id: number }] };
    expect(events[0]).toMatchObject({
      name: '__proto__ at constructor',
      period: '__proto__',
      period_label: '__proto__',
      participants: [{ period_scores: [{ period: 'constructor', score: 1, confirmed: false }] }, {}],
    });
    expect(await server.ask('get_injuries', { id: events[0].id })).toMatchObject({
      injuries: [{ player: '__proto__', team: 'constructor' }],
    });
  });
});

it('keeps unknown fields of such names from becoming anything else', async () => {
  await withServer({ time: NOW }, async (server) => {
    const hostile = JSON.parse(
      '{"__proto__": {"status": "final"}, "constructor": {"prototype": {"status": "final"}}}',
    ) as Message;
    const [outcome] = await server.accept([{ ...schedule, ...hostile, ['__proto__']: hostile }]);
    expect(outcome!.status).toBe('accepted');
    await server.projected();
    const { events } = (await server.ask('list_events', {})) as { events: [{ status: string }] };
    expect(events[0].status).toBe('scheduled');
    expect(({} as Message)['status']).toBeUndefined();
  });
});

it('turns stat names and sides of such names with their sides', async () => {
  await withServer({ time: NOW }, async (server) => {
    const match = {
      sport: 'nfl',
      league: 'nfl',
      starts_at: '2026-09-10T18:00:00Z',
      home: '__proto__',
      away: 'constructor',
    };
    const teams = { home: { constructor: 1, valueof: 2 }, constructor: { points: 3 } };
    const box = { kind: 'box', source: 'o', at: common.at, match, teams };
    expect((await server.accept([schedule, box])).map(({ status }) => status)).toEqual(['accepted', 'accepted']);
    const boxed = (await server.records()).find(({ type }) => type === 'BoxChanged');
    expect(boxed!.data).toMatchObject({
      content: { teams: { away: { constructor: 1, valueof: 2 }, constructor: { points: 3 } } },
    });
  });
});
