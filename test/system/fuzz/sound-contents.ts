import { event, lines, match, player, scoreboard, status, tournament } from '../../sources/espn/espn-answers.ts';

interface SoundAnswer {
  readonly provider: 'espn' | 'the-odds-api' | 'action-network';
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const game = event(status('FINAL', 'post', { period: 4, detail: 'Final' }), {
  home: { score: '10', winner: true, linescores: lines(3, 7) },
  away: { score: '3', winner: false, linescores: lines(0, 3) },
  venue: { fullName: 'Hall', address: { city: 'Town' }, indoor: true },
  odds: [
    {
      provider: { id: '58', name: 'ESPN BET' },
      overUnder: 41,
      overOdds: -110,
      underOdds: -110,
      spread: -3,
      homeTeamOdds: { moneyLine: -150, spreadOdds: -110, open: { moneyLine: { american: '-140' } } },
      awayTeamOdds: { moneyLine: 130, spreadOdds: -110 },
    },
  ],
});
const matches = tournament({
  'mens-singles': [
    match('1', status('FINAL', 'post', { period: 1 }), [
      player('home', '8', 'Abe', { winner: true, linescores: [{ value: 7, tiebreak: 7 }] }),
      player('away', '9', 'Bob', { winner: false, linescores: [{ value: 6, tiebreak: 3 }] }),
    ]),
  ],
});
const summary = {
  header: { ...(game as object), league: { slug: 'nfl' }, week: 2 },
  boxscore: {
    teams: [{ team: { id: '1' }, statistics: [{ name: 'sacksYardsLost', displayValue: '1-11' }] }],
    players: [
      {
        team: { id: '1' },
        statistics: [
          {
            name: 'passing',
            keys: ['a/b', 'c'],
            athletes: [{ athlete: { id: '5', displayName: 'P' }, stats: ['1/2', '3'] }],
          },
        ],
      },
    ],
  },
};
const injuries = {
  injuries: [
    {
      team: { id: '1', displayName: 'Hawks' },
      injuries: [
        {
          date: '2025-02-11T03:06Z',
          status: 'Out',
          athlete: { id: '5', displayName: 'Pat' },
          details: { type: 'Knee' },
        },
      ],
    },
  ],
};
const priced = {
  id: 'g1',
  sport_key: 'americanfootball_nfl',
  sport_title: 'NFL',
  commence_time: '2026-09-08T17:00:00Z',
  home_team: 'Chicago Bears',
  away_team: 'Tennessee Titans',
  scores: [{ name: 'Chicago Bears', score: '3' }],
  bookmakers: [
    {
      key: 'fanduel',
      last_update: '2026-09-08T15:00:00Z',
      markets: [
        {
          key: 'h2h',
          outcomes: [
            { name: 'Chicago Bears', price: -110 },
            { name: 'Tennessee Titans', price: 100 },
          ],
        },
        {
          key: 'totals',
          outcomes: [
            { name: 'Over', price: -110, point: 44.5 },
            { name: 'Under', price: -110, point: 44.5 },
          ],
        },
        { key: 'player_pass_yds', outcomes: [{ name: 'Over', description: 'Joe Doe', price: -110, point: 244.5 }] },
      ],
    },
  ],
};
const publicGame = {
  id: 7,
  league_name: 'nfl',
  start_time: '2026-09-08T17:00:00Z',
  status: 'complete',
  home_team_id: 1,
  away_team_id: 2,
  teams: [
    { id: 1, full_name: 'Kansas City Chiefs', abbr: 'KC' },
    { id: 2, full_name: 'Buffalo Bills', abbr: 'BUF' },
  ],
  boxscore: { total_home_points: 10, total_away_points: 3 },
  markets: {
    '15': {
      event: {
        moneyline: [
          {
            odds: -110,
            type: 'moneyline',
            side: 'home',
            period: 'event',
            bet_info: { tickets: { percent: 40 }, money: { percent: 60 } },
          },
        ],
        total: [{ odds: -110, value: 44.5, type: 'total', side: 'over', period: 'event' }],
      },
    },
  },
};

const NFL = '/apis/site/v2/sports/football/nfl';
/** One of each kind that a connector asks for. */
export const ANSWERS: readonly SoundAnswer[] = [
  { provider: 'espn', path: `${NFL}/scoreboard`, query: { dates: '20260901' }, body: scoreboard('nfl', game) },
  {
    provider: 'espn',
    path: '/apis/site/v2/sports/tennis/atp/scoreboard',
    query: { dates: '20260901' },
    body: scoreboard('atp', matches),
  },
  { provider: 'espn', path: `${NFL}/summary`, query: { event: '1' }, body: summary },
  { provider: 'espn', path: `${NFL}/injuries`, query: {}, body: injuries },
  { provider: 'the-odds-api', path: '/v4/sports', query: {}, body: [{ key: 'americanfootball_nfl', active: true }] },
  {
    provider: 'the-odds-api',
    path: '/v4/sports/americanfootball_nfl/odds',
    query: { oddsFormat: 'american' },
    body: [priced],
  },
  { provider: 'the-odds-api', path: '/v4/sports/americanfootball_nfl/scores', query: {}, body: [priced] },
  { provider: 'the-odds-api', path: '/v4/sports/americanfootball_nfl/events/g1/odds', query: {}, body: priced },
  {
    provider: 'action-network',
    path: '/web/v2/scoreboard/nfl',
    query: { date: '20260901' },
    body: { games: [publicGame] },
  },
];

/** Files of the importers of CSV. */
export const CSV_FILES: Readonly<Record<string, string>> = {
  nflverse:
    'game_id,season,game_type,week,gameday,gametime,away_team,away_score,home_team,home_score,location,result,overtime,' +
    'gsis,espn,away_moneyline,home_moneyline,spread_line,total_line,under_odds,over_odds,roof,surface,stadium\n' +
    '2018_03_BUF_DET,2018,REG,3,2018-09-23,13:00,BUF,17,DET,24,Home,7,0,57001,4010,150,-170,3.5,44,-108,-112,dome,x,y\n',
  'football-data':
    'Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR,HTHG,HTAG,B365H,B365D,B365A\n12/09/2020,17:30,A,B,3,1,H,1,0,2.1,3,4\n',
  'tennis-data':
    'ATP,Location,Tournament,Date,Series,Court,Surface,Round,Best of,Winner,Loser,WRank,LRank,W1,L1,W2,L2,W3,L3,Wsets,' +
    'Lsets,Comment,B365W,B365L\n1,X,T,2014-01-06,ATP250,Outdoor,Hard,1st Round,3,Zorn A.,Abel B.,1,2,6,4,6,4,,,2,0,Completed,1.5,2\n',
  'action-network':
    'line_type,event_id,book_id,period,side,value,odds,team,season,week\nspread,1,15,event,home,-3.5,-110,KC,2023,1\n',
};

export const CONFIG_FILE = {
  plans: { free: { monthly_credits: 10, requests_per_minute: 20 }, own: { monthly_credits: 5 } },
  packs: [{ id: 'small', credits: 100, price_cents: 500 }],
  bookmakers: { pinnacle: { name: 'Pinnacle', reference_weight: 2 }, new_book: 'New' },
};
