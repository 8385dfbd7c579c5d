import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Game, game } from '../../api/spec/events.ts';
import { EPL, NBA } from '../../api/spec/messages.ts';
import { type SpecServer, startServer } from '../../api/spec/server.ts';

let server: SpecServer;
/** 1 all. */
let level: Game;
/** 100 to 97 for home. */
let decided: Game;
let open: Game;
let cancelled: Game;
beforeAll(async () => {
  server = await startServer();
  level = await game(server, EPL);
  decided = await game(server, NBA);
  open = await game(server, NBA);
  cancelled = await game(server, NBA);
  await server.feed(
    level.score('final', ['1', '1']),
    decided.score('final', ['100', '97']),
    cancelled.score('cancelled', null),
  );
});
afterAll(() => server.close());

async function grade(body: object): Promise<any> {
  const { status, body: answer } = await server.post('/v1/grade/slip', body);
  expect([status, answer.error]).toEqual([200, undefined]);
  return answer;
}
const spread = ({ id: event_id }: Game, side: string, line: number, more: object = {}) => ({
  event_id,
  market_key: 'spreads',
  side,
  line,
  ...more,
});

describe('what a leg comes to', () => {
  it.each<[string, () => object, readonly unknown[]]>([
    ['won at +150', () => spread(decided, 'home', -2.5, { price: 150 }), ['won', 'won', 2.5]],
    ['won at -110', () => spread(decided, 'home', -2.5, { price: -110 }), ['won', 'won', 1.909091]],
    ['won without a price', () => spread(decided, 'home', -2.5), ['won', 'won', null]],
    ['lost', () => spread(decided, 'home', -3.5, { price: 150 }), ['lost', 'lost', 0]],
    ['a push', () => spread(decided, 'home', -3, { price: 150 }), ['push', 'push', 1]],
    ['void', () => spread(cancelled, 'home', -3, { price: 150 }), ['void', 'void', 1]],
    ['half won', () => spread(level, 'away', 0.25, { price: 150 }), ['won', 'half_won', 1.75]],
    ['half won without a price', () => spread(level, 'away', 0.25), ['won', 'half_won', null]],
    ['half lost', () => spread(level, 'home', -0.25, { price: 150 }), ['lost', 'half_lost', 0.5]],
    ['a quarter line of basketball', () => spread(decided, 'home', -3.25), ['lost', 'half_lost', 0.5]],
    ['the over of an under', () => totals('under'), ['over', 'half_lost', 0.5]],
    ['the over of an over', () => totals('over'), ['over', 'half_won', null]],
    ['not begun', () => spread(open, 'home', -3, { price: 150 }), ['in_progress', null, null]],
    ['unmapped', () => spread({ ...open, id: 999_999 }, 'home', -3, { price: 150 }), [null, null, null]],
  ])('given %s, then its detail and its factor say so', async (_, leg, expected) => {
    const [{ result, result_detail, payout_factor }] = (await grade({ legs: [leg()] })).legs;
    expect([result, result_detail, payout_factor]).toEqual(expected);
  });
  const totals = (side: string) => ({ event_id: level.id, market_key: 'totals', side, line: 1.75 });

  it('given halves that end differently, then the slip is graded, as a hit and a miss', async () => {
    const { status, summary, legs } = await grade({
      legs: [spread(level, 'home', -0.25), spread(level, 'away', 0.25)],
    });
    expect([status, summary.graded, summary.hits, summary.misses]).toEqual(['graded', 2, 1, 1]);
    expect(legs.map(({ market, message, current }: any) => [market.settleable, message, current])).toEqual([
      [true, null, 0],
      [true, null, 0],
    ]);
  });

  it.each([
    ['-110', 1.909091],
    ['+150', 2.5],
    ['@2.05', 2.05],
    ['@0.5', null],
    ['', null],
  ])('given a text with the price %s, then its factor is %s', async (price, factor) => {
    const [side] = decided.sides;
    const { legs } = await grade({ text: `${side} ml ${price}`, clues: { event_id: decided.id } });
    expect(legs[0].payout_factor).toBe(factor);
  });

  it('given a correction from half won to won, then the receipt is superseded', async () => {
    const match = await game(server, EPL);
    await server.feed(match.score('final', ['1', '1']));
    const { receipt } = await grade({ legs: [spread(match, 'away', 0.25)] });
    await server.feed(match.score('final', ['1', '2']));
    const { superseded_by } = await server.get(`/v1/grade/receipts/${receipt.id}`);
    expect(superseded_by.legs.map(({ from, to }: any) => [from, to])).toEqual([['half_won', 'won']]);
  });
});

