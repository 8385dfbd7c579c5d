import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Game, game } from '../spec/events.ts';
import { expectMembers } from '../spec/members.ts';
import { ATP, EPL, MLB, NBA, NCAAB, NCAAF, NFL, NHL, UCL } from '../spec/messages.ts';
import { type SpecServer, startServer } from '../spec/server.ts';
import { byPeriods, expectHeld, expectRefused, made, priced, spreads, totals } from './lines.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const HALF = { scope: '1H' };
const read = ({ path }: Game, query = '') => server.get(`${path}/period-odds${query}`);
const linesOf = async (one: Game, query = '') =>
  (await read(one, query)).period_odds.map(({ market, line, books }: any) => [market, line, books]);
const pair = (home: number | null, away: number | null) => ({ home, away });
const ou = (over: number | null, under: number | null) => ({ over, under });

describe('period odds: the envelope', () => {
  it('without a line: available false, an empty array, and the event as it stands; free', async () => {
    const one = await game(server, NFL);
    await server.feed(one.score('inprogress', ['7', '3'], { period: '2', clock: '4:15' }));
    const { body, credits } = await server.ask(`${one.path}/period-odds`);
    expect(body).toEqual({
      event_id: one.id,
      available: false,
      sport: 'nfl',
      status: 'inprogress',
      period: '2',
      clock: '4:15',
      period_odds: [],
    });
    expect(credits).toBe(0);
  });

  it('status, period and clock are those of the score snapshot; 1 credit whatever the number of books', async () => {
    const one = await game(server, MLB);
    await server.feed(
      one.score('inprogress', ['1', '0'], { period: 'Top 3', clock: '9:99' }),
      priced(one, 'pinnacle', [totals(4.5, { scope: 'F5' })]),
      priced(one, 'bovada', [totals(4.5, { scope: 'F5' })]),
    );
    const { body, credits } = await server.ask(`${one.path}/period-odds`);
    const { status, period, clock } = await server.get(`${one.path}/score`);
    expect(body).toMatchObject({ available: true, status, period, clock });
    expect([clock, credits]).toEqual([null, 1]);
  });

  it('is not for nhl: 400, behind 404 and 403', async () => {
    await expectRefused(server, await game(server, NHL), 'period-odds');
  });

  it('answers a present tag with 304, which costs nothing', async () => {
    const one = await game(server, NBA);
    await server.feed(priced(one, 'pinnacle', [totals(110.5, HALF)]));
    await expectHeld(server, `${one.path}/period-odds`);
  });
});

