import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { streams } from '../../../../src/domain/streams/domain-events.ts';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../../agent/serving.ts';
import type { Message } from '../../spec/messages.ts';
import { GAME } from './venue-game.ts';

let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent();
  await server.feed(GAME);
});
afterEach(() => server.close());

const KALSHI_FEE = { model: 'p(1-p)', rate: 0.07, rounding: 0.0001, taker_only: true };
type Side = readonly (readonly [number, number])[];
/** The moneyline of a venue: asks and bids of the home side; those of the other side mirror them. */
const book = (at: string, asks: Side, bids: Side, more: object = {}) =>
  ({
    kind: 'book',
    source: 'venue',
    at,
    ref: 'g1',
    match: {
      sport: 'nba',
      league: 'nba',
      starts_at: '2026-03-02T03:00:00Z',
      home: 'Golden State Warriors',
      away: 'Los Angeles Lakers',
    },
    venue: 'kalshi',
    markets: [
      {
        key: 'h2h',
        outcomes: [
          { outcome: 'home', asks, bids },
          { outcome: 'away', asks: mirrored(bids), bids: mirrored(asks) },
        ],
        ...more,
      },
    ],
  }) as unknown as Message;
const mirrored = (levels: Side): Side =>
  levels.map(([price, size]) => [Math.round((1 - price) * 10_000) / 10_000, size]);

const ask = async (path: string) => (await server.ask(path, { key: BOOTSTRAP_KEY })).body as any;
const odds = (query = '') => ask(`/v1/events/1/odds?bookmaker=kalshi${query}`);
const pricesOf = (body: any) => body.bookmakers[0]?.markets[0].outcomes.map(({ price }: any) => price);

describe('two messages of the same moment', () => {
  const AT = '2026-03-01T10:00:00Z';
  const one = book(AT, [[0.6, 500]], [[0.58, 300]]);
  const other = book(AT, [[0.55, 80]], [[0.53, 20]]);
  const plain = (price: number) =>
    ({
      ...{ kind: 'odds', source: 'venue', at: AT, ref: 'g1', match: (one as any).match, bookmaker: 'pinnacle' },
      markets: [{ key: 'h2h', outcomes: [{ outcome: 'home', price }] }],
    }) as unknown as Message;

  it('given books in any order, then the same one counts, with its price and its ladder; as of odds', async () => {
    const second = await serveAgent();
    try {
      await server.feed(one, other, plain(-120), plain(-130));
      await second.feed(GAME, plain(-130), plain(-120), other, one);
      const path = '/v1/events/1/odds?include_depth=true';
      const bookmakersOf = async (of: AgentServer) =>
        ((await of.ask(path, { key: BOOTSTRAP_KEY })).body as any).bookmakers.map((shown: any) => shown.markets);
      expect(await bookmakersOf(second)).toEqual(await bookmakersOf(server));
      const [outcome] = (await odds('&include_depth=true')).bookmakers[0].markets[0].outcomes;
      expect([
        [-150, 0.6],
        [-122, 0.55],
      ]).toContainEqual([outcome.price, outcome.asks[0][0]]);
    } finally {
      await second.close();
    }
  });
});

