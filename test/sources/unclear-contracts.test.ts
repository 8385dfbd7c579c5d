import { describe, expect, it } from 'vitest';
import { formatTime } from '../../src/domain/primitives/time.ts';
import { kalshiProvider } from '../../src/sources/kalshi/provider.ts';
import { polymarketProvider } from '../../src/sources/polymarket/provider.ts';
import {
  takeTurns,
  type UnclearContract,
  UnclearContracts,
} from '../../src/sources/provider-base/unclear-contracts.ts';
import { booksAnswer, eventsAnswer, GAME, lakers, total } from './kalshi/kalshi-double.ts';
import { bookAnswer, moneyline, nbaEvent } from './polymarket/polymarket-double.ts';
import { NOW, readLive, view } from './read-live-answers.ts';

const SIDES = { home: 'Golden State Warriors', away: 'Los Angeles Lakers' };
const league = view({ sport: 'nba', league: 'nba' });

describe('contracts that Kalshi names unclearly (double of the protocol)', () => {
  const EVENTS = { path: '/trade-api/v2/events', query: { series_ticker: 'KXNBAGAME' } };
  const contradicts = lakers({ yes_sub_title: 'Golden State' });

  it('given one, then it is told with its game and the reason, once, and with its book when that is read', async () => {
    const provider = kalshiProvider();
    const listed = await readLive(provider, EVENTS, eventsAnswer([contradicts]));
    expect(listed.notes).toMatchObject([{ code: 'contradicts' }]);
    expect(listed.messages).toMatchObject([
      {
        ...{ kind: 'unclear_contract', ref: `${GAME}-LAL`, league: 'nba', match: SIDES },
        reason: 'its names and its rules do not say the same side',
        title: expect.stringContaining('Golden State'),
        sides: [SIDES.home, SIDES.away],
      },
    ]);
    // It says nothing of its ladder, which is not known yet.
    expect(listed.messages[0]).not.toHaveProperty('asks');
    expect((await readLive(provider, EVENTS, eventsAnswer([contradicts]))).messages).toEqual([]);
    const request = provider.requests([league], NOW).find(({ key }) => key === 'kalshi:unclear:nba:0')!;
    expect(request.path).toContain(`tickers=${GAME}-LAL`);
    const book = booksAnswer({ [`${GAME}-LAL`]: { yes: [['0.40', '300']], no: [['0.58', '90']] } });
    expect((await readLive(provider, request, book)).messages).toMatchObject([
      { kind: 'unclear_contract', ref: `${GAME}-LAL`, bids: [[0.4, 120]], asks: [[0.42, 37.8]] },
    ]);
    expect((await readLive(provider, request, book)).messages).toEqual([]);
  });

  it('given one with a price, when it closes, then its book is told as empty, once', async () => {
    const provider = kalshiProvider();
    await readLive(provider, EVENTS, eventsAnswer([contradicts]));
    const [request] = provider.requests([league], NOW).filter(({ key }) => key.startsWith('kalshi:unclear'));
    await readLive(provider, request!, booksAnswer({ [`${GAME}-LAL`]: { yes: [], no: [['0.58', '90']] } }));
    const closed = eventsAnswer([{ ...contradicts, status: 'closed' }]);
    expect((await readLive(provider, EVENTS, closed)).messages).toMatchObject([
      { kind: 'unclear_contract', ref: `${GAME}-LAL`, bids: [], asks: [] },
    ]);
    expect((await readLive(provider, EVENTS, closed)).messages).toEqual([]);
  });

  it('given more than one request can name, then all of them are asked for', async () => {
    const provider = kalshiProvider();
    const many = Array.from({ length: 45 }, (_, n) => ({ ...contradicts, ticker: `${GAME}-X${n}` }));
    await readLive(provider, EVENTS, eventsAnswer(many));
    const requests = provider.requests([league], NOW).filter(({ key }) => key.startsWith('kalshi:unclear'));
    const asked = requests.flatMap(({ path }) => path.match(/tickers=[^&]+/g) ?? []);
    expect(requests.map(({ key }) => key)).toEqual(['kalshi:unclear:nba:0', 'kalshi:unclear:nba:1']);
    expect(new Set(asked).size).toBe(45);
  });

  it('given a line on a whole number, a closed market or one of another series, then it is not told', async () => {
    const others = [total(220), { ...contradicts, status: 'closed' }, { ...contradicts, ticker: 'KXOTHER-1-LAL' }];
    expect((await readLive(kalshiProvider(), EVENTS, eventsAnswer(others))).messages).toEqual([]);
  });

  it('given that it is told clearly later, then it is a contract, and its book is asked for as one', async () => {
    const provider = kalshiProvider();
    await readLive(provider, EVENTS, eventsAnswer([contradicts]));
    expect((await readLive(provider, EVENTS, eventsAnswer([lakers()]))).of('contract')).toHaveLength(1);
    expect(provider.requests([league], NOW).some(({ key }) => key.startsWith('kalshi:unclear'))).toBe(false);
  });
});