describe('period odds: items and books', () => {
  it('one item for each market and line, with all members', async () => {
    const one = await game(server, NFL);
    await server.feed(priced(one, 'pinnacle', [spreads(-3.5, HALF, [-105, -115]), totals(23.5, HALF)]));
    const { period_odds: items } = await read(one);
    const members = ['scope', 'market', 'line', 'home_score', 'away_score', 'current', 'pct_of_line', 'settleable'];
    expectMembers(items[0], [...members, 'scope_complete', 'result', 'home_result', 'away_result', 'books']);
    const before = {
      scope: '1H',
      home_score: null,
      away_score: null,
      current: null,
      pct_of_line: null,
      settleable: false,
      scope_complete: false,
      home_result: null,
      away_result: null,
    };
    expect(items).toEqual([
      {
        ...before,
        market: 'first_half_spreads',
        line: -3.5,
        result: null,
        books: { pinnacle: pair(-105, -115) },
      },
      {
        ...before,
        market: 'first_half_totals',
        line: 23.5,
        result: 'in_progress',
        books: { pinnacle: ou(-110, -110) },
      },
    ]);
  });

  it('books of one line share the item, slugs ascending; others have items of their own, by line', async () => {
    const one = await game(server, NCAAF);
    await server.feed(
      priced(one, 'pinnacle', [totals(28.5, HALF), spreads(1, HALF)]),
      priced(one, 'fanduel', [totals(27.5, HALF), spreads(-1, HALF)]),
      priced(one, 'betmgm', [totals(28.5, HALF, [120, -140])]),
    );
    const lines = await linesOf(one);
    expect(lines).toEqual([
      ['first_half_spreads', -1, { fanduel: pair(-110, -110) }],
      ['first_half_spreads', 1, { pinnacle: pair(-110, -110) }],
      ['first_half_totals', 27.5, { fanduel: ou(-110, -110) }],
      ['first_half_totals', 28.5, { betmgm: ou(120, -140), pinnacle: ou(-110, -110) }],
    ]);
    expect(Object.keys(lines[3][2])).toEqual(['betmgm', 'pinnacle']);
  });

  it('a side without a price is null; a pick is 0, and 0 is never -0', async () => {
    const one = await game(server, NBA);
    const away = { key: 'spreads', ...HALF, outcomes: [{ outcome: 'away', price: 100, point: 4 }] };
    await server.feed(priced(one, 'pinnacle', [away]), priced(one, 'bovada', [spreads(0, HALF)]));
    const lines = await linesOf(one);
    expect(lines).toEqual([
      ['first_half_spreads', -4, { pinnacle: pair(null, 100) }],
      ['first_half_spreads', 0, { bovada: pair(-110, -110) }],
    ]);
    expect(Object.is(lines[1][1], 0)).toBe(true);
  });

  it('alternates stand only with include_alts=true, as items or as further books of a line', async () => {
    const one = await game(server, NFL);
    const alternate = { ...HALF, alternate: true };
    await server.feed(
      priced(one, 'pinnacle', [
        totals(23.5, HALF),
        {
          ...alternate,
          key: 'totals',
          outcomes: [totals(23.5, {}, [200, 201]), totals(24.5, {}, [130, -150])].flatMap(({ outcomes }) => outcomes),
        },
      ]),
      priced(one, 'fanduel', [totals(24.5, HALF), totals(23.5, alternate, [-120, 100])]),
    );
    expect(await linesOf(one)).toEqual([
      ['first_half_totals', 23.5, { pinnacle: ou(-110, -110) }],
      ['first_half_totals', 24.5, { fanduel: ou(-110, -110) }],
    ]);
    expect(await linesOf(one, '?include_alts=true')).toEqual([
      ['first_half_totals', 23.5, { fanduel: ou(-120, 100), pinnacle: ou(-110, -110) }],
      ['first_half_totals', 24.5, { fanduel: ou(-110, -110), pinnacle: ou(130, -150) }],
    ]);
    expect((await server.ask(`${one.path}/period-odds?include_alts=yes`)).status).toBe(422);
  });

  it('does not show moneylines, team totals, other scopes, lines of the match, and what has no point', async () => {
    const one = await game(server, NBA);
    await server.feed(
      priced(one, 'pinnacle', [
        { key: 'h2h', ...HALF, outcomes: [{ outcome: 'home', price: -110 }] },
        { key: 'team_totals', ...HALF, outcomes: [{ outcome: 'over', price: -110, point: 55, team: 'home' }] },
        totals(110.5, { scope: 'F5' }),
        totals(220.5),
        spreads(-5),
        { key: 'totals', ...HALF, outcomes: [{ outcome: 'over', price: -110 }] },
      ]),
    );
    expect((await read(one)).available).toBe(false);
  });

  it('withdrawn prices leave, and an item without a price goes; prices stay after the end', async () => {
    const one = await game(server, NFL);
    await server.feed(
      priced(one, 'pinnacle', [totals(23.5, HALF), spreads(-3, HALF)]),
      priced(one, 'pinnacle', [{ key: 'spreads', ...HALF, outcomes: [] }]),
      one.score('final', [byPeriods(7, 3, 0, 0), byPeriods(7, 7, 0, 0)]),
    );
    expect((await linesOf(one)).map(([market]: any) => market)).toEqual(['first_half_totals']);
  });

  it('an event with an undetermined side has none', async () => {
    const sides = [{ name: 'Winner of one', placeholder: true }, 'Somebody of ucl'] as const;
    const one = await game(server, UCL, { sides });
    await server.feed(priced(one, 'pinnacle', [totals(1.5, HALF)]));
    expect(await read(one)).toMatchObject({ available: false, period_odds: [] });
  });
});

const [QUARTERS, HALVES] = [
  ['nfl', 'ncaaf', 'nba'],
  ['ncaab', 'soccer'],
] as const;
const LEAGUES = { nfl: NFL, ncaaf: NCAAF, nba: NBA, ncaab: NCAAB, soccer: EPL, mlb: MLB, tennis: ATP };
type Sport = keyof typeof LEAGUES;
const SCOPE: Readonly<Record<Sport, string>> = {
  nfl: '1H',
  ncaaf: '1H',
  nba: '1H',
  ncaab: '1H',
  soccer: '1H',
  mlb: 'F5',
  tennis: 'S1',
};

