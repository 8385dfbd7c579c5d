import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SportSlug } from '../../../src/domain/catalogue/catalogue.ts';
import { playerStatisticNames } from '../../../src/domain/statistics/statistics-catalogue.ts';
import { UnknownFileShape } from '../../../src/sources/importing/importer.ts';
import { theOddsApiImporter } from '../../../src/sources/the-odds-api/importer.ts';
import { marketOf } from '../../../src/sources/the-odds-api/markets.ts';
import { importJson } from '../import-json.ts';
import { pricesGiven, pricesTaken } from './odds-api-markets.ts';

const game = (more: object = {}) => ({
  id: 'g1',
  sport_key: 'americanfootball_nfl',
  sport_title: 'NFL',
  commence_time: '2024-09-08T17:00:00Z',
  home_team: 'Chicago Bears',
  away_team: 'Tennessee Titans',
  ...more,
});
const market = (key: string, outcomes: object[], more: object = {}) => ({ key, outcomes, ...more });
const book = (markets: object[], more: object = {}) => ({
  key: 'fanduel',
  last_update: '2024-09-08T15:00:00Z',
  markets,
  ...more,
});
const moneyline = (home: number, away: number, more: object = {}) =>
  market(
    'h2h',
    [
      { name: 'Tennessee Titans', price: away },
      { name: 'Chicago Bears', price: home },
    ],
    more,
  );
const run = (content: unknown, options = {}) => importJson(theOddsApiImporter, content, options);
const oneMarket = async (given: object, more: object = {}) => {
  const { of, codes } = await run([game({ bookmakers: [book([given])], ...more })]);
  return { market: of('odds')[0]?.['markets'][0], codes };
};