describe('the order book of an exchange', () => {
  it('given books that say who plays, then their records say so only where the ref alone would put them on the other side', async () => {
    const other = book('2026-03-01T10:02:00Z', [[0.45, 50]], [[0.43, 30]]) as any;
    other.match = { ...other.match, home: 'Los Angeles Lakers', away: 'Golden State Warriors' };
    await server.feed(
      book('2026-03-01T10:00:00Z', [[0.6, 500]], [[0.58, 300]]),
      book('2026-03-01T10:01:00Z', [[0.61, 400]], [[0.58, 300]]),
      other,
    );
    const [records] = (await server.log.readStreams([streams.odds(1)])) as any;
    const origins = records.slice(-2).map(({ data }: any) => data.origin);
    expect(origins).toEqual([{ ref: 'g1' }, { ref: 'g1', match: other.match, turned: true }]);
    // Its home is the away side here: somebody who asks .45 for that bids .55 for the other.
    expect((await odds('&include_depth=true')).bookmakers[0].markets[0].outcomes[0].asks).toEqual([[0.57, 30]]);
  });

  it('given a book, then its price is the best ask net of the fee, in American odds', async () => {
    await server.feed(book('2026-03-01T10:00:00Z', [[0.6, 500]], [[0.58, 300]], { fee: KALSHI_FEE }));
    // 1 / (0.6 + 0.07 x 0.6 x 0.4) is 1.62127; 1 / (0.42 + 0.07 x 0.42 x 0.58) is 2.28821.
    expect(pricesOf(await odds())).toEqual([-161, 129]);
    expect((await odds()).bookmakers[0].markets[0].outcomes[0]).not.toHaveProperty('asks');
  });

  it('given a book, then include_depth shows its levels, best first, and the fee', async () => {
    const asks: Side = [
      [0.62, 40],
      [0.6, 500],
    ];
    const bids: Side = [[0.58, 300]];
    await server.feed(book('2026-03-01T10:00:00Z', asks, bids, { fee: KALSHI_FEE }));
    const [market] = (await odds('&include_depth=true')).bookmakers[0].markets;
    expect(market.outcomes[0]).toMatchObject({
      outcome: 'Golden State Warriors',
      asks: [
        [0.6, 500],
        [0.62, 40],
      ],
      bids: [[0.58, 300]],
      last: null,
      volume: null,
    });
    expect(market.fee).toEqual({ ...KALSHI_FEE, from: '2026-03-01T10:00:00Z' });
  });

  it('given a changed level, then the rest of the ladder stays, and an earlier moment has the ladder of then', async () => {
    await server.feed(
      book(
        '2026-03-01T10:00:00Z',
        [
          [0.6, 500],
          [0.62, 40],
        ],
        [[0.58, 300]],
        { fee: KALSHI_FEE },
      ),
      book(
        '2026-03-01T10:01:00Z',
        [
          [0.6, 450],
          [0.62, 40],
        ],
        [[0.58, 300]],
      ),
      book('2026-03-01T10:02:00Z', [[0.62, 40]], [[0.58, 300]]),
    );
    const asksOf = async (query: string) =>
      (await odds(`&include_depth=true${query}`)).bookmakers[0].markets[0].outcomes[0].asks;
    expect(await asksOf('')).toEqual([[0.62, 40]]);
    expect(await asksOf('&as_of=2026-03-01T10:01:30Z&as_of_basis=observed')).toEqual([
      [0.6, 450],
      [0.62, 40],
    ]);
    expect(await asksOf('&as_of=2026-03-01T10:00:30Z&as_of_basis=observed')).toEqual([
      [0.6, 500],
      [0.62, 40],
    ]);
  });

  it('given a fee, then it holds until the next, from its date on', async () => {
    await server.feed(
      book('2026-03-01T10:00:00Z', [[0.5, 500]], [[0.4, 300]], { fee: { model: 'notional', rate: 0.1 } }),
      book('2026-03-01T10:01:00Z', [[0.4, 500]], [[0.3, 300]]),
    );
    // 1 / 0.44 is 2.2727.
    expect(pricesOf(await odds())[0]).toBe(127);
    await server.feed(
      book('2026-03-01T10:02:00Z', [[0.4, 500]], [[0.3, 300]], {
        fee: { model: 'notional', rate: 0, from: '2026-03-01T11:00:00Z' },
      }),
    );
    expect(pricesOf(await odds())[0]).toBe(127);
    await server.feed(book('2026-03-01T11:00:00Z', [[0.4, 500]], [[0.3, 300]]));
    expect(pricesOf(await odds())[0]).toBe(150);
  });

  it('given books whose best ask moves, then the history, the changes and late books have the prices', async () => {
    await server.feed(
      book('2026-03-01T10:00:00Z', [[0.5, 500]], [[0.4, 300]]),
      book('2026-03-01T10:02:00Z', [[0.4, 500]], [[0.3, 300]]),
      book('2026-03-01T10:01:00Z', [[0.45, 500]], [[0.35, 300]]),
    );
    const history = await ask('/v1/events/1/odds/history?bookmaker=kalshi');
    const home = history.movements.filter(({ outcome }: any) => outcome === 'Golden State Warriors');
    expect(home.map(({ price_to }: any) => price_to).sort()).toEqual([122, 150]);
    expect(pricesOf(await odds())[0]).toBe(150);
    expect((await odds('&include_depth=true')).bookmakers[0].markets[0].outcomes[0].asks).toEqual([[0.4, 500]]);
    expect(pricesOf(await odds('&as_of=2026-03-01T10:01:30Z&as_of_basis=observed'))[0]).toBe(122);
  });

  it('given a source with the sides the other way round, then each book stands at its own side', async () => {
    const turned = book('2026-03-01T10:00:00Z', [[0.3, 500]], [[0.25, 300]]) as any;
    turned.match = { ...turned.match, home: 'Los Angeles Lakers', away: 'Golden State Warriors' };
    turned.ref = 'turned';
    await server.feed(turned);
    const [market] = (await odds('&include_depth=true')).bookmakers[0].markets;
    const lakers = market.outcomes.find(({ outcome }: any) => outcome === 'Los Angeles Lakers');
    expect(lakers.asks).toEqual([[0.3, 500]]);
    expect(lakers.price).toBe(233);
  });

  it('given the same book again, then it is unchanged; given an empty one, then nothing is offered', async () => {
    const one = book('2026-03-01T10:00:00Z', [[0.5, 500]], [[0.4, 300]]);
    await server.feed(one);
    expect((await server.take([one])).outcomes).toMatchObject([{ status: 'unchanged' }]);
    await server.feed(book('2026-03-01T10:01:00Z', [], [[0.4, 300]]));
    expect(pricesOf(await odds())).toEqual([-150]);
  });

  it.each([
    [
      'eleven levels',
      book(
        '2026-03-01T10:00:00Z',
        Array.from({ length: 11 }, (_, n) => [0.5 + n / 100, 10] as const),
        [],
      ),
      'markets.0.outcomes.0.asks',
    ],
    ['a price of 1', book('2026-03-01T10:00:00Z', [[1, 10]], []), 'markets.0.outcomes.0.asks.0.0'],
    ['five decimals', book('2026-03-01T10:00:00Z', [[0.12345, 10]], []), 'markets.0.outcomes.0.asks.0.0'],
    ['a level without money', book('2026-03-01T10:00:00Z', [[0.5, 0]], []), 'markets.0.outcomes.0.asks.0.1'],
    [
      'a price twice',
      book(
        '2026-03-01T10:00:00Z',
        [
          [0.5, 1],
          [0.5, 2],
        ],
        [],
      ),
      'markets.0.outcomes.0.asks',
    ],
    [
      'an unknown fee',
      book('2026-03-01T10:00:00Z', [], [], { fee: { model: 'flat', rate: 0.1 } }),
      'markets.0.fee.model',
    ],
  ])('given %s, then the message is rejected and names the field', async (_, message, path) => {
    expect((await server.take([message])).outcomes).toMatchObject([{ status: 'rejected', path }]);
  });
});

describe('the list of bookmakers', () => {
  it('given a venue that has sent a book, then it is an exchange, and all others keep their types', async () => {
    await server.feed(book('2026-03-01T10:00:00Z', [[0.5, 500]], [[0.4, 300]]));
    const answer = await server.ask('/v1/bookmakers', { key: BOOTSTRAP_KEY });
    expect(answer.credits).toBe(0);
    const body = answer.body as any;
    expect(body.total).toBe(body.bookmakers.length);
    const of = (slug: string) => body.bookmakers.find((one: any) => one.slug === slug);
    expect(of('kalshi')).toEqual({
      learnt_weights: [],
      slug: 'kalshi',
      name: 'kalshi',
      type: 'exchange',
      reference_weight: 0,
    });
    expect(of('pinnacle')).toEqual({
      learnt_weights: [],
      slug: 'pinnacle',
      name: 'Pinnacle',
      type: 'sportsbook',
      reference_weight: 3,
    });
    expect(of('consensus')).toMatchObject({ type: 'consensus', reference_weight: 1 });
  });
});