type Scores = Parameters<Game['score']>[1];
/** What a spread of -1.5 of the home side (or player_1) and a total of 10 come to. */
interface Standing {
  readonly scores: readonly [number | null, number | null];
  readonly complete: boolean;
  readonly total: string | null;
  readonly home?: string | null;
}

async function standing(sport: Sport, ...said: readonly [status: string, scores?: Scores, more?: object][]) {
  const one = await game(server, LEAGUES[sport]);
  const scope = { scope: SCOPE[sport] };
  await server.feed(priced(one, 'pinnacle', [spreads(-1.5, scope), totals(10, scope)]));
  for (const [status, scores, more] of said) await server.feed(one.score(status, scores ?? null, { ...more }));
  const [spread, total] = (await read(one)).period_odds;
  const { home_score, away_score, scope_complete } = total;
  expect(spread).toMatchObject({ home_score, away_score, scope_complete, result: null, pct_of_line: null });
  const sum = home_score === null || away_score === null ? null : home_score + away_score;
  const margin = sum === null ? null : home_score - away_score;
  expect([total.current, spread.current]).toEqual([sum, margin]);
  expect(total.pct_of_line).toBe(sum === null ? null : Math.round(sum * 100) / 10);
  // The two sides of a spread mirror each other, and each item is settleable exactly when it is graded.
  expect(spread.away_result).toBe(spread.home_result && { won: 'lost', lost: 'won' }[spread.home_result as 'won']);
  expect([spread.settleable, total.settleable]).toEqual([
    spread.home_result !== null,
    ['over', 'under', 'push'].includes(total.result),
  ]);
  return { scores: [home_score, away_score], complete: scope_complete, total: total.result, home: spread.home_result };
}

const unknown = [null, null] as const;
const before: Standing = { scores: unknown, complete: false, total: 'in_progress', home: null };
const voided: Standing = { scores: unknown, complete: false, total: null, home: null };

describe('the first half, in quarters', () => {
  it.each<[string, Parameters<typeof standing>[1][], Standing]>([
    ['before the start there is nothing', [['scheduled']], before],
    ['before the start, whatever a feed says', [['delayed', ['9', '9'], { period: '3' }]], before],
    [
      'in the first quarter it is the score',
      [['inprogress', ['7', '3'], { period: '1' }]],
      { scores: [7, 3], complete: false, total: 'in_progress', home: null },
    ],
    [
      'in the second quarter too, also beyond the total',
      [['inprogress', ['7', '10'], { period: '2' }]],
      { scores: [7, 10], complete: false, total: 'in_progress', home: null },
    ],
    [
      'without a score it is not known',
      [['inprogress', null, { period: '2' }]],
      { scores: unknown, complete: false, total: 'in_progress', home: null },
    ],
    [
      'at half-time it is complete, with the score',
      [['inprogress', ['7', '3'], { period: 'HT' }]],
      { scores: [7, 3], complete: true, total: 'push', home: 'won' },
    ],
    [
      'after it: the sum of two quarters',
      [['inprogress', [byPeriods(7, 3, 14), byPeriods(3, 6, 0)], { period: '3' }]],
      { scores: [10, 9], complete: true, total: 'over', home: 'lost' },
    ],
    [
      'after it: the half as such',
      [['inprogress', [made('24', { '1H': 6 }), made('9', { '1H': 3 })], { period: '4' }]],
      { scores: [6, 3], complete: true, total: 'under', home: 'won' },
    ],
    [
      'after it, not all stated: complete, and nothing is graded',
      [['inprogress', [byPeriods(7, 3, 14), '9'], { period: '3' }]],
      { scores: [10, null], complete: true, total: null, home: null },
    ],
    [
      'final after overtime',
      [['final', [byPeriods(3, 3, 7, 7, 6), byPeriods(0, 3, 10, 7, 3)], { period: 'OT' }]],
      { scores: [6, 3], complete: true, total: 'under', home: 'won' },
    ],
    [
      'final with a period that nobody moved on',
      [
        ['inprogress', ['3', '0'], { period: '1' }],
        ['final', [byPeriods(7, 7, 0, 0), byPeriods(0, 0, 7, 7)]],
      ],
      { scores: [14, 0], complete: true, total: 'over', home: 'won' },
    ],
    ['final without periods', [['final', ['20', '17']]], { scores: unknown, complete: true, total: null, home: null }],
    ['final without scores', [['final']], { scores: unknown, complete: true, total: null, home: null }],
    [
      'a correction of the source takes completeness back',
      [
        ['inprogress', ['7', '3'], { period: '3' }],
        ['inprogress', ['7', '3'], { period: '2' }],
      ],
      { scores: [7, 3], complete: false, total: 'in_progress', home: null },
    ],
    [
      'suspended within it',
      [['inprogress', ['7', '3'], { period: '2' }], ['suspended']],
      { scores: [7, 3], complete: false, total: 'in_progress', home: null },
    ],
    [
      'abandoned within it: void',
      [['inprogress', ['7', '3'], { period: '2' }], ['cancelled']],
      { scores: [7, 3], complete: false, total: null, home: null },
    ],
    [
      'abandoned after it: stays graded',
      [['inprogress', [byPeriods(7, 3, 0), byPeriods(3, 3, 0)], { period: '3' }], ['suspended'], ['cancelled']],
      { scores: [10, 6], complete: true, total: 'over', home: 'won' },
    ],
    [
      'postponed after it: stays graded',
      [['inprogress', [byPeriods(7, 3, 0), byPeriods(3, 3, 0)], { period: '3' }], ['suspended'], ['postponed']],
      { scores: [10, 6], complete: true, total: 'over', home: 'won' },
    ],
    ['postponed before play', [['postponed']], before],
    ['cancelled before play: void', [['cancelled']], voided],
  ])('%s', async (_, said, expected) => {
    for (const sport of QUARTERS) expect([sport, await standing(sport, ...said)]).toEqual([sport, expected]);
  });
});