describe('unclear contracts that a person has bound', () => {
  const EVENTS = { path: '/trade-api/v2/events', query: { series_ticker: 'KXNBAGAME' } };
  const ID = `${GAME}-LAL`;
  const contradicts = lakers({ yes_sub_title: 'Golden State' });
  const unclearKeys = (
    provider: { requests: (leagues: any, now: number) => readonly { key: string }[] },
    now: number,
  ) =>
    provider
      .requests([{ ...league, state: 'live' }], now)
      .flatMap(({ key, ...how }) => (/unclear|bound|book:/.test(key) ? [[key, (how as any).intervalSeconds]] : []));

  it('given an act, then Kalshi takes it as bound, without a note, and asks for its book as for others; until an undo', async () => {
    const bound = new Set<string>();
    const asked: string[] = [];
    const provider = kalshiProvider({
      bound: async (source, of) => {
        asked.push(`${source} ${of}`);
        return new Set(bound);
      },
    });
    const list = async (at: number) => readLive(provider, EVENTS, eventsAnswer([contradicts]), { arrivedAt: at });
    expect((await list(NOW)).notes).toMatchObject([{ code: 'contradicts' }]);
    expect(unclearKeys(provider, NOW)).toEqual([['kalshi:unclear:nba:0', 600]]);
    bound.add(ID);
    expect((await list(NOW + 1000)).notes).toEqual([]);
    expect(unclearKeys(provider, NOW)).toEqual([['kalshi:bound:nba:0', 15]]);
    const [request] = provider.requests([league], NOW).filter(({ key }) => key === 'kalshi:bound:nba:0');
    expect(request!.path).toContain(`tickers=${ID}`);
    bound.clear();
    // Its book is read at once; a minute later the act is noticed.
    const book = booksAnswer({ [ID]: { yes: [['0.40', '300']], no: [] } });
    await readLive(provider, request!, book, { arrivedAt: NOW + 30_000 });
    expect(unclearKeys(provider, NOW)).toEqual([['kalshi:bound:nba:0', 15]]);
    await readLive(provider, request!, book, { arrivedAt: NOW + 61_000 });
    expect(unclearKeys(provider, NOW)).toEqual([['kalshi:unclear:nba:0', 600]]);
    expect((await list(NOW + 62_000)).notes).toMatchObject([{ code: 'contradicts' }]);
    expect(new Set(asked)).toEqual(new Set(['kalshi nba']));
  });

  it('given an act, then Polymarket takes it as bound, without a note, and asks for its book as for others; until an undo', async () => {
    const bound = new Set(['111']);
    const provider = polymarketProvider({ bound: async () => new Set(bound) });
    const books = provider.companion!.provider;
    const unclear = moneyline({ question: 'Lakers to lose?' });
    const list = async (at: number) =>
      (
        await readLive(provider, { path: '/events', query: { series_id: '1' } }, [nbaEvent([unclear])], {
          arrivedAt: at,
        })
      ).notes;
    expect(await list(NOW)).toEqual([]);
    expect(unclearKeys(books, NOW)).toEqual([['polymarket:book:111', 30]]);
    bound.clear();
    expect(await list(NOW + 1000)).toMatchObject([{ code: 'negated' }]);
    expect(unclearKeys(books, NOW)).toEqual([['polymarket:book:111', 600]]);
  });
});

