import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { quotesOf } from '../../../../src/read-models/rendering/quotes-of-event.ts';
import { createBoundContractReader } from '../../../../src/server/composition/bound-contracts.ts';
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
  ...{ sport: 'nba', league: 'nba', starts_at: '2026-03-02T03:00:00Z' },
  ...{ home: 'Golden State Warriors', away: 'Los Angeles Lakers' },
};
const SIDES = ['Golden State', 'Los Angeles L'];
/** The ladder of the Yes of a contract. */
const unclear = (at: string, ref: string, ask: number, more: object = {}): Message => ({
  kind: 'unclear_contract',
  ...{ source: 'kalshi', at: `2026-03-01T${at}:00Z`, ref, sport: 'nba', league: 'nba', match: MATCH },
  ...{ title: 'Los Angeles at Golden State Winner?', reason: 'names the losing side', sides: SIDES },
  ...{ bids: [], asks: [[ask, 500]] },
  ...more,
});
const bind = (ref: string, side: object, more: object = {}): any => ({
  ...{ action: 'bind', what: 'event', source_ref: { source: 'kalshi', ref }, into: 1, side },
  ...more,
});

const desk = () => {
  const { ports, core } = server.composed as any;
  return createIdentityDesk({ ports, intake: { intake: core.intake, preview: core.preview } });
};
const waiting = async () => (await desk().waiting({ after: null, limit: 50 })).rows;
/** Acts have the time of the clock, and it moves from one to the next. */
let minute = 0;
beforeEach(() => {
  minute = 0;
});
const act = async (wanted: any) => {
  server.setClock(`2026-03-01T12:${String(++minute).padStart(2, '0')}:00Z`);
  const done = await desk().act!(wanted, false);
  await server.report([]);
  return done;
};
const prices = async (query = ''): Promise<Record<string, number>> => {
  const { bookmakers } = (await server.get(`/v1/events/1/odds?bookmaker=kalshi${query}`)) as any;
  const markets: any[] = bookmakers[0]?.markets ?? [];
  return Object.fromEntries(
    markets.flatMap(({ outcomes }) => outcomes.map(({ outcome, price }: any) => [outcome, price])),
  );
};
/** The lines of totals and the like that are shown: main and alternate ones. */
const lines = async () => {
  const read = async (query: string): Promise<string[]> => {
    const { odds } = (await server.get(`/v1/events/1?include_odds=true&bookmaker=kalshi${query}`)) as any;
    return odds.bookmakers[0].markets.flatMap(({ outcomes }: any) =>
      outcomes.map(({ outcome, point }: any) => `${outcome} ${point}`),
    );
  };
  const main = await read('');
  return { main, alternates: (await read('&include_alts=true')).filter((one) => !main.includes(one)) };
};
/** A book whose sides the source is sure of. */
const clear = (at: string, markets: readonly object[]) =>
  ({
    ...{ kind: 'book', source: 'kalshi', at: `2026-03-01T${at}:00Z`, ref: 'k1', match: MATCH, venue: 'kalshi' },
    markets,
  }) as unknown as Message;
const offer = (outcome: string, ask: number, more: object = {}) => ({ outcome, bids: [], asks: [[ask, 500]], ...more });
const winner = (at: string, outcome: string, ask: number) =>
  clear(at, [{ key: 'h2h', outcomes: [offer(outcome, ask)] }]);
const [WARRIORS, LAKERS] = ['Golden State Warriors', 'Los Angeles Lakers'] as const;

