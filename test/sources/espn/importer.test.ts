import { describe, expect, it } from 'vitest';
import { espnImporter } from '../../../src/sources/espn/importer.ts';
import { UnknownFileShape } from '../../../src/sources/importing/importer.ts';
import { importJson } from '../import-json.ts';
import { doublesPair, event, lines, match, player, scoreboard, side, status, tournament } from './espn-answers.ts';

const run = (content: unknown, options = {}) => importJson(espnImporter, content, options);
const final = (more = {}) => status('FINAL', 'post', { detail: 'Final', ...more });
const scoreOf = async (league: string, one: object, options = {}) =>
  (await run(scoreboard(league, one), options)).of('score')[0];

describe('ESPN: scoreboards', () => {
  it('name the teams, then the event with all that is said of it', async () => {
    const given = event(final({ period: 4 }), {
      season: { year: 2025, type: 3 },
      venue: { fullName: 'Big Hall', address: { city: 'Hometown', country: 'USA' }, indoor: true },
      broadcasts: [
        { market: 'national', names: ['ABC', 'ESPN'] },
        { market: 'home', names: ['Local'] },
      ],
      notes: [{ type: 'event', headline: 'East Final - Game 5' }],
      home: { score: '100', winner: true, linescores: lines(25, 25, 25, 25) },
      away: { score: '90', winner: false, linescores: lines(20, 20, 25, 25) },
    });
    const { messages } = await run({ ...scoreboard('nba', given) });
    expect(messages).toEqual([
      expect.objectContaining({
        kind: 'team',
        ref: '1',
        name: 'Home Town Hawks',
        short_name: 'Hawks',
        abbreviation: 'HAW',
      }),
      expect.objectContaining({ kind: 'team', ref: '2', at: '2025-01-03T18:00:00Z' }),
      {
        kind: 'schedule',
        source: 'espn',
        at: '2025-01-03T18:00:00Z',
        sport: 'nba',
        league: 'nba',
        ref: '77',
        // ESPN names NBA seasons by the year in which they end.
        season: { year: 2024, phase: 'playoffs' },
        starts_at: '2025-01-10T18:00:00Z',
        starts_at_qualifier: 'exact',
        participants: [
          { role: 'home', ref: '1', name: 'Home Town Hawks', abbreviation: 'HAW' },
          { role: 'away', ref: '2', name: 'Away City Owls', abbreviation: 'OWL' },
        ],
        round: 'East Final - Game 5',
        neutral_site: false,
        venue: { name: 'Big Hall', city: 'Hometown', country: 'USA', roof_type: 'indoor' },
        broadcast: 'ABC/ESPN',
      },
      expect.objectContaining({
        kind: 'score',
        at: '2025-01-10T18:48:00Z',
        status: 'final',
        period: '4',
        result_type: 'regulation',
        scores: [
          { role: 'home', score: '100', period_scores: expect.anything(), is_winner: true },
          { role: 'away', score: '90', period_scores: expect.anything(), is_winner: false },
        ],
      }),
    ]);
  });

  it('take --at for every message', async () => {
    const { messages } = await run(scoreboard('nfl', event(final({ period: 4 }))), { at: '2025-01-11T00:00:00Z' });
    expect(new Set(messages.map(({ at }) => at))).toEqual(new Set(['2025-01-11T00:00:00Z']));
  });

  it('keep the year of seasons that ESPN names by their start', async () => {
    for (const league of ['nfl', 'mlb', 'epl']) {
      const { of } = await run(scoreboard(league, event(final())));
      expect(of('schedule')[0]!['season'].year).toBe(2025);
    }
    for (const league of ['nhl', 'ncaab']) {
      const { of } = await run(scoreboard(league, event(final())));
      expect(of('schedule')[0]!['season'].year).toBe(2024);
    }
  });

  it('have no score before the start, whatever zeros they show, and none of a postponed game', async () => {
    const before = status('SCHEDULED', 'pre', { displayClock: "0'", period: undefined });
    expect(await scoreOf('epl', event(before))).toBeUndefined();
    expect(await scoreOf('mlb', event(status('POSTPONED', 'post', { completed: false })))).toEqual({
      kind: 'score',
      source: 'espn',
      at: '2025-01-10T18:00:00Z',
      ref: '77',
      status: 'postponed',
    });
    expect(await scoreOf('nfl', event(status('CANCELED', 'post')))).toMatchObject({ status: 'cancelled' });
  });

  it.each([
    ['nfl', status('IN_PROGRESS', 'in', { displayClock: '4:15', period: 4 }), '4', '4:15', '2025-01-10T18:55:45Z'],
    ['nfl', status('IN_PROGRESS', 'in', { displayClock: '10:00', period: 5 }), 'OT', '10:00', '2025-01-10T19:00:00Z'],
    ['nfl', status('HALFTIME', 'in', { period: 2 }), '2', '0:00', '2025-01-10T18:30:00Z'],
    ['nba', status('IN_PROGRESS', 'in', { displayClock: '38.2', period: 6 }), 'OT2', '38.2', '2025-01-10T18:57:22Z'],
    ['ncaab', status('IN_PROGRESS', 'in', { displayClock: '10:00', period: 2 }), '2H', '10:00', '2025-01-10T18:30:00Z'],
    ['nhl', status('IN_PROGRESS', 'in', { displayClock: '11:58', period: 2 }), '2', undefined, '2025-01-10T18:28:02Z'],
    ['mlb', status('IN_PROGRESS', 'in', { detail: 'Top 9th', period: 9 }), 'Top 9', undefined, '2025-01-10T20:45:00Z'],
    [
      'mlb',
      status('IN_PROGRESS', 'in', { detail: 'Middle 5th', period: 5 }),
      'Mid 5',
      undefined,
      '2025-01-10T19:30:00Z',
    ],
    [
      'mlb',
      status('IN_PROGRESS', 'in', { detail: 'Bottom 5th', period: 5 }),
      'Bot 5',
      undefined,
      '2025-01-10T19:35:00Z',
    ],
    ['epl', status('FIRST_HALF', 'in', { displayClock: "45'+3'" }), '1H', "45'+3'", '2025-01-10T18:48:00Z'],
    ['epl', status('HALFTIME', 'in', { displayClock: "45'+3'" }), 'HT', "45'+3'", '2025-01-10T19:00:00Z'],
    ['epl', status('SECOND_HALF', 'in', { displayClock: "69'", period: 2 }), '2H', "69'", '2025-01-10T19:24:00Z'],
  ])('of %s in play know the period and the clock: %#', async (league, state, period, clock, at) => {
    const score = await scoreOf(league, event(state));
    expect(score).toMatchObject({ status: 'inprogress', at });
    expect([score!['period'], score!['clock']]).toEqual([period, clock]);
  });

  it.each([
    ['nfl', final({ period: 5, detail: 'Final/OT' }), {}, 'OT', 'overtime'],
    ['nhl', final({ period: 4 }), {}, 'OT', 'overtime'],
    ['nhl', final({ period: 5 }), {}, 'SO', 'shootout'],
    ['nhl', final({ period: 5 }), { season: { type: 3 } }, 'OT2', 'overtime'],
    ['mlb', final({ period: 10, detail: 'Final/10' }), {}, 'Mid 10', 'regulation'],
    ['epl', status('FULL_TIME', 'post', { period: 2, displayClock: "90'+8'" }), {}, '2H', 'regulation'],
    ['epl', status('FINAL_AET', 'post', { period: 4, displayClock: "120'" }), {}, 'ET2', 'overtime'],
    ['epl', status('FINAL_PEN', 'post', { period: 5, displayClock: "120'" }), {}, 'PKs', 'shootout'],
  ])('of %s that are over know how: %#', async (league, state, more, period, result_type) => {
    expect(await scoreOf(league, event(state, more))).toMatchObject({ status: 'final', period, result_type });
  });

  it('tell delays before the start from those in play, and note statuses that they do not know', async () => {
    expect(await scoreOf('mlb', event(status('RAIN_DELAY', 'pre')))).toMatchObject({ status: 'delayed' });
    expect(await scoreOf('mlb', event(status('RAIN_DELAY', 'in', { detail: 'Rain Delay, Top 1st' })))).toMatchObject({
      status: 'suspended',
      period: 'Top 1',
    });
    expect((await run(scoreboard('mlb', event(status('ODD', 'post', { completed: false }))))).codes).toEqual([
      'unknown_status',
    ]);
  });

  it('leave a tie after overtime without a winner', async () => {
    const tie = event(final({ period: 5 }), {
      home: { score: '20', winner: false },
      away: { score: '20', winner: false },
    });
    const score = await scoreOf('nfl', tie);
    expect(score!['scores'].map((one: { is_winner: boolean }) => one.is_winner)).toEqual([false, false]);
  });

  it('keep the score after 90 minutes beside the one after extra time', async () => {
    const goal = (team: string, value: number) => ({ scoringPlay: true, clock: { value }, team: { id: team } });
    const state = status('FINAL_PEN', 'post', { period: 5, displayClock: "120'" });
    const cup = event(state, {
      home: { score: '2', shootoutScore: 4 },
      away: { score: '2', shootoutScore: 3 },
      details: [goal('1', 600), goal('2', 5400), goal('1', 6000), goal('2', 7000)],
    });
    expect((await scoreOf('epl', cup))!['scores']).toMatchObject([
      { score: '2', regulation_score: 1, period_scores: [{ period: 'PKs', score: 4 }] },
      { score: '2', regulation_score: 1, period_scores: [{ period: 'PKs', score: 3 }] },
    ]);
  });

  it('mark sides that are not known yet and times that are not set', async () => {
    const given = event(status('SCHEDULED', 'pre'), { timeValid: false });
    given.competitions[0]!['competitors'] = [
      side('home'),
      side('away', {}, { id: '-2', displayName: 'TBD', abbreviation: 'TBD' }),
    ];
    const { of } = await run(scoreboard('nfl', given));
    expect(of('team').map(({ ref }) => ref)).toEqual(['1']);
    expect(of('schedule')[0]).toMatchObject({
      starts_at_qualifier: 'tbd',
      participants: [{ ref: '1' }, { role: 'away', name: 'TBD', placeholder: true }],
    });
  });

  it('say nothing of a time where ESPN does not', async () => {
    const { of } = await run(scoreboard('nfl', event(status('SCHEDULED', 'pre'), { timeValid: undefined })));
    expect(of('schedule')[0]!['starts_at_qualifier']).toBeUndefined();
  });

  it('read times with an offset', async () => {
    const { of } = await run(scoreboard('nhl', event(final({ period: 3 }), { date: '2025-05-30T02:00:00+02:00' })));
    expect(of('schedule')[0]!['starts_at']).toBe('2025-05-30T00:00:00Z');
  });
});

