import { describe, expect, it } from 'vitest';
import type { SportSlug } from '../../../src/domain/catalogue/catalogue.ts';
import { STATISTICS, teamStatisticNames } from '../../../src/domain/statistics/statistics-catalogue.ts';
import { espnImporter } from '../../../src/sources/espn/importer.ts';
import { importJson } from '../import-json.ts';
import { event, match, player, scoreboard, side, status, tournament } from './espn-answers.ts';

const run = (content: unknown, options = {}) => importJson(espnImporter, content, options);
const final = status('FINAL', 'post', { detail: 'Final' });
const START = '2025-01-10T18:00Z';

type Given = Record<string, string>;
const listed = (stats: Given) => Object.entries(stats).map(([name, displayValue]) => ({ name, displayValue }));
const group = (name: string, keys: string[], rows: Record<string, string[]>) => ({
  type: name,
  keys,
  athletes: Object.entries(rows).map(([displayName, stats], index) => ({
    athlete: { id: `${name}-${index}`, displayName },
    stats,
  })),
});

/** A summary of a game in which only the home side has a box. */
const summary = (slug: string, boxscore: object, { state = final, ...more }: Record<string, any> = {}) => ({
  header: {
    season: { year: 2025, type: 2 },
    league: { slug },
    competitions: [{ id: '77', date: START, competitors: [side('home'), side('away')], status: state }],
  },
  boxscore,
  ...more,
});
const teamBox = (statistics: object[]) => ({ teams: [{ team: { id: '1' }, statistics }] });
const playerBox = (...statistics: object[]) => ({ players: [{ team: { id: '1' }, statistics }] });
const boxOf = async (content: object) => (await run(content)).of('box')[0];
const homeTeam = async (content: object) => (await boxOf(content))!['teams'].home;
const statsByName = async (content: object) =>
  Object.fromEntries((await boxOf(content))!['players'].map(({ name, stats }: any) => [name, stats]));

/** A team's statistics as ESPN's box score of the sport has them. */
const TEAMS: Readonly<Partial<Record<SportSlug, readonly [slug: string, stats: object[]]>>> = {
  nfl: [
    'nfl',
    listed({
      firstDowns: '17',
      thirdDownEff: '3-9',
      totalYards: '224',
      netPassingYards: '140',
      completionAttempts: '14/25',
      sacksYardsLost: '1-11',
      rushingYards: '84',
      rushingAttempts: '21',
      redZoneAttempts: '2-3',
      totalPenaltiesYards: '7-40',
      turnovers: '0',
      possessionTime: '23:45',
    }),
  ],
  nba: [
    'nba',
    listed({
      'fieldGoalsMade-fieldGoalsAttempted': '41-86',
      'threePointFieldGoalsMade-threePointFieldGoalsAttempted': '9-32',
      'freeThrowsMade-freeThrowsAttempted': '17-26',
      totalRebounds: '41',
      offensiveRebounds: '13',
      defensiveRebounds: '28',
      assists: '23',
      steals: '10',
      blocks: '6',
      turnovers: '17',
      fouls: '16',
    }),
  ],
  mlb: [
    'mlb',
    [
      {
        name: 'batting',
        stats: listed({
          hits: '9',
          doubles: '2',
          triples: '1',
          homeRuns: '1',
          RBIs: '5',
          walks: '3',
          strikeouts: '8',
          stolenBases: '1',
          atBats: '34',
          runnersLeftOnBase: '7',
          groundBalls: '11',
        }),
      },
      { name: 'pitching', stats: listed({ hits: '6', doubles: '4', strikeouts: '10' }) },
      { name: 'fielding', stats: listed({ errors: '2', assists: '9' }) },
    ],
  ],
  nhl: [
    'nhl',
    listed({
      shotsTotal: '31',
      hits: '22',
      blockedShots: '14',
      powerPlayGoals: '1',
      powerPlayOpportunities: '4',
      penaltyMinutes: '8',
      faceoffsWon: '30',
      giveaways: '5',
      takeaways: '6',
    }),
  ],
  soccer: [
    'eng.1',
    listed({
      totalShots: '13',
      shotsOnTarget: '5',
      wonCorners: '6',
      possessionPct: '62.7',
      foulsCommitted: '11',
      yellowCards: '2',
      redCards: '0',
      totalPasses: '480',
      accuratePasses: '411',
      passPct: '0.9',
      saves: '3',
      offsides: '1',
      totalTackles: '15',
      interceptions: '9',
      blockedShots: '4',
      goalAssists: '2',
    }),
  ],
};