describe('contracts that are too unclear to bind', () => {
  it('given one, then it waits with its title, the reason, the sides that it may be and its game, and shows nowhere', async () => {
    const report = await server.report([unclear('08:00', 'X-1', 0.7)]);
    expect(report).toMatchObject({ quarantined: 1 });
    expect(await waiting()).toMatchObject([
      {
        ...{ source: 'kalshi', ref: 'X-1', reason: 'contract_unclear', league: 'nba', match: MATCH, count: 1 },
        text: 'Los Angeles at Golden State Winner?: names the losing side; it may be on Golden State or Los Angeles L',
        advice: expect.stringContaining('bind kalshi:X-1 EVENT --side SIDE'),
      },
    ]);
    expect(await prices()).toEqual({});
  });

  it('given a hundred changes of its ladder, then ten wait', async () => {
    for (let n = 0; n < 12; n++) await server.report([unclear('08:00', 'X-1', 0.3 + n / 100)]);
    expect((await waiting()).map(({ count }) => count)).toEqual([10]);
  });

  it('given what waits, when a person binds it, then it is taken with its times, and so is what comes after', async () => {
    await server.report([unclear('08:00', 'X-1', 0.7)]);
    await server.report([unclear('09:00', 'X-1', 0.6)]);
    expect(await act(bind('X-1', { outcome: 'away' }))).toMatchObject({
      ...{ act: 1, action: 'bind', from: 'kalshi:X-1', into: 1 },
      moved: { records: 2, refs: 1 },
    });
    expect(await waiting()).toEqual([]);
    expect(await prices()).toEqual({ [LAKERS]: -150 });
    expect(await prices('&as_of=2026-03-01T08:30:00Z&as_of_basis=observed')).toEqual({ [LAKERS]: -233 });
    expect(await prices('&as_of=2026-03-01T12:00:00Z')).toEqual({});
    await server.report([unclear('10:00', 'X-1', 0.5)]);
    expect(await prices()).toEqual({ [LAKERS]: 100 });
    await server.rebuild();
    expect(await prices()).toEqual({ [LAKERS]: 100 });
  });

  it('given two of one market, then each keeps its price when the other comes', async () => {
    await act(bind('X-1', { outcome: 'away' }));
    await act(bind('X-2', { outcome: 'home' }));
    await server.report([unclear('08:00', 'X-1', 0.5)]);
    await server.report([unclear('08:01', 'X-2', 0.6)]);
    expect(await prices()).toEqual({ [LAKERS]: 100, [WARRIORS]: -150 });
  });

  it('given one that was bound the wrong way round, when it is bound again, then its prices go to the other side', async () => {
    await act(bind('X-1', { outcome: 'away' }));
    await server.report([unclear('08:00', 'X-1', 0.7)]);
    await act(bind('X-1', { outcome: 'home' }));
    expect(await prices()).toEqual({});
    await server.report([unclear('12:02', 'X-1', 0.7)]);
    expect(await prices()).toEqual({ [WARRIORS]: -233 });
    await expect(act({ action: 'undo', act: 1 })).rejects.toThrow('stands_on: act: act 2 has bound');
    await act({ action: 'undo', act: 2 });
    expect(await prices()).toEqual({});
    await server.report([unclear('12:04', 'X-1', 0.7)]);
    expect(await waiting()).toMatchObject([{ reason: 'contract_unclear', count: 1 }]);
  });

  it('given a total, then it needs its line, and a side that the sport has not is refused', async () => {
    await expect(act(bind('X-1', { outcome: 'draw' }))).rejects.toThrow(
      'unknown_side: side: must be one of home, away',
    );
    await expect(act(bind('X-1', { outcome: 'over' }))).rejects.toThrow('over and under need a point');
    await act(bind('X-1', { outcome: 'over', point: 220.5 }));
    await server.report([unclear('08:00', 'X-1', 0.5)]);
    const { bookmakers } = (await server.get('/v1/events/1/odds?bookmaker=kalshi')) as any;
    expect(bookmakers[0].markets).toMatchObject([{ key: 'totals', outcomes: [{ outcome: 'Over', point: 220.5 }] }]);
  });
});