describe('contracts that Polymarket names unclearly (double of the protocol)', () => {
  const EVENTS = { path: '/events', query: { series_id: '1' } };

  it('given one, then it is told with its question and outcomes, and again with its book', async () => {
    const provider = polymarketProvider();
    const unclear = moneyline({ question: 'Lakers to lose?' });
    expect((await readLive(provider, EVENTS, [nbaEvent([unclear])])).messages).toMatchObject([
      { kind: 'unclear_contract', ref: '111', match: SIDES, title: 'Lakers to lose?', sides: ['Lakers', 'Warriors'] },
    ]);
    const books = provider.companion!.provider;
    expect(books.requests([league], NOW)).toMatchObject([{ path: '/book', query: { token_id: '111' } }]);
    const book = bookAnswer('111', [['0.40', '900']], [['0.42', '310']]);
    expect((await readLive(books, { path: '/book', query: { token_id: '111' } }, book)).messages).toMatchObject([
      { kind: 'unclear_contract', ref: '111', bids: [[0.4, 360]] },
    ]);
  });
});

describe('the memory of unclear contracts', () => {
  const one = (id: string): UnclearContract => ({
    ...{ id, sport: 'nba', league: 'nba', code: 'negated', title: id, sides: [], game: undefined, fee: undefined },
  });
  const listed = (kept: UnclearContracts, id: string, at: number) => [...kept.listed(one(id), at)];

  it('given more than 500, then those beyond are left out until others were not listed for a day', () => {
    const kept = new UnclearContracts('kalshi');
    for (let n = 0; n < 600; n++) listed(kept, `T-${n}`, NOW);
    expect(kept.size).toBe(500);
    expect(listed(kept, 'T-599', NOW + 1)).toEqual([]);
    const later = NOW + 25 * 3_600_000;
    expect(listed(kept, 'T-599', later)).toMatchObject([{ ref: 'T-599', at: formatTime(later) }]);
    expect(kept.size).toBe(1);
  });

  it('given that messages did not arrive, then they are told again', () => {
    const kept = new UnclearContracts('kalshi');
    expect(listed(kept, 'T-1', NOW)).toHaveLength(1);
    expect(listed(kept, 'T-1', NOW)).toHaveLength(0);
    kept.forget();
    expect(listed(kept, 'T-1', NOW)).toHaveLength(1);
  });

  const ask = (price: number) => ({ bids: [], asks: [[price, 10]] }) as const;

  it('given a ladder that stays as it is, then it is told again every ten minutes', () => {
    const kept = new UnclearContracts('kalshi');
    listed(kept, 'T-1', NOW);
    const told = [1, 2, 9, 11, 12, 21].filter(
      (minute) => [...kept.quoted('T-1', ask(0.4), NOW + minute * 60_000)].length > 0,
    );
    expect(told).toEqual([1, 11, 21]);
  });

  it('given ladders that came in one answer, then each has a time of its own', () => {
    const kept = new UnclearContracts('kalshi');
    for (const id of ['T-1', 'T-2', 'T-3']) listed(kept, id, NOW - 1000);
    const times = ['T-1', 'T-2', 'T-3'].flatMap((id) => [...kept.quoted(id, ask(0.4), NOW)].map(({ at }) => at));
    expect(times).toEqual([formatTime(NOW), formatTime(NOW + 1), formatTime(NOW + 2)]);
  });

  it('given more of a league than one turn has room for, then each has its turn, and what is listed no more has none', () => {
    const kept = new UnclearContracts('kalshi');
    for (let n = 0; n < 25; n++) listed(kept, `T-${n}`, NOW);
    const turns = [0, 1, 2].map((turn) =>
      takeTurns(kept.waiting('nba', NOW + turn * 1000), NOW + turn * 1000, { limit: 10, every: 1000 }),
    );
    expect(turns.map(({ length }) => length)).toEqual([10, 10, 10]);
    expect(new Set(turns.flat()).size).toBe(25);
    expect(kept.waiting('nba', NOW + 25 * 3_600_000)).toEqual([]);
  });
});
