import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../api/agent/serving.ts';
import { ATP, EPL, market, NFL, odds, schedule, score } from '../api/spec/messages.ts';
import { at, game, moneyline, START, spread, total, twoWay, withdrawn } from './price-messages.ts';

let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent({ time: Date.parse('2026-03-01T12:00:00Z') });
});
afterEach(() => server.close());

const setClock = (time: string) => {
  server.clock.time = Date.parse(`2026-03-01T${time}:00Z`);
};
const ask = async (query = '', ref = 'g1') =>
  server.ask(`/v1/events/${await server.eventId('feed', ref)}/intelligence${query}`, { key: BOOTSTRAP_KEY });
const read = async (query = '', ref = 'g1'): Promise<any> => (await ask(query, ref)).body;
const bet = async (type: string, query = ''): Promise<any> =>
  (await read(query)).bets.find(({ bet_type }: any) => bet_type === type);
const seen = (time: string) => `2026-03-01T${time}:00Z`;

describe('the intelligence of an event', () => {
  it('is not available without prices: no bets, no charge, and null where nothing is known', async () => {
    await server.feed(game('g1'));
    const { status, body, credits } = await ask();
    const id = await server.eventId('feed', 'g1');
    const { home, away } = body.players;
    expect([status, credits]).toEqual([200, 0]);
    expect(body).toEqual({
      event_id: id,
      available: false,
      sport: 'nfl',
      league: 'nfl',
      odds_source: null,
      players: {
        home: { name: 'Home g1', player_id: null, team_id: home.team_id },
        away: { name: 'Away g1', player_id: null, team_id: away.team_id },
      },
      has_recommend: null,
      intelligence_updated_at: null,
      match_overview: null,
      rationale: null,
      bets: [],
      forecasts: [],
      matchup: null,
    });
    expect([home.team_id, away.team_id]).toEqual([expect.any(Number), expect.any(Number)]);
  });

  it('costs a credit once one bet has a fair probability, with all tokens in their order', async () => {
    await server.feed(game('g1'), moneyline('pinnacle', -150, 130, '11:59'));
    const { body, credits } = await ask();
    expect([body.available, body.has_recommend, credits]).toEqual([true, false, 1]);
    const tokens = body.bets.map(({ bet_type }: any) => bet_type);
    expect(tokens).toEqual(['ML_P1', 'ML_P2', 'SPREAD_P1', 'SPREAD_P2', 'OVER', 'UNDER']);
    const [home, away, homeSpread, , over] = body.bets;
    expect(home).toEqual({
      // The record is not counted yet.
      blend: null,
      bet_type: 'ML_P1',
      player_role: 'home',
      player_name: 'Home g1',
      player_id: null,
      team_id: body.players.home.team_id,
      probability: null,
      interval: null,
      fair_price: null,
      edge: null,
      tier: null,
      narrative: null,
      market: { book: 'pinnacle', price: -150, line: null },
      fair: { probability: 0.582712, books: ['pinnacle'], n_books: 1, is_consensus: false },
      edges_by_book: null,
      best: null,
      ev: null,
      computed_at: seen('11:59'),
    });
    expect(away).toMatchObject({ player_role: 'away', market: { price: 130 }, fair: { probability: 0.417288 } });
    expect(homeSpread).toMatchObject({ player_role: 'home', fair: null, computed_at: null });
    expect(over).toMatchObject({ player_role: null, player_name: null, player_id: null, team_id: null });
    expect(over.market).toEqual({ book: null, price: null, line: null });
  });

  it('compares soft books with what is fair', async () => {
    await server.feed(
      game('g1'),
      moneyline('pinnacle', -105, -105, '11:58'),
      moneyline('fanduel', 105, -125, '11:58'),
      moneyline('betmgm', 108, -130, '11:59'),
      moneyline('consensus', 110, -120, '11:59'),
    );
    const { edges_by_book, best, ev, fair } = await bet('ML_P1');
    const gap = (price: number) => Math.round((fair.probability - 100 / (100 + price)) * 1e6) / 1e6;
    expect(fair).toMatchObject({ books: ['pinnacle', 'consensus'], n_books: 2, is_consensus: true });
    expect(edges_by_book).toEqual({ betmgm: gap(108), fanduel: gap(105) });
    expect(best).toEqual({ book: 'betmgm', price: 108, edge: gap(108), quote_age_seconds: 60 });
    const percent = Math.round(100 * 100 * (fair.probability * 2.08 - 1)) / 100;
    expect(ev).toEqual({
      beta: true,
      book: 'betmgm',
      price: 108,
      ev_pct: percent,
      quote_age_seconds: 60,
      n_books: 2,
      kelly_fraction: Math.round((1e4 * (fair.probability * 2.08 - 1)) / 1.08) / 1e4,
    });
    expect((await bet('ML_P2')).ev).toBeNull();
    expect((await bet('ML_P2')).best.edge).toBeLessThan(0);
  });

  it('is the same whichever bookmaker is asked for', async () => {
    await server.feed(game('g1'), moneyline('pinnacle', -105, -105, '11:59'), moneyline('fanduel', 105, -125, '11:59'));
    expect(await read('?bookmaker=fanduel')).toEqual(await read());
    const id = await server.eventId('feed', 'g1');
    const detail = async (query: string) =>
      (await server.get(`/v1/events/${id}?include_intelligence=true${query}`, BOOTSTRAP_KEY)).intelligence;
    expect(await detail('&bookmaker=fanduel')).toEqual(await read());
    const { body, credits } = await server.post(
      '/v1/events/batch',
      { event_ids: [id], include_intelligence: true, bookmaker: 'nobody' },
      { key: BOOTSTRAP_KEY },
    );
    expect([body.events[0].intelligence, credits]).toEqual([await read(), 2]);
  });

  it('takes the source of its odds from the moneyline, else the spread, else the total', async () => {
    await server.feed(game('g1'), total('circa', 47, -110, -110, '11:59'));
    expect((await read()).odds_source).toBe('circa');
    await server.feed(spread('fanduel', -3, -110, -110, '11:59'));
    expect((await read()).odds_source).toBe('fanduel');
    await server.feed(moneyline('betmgm', -110, -110, '11:59'));
    expect((await read()).odds_source).toBe('betmgm');
  });

  it('signs lines for the side, and has the lines of one market sum to 1', async () => {
    await server.feed(
      game('g1'),
      spread('pinnacle', -3.5, -115, -105, '11:59'),
      total('circa', 47, -120, 100, '11:59'),
    );
    const { bets } = await read();
    expect(bets.map(({ market: { line } }: any) => line)).toEqual([null, null, -3.5, 3.5, 47, 47]);
    const fair = bets.map((one: any) => one.fair?.probability ?? null);
    expect([fair[2] + fair[3], fair[4] + fair[5]]).toEqual([1, 1]);
  });

  it('has the tokens of soccer, the draw belonging to nobody', async () => {
    await server.feed(
      schedule(EPL, 's1', ['Arsenal', 'Chelsea'], START, at('05:00')),
      odds('s1', 'pinnacle', [market('h2h', [...twoWay(150, 220), ['draw', 230]])], at('11:59')),
    );
    const { bets, rationale } = await read('', 's1');
    const tokens = bets.map(({ bet_type, player_role }: any) => [bet_type, player_role]);
    expect(tokens).toEqual([
      ...[
        ['ML_HOME', 'home'],
        ['ML_AWAY', 'away'],
        ['ML_DRAW', null],
      ],
      ...[
        ['SPREAD_HOME', 'home'],
        ['SPREAD_AWAY', 'away'],
        ['OVER', null],
        ['UNDER', null],
      ],
    ]);
    const moneylines = bets.slice(0, 3).map(({ fair }: any) => Math.round(fair.probability * 1e6));
    expect(moneylines[0] + moneylines[1] + moneylines[2]).toBe(1_000_000);
    expect(bets[2]).toMatchObject({ player_name: null, player_id: null, team_id: null });
    expect(rationale).toEqual([`Market: Arsenal ${Math.round(moneylines[0] / 1e4)}% from 1 book`]);
  });

  it('knows the players of tennis by their ids, and nothing of pairs', async () => {
    const prices = (ref: string) =>
      odds(
        ref,
        'pinnacle',
        [
          market('h2h', [
            ['player_1', -150],
            ['player_2', 130],
          ]),
        ],
        at('11:59'),
      );
    const pair = (first: string, second: string) => ({
      name: `${first}/${second}`,
      members: [{ name: first }, { name: second }],
    });
    await server.feed(
      schedule(ATP, 't1', ['Ann Able', 'Bea Bold'], START, at('05:00')),
      schedule(ATP, 't2', [pair('A One', 'B Two'), pair('C Three', 'D Four')], START, at('05:00')),
      ...[prices('t1'), prices('t2')],
    );
    const { bets, players } = await read('', 't1');
    expect(players.player_1).toEqual({ name: 'Ann Able', player_id: expect.any(Number), team_id: null });
    expect(bets[0]).toMatchObject({ player_role: 'player_1', player_id: players.player_1.player_id, team_id: null });
    const pairs = await ask('', 't2');
    expect([pairs.body.available, pairs.body.players.player_1.player_id, pairs.credits]).toEqual([false, null, 0]);
  });
});