describe('ESPN: tennis', () => {
  const won = { winner: true, linescores: [{ value: 6 }, { value: 7, tiebreak: 7 }] };
  const lost = { winner: false, linescores: [{ value: 3 }, { value: 6, tiebreak: 4 }] };
  const over = status('FINAL', 'post', { period: 2 });

  it('lists matches by draw, women in the scoreboard of the men as well, and neither of mixed doubles', async () => {
    const [a, b] = [player('away', '9', 'Ann Winner', won, 'sui'), player('home', '8', 'Bea Loser', lost, 'usa')];
    const { of, codes } = await run(
      scoreboard(
        'atp',
        tournament({
          'womens-singles': [match('1', over, [a, b])],
          'mixed-doubles': [match('2', over, [a, b])],
        }),
      ),
    );
    expect(codes).toEqual(['unsupported_draw']);
    expect(of('schedule')).toMatchObject([
      {
        ref: '1',
        league: 'wta',
        competition: { name: 'Roland Garros', tier: 'grand_slam' },
        court: 'Court 7',
        draw_type: 'singles',
        round: 'Round 1',
        venue: { name: 'Paris, France', city: 'Paris', country: 'France' },
        participants: [
          { role: 'player_1', ref: '8', name: 'Bea Loser', country_code: 'USA' },
          { role: 'player_2', ref: '9', name: 'Ann Winner', country_code: 'CHE' },
        ],
      },
    ]);
    expect(of('score')).toMatchObject([
      {
        at: '2025-05-19T09:38:00Z',
        period: 'Set 2',
        result_type: 'regulation',
        scores: [
          { role: 'player_1', score: '3 6', is_winner: false, period_scores: [{ period: 'S1' }, { tiebreak: 4 }] },
          { role: 'player_2', score: '6 7', is_winner: true },
        ],
      },
    ]);
    expect(of('score')[0]).not.toHaveProperty('clock');
  });

  it('knows pairs by their members, retirements and walkovers', async () => {
    const pairs = [doublesPair('home', '11-12', ['A One', 'B Two']), doublesPair('away', '-3--4', ['TBD', 'TBD'])];
    const singles = [player('home', '8', 'Abe'), player('away', '9', 'Bob')];
    const played = [player('home', '8', 'Abe', { ...lost }), player('away', '9', 'Bob', { ...won })];
    const { of } = await run(
      scoreboard(
        'atp',
        tournament({
          'mens-doubles': [match('1', status('SCHEDULED', 'pre'), pairs, { timeValid: false })],
          'mens-singles': [
            match('2', status('RETIRED', 'post', { period: 2 }), played),
            match(
              '3',
              status('WALKOVER', 'post'),
              singles.map((one) => ({ ...one, winner: one.id === '8' })),
            ),
          ],
        }),
      ),
    );
    expect(of('schedule')[0]!['participants']).toEqual([
      {
        role: 'player_1',
        ref: '11-12',
        name: 'A One / B Two',
        members: [
          { ref: '11', name: 'A One' },
          { ref: '12', name: 'B Two' },
        ],
      },
      { role: 'player_2', name: 'TBD / TBD', placeholder: true },
    ]);
    expect(of('score')).toMatchObject([
      { ref: '2', status: 'final', result_type: 'retired', period: 'Set 2' },
      { ref: '3', status: 'walkover', result_type: 'walkover', scores: [{ is_winner: true }, { is_winner: false }] },
    ]);
    expect(of('score')[1]!['scores'][0]).not.toHaveProperty('score');
  });
});