describe('The Odds API: odds', () => {
  it('give a schedule at the first time that the answer states, and prices by side', async () => {
    const books = [
      book([moneyline(-150, 130)]),
      book([moneyline(-148, 128)], { key: 'dk', last_update: '2024-09-08T14:58:00Z' }),
    ];
    const { messages } = await run({ response: [game({ bookmakers: books })], request: { method: 'GET' } });
    expect(messages).toEqual([
      {
        kind: 'schedule',
        source: 'the-odds-api',
        at: '2024-09-08T14:58:00Z',
        sport: 'nfl',
        league: 'nfl',
        ref: 'g1',
        starts_at: '2024-09-08T17:00:00Z',
        participants: [
          { role: 'home', name: 'Chicago Bears' },
          { role: 'away', name: 'Tennessee Titans' },
        ],
      },
      expect.objectContaining({
        at: '2024-09-08T15:00:00Z',
        bookmaker: 'fanduel',
        markets: [
          {
            key: 'h2h',
            outcomes: [
              { outcome: 'away', price: 130 },
              { outcome: 'home', price: -150 },
            ],
          },
        ],
      }),
      expect.objectContaining({ at: '2024-09-08T14:58:00Z', bookmaker: 'dk' }),
    ]);
  });

  it('make one message of each last_update, the market before the bookmaker', async () => {
    const totals = [
      { name: 'Over', price: -110, point: 44.5 },
      { name: 'Under', price: -110, point: 44.5 },
    ];
    const markets = [moneyline(-150, 130), market('totals', totals, { last_update: '2024-09-08T15:01:00Z' })];
    const { of } = await run([game({ bookmakers: [book(markets)] })]);
    expect(of('odds').map(({ at, markets: given }) => [at, given[0].key])).toEqual([
      ['2024-09-08T15:00:00Z', 'h2h'],
      ['2024-09-08T15:01:00Z', 'totals'],
    ]);
  });

  it('unwrap historical answers, of one event too, and take prices that are newer than the snapshot', async () => {
    const markets = [moneyline(2.5, 1.56, { last_update: '2024-09-08T12:00:40Z' })];
    const event = game({ bookmakers: [{ key: 'williamhill_us', markets }] });
    const { of } = await run({ timestamp: '2024-09-08T12:00:00Z', previous_timestamp: null, data: event });
    expect(of('schedule')[0]).toMatchObject({ at: '2024-09-08T12:00:00Z' });
    expect(of('odds')[0]).toMatchObject({
      at: '2024-09-08T12:00:40Z',
      bookmaker: 'caesars',
      markets: [
        {
          outcomes: [
            { outcome: 'away', price: -179 },
            { outcome: 'home', price: 150 },
          ],
        },
      ],
    });
  });

  it('are decimal when any price is below 100, unless the operator says otherwise', async () => {
    const answer = [game({ bookmakers: [book([moneyline(101, 1.01)])] })];
    expect((await run(answer)).of('odds')[0]!['markets'][0].outcomes[1].price).toBe(10_000);
    expect((await run(answer, { oddsFormat: 'american' })).codes).toEqual(['price_dropped']);
    const high = [game({ bookmakers: [book([moneyline(120, 130)])] })];
    expect((await run(high)).of('odds')[0]!['markets'][0].outcomes[1].price).toBe(120);
    expect((await run(high, { oddsFormat: 'decimal' })).of('odds')[0]!['markets'][0].outcomes[1].price).toBe(11_900);
  });

  it('lose one market alone to a price that is none', async () => {
    const totals = [
      { name: 'Over', price: 1.9, point: 44.5 },
      { name: 'Under', price: 1.9, point: 44.5 },
    ];
    const { of, codes } = await run([game({ bookmakers: [book([moneyline(51, 1), market('totals', totals)])] })]);
    expect(of('odds')[0]!['markets'].map((one: { key: string }) => one.key)).toEqual(['totals']);
    expect(codes).toEqual(['price_dropped']);
  });

  it('know scopes, rungs and the teams of team totals', async () => {
    const over = { name: 'Over', description: 'Tennessee Titans', price: -115, point: 20.5 };
    expect((await oneMarket(market('alternate_team_totals', [over]))).market).toEqual({
      key: 'team_totals',
      alternate: true,
      outcomes: [{ outcome: 'over', point: 20.5, team: 'away', price: -115 }],
    });
    const spread = { name: 'Chicago Bears', price: -105, point: -1.5 };
    expect((await oneMarket(market('spreads_h1', [spread]))).market).toMatchObject({ key: 'spreads', scope: '1H' });
    expect((await oneMarket(market('alternate_spreads', [spread]))).market).toMatchObject({ alternate: true });
    expect((await oneMarket(market('h2h_q1', [spread]))).codes).toEqual(['unsupported_market']);
  });

  it('give player props by player and line; Yes and No of a question about a statistic are over and under', async () => {
    const lines = [0.5, 1.5].flatMap((point) => [
      { name: 'Over', description: 'Will Levis', price: -205, point },
      { name: 'Under', description: 'Will Levis', price: 150, point },
    ]);
    const { market: passing } = await oneMarket(market('player_pass_tds', lines));
    expect(passing.key).toBe('passing_touchdowns');
    expect(passing.outcomes).toHaveLength(4);
    expect(passing.outcomes[0]).toEqual({ outcome: 'over', point: 0.5, player: 'Will Levis', price: -205 });

    const question = [
      { name: 'Yes', description: 'D. Moore', price: 140 },
      { name: 'No', description: 'D. Moore', price: -180 },
    ];
    const asked = await oneMarket(market('player_anytime_td', question));
    expect(asked.market).toMatchObject({
      key: 'touchdowns',
      outcomes: [
        { outcome: 'over', point: 0.5, player: 'D. Moore', price: 140 },
        { outcome: 'under', point: 0.5, player: 'D. Moore', price: -180 },
      ],
    });
    expect(asked.codes).toEqual([]);
    const maybe = market('player_anytime_td', [{ name: 'Maybe', description: 'D. Moore', price: 140 }]);
    expect((await oneMarket(maybe)).codes).toEqual(['outcome_dropped']);
    expect((await oneMarket(market('player_1st_td', question))).codes).toEqual(['unsupported_market']);
  });

  it('put two markets of one statistic together', async () => {
    const markets = [
      market('player_anytime_td', [{ name: 'Yes', description: 'D. Moore', price: 140 }]),
      market('player_tds_over', [
        { name: 'Over', description: 'D. Moore', price: 145, point: 0.5 },
        { name: 'Over', description: 'D. Moore', price: 900, point: 1.5 },
      ]),
    ];
    const { of } = await run([game({ bookmakers: [book(markets)] })]);
    expect(of('odds')[0]!['markets']).toEqual([
      {
        key: 'touchdowns',
        complete: false,
        outcomes: [
          { outcome: 'over', point: 0.5, player: 'D. Moore', price: 140 },
          { outcome: 'over', point: 1.5, player: 'D. Moore', price: 900 },
        ],
      },
    ]);
  });

  it('have a draw in soccer, and tennis players by name with their prices', async () => {
    const soccer = { sport_key: 'soccer_epl', home_team: 'Arsenal', away_team: 'Everton' };
    const three = market('h2h', [
      { name: 'Arsenal', price: 1.5 },
      { name: 'Everton', price: 6 },
      { name: 'Draw', price: 4.2 },
    ]);
    expect((await oneMarket(three, soccer)).market.outcomes[2]).toEqual({ outcome: 'draw', price: 320 });

    const tennis = { sport_key: 'tennis_atp_us_open', sport_title: 'ATP US Open', home_team: 'Zed', away_team: 'Ábel' };
    const two = market('h2h', [
      { name: 'Zed', price: 1.5 },
      { name: 'Ábel', price: 2.6 },
    ]);
    const { of } = await run([game({ ...tennis, bookmakers: [book([two])] })]);
    expect(of('schedule')[0]).toMatchObject({
      sport: 'tennis',
      league: 'atp',
      competition: { name: 'ATP US Open', tier: 'grand_slam' },
      participants: [
        { role: 'player_1', name: 'Ábel' },
        { role: 'player_2', name: 'Zed' },
      ],
    });
    expect(of('odds')[0]!['markets'][0].outcomes).toEqual([
      { outcome: 'player_2', price: -200 },
      { outcome: 'player_1', price: 160 },
    ]);
  });
});

