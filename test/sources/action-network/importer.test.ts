import { describe, expect, it } from 'vitest';
import { actionNetworkImporter } from '../../../src/sources/action-network/importer.ts';
import { UnknownFileShape } from '../../../src/sources/importing/importer.ts';
import { createStartCollector } from '../../../src/sources/importing/known-starts.ts';
import { importJson } from '../import-json.ts';
import { csvOf } from '../importing.ts';

const run = (content: unknown, options = {}) => importJson(actionNetworkImporter, content, options);

const percent = (tickets: number, money: number) => ({
  bet_info: { tickets: { percent: tickets, value: 0 }, money: { percent: money, value: 0 } },
});
const row = (side: string, odds: number, value: number, more: object = {}) => ({
  side,
  odds,
  value,
  is_live: false,
  ...more,
});
const pair = (home: object, away: object) => [
  row('home', -150, 0, { team_id: 10, ...home }),
  row('away', 130, 0, { team_id: 20, ...away }),
];
const game = (more: object = {}) => ({
  id: 501,
  league_name: 'ncaaf',
  season: 2025,
  week: 3,
  type: 'reg',
  start_time: '2025-09-13T16:00:00.000Z',
  status: 'scheduled',
  home_team_id: 10,
  away_team_id: 20,
  winning_team_id: null,
  teams: [
    { id: 20, full_name: 'Ohio Bobcats', abbr: 'OHIO' },
    { id: 10, full_name: 'Iowa Hawkeyes', abbr: 'IOWA' },
  ],
  ...more,
});
const withMarkets = (markets: object, more: object = {}) => ({ games: [game({ markets, ...more })] });

