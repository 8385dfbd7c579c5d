import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, game, type LabWorld, labWorld, moneyline, once, spread } from './lab-world.ts';

let world: LabWorld;
beforeAll(async () => {
  world = await labWorld([
    ...game(),
    moneyline('09:00:00', 'stale', 400, -600),
    moneyline('12:00:00', 'pinnacle', -150, 130),
    moneyline('12:00:00', 'draftkings', -140, 120),
    moneyline('12:00:00', 'consensus', 900, -900),
    moneyline('12:00:05', 'draftkings', -160, 140),
    moneyline('12:00:40', 'pinnacle', -200, 170),
    spread('12:30:00', 'pinnacle', -3),
    moneyline('17:59:00', 'pinnacle', -200, 170),
    moneyline('17:59:59', 'draftkings', -190, 160),
  ]);
});
afterAll(() => world.close());

const isPrice = (book: string, time: string) => (change: any) =>
  change.type === 'line_move' && change.data.bookmaker === book && change.at === at(time);
const atNoon = isPrice('draftkings', '12:00:00');
const onHome =
  (more = {}) =>
  (change: any) => ({
    event_id: change.event_id,
    market: 'h2h',
    outcome: 'home',
    stake: 10,
    ...more,
  });
const shown = ({ fills, refusals }: any) => [
  ...fills.map(({ book, price, stake }: any) => [book, price, stake]),
  ...refusals.map(({ reason }: any) => reason),
];

describe('a bet', () => {
  it('is filled at the best price of its books at now + latency, and settled by the result', async () => {
    const run = await world.run(once(atNoon, onHome()));

    expect(run.fills).toEqual([
      {
        ...{ bet: 1, event_id: 1, market: 'h2h', outcome: 'home', point: null, book: 'draftkings', price: -140 },
        ...{ stake: 10, filled_at: at('12:00:02'), placed_at: at('12:00:00'), result: 'won', profit: 7.142857 },
        clv: expect.any(Number),
      },
    ]);
    expect(run).toMatchObject({ bets: 1, filled: 1, refused: 0, staked: 10, profit: 7.142857, drawdown: 0 });
    expect(run.latencies.map(({ latency_seconds, by_book }) => [latency_seconds, by_book[0]?.key])).toEqual([
      [0, 'draftkings'],
      [5, 'pinnacle'],
      [60, 'draftkings'],
      [600, 'draftkings'],
    ]);
  });

  it.each([
    ['a later price where it takes longer', {}, { latency: 45_000 }, [['draftkings', -160, 10]]],
    ['a listed book alone', {}, { books: new Set(['pinnacle']) }, [['pinnacle', -150, 10]]],
    ['the book that it names', { book: 'pinnacle' }, {}, [['pinnacle', -150, 10]]],
    ['a book outside its list', { book: 'draftkings' }, { books: new Set(['pinnacle']) }, ['not in its books']],
    ['an average of books', { book: 'consensus' }, {}, ['not in its books']],
    ['a stale price', { book: 'stale' }, {}, ['not on offer']],
    ['a price below the least', { min_price: -130 }, {}, ['below min_price']],
    ['a price that is gone', { min_price: -140 }, { latency: 5000 }, ['below min_price']],
    ['another market', { market: 'corners' }, {}, ['unknown market']],
    ['an outcome of another market', { outcome: 'over' }, {}, ['unknown outcome']],
    ['a line that nobody has', { market: 'spreads', point: -3 }, {}, ['not on offer']],
    ['an unknown event', { event_id: 99 }, {}, ['unknown event']],
    ['another league', {}, { league: 'nba' }, []],
    ['the name of a side', { outcome: 'lions G1' }, {}, [['draftkings', -140, 10]]],
    [
      'a limit',
      { stake: 25 },
      { stakeLimit: 10 },
      [
        ['draftkings', -140, 10],
        ['pinnacle', -150, 10],
      ],
    ],
    ['a limit and a least price', { stake: 25, min_price: -145 }, { stakeLimit: 10 }, [['draftkings', -140, 10]]],
  ] as const)('on %s', async (_, bet, options, expected) => {
    const run = await world.run(once(atNoon, onHome(bet)), options);

    expect(shown(run)).toEqual(expected);
  });

  it('on a spread has the point of its own side', async () => {
    const bet = (point: number) => onHome({ market: 'spreads', outcome: 'away', point });
    const taken = await world.run(once(isPrice('pinnacle', '12:30:00'), bet(3)));
    const refused = await world.run(once(isPrice('pinnacle', '12:30:00'), bet(-3)));

    // The Lions win by 7.
    expect(taken.fills).toMatchObject([{ outcome: 'away', point: 3, price: -110, result: 'lost', profit: -10 }]);
    expect(shown(refused)).toEqual(['not on offer']);
  });

  it('is refused once the event has begun, also where that is so only when it would be filled', async () => {
    const last = await world.run(once(isPrice('draftkings', '17:59:59'), onHome()));
    const after = await world.run(once((change) => change.type === 'status', onHome()));

    expect(shown(last)).toEqual(['event begun']);
    expect(last.latencies.map(({ filled }) => filled)).toEqual([1, 0, 0, 0]);
    expect(shown(after)).toEqual(['event begun']);
  });

  it('of many small ones takes no more than the limit', async () => {
    const strategy = ({ change }: any) =>
      atNoon(change) ? [1, 2, 3].map(() => ({ bet: onHome({ stake: 4 })(change) })) : [];
    const { fills } = await world.run(strategy, { stakeLimit: 5, books: new Set(['draftkings']) });

    expect(fills.map(({ stake }) => stake)).toEqual([4, 1]);
  });

  it('is told to the program only when its latency is over', async () => {
    const { told } = await world.run(once(atNoon, onHome()), { latency: 30_000 });

    const first = told.findIndex(({ bets }) => bets !== undefined);
    expect(told[first]).toMatchObject({
      now: at('12:00:40'),
      bets: [{ bet: 1, fills: [{ book: 'pinnacle', price: -150, filled_at: at('12:00:30') }], reason: null }],
    });
    expect(told.filter(({ bets }) => bets !== undefined)).toHaveLength(1);
  });
});