describe('contracts bound by hand beside clear ones', () => {
  it('given a clear price of the same market, then each keeps its price when the other comes', async () => {
    await act(bind('X-1', { outcome: 'away' }));
    await server.report([winner('08:00', 'home', 0.6)]);
    await server.report([unclear('08:01', 'X-1', 0.5)]);
    expect(await prices()).toEqual({ [LAKERS]: 100, [WARRIORS]: -150 });
    await server.report([winner('08:02', 'home', 0.7)]);
    expect(await prices()).toEqual({ [LAKERS]: 100, [WARRIORS]: -233 });
    await server.rebuild();
    expect(await prices()).toEqual({ [LAKERS]: 100, [WARRIORS]: -233 });
  });

  it('given a line beside the main one, then it is an alternate, also when the main one comes later', async () => {
    const total = (at: string, point: number) =>
      clear(at, [{ key: 'totals', outcomes: [offer('over', 0.5, { point }), offer('under', 0.5, { point })] }]);
    await act(bind('X-1', { outcome: 'over', point: 230.5 }));
    await server.report([unclear('08:00', 'X-1', 0.3)]);
    expect(await lines()).toEqual({ main: ['Over 230.5'], alternates: [] });
    await server.report([total('08:01', 218.5)]);
    const apart = { main: ['Over 218.5', 'Under 218.5'], alternates: ['Over 230.5'] };
    expect(await lines()).toEqual(apart);
    await server.report([unclear('08:02', 'X-1', 0.31)]);
    expect(await lines()).toEqual(apart);
  });

  it('given ladders of the past that a person releases, then the clear prices of then stay, and nothing of now is then', async () => {
    await server.report([winner('07:00', 'home', 0.6)]);
    await server.report([unclear('08:00', 'X-1', 0.5)]);
    await server.report([winner('09:00', 'home', 0.7)]);
    await act(bind('X-1', { outcome: 'away' }));
    expect(await prices('&as_of=2026-03-01T08:30:00Z&as_of_basis=observed')).toEqual({
      [LAKERS]: 100,
      [WARRIORS]: -150,
    });
    expect(await prices()).toEqual({ [WARRIORS]: -233 });
  });

  it('given no ladder of its own for 75 minutes, then other messages of its market keep it no longer', async () => {
    await act(bind('X-1', { outcome: 'away' }));
    await server.report([unclear('08:00', 'X-1', 0.5)]);
    await server.report([winner('08:40', 'home', 0.6)]);
    await server.report([winner('09:15', 'home', 0.61)]);
    expect(Object.keys(await prices())).toContain(LAKERS);
    await server.report([winner('09:16', 'home', 0.62)]);
    expect(Object.keys(await prices())).toEqual([WARRIORS]);
    await server.report([unclear('10:00', 'X-1', 0.5)]);
    await server.report([unclear('10:32', 'X-1', 0.5)]);
    expect(Object.keys(await prices())).toEqual([LAKERS]);
    await server.rebuild();
    expect(Object.keys(await prices())).toEqual([LAKERS]);
  });

  it('given a ladder that nobody repeats, when a message of another contract keeps it, then it is stale 75 minutes after it came', async () => {
    await act(bind('X-1', { outcome: 'away' }));
    server.setClock('2026-03-01T13:24:30Z');
    await server.report([unclear('12:10', 'X-1', 0.5)]);
    // At 74 minutes its price is named once more.
    await server.report([winner('13:24', 'home', 0.6)]);
    expect(await prices()).toEqual({ [LAKERS]: 100, [WARRIORS]: -150 });
    const current = async (maxAge: number) => {
      const query = `bookmaker=kalshi&books=kalshi&max_age=${maxAge}`;
      const { bookmakers } = (await server.get(`/v1/events/1/odds/summary?${query}`)) as any;
      const [{ outcomes }] = bookmakers[0].markets;
      return Object.fromEntries(outcomes.map(({ outcome, current }: any) => [outcome, current?.price ?? current]));
    };
    server.setClock('2026-03-01T13:25:00Z');
    expect(await current(4500)).toEqual({ [WARRIORS]: -150, [LAKERS]: 100 });
    server.setClock('2026-03-01T13:25:01Z');
    expect(await current(4500)).toEqual({ [WARRIORS]: -150, [LAKERS]: null });
    const { document } = await (server.composed as any).ports.store.get('main-quotes', '1');
    expect(quotesOf(document, 'h2h')).toMatchObject([{ book: 'kalshi', at: Date.parse('2026-03-01T12:10:00Z') }]);
    // With its own ladder it counts again.
    server.setClock('2026-03-01T13:30:00Z');
    await server.report([unclear('13:26', 'X-1', 0.5)]);
    expect(await current(4500)).toEqual({ [WARRIORS]: -150, [LAKERS]: 100 });
  });

  it('given that its own book is empty, or the venue closes the market, then its price goes', async () => {
    await act(bind('X-1', { outcome: 'away' }));
    await server.report([winner('08:00', 'home', 0.6), unclear('08:01', 'X-1', 0.5)]);
    await server.report([unclear('08:02', 'X-1', 0.5, { asks: [] })]);
    expect(await prices()).toEqual({ [WARRIORS]: -150 });
    await server.report([unclear('08:03', 'X-1', 0.5)]);
    await server.report([clear('08:04', [{ key: 'h2h', outcomes: [] }])]);
    expect(await prices()).toEqual({});
  });

  it('given that it is merely listed again, as after a restart, then its price stays', async () => {
    await act(bind('X-1', { outcome: 'away' }));
    await server.report([unclear('08:00', 'X-1', 0.5)]);
    const listed = unclear('08:01', 'X-1', 0.5, { bids: undefined, asks: undefined });
    expect(await server.report([JSON.parse(JSON.stringify(listed))])).toMatchObject({ unchanged: 1 });
    expect(await prices()).toEqual({ [LAKERS]: 100 });
  });

  it('given that a person takes it back, then the clear prices of its market stay', async () => {
    await act(bind('X-1', { outcome: 'away' }));
    await server.report([winner('11:40', 'home', 0.6), unclear('11:41', 'X-1', 0.5)]);
    await act({ action: 'undo', act: 1 });
    expect(await prices()).toEqual({ [WARRIORS]: -150 });
  });
});

