import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentServer, serveAgent } from '../../agent/serving.ts';
import { asking } from '../../compat/odds-api-client.ts';
import { type Message, market, odds, schedule, score } from '../../spec/messages.ts';

const NHL = { sport: 'nhl', league: 'nhl' };
const START = '2026-03-01T20:00:00Z';
const [HOME, AWAY] = ['Boston Bruins', 'New York Rangers'] as const;
const GAME = schedule(NHL, 'g1', [HOME, AWAY], START, { at: '2026-02-28T12:00:00Z' });

const MONEYLINE = market('h2h', [
  ['home', -130],
  ['away', 110],
]);
const three = (key: string, [home, draw, away]: readonly [number, number, number]) =>
  market(key, [
    ['home', home],
    ['draw', draw],
    ['away', away],
  ]);
const REGULAR = [120, 320, 190] as const;

let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent({ time: Date.parse('2026-03-01T19:00:00Z'), livePage: true });
});
afterEach(() => server.close());

async function take(...messages: Message[]): Promise<void> {
  const { outcomes } = await server.take(messages);
  expect(outcomes.map(({ status }: any) => status)).toEqual(messages.map(() => 'accepted'));
  await server.published();
}
const eventId = () => server.eventId('feed', 'g1');
const pricesOf = async (bookmaker: string, query = '') => {
  const { bookmakers } = await server.get(`/v1/events/${await eventId()}/odds?bookmaker=${bookmaker}${query}`);
  return Object.fromEntries(
    (bookmakers[0]?.markets ?? []).map(({ key, outcomes }: any) => [
      key,
      outcomes.map(({ outcome, price, point, suspect }: any) => [outcome, price, point, suspect ?? false]),
    ]),
  );
};

describe('the moneyline of regular time, with a draw', () => {
  it('given a book that offers both moneylines of a game of hockey, then each stands by itself', async () => {
    const times = ['18:00', '18:01', '18:02', '18:03'].map((time) => `2026-03-01T${time}:00Z`);
    await take(
      GAME,
      odds('g1', 'fanduel', [MONEYLINE], { at: times[0] }),
      odds('g1', 'fanduel', [three('h2h_3_way', REGULAR)], { at: times[1] }),
      odds('g1', 'betmgm', [MONEYLINE, three('h2h_3_way', [118, 315, 195])], { at: times[2] }),
      odds('g1', 'pinnacle', [MONEYLINE], { at: times[2] }),
      odds('g1', 'circa', [MONEYLINE], { at: times[3] }),
    );
    const moneyline = [
      [HOME, -130, null, false],
      [AWAY, 110, null, false],
    ];
    expect(await pricesOf('fanduel')).toEqual({
      h2h: moneyline,
      h2h_3_way: [
        [HOME, 120, null, false],
        [AWAY, 190, null, false],
        ['Draw', 320, null, false],
      ],
    });
    expect(Object.keys(await pricesOf('betmgm'))).toEqual(['h2h', 'h2h_3_way']);
    const ask = asking(server);
    const [{ id }] = (await ask('/sports/icehockey_nhl/events')).body;
    const { body } = await ask(`/sports/icehockey_nhl/events/${id}/odds`, {
      ...{ bookmakers: 'fanduel', markets: 'h2h,h2h_3_way', oddsFormat: 'american' },
    });
    expect(body.bookmakers[0].markets.map(({ key, outcomes }: any) => [key, outcomes.length])).toEqual([
      ['h2h', 2],
      ['h2h_3_way', 3],
    ]);
    expect(body.bookmakers[0].markets[1].outcomes.at(-1)).toEqual({ name: 'Draw', price: 320 });
    // Players have no part in it.
    expect(await server.get(`/v1/events/${await eventId()}/player-props`)).toMatchObject({ available: false });
    expect(await pricesOf('fanduel', '&as_of=2026-03-01T18:00:30Z&as_of_basis=observed')).toEqual({ h2h: moneyline });
    await take(odds('g1', 'fanduel', [{ key: 'h2h_3_way', outcomes: [] }], { at: '2026-03-01T18:05:00Z' }));
    expect(await pricesOf('fanduel')).toEqual({ h2h: moneyline });
  });

  it('given books with it, then it has a fair price as in soccer, and the odds page shows it', async () => {
    const game = schedule({ sport: 'soccer', league: 'epl' }, 's1', ['Arsenal', 'Chelsea'], START, {
      at: '2026-02-28T12:00:00Z',
    });
    const offers = { pinnacle: [125, 330, 200], circa: [120, 325, 205] } as const;
    await take(
      GAME,
      game,
      ...Object.entries(offers).flatMap(([book, prices]) => [
        odds('g1', book, [MONEYLINE, three('h2h_3_way', prices)], { at: '2026-03-01T18:30:00Z' }),
        odds('s1', book, [three('h2h', prices)], { at: '2026-03-01T18:30:00Z' }),
      ]),
    );
    const rows = async (query: string) => {
      const answer = await fetch(`${server.url}/live/odds?date=2026-03-01&${query}`);
      return ((await answer.json()) as any).events.map(({ outcomes, fair, books }: any) => {
        const ofOutcome = (values: readonly number[]) =>
          Object.fromEntries(outcomes.map((outcome: string, place: number) => [outcome, values[place]]));
        return [fair && ofOutcome(fair), books.length];
      });
    };
    const [hockey] = await rows('market=three_way&league=nhl');
    const [soccer] = await rows('market=moneyline&league=epl');
    expect(Object.keys(hockey[0]).sort()).toEqual(['away', 'draw', 'home']);
    expect(hockey).toEqual(soccer);
    expect((await rows('market=three_way&league=epl'))[0]).toEqual(soccer);
    // That of the whole game is another one.
    expect(Object.keys((await rows('market=moneyline&league=nhl'))[0][0]).sort()).toEqual(['away', 'home']);
    const page = await (await fetch(`${server.url}/odds?date=2026-03-01&market=h2h_3_way&league=nhl`)).text();
    expect(page).toContain('+330');
  });

  it('given a game that is won in overtime, then the draw has won, and both sides of it have lost', async () => {
    const periods = (of: readonly number[]) =>
      of.map((made, place) => ({ period: ['1', '2', '3', 'OT'][place], score: made }));
    await take(
      GAME,
      score(
        'g1',
        'final',
        [
          { score: '3', period_scores: periods([1, 1, 0, 1]) },
          { score: '2', period_scores: periods([0, 2, 0, 0]) },
        ],
        { at: '2026-03-01T18:59:00Z', result_type: 'overtime' },
      ),
    );
    const event_id = await eventId();
    const sides = ['home', 'draw', 'away'];
    const legs = sides.map((side) => ({ event_id, market_key: 'h2h_3_way', side }));
    const { body } = await server.post('/v1/grade/slip', { legs: [...legs, { ...legs[0], market_key: 'h2h' }] });
    expect(body.legs.map(({ result }: any) => result)).toEqual(['lost', 'won', 'lost', 'won']);
    const refused = await server.post('/v1/grade/slip', { legs: [{ ...legs[0], line: 1.5 }] });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining('h2h_3_way')]);
    const unmapped = await server.post('/v1/grade/slip', { legs: [{ ...legs[1], market_key: 'h2h' }] });
    expect(unmapped.body.legs[0].message).toContain('A draw is graded in soccer only');
  });
});