describe('the first half, in halves', () => {
  it.each<[string, Parameters<typeof standing>[1][], Standing]>([
    [
      'in it, added time too',
      [['inprogress', ['7', '3'], { period: '1H', clock: "45'+2'" }]],
      { scores: [7, 3], complete: false, total: 'in_progress', home: null },
    ],
    [
      'a source may call it 1',
      [['inprogress', ['7', '3'], { period: '1' }]],
      { scores: [7, 3], complete: false, total: 'in_progress', home: null },
    ],
    [
      'at half-time',
      [['inprogress', ['7', '3'], { period: 'HT' }]],
      { scores: [7, 3], complete: true, total: 'push', home: 'won' },
    ],
    [
      'after it',
      [['inprogress', [made('9', { '1H': 3, '2H': 6 }), made('4', { '1H': 2, '2H': 2 })], { period: '2H' }]],
      { scores: [3, 2], complete: true, total: 'under', home: 'lost' },
    ],
    [
      'after it, by numbers: the first alone',
      [['inprogress', [byPeriods(3, 6), byPeriods(2, 2)], { period: '2' }]],
      { scores: [3, 2], complete: true, total: 'under', home: 'lost' },
    ],
    [
      'final',
      [['final', [made('9', { '1H': 8, '2H': 1 }), made('4', { '1H': 4, '2H': 0 })]]],
      { scores: [8, 4], complete: true, total: 'over', home: 'won' },
    ],
  ])('%s', async (_, said, expected) => {
    for (const sport of HALVES) expect([sport, await standing(sport, ...said)]).toEqual([sport, expected]);
  });
});