describe('what connectors learn of the acts', () => {
  it('given acts and an undo, then the contracts that are bound now are told, with one reading of each record', async () => {
    const read: number[] = [];
    const { log } = (server.composed as any).ports;
    const bound = createBoundContractReader({
      replacements: log.replacements,
      readStream: async (stream, options) => {
        const records = await log.readStream(stream, options);
        read.push(records.length);
        return records;
      },
    });
    expect(await bound('kalshi', 'nba')).toEqual(new Set());
    await act(bind('X-1', { outcome: 'away' }));
    await act(bind('X-2', { outcome: 'home' }));
    const [first, second] = await Promise.all([bound('kalshi', 'nba'), bound('kalshi', 'nba')]);
    expect([first, second]).toEqual([new Set(['X-1', 'X-2']), new Set(['X-1', 'X-2'])]);
    expect([await bound('polymarket', 'nba'), await bound('kalshi', 'nfl')]).toEqual([new Set(), new Set()]);
    await act({ action: 'undo', act: 1 });
    expect(await bound('kalshi', 'nba')).toEqual(new Set(['X-2']));
    expect(read.reduce((sum, records) => sum + records, 0)).toBe(3);
  });
});

describe('acts that bind a contract again', () => {
  const [AWAY, HOME] = [bind('X-1', { outcome: 'away' }), bind('X-1', { outcome: 'home' })];
  const shown = async (at: string) => {
    await server.report([unclear(at, 'X-1', 0.5)]);
    return Object.keys(await prices());
  };

  it('given one side, the other and the first again, then the first counts', async () => {
    for (const one of [AWAY, HOME, AWAY]) await act(one);
    expect(await shown('12:05')).toEqual([LAKERS]);
    expect(await act(AWAY)).toMatchObject({ act: null });
  });

  it('given the message of an earlier act again, as it was sent, then the later act still counts', async () => {
    const told = (at: string, one: object): any => ({ kind: 'identity', source: 'operator', at, ...one });
    const first = told('2026-03-01T12:01:00Z', AWAY);
    server.setClock('2026-03-01T12:03:00Z');
    await server.report([first]);
    await server.report([told('2026-03-01T12:02:00Z', HOME)]);
    expect(await server.report([first])).toMatchObject({ unchanged: 1 });
    expect(await shown('12:05')).toEqual([WARRIORS]);
  });

  it('given that the second act was taken back, when the first is made again, then it counts', async () => {
    for (const one of [AWAY, HOME, { action: 'undo', act: 2 }, AWAY]) await act(one);
    expect(await shown('12:05')).toEqual([LAKERS]);
  });

  it('given that the second act was taken back, then that can be taken back too', async () => {
    for (const one of [AWAY, HOME, { action: 'undo', act: 2 }, { action: 'undo', act: 3 }]) await act(one);
    expect(await shown('12:05')).toEqual([WARRIORS]);
  });
});