describe('The Odds API: other answers', () => {
  it('of soccer without a draw are no moneyline where they leave no room for one', async () => {
    const soccer = { sport_key: 'soccer_epl' };
    expect(await oneMarket(moneyline(-150, 120), soccer)).toEqual({
      market: { key: 'h2h', outcomes: [] },
      codes: ['moneyline_without_draw'],
    });
    expect((await oneMarket(moneyline(120, 190), soccer)).market).toMatchObject({ key: 'h2h', outcomes: [{}, {}] });
  });

  it('give scores: final when completed, live with scores, nothing before', async () => {
    const scores = [
      { name: 'Chicago Bears', score: '24' },
      { name: 'Tennessee Titans', score: '17' },
    ];
    const { of } = await run([
      game({ completed: true, scores, last_update: '2024-09-08T20:10:00Z' }),
      game({ id: 'g2', completed: false, scores, last_update: '2024-09-08T19:10:00Z' }),
      game({ id: 'g3', completed: false, scores: null, last_update: null }),
    ]);
    expect(of('schedule').map(({ at }) => at)).toEqual([
      '2024-09-08T20:10:00Z',
      '2024-09-08T19:10:00Z',
      '2024-09-01T17:00:00Z',
    ]);
    expect(of('score')).toMatchObject([
      {
        ref: 'g1',
        status: 'final',
        at: '2024-09-08T20:10:00Z',
        scores: [{ role: 'home', score: '24' }, { score: '17' }],
      },
      { ref: 'g2', status: 'inprogress' },
    ]);
  });

  it('read the shape of version 3: decimal pairs in the order of teams, Unix times, no lay prices', async () => {
    const odds = { h2h: [3.1, 1.4], h2h_lay: [3.2, 1.5] };
    const { of } = await run({
      success: true,
      data: [
        {
          id: 'old',
          sport_key: 'baseball_mlb',
          teams: ['Cleveland Guardians', 'Detroit Tigers'],
          home_team: 'Detroit Tigers',
          commence_time: 1720564860,
          sites: [{ site_key: 'betonlineag', last_update: 1720569225, odds }],
        },
      ],
    });
    expect(of('schedule')[0]).toMatchObject({ starts_at: '2024-07-09T22:41:00Z', at: '2024-07-09T23:53:45Z' });
    expect(of('odds')).toMatchObject([
      {
        bookmaker: 'betonline',
        markets: [
          {
            key: 'h2h',
            outcomes: [
              { outcome: 'away', price: 210 },
              { outcome: 'home', price: -250 },
            ],
          },
        ],
      },
    ]);
  });

  it('leave sports out that are not covered, and are refused when they are something else', async () => {
    expect((await run([game({ sport_key: 'mma_mixed_martial_arts' })])).codes).toEqual(['unknown_sport']);
    expect((await run([])).messages).toEqual([]);
    await expect(run({ message: 'Unknown sport', error_code: 'UNKNOWN_SPORT' })).rejects.toThrow(UnknownFileShape);
    await expect(run('not json')).rejects.toThrow(UnknownFileShape);
  });

  it('never fail on members of another kind', async () => {
    const odd = fc.oneof(
      fc.string(),
      fc.double(),
      fc.constant(null),
      fc.boolean(),
      fc.array(fc.integer()),
      fc.object(),
    );
    await fc.assert(
      fc.asyncProperty(odd, odd, odd, odd, async (bookmakers, price, scores, update) => {
        await run([
          game({ bookmakers }),
          game({ scores, last_update: update, completed: true }),
          game({ bookmakers: [book([market('h2h', [{ name: 'Chicago Bears', price }])])] }),
        ]);
      }),
      { numRuns: 200 },
    );
  });
});