describe('the first five innings', () => {
  const nine = [1, 0, 2, 0, 1, 0, 0, 0, 0] as const;
  it.each<[string, Parameters<typeof standing>[1][], Standing]>([
    [
      'in the middle of an inning',
      [['inprogress', ['3', '2'], { period: 'Mid 3' }]],
      { scores: [3, 2], complete: false, total: 'in_progress', home: null },
    ],
    [
      'at the end of an earlier inning',
      [['inprogress', ['3', '2'], { period: 'End 4' }]],
      { scores: [3, 2], complete: false, total: 'in_progress', home: null },
    ],
    [
      'in the middle of the fifth, home ahead: not before the game has ended',
      [['inprogress', ['3', '1'], { period: 'Mid 5' }]],
      { scores: [3, 1], complete: false, total: 'in_progress', home: null },
    ],
    [
      'at the end of the fifth',
      [['inprogress', ['3', '1'], { period: 'End 5' }]],
      { scores: [3, 1], complete: true, total: 'under', home: 'won' },
    ],
    [
      'in the sixth',
      [['inprogress', [byPeriods(1, 0, 2, 0, 1), byPeriods(0, 0, 6, 0, 1, 3)], { period: 'Top 6' }]],
      { scores: [4, 7], complete: true, total: 'over', home: 'lost' },
    ],
    [
      'final after nine: the first five alone',
      [['final', [byPeriods(...nine), byPeriods(...nine)], { period: 'Bot 9' }]],
      { scores: [4, 4], complete: true, total: 'under', home: 'lost' },
    ],
    [
      'ended after four and a half with a level score: void',
      [['final', [byPeriods(5, 0, 0, 0), byPeriods(0, 0, 5, 0, 0)], { period: 'Mid 5' }]],
      { scores: [5, 5], complete: false, total: null, home: null },
    ],
    [
      'ended after four and a half with the home side ahead',
      [['final', [byPeriods(5, 0, 0, 1), byPeriods(0, 0, 4, 0, 0)], { period: 'Mid 5' }]],
      { scores: [6, 4], complete: true, total: 'push', home: 'won' },
    ],
    [
      'ended after four: void',
      [['final', [byPeriods(5, 0, 0, 1), byPeriods(0, 0, 4, 9)], { period: 'End 4' }]],
      { scores: [6, 13], complete: false, total: null, home: null },
    ],
    [
      'ended after five full innings, home behind',
      [['final', [byPeriods(0, 0, 0, 1, 0), byPeriods(0, 0, 4, 0, 0)], { period: 'End 5' }]],
      { scores: [1, 4], complete: true, total: 'under', home: 'lost' },
    ],
    [
      'ended, with nothing stated of innings: complete without scores',
      [['final', ['5', '4']]],
      { scores: unknown, complete: true, total: null, home: null },
    ],
    [
      'ended, where the last period alone tells that it was short',
      [['final', ['5', '4'], { period: 'Top 4' }]],
      { scores: [5, 4], complete: false, total: null, home: null },
    ],
  ])('%s', async (_, said, expected) => {
    expect(await standing('mlb', ...said)).toEqual(expected);
  });
});

describe('the first set', () => {
  it.each<[string, Parameters<typeof standing>[1][], Standing]>([
    [
      'in it',
      [['inprogress', ['4', '2'], { period: 'Set 1' }]],
      { scores: [4, 2], complete: false, total: 'in_progress', home: null },
    ],
    [
      'after it, by periods',
      [['inprogress', [made('6 1', { S1: 6, S2: 1 }), made('4 0', { S1: 4, S2: 0 })], { period: 'Set 2' }]],
      { scores: [6, 4], complete: true, total: 'push', home: 'won' },
    ],
    [
      'after it, by the first number of the score; a tiebreak is one game',
      [['inprogress', ['7 0', '6 1'], { period: 'Set 2' }]],
      { scores: [7, 6], complete: true, total: 'over', home: 'lost' },
    ],
    [
      'final',
      [['final', ['6 3 6', '1 6 0'], { result_type: 'regulation' }]],
      { scores: [6, 1], complete: true, total: 'under', home: 'won' },
    ],
    [
      'retired within it: void, also where the total was decided',
      [['final', ['6', '5'], { period: 'Set 1', result_type: 'retired' }]],
      { scores: [6, 5], complete: false, total: null, home: null },
    ],
    ...(
      [
        ['6', '4', { scores: [6, 4], complete: true, total: 'push', home: 'won' }],
        ['5', '7', { scores: [5, 7], complete: true, total: 'over', home: 'lost' }],
        ['7', '6', { scores: [7, 6], complete: true, total: 'over', home: 'lost' }],
        ['6', '8', { scores: [6, 8], complete: true, total: 'over', home: 'lost' }],
        ['6', '6', { scores: [6, 6], complete: false, total: null, home: null }],
      ] as const
    ).map(([one, other, expected]): [string, Parameters<typeof standing>[1][], Standing] => [
      `retired at ${one}-${other} of the first set`,
      [['final', [one, other], { period: 'Set 1', result_type: 'retired' }]],
      expected,
    ]),
    [
      'retired in the second set: stands',
      [['final', ['6 0', '2 1'], { period: 'Set 2', result_type: 'retired' }]],
      { scores: [6, 2], complete: true, total: 'under', home: 'won' },
    ],
    ['a walkover: void', [['walkover']], voided],
    [
      'abandoned in the second set: stays graded',
      [['inprogress', ['6 0', '2 1'], { period: 'Set 2' }], ['suspended'], ['cancelled']],
      { scores: [6, 2], complete: true, total: 'under', home: 'won' },
    ],
  ])('%s', async (_, said, expected) => {
    expect(await standing('tennis', ...said)).toEqual(expected);
  });

  it('has spreads of player_1 and player_2', async () => {
    const one = await game(server, ATP);
    const outcomes = [
      { outcome: 'player_1', price: -120, point: -1.5 },
      { outcome: 'player_2', price: 100, point: 1.5 },
    ];
    await server.feed(priced(one, 'pinnacle', [{ key: 'spreads', scope: 'S1', outcomes }]));
    expect(await linesOf(one)).toEqual([['first_half_spreads', -1.5, { pinnacle: pair(-120, 100) }]]);
  });
});