describe('pre-game facts', () => {
  it('prices told from the start on are left out, and ages stand still', async () => {
    setClock('18:00');
    await server.feed(game('g1'), moneyline('pinnacle', -105, -105, '17:10'), moneyline('fanduel', 105, -125, '17:30'));
    const atStart = await read();
    expect(atStart.bets[0].best).toMatchObject({ book: 'fanduel', quote_age_seconds: 1800 });
    setClock('21:00');
    await server.feed(moneyline('pinnacle', -300, 250, '18:00'), moneyline('betmgm', 115, -135, '17:59'));
    const { bets } = await read();
    expect(bets[0].fair).toEqual(atStart.bets[0].fair);
    expect(bets[0].edges_by_book).toHaveProperty('betmgm');
    expect(bets[0].best).toMatchObject({ book: 'betmgm', quote_age_seconds: 60 });
  });

  it('ends with the first live message where that comes before the start as known', async () => {
    setClock('17:50');
    await server.feed(game('g1'), moneyline('pinnacle', -105, -105, '17:30'));
    await server.feed(score('g1', 'inprogress', ['0', '0'], at('17:40')), moneyline('pinnacle', -300, 250, '17:45'));
    expect(await bet('ML_P1')).toMatchObject({ market: { price: -105 }, computed_at: seen('17:30') });
  });

  it('follows a start that has moved', async () => {
    setClock('19:00');
    await server.feed(
      game('g1'),
      moneyline('pinnacle', -105, -105, '17:30'),
      moneyline('pinnacle', -150, 130, '18:30'),
    );
    expect((await bet('ML_P1')).market.price).toBe(-105);
    await server.feed(schedule(NFL, 'g1', ['Home g1', 'Away g1'], '2026-03-01T20:00:00Z', at('17:55')));
    expect((await bet('ML_P1')).market.price).toBe(-150);
  });

  it('a quote counts for 75 minutes after it was told last', async () => {
    await server.feed(game('g1'), moneyline('pinnacle', -105, -105, '11:00'));
    setClock('12:15');
    expect((await read()).available).toBe(true);
    server.clock.time += 1000;
    expect(await ask()).toMatchObject({ credits: 0, body: { available: false, has_recommend: null, bets: [] } });
    // Reconfirmed.
    await server.feed(moneyline('pinnacle', -105, -105, '12:10'));
    expect((await bet('ML_P1')).computed_at).toBe(seen('11:00'));
  });
});