describe('contracts that a source has bound the wrong way round', () => {
  const about = (at: string) => ({ source: 'kalshi', at: `2026-03-01T${at}:00Z`, ref: 'k1', match: MATCH });
  const contract = (at: string, more: object = {}) =>
    ({
      ...{ kind: 'contract', ...about(at), venue: 'kalshi', contract: 'T-1', series: 'S', market: 'h2h' },
      ...{ outcome: 'home', by_name: true, ...more },
    }) as unknown as Message;
  const book = (at: string, ask: number) => ({
    ...{ kind: 'book', ...about(at), venue: 'kalshi' },
    markets: [
      {
        key: 'h2h',
        outcomes: [
          { outcome: 'home', contract: 'T-1', asks: [[ask, 500]], bids: [] },
          { outcome: 'away', contract: 'T-1', asks: [[1 - ask, 500]], bids: [] },
        ],
      },
    ],
  });

  it('given one that waits for its proof, when a person says its side, then its book is taken on the side that they say', async () => {
    await server.report([contract('07:00'), book('08:00', 0.7)]);
    expect(await waiting()).toMatchObject([{ ref: 'T-1', reason: 'side_unproved' }]);
    await act(bind('T-1', { outcome: 'away' }));
    expect(await waiting()).toEqual([]);
    expect(await prices()).toEqual({ [LAKERS]: -233, [WARRIORS]: 233 });
  });

  it('given one that prices have proved, when a person says the other side, then it is the other side', async () => {
    const seen = { price: 0.69, own: 0.7, other: 0.3 };
    for (const at of ['08:00', '08:05', '08:10']) await server.report([contract(at, { seen })]);
    await server.report([book('08:20', 0.7)]);
    expect(await prices()).toEqual({ [WARRIORS]: -233, [LAKERS]: 233 });
    await act(bind('T-1', { outcome: 'away' }));
    expect(await prices()).toEqual({});
    await server.report([book('12:02', 0.7)]);
    expect(await prices()).toEqual({ [LAKERS]: -233, [WARRIORS]: 233 });
  });

  it('given that the source has not told what it is, or it was forgotten, when its book comes, then it waits for that', async () => {
    await act(bind('T-1', { outcome: 'away' }));
    await server.report([book('08:00', 0.7)]);
    expect(await waiting()).toMatchObject([{ ref: 'T-1', reason: 'side_unproved' }]);
    await server.report([contract('08:01')]);
    expect(await waiting()).toEqual([]);
    expect(await prices()).toEqual({ [LAKERS]: -233, [WARRIORS]: 233 });
  });
});
