import { describe, expect, it } from 'vitest';
import type { AlertFilter } from '../../../src/domain/alerts/alert-filter.ts';
import type { WebhookEventType } from '../../../src/domain/webhook-types.ts';
import { market, type Outcome, odds } from '../../api/spec/messages.ts';
import { serve } from '../local-endpoint.ts';
import { alertingServer, GAME, score } from './alerting.ts';

/** A server with an endpoint that is told of these types, and what it was told. */
async function told(event_types: readonly WebhookEventType[], filter: AlertFilter | null = null) {
  const server = await alertingServer();
  const endpoint = await serve();
  await server.subscribe({ url: endpoint.url, event_types, filter });
  await server.feed(GAME);
  return {
    ...server,
    /** What has arrived when so many messages have. */
    async messages(count: number): Promise<any[]> {
      await endpoint.arrived(count);
      return endpoint.received.map(({ body }) => JSON.parse(body.toString()));
    },
  };
}

const second = (n: number) =>
  `2026-03-01T11:${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}Z`;
const h2h = (bookmaker: string, home: number, away: number, at: number) =>
  odds(
    'g1',
    bookmaker,
    [
      market('h2h', [
        ['home', home],
        ['away', away],
      ]),
    ],
    { at: second(at) },
  );
const spreads = (bookmaker: string, point: number, at: number) => {
  const lines: readonly Outcome[] = [
    ['home', -110, point],
    ['away', -110, -point],
  ];
  return odds('g1', bookmaker, [market('spreads', lines)], { at: second(at) });
};

describe('games', () => {
  it('`event_start` and `event_final` come once each', async () => {
    const { feed, messages } = await told(['event_start', 'event_final']);
    await feed(score('g1', 'inprogress', ['0', '0'], { period: '1' }));
    await feed(score('g1', 'inprogress', ['7', '0'], { period: '1', at: second(60) }));
    await feed(score('g1', 'final', ['7', '3'], { at: second(120) }));
    expect((await messages(2)).map(({ type, data }) => [type, data.event_id, data.status])).toEqual([
      ['event_start', 1, 'inprogress'],
      ['event_final', 1, 'final'],
    ]);
  });

  it('the end of a period is told without a score to who asks for it, and to nobody else', async () => {
    const { feed, messages, subscribe } = await told(['score'], { score: 'period_end' });
    const plain = await serve();
    await subscribe({ url: plain.url, event_types: ['score'] });
    await feed(score('g1', 'inprogress', ['0', '0'], { period: '1' }));
    await feed(score('g1', 'inprogress', ['3', '0'], { period: '1', at: second(60) }));
    await feed(score('g1', 'inprogress', ['3', '0'], { period: '2', at: second(120) }));
    await feed(score('g1', 'inprogress', ['3', '7'], { period: '2', at: second(180) }));
    expect((await messages(1)).map(({ type, data }) => [type, data.period])).toEqual([['score', '2']]);
    await plain.arrived(3);
    const plainScores = plain.received.map(({ body }) =>
      JSON.parse(body.toString()).data.scores.map((side: any) => side.score),
    );
    expect(plainScores).toEqual([
      ['0', '0'],
      ['3', '0'],
      ['3', '7'],
    ]);
  });

  it('a close game is told when it becomes late, and a lead when it changes', async () => {
    const { feed, messages, subscribe } = await told(['score'], { score: 'close_late' });
    const leads = await serve();
    await subscribe({ url: leads.url, event_types: ['score'], filter: { score: 'lead_change' } });
    const play = (home: string, away: string, period: string, clock: string, at: number) =>
      score('g1', 'inprogress', [home, away], { period, clock, at: second(at) });
    await feed(play('0', '0', '1', '15:00', 0));
    await feed(play('7', '0', '1', '9:00', 10));
    await feed(play('7', '6', '4', '10:00', 20));
    await feed(play('7', '6', '4', '5:50', 30));
    await feed(play('7', '9', '4', '3:00', 40));
    await feed(play('7', '30', '4', '1:00', 50));
    expect((await messages(2)).map(({ data }) => data.clock)).toEqual(['5:50', '3:00']);
    await leads.arrived(2);
    expect(leads.received.map(({ body }) => JSON.parse(body.toString()).data.clock)).toEqual(['9:00', '3:00']);
  });
});