describe('period odds: results and lines', () => {
  const final = async (homePoints: number, awayPoints: number, ...markets: object[]) => {
    const one = await game(server, NFL);
    await server.feed(
      priced(one, 'pinnacle', markets as never),
      one.score('final', [byPeriods(homePoints, 0, 0, 0), byPeriods(awayPoints, 0, 0, 0)]),
    );
    return (await read(one)).period_odds[0];
  };

  it.each([
    [10, 7, -3, ['push', 'push']],
    [10, 7, -3.5, ['lost', 'won']],
    [10, 7, -2.5, ['won', 'lost']],
    [7, 10, 3, ['push', 'push']],
    [7, 10, 2.75, ['lost', 'won']],
    [7, 10, 3.25, ['won', 'lost']],
    [7, 7, 0, ['push', 'push']],
  ])('%d-%d against a spread of %d', async (home, away, line, results) => {
    const { home_result, away_result, settleable } = await final(home, away, spreads(line, HALF));
    expect([home_result, away_result, settleable]).toEqual([...results, true]);
  });

  it.each([
    [10, 7, 17, 'push', 100],
    [10, 7, 17.25, 'under', 98.6],
    [10, 7, 16.75, 'over', 101.5],
    [10, 7, 16, 'over', 106.3],
    [0, 0, 0, 'push', null],
  ])('%d-%d against a total of %d', async (home, away, line, result, pct) => {
    expect(await final(home, away, totals(line, HALF))).toMatchObject({ result, pct_of_line: pct, settleable: true });
  });

  it('a corrected score grades anew; the answer as of before it keeps the old grade', async () => {
    server.setClock('2026-03-01T12:00:00Z');
    const one = await game(server, NFL);
    await server.feed(
      priced(one, 'pinnacle', [totals(13.5, HALF)]),
      one.score('final', [byPeriods(7, 0, 0, 0), byPeriods(7, 0, 0, 0)]),
    );
    server.setClock('2026-03-01T12:10:00Z');
    await server.feed(one.score('final', [byPeriods(6, 1, 0, 0), byPeriods(6, 0, 1, 0)]));
    const resultOf = async (query = '') => (await read(one, query)).period_odds[0].result;
    expect(await resultOf()).toBe('under');
    expect(await resultOf('?as_of=2026-03-01T12:05:00Z')).toBe('over');
  });

  it('the closing line is the answer as of the start, as it was observed', async () => {
    const one = await game(server, NFL, { starts_at: '2026-03-01T11:00:00Z' });
    await server.feed(
      priced(one, 'pinnacle', [totals(22.5, HALF)], { at: '2026-03-01T10:00:00Z' }),
      priced(one, 'pinnacle', [totals(20.5, HALF)], { at: '2026-03-01T11:30:00Z' }),
      one.score('inprogress', ['3', '0'], { period: '1', at: '2026-03-01T11:30:00Z' }),
    );
    expect((await linesOf(one)).map(([, line]: any) => line)).toEqual([20.5]);
    const closing = await read(one, '?as_of=2026-03-01T11:00:00Z&as_of_basis=observed');
    expect(closing).toMatchObject({ status: 'scheduled', period: null });
    expect(closing.period_odds).toMatchObject([{ line: 22.5, current: null, result: 'in_progress' }]);
  });
});
