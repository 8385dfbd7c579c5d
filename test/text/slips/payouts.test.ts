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

describe('prices that are refused', () => {
  it.each([50, -99, 1.91, '100', 1_000_001])('given the price %s, then it is 422 with its place', async (price) => {
    const { status, body } = await server.post('/v1/grade/slip', { legs: [spread(decided, 'home', -3, { price })] });
    expect([status, body.error.errors[0].loc]).toEqual([422, ['body', 'legs', 0, 'price']]);
  });
});