describe('Action Network: scoreboards', () => {
  it('give the schedule a week before the start, with sides by id and not by order', async () => {
    const { messages } = await run({ data: { games: [game({ broadcast: { network: 'BTN' } })] } });
    expect(messages).toEqual([
      {
        kind: 'schedule',
        source: 'action-network',
        at: '2025-09-06T16:00:00Z',
        sport: 'ncaaf',
        league: 'ncaaf',
        ref: '501',
        season: { year: 2025, phase: 'regular_season' },
        starts_at: '2025-09-13T16:00:00Z',
        participants: [
          { role: 'home', ref: '10', name: 'Iowa Hawkeyes', abbreviation: 'IOWA' },
          { role: 'away', ref: '20', name: 'Ohio Bobcats', abbreviation: 'OHIO' },
        ],
        round: 'Week 3',
        broadcast: 'BTN',
      },
    ]);
  });

  it('give finals 6 hours after the start with the overtimes by name', async () => {
    const linescore = [1, 2, 3, 4, 5, 6].map((id) => ({ id, home_points: 3, away_points: id === 6 ? 0 : 3 }));
    const boxscore = { period: 6, clock: '00:00', linescore, total_home_points: 18, total_away_points: 15 };
    const { of } = await run({ games: [game({ status: 'complete', winning_team_id: 10, boxscore })] });
    expect(of('score')[0]).toMatchObject({
      at: '2025-09-13T22:00:00Z',
      status: 'final',
      period: 'OT2',
      result_type: 'overtime',
      scores: [
        { role: 'home', score: '18', is_winner: true },
        { role: 'away', score: '15', is_winner: false },
      ],
    });
    expect(of('score')[0]!['scores'][1].period_scores.map((one: { period: string }) => one.period)).toEqual([
      '1',
      '2',
      '3',
      '4',
      'OT',
      'OT2',
    ]);
  });

  it('place live scores by the play elapsed and leave the scores of postponed games out', async () => {
    const boxscore = { period: 2, clock: '05:00', linescore: [], total_home_points: 7, total_away_points: 0 };
    const { of } = await run({
      games: [game({ status: 'inprogress', boxscore }), game({ id: 502, status: 'postponed', boxscore })],
    });
    expect(of('score')[0]).toMatchObject({
      at: '2025-09-13T16:25:00Z',
      status: 'inprogress',
      period: '2',
      clock: '05:00',
    });
    expect(of('score')[1]).toEqual({
      kind: 'score',
      source: 'action-network',
      at: '2025-09-13T16:00:00Z',
      status: 'postponed',
      ref: '502',
    });
  });

  it('give closing prices a second before the start, and the opening ones of the consensus a day before', async () => {
    const { of } = await run(
      withMarkets({
        '15': { event: { moneyline: pair({}, {}) } },
        '30': { event: { moneyline: pair({ odds: -140 }, { odds: 120 }) } },
        '69': { event: { spread: pair({ odds: -110, value: -3.5 }, { odds: -110, value: 3.5 }) } },
        '75': { event: { total: [row('over', -110, 41.5), row('under', -110, 41.5)] } },
      }),
    );
    expect(of('odds').map(({ bookmaker, at, markets }) => [bookmaker, at, markets[0].key])).toEqual([
      ['consensus', '2025-09-13T15:59:59Z', 'h2h'],
      ['consensus', '2025-09-12T16:00:00Z', 'h2h'],
      ['caesars', '2025-09-13T15:59:59Z', 'spreads'],
      ['action_75', '2025-09-13T15:59:59Z', 'totals'],
    ]);
    expect(of('odds')[2]!['markets'][0].outcomes[0]).toEqual({ outcome: 'home', price: -110, point: -3.5 });
  });

  it('know team totals by team and the first half; other periods, live prices and unpriced rows are left out', async () => {
    const totals = [row('over', -112, 24.5, { team_id: 10 }), row('under', -108, 17.5, { team_id: 20 })];
    const { of, codes } = await run(
      withMarkets({
        '15': {
          event: {
            core_bet_type_6_team_score: totals,
            moneyline: pair({ is_live: true }, { odds: 0 }),
          },
          firsthalf: { total: [row('over', 100, 20.5)] },
          thirdquarter: { total: [row('over', -110, 7)] },
        },
      }),
    );
    expect(of('odds')[0]!['markets']).toEqual([
      {
        key: 'team_totals',
        outcomes: [
          { outcome: 'over', price: -112, point: 24.5, team: 'home' },
          { outcome: 'under', price: -108, point: 17.5, team: 'away' },
        ],
      },
      { key: 'totals', scope: '1H', outcomes: [{ outcome: 'over', price: 100, point: 20.5 }] },
    ]);
    expect(codes).toEqual(['live_price', 'no_price', 'unsupported_period']);
  });

  it('are a moneyline by their draw: of regular time outside soccer, and none in soccer without room for it', async () => {
    const marketsOf = async (league_name: string, moneyline: object[]) => {
      const { of, codes } = await run(withMarkets({ '68': { event: { moneyline } } }, { league_name }));
      return [of('odds')[0]?.['markets'].map(({ key, outcomes }: any) => `${key} ${outcomes.length}`) ?? [], codes];
    };
    const draw = row('draw', 320, 0);
    expect(await marketsOf('nhl', [...pair({ odds: 120 }, { odds: 190 }), draw])).toEqual([['h2h_3_way 3'], []]);
    expect(await marketsOf('nhl', pair({}, {}))).toEqual([['h2h 2'], []]);
    expect(await marketsOf('epl', [...pair({ odds: 120 }, { odds: 190 }), draw])).toEqual([['h2h 3'], []]);
    expect(await marketsOf('epl', pair({}, {}))).toEqual([['h2h 0'], ['moneyline_without_draw']]);
  });

  it('give splits of both sides; 0 and 0 is no data, 0 and 100 is', async () => {
    const { of, codes } = await run(
      withMarkets({
        '15': {
          event: {
            moneyline: pair(percent(97, 74), percent(3, 26)),
            spread: pair({ ...percent(0, 0), value: -3 }, { ...percent(0, 0), value: 3 }),
            total: [row('over', -110, 41.5, percent(0, 0)), row('under', -110, 41.5, percent(100, 100))],
          },
        },
        '68': {
          event: { moneyline: pair(percent(60, 55), percent(40, 45)), total: [row('over', -110, 40, percent(50, 50))] },
        },
        '69': { event: { moneyline: pair(percent(0, 98), percent(0, 2)) } },
        '71': { event: { moneyline: pair({}, {}) } },
      }),
    );
    expect(of('splits')).toEqual([
      {
        kind: 'splits',
        source: 'action-network',
        at: '2025-09-13T15:59:59Z',
        ref: '501',
        markets: {
          moneyline: {
            home: { bets_pct: 97, handle_pct: 74, price: -150 },
            away: { bets_pct: 3, handle_pct: 26, price: 130 },
          },
          total: {
            over: { bets_pct: 0, handle_pct: 0, price: -110, line: 41.5 },
            under: { bets_pct: 100, handle_pct: 100, price: -110, line: 41.5 },
          },
        },
      },
      expect.objectContaining({ bookmaker: 'betmgm', markets: { moneyline: expect.anything() } }),
    ]);
    expect(codes).toEqual(['splits_incomplete']);
  });

  it('take prices at the moment of asking when that was before the start', async () => {
    const markets = { '15': { event: { moneyline: pair(percent(60, 55), percent(40, 45)) } } };
    const { of } = await run(withMarkets(markets), { at: '2025-09-13T10:00:00Z' });
    expect([of('odds')[0]!['at'], of('splits')[0]!['at']]).toEqual(['2025-09-13T10:00:00Z', '2025-09-13T10:00:00Z']);
  });
});