describe('The Odds API: odds of one event', () => {
  const updated = { last_update: '2023-11-29T22:40:55Z' };
  const overUnder = (point: number, description?: string) =>
    ['Over', 'Under'].map((name) => ({ name, ...(description ? { description } : {}), price: -110, point }));
  const handicap = (point: number) => [
    { name: 'Los Angeles Lakers', price: -105, point },
    { name: 'Detroit Pistons', price: -115, point: -point },
  ];
  const markets = {
    spreads: handicap(-7.5),
    spreads_h1: handicap(-4),
    alternate_spreads_h1: [...handicap(-5), ...handicap(-3)],
    totals_h1: overUnder(114.5),
    totals_q1: overUnder(57.5),
    h2h_h1: [
      { name: 'Los Angeles Lakers', price: -220 },
      { name: 'Detroit Pistons', price: 180 },
    ],
    team_totals: [...overUnder(118.5, 'Los Angeles Lakers'), ...overUnder(110.5, 'Detroit Pistons')],
    team_totals_h1: overUnder(60.5, 'Los Angeles Lakers'),
    alternate_team_totals: overUnder(120.5, 'Los Angeles Lakers'),
    player_points: [...overUnder(23.5, 'Anthony Davis'), ...overUnder(11.5, 'Ausar Thompson')],
    player_points_alternate: [{ name: 'Over', description: 'Anthony Davis', price: 150, point: 26.5 }],
    player_points_q1: overUnder(6.5, 'Anthony Davis'),
    player_points_rebounds_assists: overUnder(40.5, 'Anthony Davis'),
    player_threes: overUnder(0.5, 'Anthony Davis'),
    player_double_double: [
      { name: 'Yes', description: 'Anthony Davis', price: -150 },
      { name: 'No', description: 'Anthony Davis', price: 120 },
    ],
    player_first_basket: [{ name: 'Anthony Davis', description: 'Anthony Davis', price: 550 }],
  };
  const answer = game({
    id: 'da359da99aa27e97d38f2df709343998',
    sport_key: 'basketball_nba',
    sport_title: 'NBA',
    commence_time: '2023-11-30T00:10:00Z',
    home_team: 'Detroit Pistons',
    away_team: 'Los Angeles Lakers',
    bookmakers: [
      {
        key: 'draftkings',
        title: 'DraftKings',
        markets: Object.entries(markets).map(([key, outcomes]) => market(key, outcomes, updated)),
      },
    ],
  });

  it('have every price in, or a note for its market', async () => {
    const { messages, notes } = await run(answer);
    const given = pricesGiven([answer]);

    expect(given).toEqual({ match: 2, period: 12, team_totals: 6, props: 9, none: 7 });
    expect(pricesTaken(messages)).toEqual({ ...given, none: 0 });
    expect(notes.map(({ message }) => /"(\w+)"/.exec(message)?.[1])).toEqual([
      'totals_q1',
      'player_points_q1',
      'player_double_double',
      'player_first_basket',
    ]);
  });

  it('are one message in the words of the feed', async () => {
    const [odds, ...others] = (await run(answer)).of('odds');
    expect(others).toEqual([]);
    expect(odds).toMatchObject({ at: '2023-11-29T22:40:55Z', bookmaker: 'draftkings' });
    const said = odds!['markets'].map(({ key, scope, alternate, outcomes }: any) => [
      key,
      scope,
      alternate,
      outcomes[0],
    ]);
    const over = (point: number, more: object) => ({ outcome: 'over', point, price: -110, ...more });
    expect(said).toEqual([
      ['spreads', undefined, undefined, { outcome: 'away', point: -7.5, price: -105 }],
      ['spreads', '1H', undefined, { outcome: 'away', point: -4, price: -105 }],
      ['spreads', '1H', true, { outcome: 'away', point: -5, price: -105 }],
      ['totals', '1H', undefined, over(114.5, {})],
      ['h2h', '1H', undefined, { outcome: 'away', price: -220 }],
      ['team_totals', undefined, undefined, over(118.5, { team: 'away' })],
      ['team_totals', '1H', undefined, over(60.5, { team: 'away' })],
      ['team_totals', undefined, true, over(120.5, { team: 'away' })],
      ['points', undefined, undefined, over(23.5, { player: 'Anthony Davis' })],
      ['points', undefined, true, over(26.5, { player: 'Anthony Davis', price: 150 })],
      ['points_rebounds_assists', undefined, undefined, over(40.5, { player: 'Anthony Davis' })],
      ['three_pointers_made', undefined, undefined, over(0.5, { player: 'Anthony Davis' })],
    ]);
  });
});