describe('what a stake comes back as', () => {
  const won = (price?: number) => spread(decided, 'home', -2.5, { price });
  const lost = (price?: number) => spread(decided, 'home', -3.5, { price });
  const push = (price?: number) => spread(decided, 'home', -3, { price });
  const gone = (price?: number) => spread(cancelled, 'home', -3, { price });
  const notBegun = (price?: number) => spread(open, 'home', -3, { price });
  const halfWon = (price?: number) => spread(level, 'away', 0.25, { price });
  const halfLost = (price?: number) => spread(level, 'home', -0.25, { price });
  const unknown = (price?: number) => spread({ ...open, id: 999_999 }, 'home', -3, { price });

  it.each<[string, () => readonly object[], number | null, number?]>([
    ['two that are won', () => [won(100), won(150)], 50],
    ['one that is won without a price', () => [won(100), won()], null],
    ['one that is lost, and one without a price', () => [lost(), won()], 0],
    ['one that is lost, and one that is open', () => [lost(100), notBegun(100)], 0],
    ['one that is lost, and one that is unmapped', () => [lost(100), unknown(100)], 0],
    ['one that is open', () => [won(100), notBegun(100)], null],
    ['one that is unmapped', () => [won(100), unknown(100)], null],
    ['one that is void', () => [won(100), gone(150)], 20],
    ['one that is void without a price', () => [won(100), gone()], 20],
    ['a push', () => [won(100), push(150), won(100)], 40],
    ['nothing but void legs', () => [gone(100), push(100)], 10],
    ['one that is half won', () => [won(100), halfWon(100)], 30],
    ['one that is half lost', () => [won(100), halfLost(100)], 10],
    ['a price of its own', () => [won(), won()], 70, 600],
    ['a price of its own and a void leg', () => [won(), gone(100)], 35, 600],
    ['a price of its own and a void leg without a price', () => [won(), gone()], null, 600],
    ['a price of its own and a lost leg', () => [won(), lost()], 0, 600],
    ['a price of its own and nothing but void legs', () => [gone(-115), push()], 10, 264],
    ['a price of its own, a push and a leg that is half lost', () => [halfLost(-115), push(100)], 5, 264],
    ['a price of its own and a leg that is half won', () => [won(), halfWon(100)], 52.5, 600],
  ])('given a parlay with %s, then its payout says so', async (_, legs, payout, price) => {
    expect((await grade({ legs: legs(), stake: 10, price })).payout).toBe(payout);
  });

  it('given stakes of the legs, then each is a single bet; one without a stake has no payout', async () => {
    const { legs, payout } = await grade({
      legs: [
        { ...won(-110), stake: 11 },
        { ...lost(100), stake: 5 },
        { ...won(), stake: 5 },
        { ...halfWon(150), stake: 8 },
        { ...notBegun(100), stake: 5 },
        gone(100),
      ],
    });
    expect(legs.map((leg: any) => leg.payout)).toEqual([21, 0, null, 14, null, undefined]);
    expect(payout).toBeUndefined();
  });

  it('given both, then each has its own', async () => {
    const { legs, payout } = await grade({ legs: [{ ...won(100), stake: 1 }, won(100)], stake: 10 });
    expect([legs[0].payout, legs[1].payout, payout]).toEqual([2, undefined, 40]);
  });

  it('given a text with prices, then they count', async () => {
    const [side] = decided.sides;
    const { payout } = await grade({ text: `${side} -2.5 +150`, clues: { event_id: decided.id }, stake: 4 });
    expect(payout).toBe(10);
  });

  it.each([0, -1, '5', 1_000_000_001])('given the stake %s, then it is 422 with its place', async (stake) => {
    const placeOf = async (body: object) => {
      const answer = await server.post('/v1/grade/slip', body);
      return [answer.status, answer.body.error.errors[0].loc];
    };
    expect(await placeOf({ legs: [won()], stake })).toEqual([422, ['body', 'stake']]);
    expect(await placeOf({ legs: [{ ...won(), stake }] })).toEqual([422, ['body', 'legs', 0, 'stake']]);
  });
});

describe('prices that are refused', () => {
  it.each([50, -99, 1.91, '100', 1_000_001])('given the price %s, then it is 422 with its place', async (price) => {
    const { status, body } = await server.post('/v1/grade/slip', { legs: [spread(decided, 'home', -3, { price })] });
    expect([status, body.error.errors[0].loc]).toEqual([422, ['body', 'legs', 0, 'price']]);
  });
});