const COLUMNS =
  'line_type,event_id,book_id,period,side,value,odds,team_id,team,season,week,tickets_percent,money_percent,last_updated';
const line = (line_type: string, side: string, value: string, odds: string, team: string, more: object = {}) => ({
  line_type,
  event_id: '900',
  book_id: '15',
  period: 'event',
  side,
  value,
  odds,
  team,
  season: '2021',
  week: '3',
  tickets_percent: '0',
  money_percent: '0',
  last_updated: '2025-08-29T15:00:00.500Z',
  ...more,
});
const csv = (...rows: object[]) => csvOf(COLUMNS.split(','), rows as Record<string, string>[]);
const moneylines = (more: object = {}) => [
  line('moneyline', 'away', '0', '155', 'JAC', { tickets_percent: '40', money_percent: '30', ...more }),
  line('moneyline', 'home', '0', '-180', 'LA', { tickets_percent: '60', money_percent: '70', ...more }),
];

describe('Action Network: NFL game lines', () => {
  const starts = createStartCollector();
  const schedule = (phase: string, starts_at: string, ref: string) =>
    starts.add({
      kind: 'schedule',
      source: 'nflverse',
      ref,
      league: 'nfl',
      season: { year: 2021, phase },
      starts_at,
      participants: [
        { role: 'home', name: 'Los Angeles Rams' },
        { role: 'away', name: 'Jacksonville Jaguars' },
      ],
    });
  schedule('regular_season', '2021-09-26T17:00:00Z', 'a');
  schedule('playoffs', '2022-01-16T21:30:00Z', 'b');

  it('are placed by a start that is known from a schedule, of the season or of the playoffs', async () => {
    const opening = moneylines({ book_id: '30', tickets_percent: '', money_percent: '' });
    const { of } = await run(csv(...moneylines(), ...opening), { name: 'lines.csv', starts });
    const match = {
      sport: 'nfl',
      league: 'nfl',
      starts_at: '2021-09-26T17:00:00Z',
      home: 'Los Angeles Rams',
      away: 'Jacksonville Jaguars',
    };
    expect(of('odds')).toMatchObject([
      { ref: '900', match, at: '2021-09-26T16:59:59Z', bookmaker: 'consensus' },
      { ref: '900', match, at: '2021-09-25T17:00:00Z', bookmaker: 'consensus' },
    ]);
    expect(of('splits')).toMatchObject([{ ref: '900', match, at: '2021-09-26T16:59:59Z' }]);

    const late = await run(csv(...moneylines({ week: '19' })), { starts });
    expect(late.of('odds')[0]!['match'].starts_at).toBe('2022-01-16T21:30:00Z');
  });

  it('without a known start carry the id and the time of collection, and no opening prices', async () => {
    const { messages, codes } = await run(csv(...moneylines(), ...moneylines({ book_id: '30' })));
    expect(messages).toMatchObject([
      { kind: 'odds', ref: '900', at: '2025-08-29T15:00:00.500Z' },
      { kind: 'splits', ref: '900', at: '2025-08-29T15:00:00.500Z' },
    ]);
    expect(messages.every((message) => !('match' in message))).toBe(true);
    expect(codes).toEqual(['start_unknown']);
  });

  it('give the opening price once: the row without percentages is the one that opened', async () => {
    const repeated = line('total', 'over', '43.5', '-115', '', { book_id: '30', tickets_percent: '40' });
    const opened = line('total', 'over', '42.5', '-110', '', { book_id: '30', tickets_percent: '', money_percent: '' });
    for (const rows of [
      [repeated, opened],
      [opened, repeated],
    ]) {
      const { of, codes } = await run(csv(...moneylines(), ...rows), { starts });
      expect(of('odds')[1]!['markets'][0].outcomes).toEqual([{ outcome: 'over', price: -110, point: 42.5 }]);
      expect(codes).toContain('duplicate_price');
    }
  });

  it('leave all-star games and sides without a team out', async () => {
    const stars = await run(
      csv(line('moneyline', 'home', '0', '-130', 'NFC'), line('moneyline', 'away', '0', '110', 'AFC')),
    );
    expect(stars).toMatchObject({ messages: [], codes: ['unknown_teams'] });
    const none = await run(csv(...moneylines(), line('moneyline', 'noside', '0', '133', '')), { starts });
    expect(none.codes).toEqual(['unknown_side']);
  });

  it('are refused when they are player props or something else', async () => {
    const props = 'bet_type,event_id,action_network_player_id,line_type,side\nreceptions,1,2,total,over\n';
    await expect(run(props)).rejects.toThrow(/player props/);
    await expect(run('a,b\n1,2\n')).rejects.toThrow(UnknownFileShape);
    await expect(run({ events: [] })).rejects.toThrow(UnknownFileShape);
  });
});

describe('known starts', () => {
  it('give none where two games of the same sides are far apart, and follow a game that is moved', () => {
    const book = createStartCollector();
    const add = (ref: string, starts_at: string) =>
      book.add({
        kind: 'schedule',
        source: 's',
        ref,
        refs: { espn: `e${ref}` },
        league: 'nfl',
        season: { year: 2020, phase: 'regular_season' },
        starts_at,
        participants: [
          { role: 'home', name: 'Baltimore Ravens' },
          { role: 'away', name: 'Pittsburgh Steelers' },
        ],
      });
    const ask = () =>
      book.ofGame({
        sport: 'nfl',
        league: 'nfl',
        season: 2020,
        phase: 'regular_season',
        home: ['Ravens', 'Baltimore  Ravens'],
        away: ['Pittsburgh Steelers'],
      });
    add('1', '2020-11-26T01:20:00Z');
    add('1', '2020-12-02T20:40:00Z');
    expect(ask()).toBe(Date.parse('2020-12-02T20:40:00Z'));
    expect(book.ofRef('espn', 'e1')).toBe(Date.parse('2020-12-02T20:40:00Z'));
    add('2', '2020-12-20T18:00:00Z');
    expect(ask()).toBeUndefined();
  });
});