describe('when a bet last changed materially', () => {
  const computed = async (type = 'ML_P1') => (await bet(type)).computed_at;

  it('is its first numbers, and not what is the same again or hardly moves', async () => {
    await server.feed(game('g1'), moneyline('pinnacle', -110, -110, '11:00'));
    expect(await computed()).toBe(seen('11:00'));
    await server.feed(moneyline('pinnacle', -110, -110, '11:10'), moneyline('pinnacle', -112, -108, '11:20'));
    expect(await computed()).toBe(seen('11:00'));
    expect((await bet('ML_P1')).fair.probability).toBeGreaterThan(0.5);
  });

  it('is a move of the fair probability by .01 since then, in one step or in several', async () => {
    await server.feed(
      game('g1'),
      moneyline('pinnacle', -110, -110, '11:00'),
      moneyline('pinnacle', -112, -108, '11:10'),
    );
    expect(await computed()).toBe(seen('11:00'));
    await server.feed(moneyline('pinnacle', -116, -104, '11:20'));
    expect(await computed()).toBe(seen('11:20'));
    expect((await read()).intelligence_updated_at).toBe(seen('11:20'));
  });

  it('is another line, and nothing of other markets', async () => {
    await server.feed(
      game('g1'),
      moneyline('pinnacle', -110, -110, '11:00'),
      spread('pinnacle', -3, -110, -110, '11:10'),
      spread('pinnacle', -3.5, -110, -110, '11:20'),
    );
    expect([await computed(), await computed('SPREAD_P1'), await computed('OVER')]).toEqual([
      ...[seen('11:00'), seen('11:20'), null],
    ]);
  });

  it('is an EV that comes or goes, on the bet that has it', async () => {
    await server.feed(game('g1'), moneyline('pinnacle', -110, -110, '11:00'), moneyline('fanduel', 105, -125, '11:10'));
    expect([await computed('ML_P1'), await computed('ML_P2')]).toEqual([seen('11:10'), seen('11:00')]);
    await server.feed(moneyline('fanduel', 110, -130, '11:20'));
    expect(await computed('ML_P1')).toBe(seen('11:10'));
    await server.feed(moneyline('fanduel', -115, -105, '11:30'));
    expect(await computed('ML_P1')).toBe(seen('11:30'));
  });

  it('is a fair probability that goes with its last book', async () => {
    await server.feed(
      game('g1'),
      spread('pinnacle', -3, -110, -110, '11:00'),
      moneyline('pinnacle', -110, -110, '11:00'),
      moneyline('fanduel', -110, -110, '11:10'),
    );
    await server.feed(withdrawn('pinnacle', 'h2h', '11:20'));
    expect(await bet('ML_P1')).toMatchObject({ fair: null, market: { book: 'fanduel' }, computed_at: seen('11:20') });
  });

  it('is nothing that ageing does alone', async () => {
    await server.feed(
      game('g1'),
      moneyline('circa', -150, 130, '11:00'),
      moneyline('pinnacle', -110, -110, '11:30'),
      moneyline('fanduel', -115, -105, '11:30'),
    );
    const before = await bet('ML_P1');
    setClock('12:20');
    await server.feed(moneyline('fanduel', -116, -104, '12:20'));
    const after = await bet('ML_P1');
    expect(after.fair.books).toEqual(['pinnacle']);
    expect(Math.abs(after.fair.probability - before.fair.probability)).toBeGreaterThan(0.01);
    expect([before.computed_at, after.computed_at]).toEqual([seen('11:30'), seen('11:30')]);
    // The next fact that changes the bet includes all changes since.
    await server.feed(moneyline('pinnacle', -111, -109, '12:19'));
    expect(await computed()).toBe(seen('12:19'));
  });

  it('is what all have said at one moment, not what one of them has', async () => {
    await server.feed(game('g1'), moneyline('pinnacle', -110, -110, '11:00'), moneyline('circa', -110, -110, '11:00'));
    await server.feed(moneyline('pinnacle', -130, 110, '11:20'), moneyline('circa', 110, -130, '11:20'));
    expect((await bet('ML_P1')).fair.probability).toBe(0.508941);
    expect(await computed()).toBe(seen('11:00'));
  });

  it('is the return of a price that was too old, where others had gone on without it', async () => {
    await server.feed(
      game('g1'),
      moneyline('pinnacle', -150, 130, '10:00'),
      moneyline('circa', -110, -110, '10:00'),
      moneyline('circa', -112, -108, '11:30'),
    );
    expect(await computed()).toBe(seen('11:30'));
    await server.feed(moneyline('pinnacle', -150, 130, '11:40'));
    expect(await computed()).toBe(seen('11:40'));
  });
});