describe('market keys', () => {
  it.each([
    ['mlb', 'h2h_1st_5_innings', { key: 'h2h', scope: 'F5' }],
    ['mlb', 'alternate_totals_1st_5_innings', { key: 'totals', scope: 'F5', alternate: true }],
    ['mlb', 'totals_1st_3_innings', undefined],
    ['nfl', 'spreads_h1', { key: 'spreads', scope: '1H' }],
    ['nba', 'team_totals_h1', { key: 'team_totals', scope: '1H' }],
    ['nba', 'totals_q1', undefined],
    ['nba', 'totals_h2', undefined],
    ['tennis', 'spreads_s1', { key: 'spreads', scope: 'S1' }],
    ['tennis', 'alternate_totals_s1', { key: 'totals', scope: 'S1', alternate: true }],
    ['tennis', 'h2h_s2', undefined],
    ['soccer', 'team_totals', { key: 'team_totals' }],
    ['soccer', 'alternate_team_totals', { key: 'team_totals', alternate: true }],
    ['soccer', 'btts', undefined],
    ['soccer', 'h2h_3_way', undefined],
    ['nhl', 'h2h_3_way', { key: 'h2h_3_way' }],
    ['tennis', 'h2h_3_way', undefined],
    ['soccer', 'alternate_totals_corners', undefined],
    ['mlb', 'batter_hits', { key: 'hits', prop: true }],
    ['mlb', 'pitcher_strikeouts', { key: 'pitching_strikeouts', prop: true }],
    ['mlb', 'batter_strikeouts_alternate', { key: 'strikeouts', prop: true, alternate: true }],
    ['nba', 'player_points_alternate', { key: 'points', prop: true, alternate: true }],
    ['nba', 'player_field_goals', { key: 'field_goals_made', prop: true }],
    ['nba', 'player_points_q1', undefined],
    ['nba', 'player_points_q1_alternate', undefined],
    ['nba', 'player_double_double', undefined],
    ['nfl', 'player_pass_yds_q1', undefined],
    ['nfl', 'player_last_td', undefined],
    ['nfl', 'player_tackles_assists', { key: 'total_tackles', prop: true }],
    ['nhl', 'player_goal_scorer_anytime', { key: 'goals', prop: true, isYesNo: true, shared: true }],
    ['nhl', 'player_goals', { key: 'goals', prop: true, shared: true }],
    ['nba', 'player_new_statistic', { key: 'new_statistic', prop: true }],
  ] as const)('of %s: %s', (sport, key, expected) => {
    expect(marketOf(key, sport)).toEqual(expected);
  });

  /** As the provider lists them. */
  const PROPS: Partial<Record<SportSlug, string>> = {
    nfl:
      'pass_tds pass_yds pass_completions pass_attempts pass_interceptions pass_longest_completion pass_rush_yds ' +
      'pass_rush_reception_tds pass_rush_reception_yds rush_yds rush_tds rush_attempts rush_longest ' +
      'rush_reception_tds rush_reception_yds receptions reception_yds reception_tds reception_longest assists ' +
      'defensive_interceptions field_goals kicking_points pats sacks solo_tackles tackles_assists tds_over anytime_td',
    nba:
      'points rebounds assists threes blocks steals blocks_steals turnovers points_rebounds_assists points_rebounds ' +
      'points_assists rebounds_assists field_goals frees_made frees_attempts',
    nhl: 'points power_play_points assists blocked_shots shots_on_goal goals total_saves goal_scorer_anytime',
    soccer: 'goal_scorer_anytime to_receive_card to_receive_red_card shots_on_target shots assists',
  };
  const BATTERS =
    'home_runs hits total_bases rbis runs_scored hits_runs_rbis singles doubles triples walks strikeouts stolen_bases';
  const PITCHERS = 'strikeouts hits_allowed walks earned_runs outs record_a_win';

  it('of props are statistics that are listed for the sport', () => {
    const keys = Object.entries(PROPS).flatMap(([sport, list]) =>
      list.split(' ').map((key) => [sport as SportSlug, `player_${key}`] as const),
    );
    const baseball = [
      ...BATTERS.split(' ').map((key) => ['mlb', `batter_${key}`] as const),
      ...PITCHERS.split(' ').map((key) => ['mlb', `pitcher_${key}`] as const),
    ];
    for (const [sport, key] of [...keys, ...baseball]) {
      for (const given of [key, `${key}_alternate`]) {
        expect(playerStatisticNames(sport), given).toContain(marketOf(given, sport)?.key);
      }
    }
  });
});