describe('ESPN: box scores', () => {
  it.each(Object.entries(TEAMS))(
    'of %s state every rate of a side by its listed name',
    async (sport, [slug, stats]) => {
      const { bothSides, ownSideOnly } = STATISTICS[sport as SportSlug].averaged;
      expect(Object.keys(await homeTeam(summary(slug, teamBox(stats))))).toEqual(
        expect.arrayContaining([...bothSides, ...ownSideOnly]),
      );
    },
  );

  it('of baseball tell what a team did at bat from what it allowed', async () => {
    const box = await homeTeam(summary('mlb', teamBox(TEAMS.mlb![1])));
    expect(box).toMatchObject({
      hits: 9,
      rbis: 5,
      left_on_base: 7,
      errors: 2,
      strikeouts: 8,
      // What is not listed keeps the part before its name.
      batting_ground_balls: 11,
      doubles: 2,
      pitching_hits: 6,
      pitching_doubles: 4,
      pitching_strikeouts: 10,
      fielding_assists: 9,
    });
    expect(Object.keys(box).filter((name) => teamStatisticNames('mlb').includes(name))).toHaveLength(11);
  });

  it('of baseball tell batters from pitchers', async () => {
    const batting = group('batting', ['hits-atBats', 'atBats', 'runs', 'hits', 'RBIs', 'homeRuns', 'walks'], {
      'Al Batter': ['2-4', '4', '1', '2', '3', '1', '0'],
    });
    const pitching = group('pitching', ['fullInnings.partInnings', 'hits', 'earnedRuns', 'walks', 'strikeouts'], {
      'Cy Pitcher': ['6.1', '5', '2', '1', '9'],
    });
    expect(await statsByName(summary('mlb', playerBox(batting, pitching)))).toEqual({
      'Al Batter': { at_bats: 4, runs: 1, hits: 2, rbis: 3, home_runs: 1, walks: 0 },
      'Cy Pitcher': { outs_recorded: 19, hits_allowed: 5, earned_runs: 2, walks_allowed: 1, pitching_strikeouts: 9 },
    });
  });

  it('of ice hockey have skaters and goaltenders', async () => {
    const forwards = group('forwards', ['blockedShots', 'plusMinus', 'timeOnIce', 'goals', 'assists', 'shotsTotal'], {
      'Al Skater': ['1', '+2', '17:32', '1', '2', '5'],
    });
    const goalies = group('goalies', ['goalsAgainst', 'shotsAgainst', 'saves', 'savePct'], {
      'Cy Goalie': ['2', '30', '28', '.933'],
    });
    expect(await statsByName(summary('nhl', playerBox(forwards, goalies)))).toEqual({
      'Al Skater': {
        blocked_shots: 1,
        plus_minus: 2,
        time_on_ice_seconds: 1052,
        goals: 1,
        assists: 2,
        shots_on_goal: 5,
      },
      'Cy Goalie': { goals_against: 2, shots_against: 30, saves: 28, save_pct: 0.933 },
    });
  });

  it('of soccer have shares of a hundred', async () => {
    const stats = { accuratePasses: '411', totalPasses: '480', passPct: '0.9', possessionPct: '62.7' };
    expect(await homeTeam(summary('eng.1', teamBox(listed(stats))))).toMatchObject({
      pass_accuracy_pct: 85.6,
      possession_pct: 62.7,
    });
    expect(await homeTeam(summary('eng.1', teamBox(listed({ passPct: '0.8' }))))).toEqual({ pass_accuracy_pct: 80 });
  });

  it('of tennis are of players', async () => {
    const competitors = [player('away', '3', 'Uma Two'), player('home', '4', 'Vera One')];
    const one = match('9', final, competitors);
    const boxscore = { teams: [{ team: { id: '3' }, statistics: listed({ aces: '7', doubleFaults: '2' }) }] };
    const { of } = await run({ header: { league: { slug: 'atp' }, competitions: [one] }, boxscore });
    expect(of('box')[0]!['teams']).toEqual({ player_2: { aces: 7, double_faults: 2 } });
  });

  it('are none before the start', async () => {
    const state = status('SCHEDULED', 'pre');
    expect(await boxOf(summary('nba', teamBox(TEAMS.nba![1]), { state }))).toBeUndefined();
  });
});