describe('ESPN: summaries, injuries and lists', () => {
  const team = (id: string, stats: object[]) => ({ team: { id, shortDisplayName: `Short ${id}` }, statistics: stats });
  const summary = {
    header: {
      season: { year: 2024, type: 2 },
      week: 2,
      league: { slug: 'nfl' },
      competitions: [
        {
          id: '77',
          date: '2024-09-15T17:00Z',
          competitors: [
            side('home', { score: '25', winner: true, linescores: [{ displayValue: '10' }, { displayValue: '15' }] }),
            side('away', { score: '24', winner: false, linescores: [{ displayValue: '10' }, { displayValue: '14' }] }),
          ],
          status: { type: { name: 'STATUS_FINAL', state: 'post', completed: true, detail: 'Final' } },
        },
      ],
    },
    gameInfo: { venue: { fullName: 'Dome' } },
    boxscore: {
      teams: [
        team('1', [
          { name: 'thirdDownEff', displayValue: '3-9' },
          { name: 'possessionTime', displayValue: '23:45' },
        ]),
      ],
      players: [
        {
          team: { id: '2' },
          statistics: [
            {
              name: 'passing',
              keys: ['completions/passingAttempts', 'passingYards', 'interceptions', 'adjQBR'],
              athletes: [{ athlete: { id: '5', displayName: 'Pat Thrower' }, stats: ['14/25', '151', '1', '--'] }],
            },
            {
              name: 'rushing',
              keys: ['rushingAttempts', 'rushingYards'],
              athletes: [{ athlete: { id: '5', displayName: 'Pat Thrower' }, stats: ['2', '-3'] }],
            },
            {
              name: 'interceptions',
              keys: ['interceptions'],
              athletes: [
                { athlete: { id: '6', displayName: 'Ray Catcher' }, starter: true, stats: ['2'] },
                { athlete: { id: '7', displayName: 'Sam Bench' }, didNotPlay: true, stats: [] },
              ],
            },
          ],
        },
      ],
    },
    injuries: [
      {
        team: { id: '1', displayName: 'Home Town Hawks' },
        injuries: [
          {
            status: 'Questionable',
            date: '2025-02-11T03:06Z',
            athlete: { id: '5', displayName: 'Pat Thrower' },
            type: { name: 'INJURY_STATUS_QUESTIONABLE' },
            details: { type: 'Knee', side: 'Left', detail: 'Not Specified', returnDate: '2025-08-01' },
          },
        ],
      },
    ],
  };

  it('give the game, its box score in names of statistics, and injuries at their own dates', async () => {
    const { of } = await run(summary);
    expect(of('team')[0]).toMatchObject({ short_name: 'Short 1' });
    expect(of('schedule')[0]).toMatchObject({ round: 'Week 2', venue: { name: 'Dome' } });
    expect(of('score')[0]).toMatchObject({ status: 'final', at: of('box')[0]!['at'] });
    expect(of('box')[0]).toMatchObject({
      ref: '77',
      final: true,
      teams: { home: { third_down_conversions: 3, third_down_attempts: 9, possession_time_seconds: 1425 } },
    });
    expect(of('box')[0]!['players']).toEqual([
      {
        ref: '5',
        name: 'Pat Thrower',
        role: 'away',
        stats: {
          passing_completions: 14,
          passing_attempts: 25,
          passing_yards: 151,
          passing_interceptions: 1,
          rushing_attempts: 2,
          rushing_yards: -3,
        },
      },
      { ref: '6', name: 'Ray Catcher', role: 'away', starter: true, stats: { defensive_interceptions: 2 } },
      { ref: '7', name: 'Sam Bench', role: 'away', dnp: true, stats: {} },
    ]);
    expect(of('injury')).toMatchObject([
      {
        at: '2025-02-11T03:06:00Z',
        status: 'questionable',
        body_part: 'Knee',
        note: 'Left Knee, expected back 2025-08-01',
      },
    ]);
  });

  it('take notes of news for available, and leave out what names no player', async () => {
    const item = (name: string, more: object = {}) => ({
      date: '2025-06-01T10:00Z',
      type: { name },
      athlete: { id: '5', displayName: 'Pat' },
      ...more,
    });
    const injuries = [
      {
        id: '1',
        displayName: 'Hawks',
        injuries: [
          item('INJURY_STATUS_ACTIVE', { shortComment: 'Signed.' }),
          item('x', { status: '15-Day IL' }),
          item('INJURY_STATUS_OUT', { athlete: {} }),
        ],
      },
    ];
    const { of, codes } = await run({ injuries }, { name: 'nfl_injuries.json' });
    expect(of('injury')).toMatchObject([{ status: 'available', note: 'Signed.', league: 'nfl' }, { status: 'ir' }]);
    expect(codes).toEqual(['incomplete_injury']);
  });

  it('give teams of a league from the start of its season on, and standings with their conference', async () => {
    const given = { id: '5', displayName: 'Cleveland Cavaliers', abbreviation: 'CLE', location: 'Cleveland' };
    const teams = { sports: [{ leagues: [{ slug: 'nba', season: { year: 2025 }, teams: [{ team: given }] }] }] };
    expect((await run(teams)).messages).toMatchObject([
      { kind: 'team', at: '2024-09-01T00:00:00Z', city: 'Cleveland' },
    ]);
    const entries = [{ team: { ...given, uid: 's:40~l:46~t:5' } }];
    const standings = {
      children: [{ name: 'Eastern Conference', isConference: true, standings: { season: 2025, entries } }],
    };
    const { messages, codes } = await run(standings);
    expect(messages).toMatchObject([{ conference: 'Eastern Conference', league: 'nba' }]);
    expect(codes).toEqual(['standings_left_out']);
  });

  it('give rosters in metric units, with their injured', async () => {
    const athlete = {
      id: '9',
      uid: 's:70~l:90~a:9',
      fullName: 'Nick Ice',
      height: 70,
      weight: 174,
      dateOfBirth: '1999-06-04T07:00Z',
      birthCountry: { abbreviation: 'SUI' },
      hand: { type: 'LEFT' },
      position: { abbreviation: 'C' },
      injuries: [{ status: 'Injured Reserve', date: '2025-02-01T18:09Z' }],
    };
    const team = { id: '21', displayName: 'Toronto Maple Leafs', abbreviation: 'TOR' };
    const { messages } = await run({ timestamp: '2025-05-29T23:02:25Z', athletes: [{ items: [athlete] }], team });
    expect(messages).toMatchObject([
      { kind: 'team', at: '2025-05-29T23:02:25Z' },
      {
        kind: 'player',
        birthdate: '1999-06-04',
        country_code: 'CHE',
        handedness: 'left',
        height_cm: 177.8,
        weight_kg: 78.9,
        team_ref: '21',
      },
      { kind: 'injury', status: 'ir', at: '2025-02-01T18:09:00Z' },
    ]);
  });

  it('say so where an answer holds nothing, or only links', async () => {
    expect(await run({})).toMatchObject({ messages: [], codes: ['nothing_in_answer'] });
    expect(await run({ code: 404 })).toMatchObject({ messages: [], codes: ['nothing_in_answer'] });
    const link = { $ref: 'http://example.test/v2/sports/football/leagues/nfl/athletes/1/injuries/-5?lang=en' };
    const linked = await run({ count: 1, items: [link] });
    expect(linked).toMatchObject({ messages: [], codes: ['links_only'] });
    expect(linked.notes[0]!.message).toContain('injuries');
    await expect(run({ hello: 'world' })).rejects.toThrow(UnknownFileShape);
    await expect(run({ events: [] }, { name: 'golf.json' })).rejects.toThrow(UnknownFileShape);
  });
});
