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

  describe('what the three main markets have', () => {
    const told = (book: string, prices: readonly [number, number, number], time: string) =>
      odds('g1', book, [three('h2h_3_way', prices)], { at: `2026-03-01T${time}:00Z` });
    const event = async (path: string) => server.get(`/v1/events/${await eventId()}/${path}`);

    it('given moves of it, then they stand in the history, in the summary with a fair price, and among the changes', async () => {
      await take(GAME, told('pinnacle', [120, 320, 190], '18:00'), told('circa', [118, 325, 195], '18:01'));
      await take(told('pinnacle', [110, 330, 205], '18:10'));
      // Who asks for no market has the main lines alone.
      const statusOf = async (query: string) =>
        (await server.ask(`/v1/events/${await eventId()}/odds/history?bookmaker=pinnacle${query}`)).status;
      expect([await statusOf(''), await statusOf('&market=h2h')]).toEqual([404, 404]);
      const { movements } = await event('odds/history?bookmaker=pinnacle&market=h2h_3_way');
      expect(
        movements.map(({ market_key, market, outcome, price_from, price_to, point_to }: any) => [
          ...[market_key, market, outcome, price_from, price_to, point_to],
        ]),
      ).toEqual([
        ['h2h_3_way', '3-way moneyline', AWAY, 190, 205, null],
        ['h2h_3_way', '3-way moneyline', 'Draw', 320, 330, null],
        ['h2h_3_way', '3-way moneyline', HOME, 120, 110, null],
      ]);
      const { bookmakers, consensus } = await event('odds/summary?bookmaker=pinnacle');
      const [market] = bookmakers[0].markets;
      expect(market.outcomes.map(({ outcome, open, current }: any) => [outcome, open.price, current.price])).toEqual([
        [HOME, 120, 110],
        [AWAY, 190, 205],
        ['Draw', 320, 330],
      ]);
      expect(consensus.map(({ key, outcomes }: any) => [key, outcomes.length])).toEqual([['h2h_3_way', 3]]);
      expect(consensus[0].outcomes.reduce((sum: number, { open }: any) => sum + open, 0)).toBeCloseTo(1, 5);
      const { changes } = await server.get('/v1/changes?after=0&types=line_move');
      expect(changes.map(({ data }: any) => [data.market_key, data.price_to])).toEqual([
        ['h2h_3_way', 110],
        ['h2h_3_way', 330],
        ['h2h_3_way', 205],
      ]);
      const page = `${server.url}/odds/history?event=${await eventId()}&book=pinnacle&market=three_way`;
      expect(await (await fetch(page)).text()).toContain('+330');
    });

    it('given a price far from all others, then it is suspect, and no news until its book repeats it', async () => {
      await take(GAME, told('pinnacle', [120, 320, 190], '18:00'), told('circa', [118, 325, 195], '18:00'));
      await take(told('fanduel', [115, 315, 185], '18:00'), told('fanduel', [115, -315, 185], '18:05'));
      const isSuspect = async (path: string) => JSON.stringify(await event(path)).includes('"suspect":true');
      const places = [
        'odds?bookmaker=fanduel',
        'odds/history?bookmaker=fanduel&market=h2h_3_way',
        'odds/summary?bookmaker=fanduel',
      ];
      expect(await Promise.all(places.map(isSuspect))).toEqual([true, true, true]);
      const moves = async () => (await server.get('/v1/changes?after=0&types=line_move')).changes.length;
      expect(await moves()).toBe(0);
      await take(told('fanduel', [115, -315, 185], '18:06'));
      expect(await Promise.all(places.map(isSuspect))).toEqual([false, false, false]);
      expect(await moves()).toBe(1);
    });

    it('given a price better than the fair one, then the scans of value and of arbitrage name it', async () => {
      await take(GAME, told('pinnacle', [120, 320, 190], '18:55'), told('betmgm', [118, 430, 210], '18:55'));
      const { market, opportunities } = await server.get('/v1/intelligence/ev?sport=nhl&market=h2h_3_way');
      expect(market).toBe('h2h_3_way');
      expect(
        opportunities.map(({ side, bet_type, line, ev }: any) => [side, bet_type, line, ev.book, ev.price]),
      ).toEqual([
        ['draw', 'ML3_DRAW', null, 'betmgm', 430],
        ['away', 'ML3_P2', null, 'betmgm', 210],
      ]);
      await take(told('betmgm', [100, 480, 240], '18:56'));
      expect((await server.get('/v1/intelligence/arbitrage?sport=nhl')).opportunities).toEqual([]);
      const [found] = (await server.get('/v1/intelligence/arbitrage?sport=nhl&market=h2h_3_way')).opportunities;
      expect([found.market, found.legs.map(({ bet_type, book }: any) => `${bet_type} ${book}`)]).toEqual([
        'h2h_3_way',
        ['ML3_P1 pinnacle', 'ML3_P2 betmgm', 'ML3_DRAW betmgm'],
      ]);
      const statusOf = async (query: string) => (await server.ask(`/v1/intelligence/${query}`)).status;
      // In soccer the moneyline is that; nobody forecasts it elsewhere.
      for (const query of ['ev?sport=soccer', 'arbitrage?sport=soccer', 'ev?sport=tennis', 'ev?sport=nhl&by=blend'])
        expect(await statusOf(`${query}&market=h2h_3_way`)).toBe(400);
    });
  });

  it('given texts of slips that say that regular time counts, then they are bets on it', async () => {
    const match = { sport: 'soccer', league: 'epl' };
    await take(GAME, schedule(match, 's1', ['Arsenal', 'Chelsea'], START, { at: '2026-02-28T12:00:00Z' }));
    const marketOf = async (text: string) => {
      const { body } = await server.post('/v1/grade/slip', { text });
      const [{ input, market, message }] = body.legs;
      return [input.market_key, market?.market_key ?? null, market?.side ?? message];
    };
    const bets = [
      ['Bruins 3-way', 'home'],
      ['Bruins ML 3-way +120', 'home'],
      ['Rangers 3 way moneyline +190', 'away'],
      ['Rangers in regulation @2.90', 'away'],
      ['Bruins regulation time vs Rangers', 'home'],
      ['three-way draw Bruins v Rangers', 'draw'],
      ['Bruins v Rangers draw regulation +320', 'draw'],
    ] as const;
    for (const [text, side] of bets)
      expect([text, ...(await marketOf(text))]).toEqual([text, 'h2h_3_way', 'h2h_3_way', side]);
    // The moneyline of soccer is that of regular time.
    expect(await marketOf('Arsenal 3-way @2.10')).toEqual(['h2h', 'h2h', 'home']);
    expect((await marketOf('Bruins v Rangers over 5.5 regulation'))[1]).toBeNull();
    expect((await marketOf('Bruins 1P 3-way'))[2]).toContain('whole event');
  });
});