describe('ESPN: lineups', () => {
  const stat = (name: string, value: number) => ({ name, value, displayValue: String(value) });
  const onRoster = (id: string, more: object) => ({
    athlete: { id, displayName: `Player ${id}` },
    jersey: id,
    position: { name: 'Forward', abbreviation: 'F' },
    formationPlace: '0',
    starter: false,
    subbedIn: false,
    stats: [],
    ...more,
  });
  const rosters = [
    {
      homeAway: 'home',
      team: { id: '1' },
      formation: '4-3-3',
      roster: [
        onRoster('10', { starter: true, formationPlace: '9', stats: [stat('totalGoals', 1), stat('yellowCards', 1)] }),
        onRoster('11', { subbedIn: true, stats: [stat('totalGoals', 0), stat('totalShots', 2)] }),
        onRoster('12', {}),
      ],
    },
    { homeAway: 'away', team: { id: '2' } },
  ];

  it('of soccer have formation, starters and bench, from just before the start on', async () => {
    const { of } = await run(summary('eng.1', {}, { rosters }));
    const shared = { position: 'F' };
    expect(of('lineup')).toEqual([
      {
        kind: 'lineup',
        source: 'espn',
        at: '2025-01-10T17:59:59Z',
        ref: '77',
        teams: {
          home: {
            formation: '4-3-3',
            players: [
              { ref: '10', name: 'Player 10', ...shared, jersey: '10', formation_place: 9, starter: true },
              { ref: '11', name: 'Player 11', ...shared, jersey: '11', starter: false },
              { ref: '12', name: 'Player 12', ...shared, jersey: '12', starter: false },
            ],
          },
        },
      },
    ]);
  });

  it('of soccer hold what the players did; who never came in did not play', async () => {
    const rows = (await boxOf(summary('eng.1', {}, { rosters })))!['players'];
    expect(rows).toEqual([
      { ref: '10', name: 'Player 10', role: 'home', starter: true, stats: { goals: 1, yellow_cards: 1 } },
      { ref: '11', name: 'Player 11', role: 'home', starter: false, stats: { goals: 0, shots: 2 } },
      { ref: '12', name: 'Player 12', role: 'home', starter: false, dnp: true, stats: {} },
    ]);
    const state = status('SECOND_HALF', 'in', { displayClock: "69'", period: 2 });
    const inPlay = (await boxOf(summary('eng.1', {}, { rosters, state })))!['players'];
    expect(inPlay.map(({ ref }: { ref: string }) => ref)).toEqual(['10', '11']);
  });

  it('of other sports say who is to start as pitcher or goaltender', async () => {
    const probables = [
      { name: 'probableStartingPitcher', athlete: { id: '5', fullName: 'Cy Pitcher', displayName: 'C. Pitcher' } },
    ];
    const told = event(status('SCHEDULED', 'pre'), { home: { probables }, away: { probables: [{ playerId: 6 }] } });
    const starters = { home: { ref: '5', name: 'C. Pitcher' } };
    expect((await run(scoreboard('mlb', told))).of('lineup')).toEqual([
      expect.objectContaining({ at: '2025-01-03T18:00:00Z', teams: {}, probable_starters: starters }),
    ]);
    expect((await run(scoreboard('nhl', told), { at: '2025-01-09T00:00:00Z' })).of('lineup')).toMatchObject([
      { at: '2025-01-09T00:00:00Z', probable_starters: starters },
    ]);
    expect((await run(scoreboard('mlb', event(final)))).of('lineup')).toEqual([]);
  });

  it('are none where rosters are empty', async () => {
    expect((await run(summary('eng.1', {}, { rosters: [{ team: { id: '1' }, roster: [] }] }))).of('lineup')).toEqual(
      [],
    );
  });
});

describe('ESPN: rankings', () => {
  const rank = (current: number, points: number | undefined, id: string) => ({
    current,
    points,
    athlete: { id, displayName: `Player ${id}`, flag: { href: 'https://example.test/countries/500/ita.png' } },
  });
  const rankings = (more: object = {}) => ({
    rankings: [
      { name: 'ATP', update: '2025-06-02T07:00Z', ranks: [rank(1, 10_430, '3623'), rank(2, undefined, '9')], ...more },
      { name: 'ATP Race', ranks: [rank(1, 5000, '9')] },
    ],
  });
  const name = 'tennis_atp_rankings.json';

  it('give players their place and points at the time of the list', async () => {
    const { messages, codes } = await run(rankings(), { name });
    expect(messages).toEqual([
      {
        kind: 'player',
        source: 'espn',
        at: '2025-06-02T07:00:00Z',
        sport: 'tennis',
        league: 'atp',
        ref: '3623',
        full_name: 'Player 3623',
        country_code: 'ITA',
        tennis_ranking: 1,
        tennis_ranking_points: 10_430,
      },
      expect.objectContaining({ ref: '9', tennis_ranking: 2 }),
    ]);
    expect(messages[1]).not.toHaveProperty('tennis_ranking_points');
    expect(codes).toEqual(['rankings_left_out']);
  });

  it('are left out where nothing says when they were true', async () => {
    const undated = rankings({ update: undefined });
    expect(await run(undated, { name })).toMatchObject({ messages: [], codes: ['rankings_left_out', 'no_time'] });
    const at = '2025-06-03T00:00:00Z';
    expect((await run(undated, { name, at })).messages.map((message) => message['at'])).toEqual([at, at]);
  });

  it('of polls are none of players', async () => {
    const poll = { rankings: [{ name: 'AP Top 25', ranks: [{ current: 1, team: { id: '194' } }] }] };
    expect(await run(poll, { name: 'college-football_rankings.json' })).toMatchObject({
      messages: [],
      codes: ['rankings_left_out'],
    });
  });
});

it('ESPN: tournaments have no box where their matches tell nothing of it', async () => {
  const competitors = [player('away', '3', 'Uma Two', { statistics: [] }), player('home', '4', 'Vera One')];
  const { of } = await run(scoreboard('atp', tournament({ 'mens-singles': [match('9', final, competitors)] })));
  expect(of('box')).toEqual([]);
});