describe('as_of', () => {
  it('gives what was answered then, of prices that came late too', async () => {
    const story = [
      game('g1'),
      moneyline('pinnacle', -110, -110, '11:30'),
      moneyline('fanduel', 105, -125, '11:40'),
      moneyline('pinnacle', -150, 130, '11:35'),
      spread('circa', -3, -110, -110, '11:20'),
    ];
    const answers: [string, unknown][] = [];
    for (const message of story) {
      server.clock.time += 60_000;
      await server.feed(message);
      answers.push([new Date(server.clock.time).toISOString(), await read()]);
    }
    setClock('20:00');
    answers.push([seen('20:00'), await read()]);
    setClock('22:00');
    for (const [time, answer] of answers) expect([time, await read(`?as_of=${time}`)]).toEqual([time, answer]);
    const { bets } = await read(`?as_of=${seen('11:32')}&as_of_basis=observed`);
    expect(bets[0]).toMatchObject({ market: { price: -110 }, edges_by_book: null });
  });

  it('is refused as other reads are', async () => {
    await server.feed(game('g1'));
    const status = async (query: string) => (await ask(query)).status;
    expect(await status('?as_of=2026-03-01T11:59:59Z')).toBe(404);
    expect(await status('?as_of=yesterday')).toBe(400);
    expect(await status('?as_of=2027-01-01T00:00:00Z')).toBe(400);
    expect(await status('?as_of=2026-03-01T12:00:00Z&as_of_basis=guessed')).toBe(422);
    expect((await server.ask('/v1/events/99/intelligence', { key: BOOTSTRAP_KEY })).status).toBe(404);
    expect((await server.ask('/v1/events/one/intelligence', { key: BOOTSTRAP_KEY })).status).toBe(422);
    const { key } = await server.newKey({ scopes: ['nba'] });
    const id = await server.eventId('feed', 'g1');
    expect((await server.ask(`/v1/events/${id}/intelligence`, { key })).status).toBe(403);
  });
});

it('nothing is recommended before an edge is published', async () => {
  await server.feed(game('g1'), moneyline('pinnacle', -105, -105, '11:59'), moneyline('fanduel', 120, -140, '11:59'));
  expect((await read()).has_recommend).toBe(false);
  const listed = async (query: string) => (await server.get(`/v1/events?sport=nfl${query}`, BOOTSTRAP_KEY)).total;
  expect([await listed('&has_recommend=true'), await listed('&has_recommend=false'), await listed('')]).toEqual([
    0, 1, 1,
  ]);
});