describe('markets', () => {
  it('`new_price` comes when a bookmaker opens a market, and not when it moves it', async () => {
    const { feed, messages } = await told(['new_price']);
    await feed(h2h('fanduel', -120, 100, 0), h2h('fanduel', -125, 105, 10), h2h('draftkings', -120, 100, 20));
    await feed(spreads('fanduel', -1.5, 30));
    const opened = await messages(3);
    expect(opened.map(({ data }) => [data.bookmaker, data.market_key])).toEqual([
      ['fanduel', 'h2h'],
      ['draftkings', 'h2h'],
      ['fanduel', 'spreads'],
    ]);
    expect(opened[2].data.outcomes).toEqual([
      { outcome: 'Chiefs', price: -110, point: -1.5 },
      { outcome: 'Eagles', price: -110, point: 1.5 },
    ]);
  });

  it('`steam` is three bookmakers that move the same way within 5 minutes, told once', async () => {
    const { feed, messages } = await told(['steam', 'event_start']);
    for (const book of ['a', 'b', 'c', 'd', 'e']) await feed(spreads(book, -1.5, 0));
    // Two the same way, one the other way, and one that moved too long ago.
    await feed(spreads('e', -2.5, 10), spreads('a', -2.5, 400), spreads('b', -1, 410), spreads('c', -2.5, 420));
    await feed(spreads('d', -2, 600));
    await feed(spreads('e', -3, 610));
    await feed(score('g1', 'inprogress', ['0', '0'], { at: second(700) }));
    const [steam, start] = await messages(2);
    expect(steam).toMatchObject({
      type: 'steam',
      data: {
        event_id: 1,
        bookmakers: ['a', 'c', 'd'],
        market_key: 'spreads',
        outcome: 'Chiefs',
        point_from: -1.5,
        point_to: -2,
      },
    });
    expect(start.type).toBe('event_start');
  });
});

describe('values', () => {
  const at = '2026-03-01T11:59:00Z';
  const price = (bookmaker: string, home: number, away: number, minute: string) => ({
    ...h2h(bookmaker, home, away, 0),
    at: at.replace('59', minute),
  });

  it('`ev` comes when an edge opens and when it closes, by the threshold of the subscription', async () => {
    const { feed, messages, subscribe } = await told(['ev']);
    const high = await serve();
    await subscribe({ url: high.url, event_types: ['score'], filter: { types: ['ev'], min_ev_percent: 5 } });
    await feed(price('pinnacle', -110, -110, '50'));
    await feed(price('fanduel', 104, -120, '51'));
    await feed(price('fanduel', 115, -130, '52'));
    await feed(price('fanduel', -110, -110, '53'));
    const edges = (given: any[]) =>
      given.map(({ data }) => [data.outcome, data.bookmaker, data.ev_percent_before, data.ev_percent]);
    expect(edges(await messages(2))).toEqual([
      ['Chiefs', 'fanduel', null, 2],
      ['Chiefs', 'fanduel', 7.5, null],
    ]);
    await high.arrived(2);
    expect(edges(high.received.map(({ body }) => JSON.parse(body.toString())))).toEqual([
      ['Chiefs', 'fanduel', 2, 7.5],
      ['Chiefs', 'fanduel', 7.5, null],
    ]);
  });

  it('`arbitrage` comes when one opens and when it closes', async () => {
    const { feed, messages } = await told(['arbitrage']);
    await feed(price('fanduel', 110, -130, '50'), price('draftkings', -120, 105, '51'));
    await feed(price('draftkings', -110, -110, '52'));
    const crossed = await messages(2);
    expect(crossed.map(({ data }) => [data.state, data.market_key, data.profit_percent])).toEqual([
      ['opened', 'h2h', 3.73],
      ['closed', 'h2h', 3.73],
    ]);
    expect(crossed[0].data.legs.map((leg: any) => [leg.outcome, leg.bookmaker, leg.price])).toEqual([
      ['Chiefs', 'fanduel', 110],
      ['Eagles', 'draftkings', 105],
    ]);
  });

  it('after the start nothing is told of values', async () => {
    const { feed, messages } = await told(['arbitrage', 'event_final']);
    await feed(score('g1', 'inprogress', ['0', '0'], { at: second(0) }));
    await feed(price('fanduel', 110, -130, '50'), price('draftkings', -120, 105, '51'));
    await feed(score('g1', 'final', ['0', '3'], { at }));
    expect((await messages(1)).map(({ type }) => type)).toEqual(['event_final']);
  });
});
