import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Game, game, START } from '../spec/events.ts';
import { expectMembers } from '../spec/members.ts';
import { ATP, EPL, type Message, MLB, NBA, NCAAB, NCAAF, NFL, NHL, player, team } from '../spec/messages.ts';
import { type SpecServer, startServer } from '../spec/server.ts';
import { box, byPeriods, expectHeld, expectRefused, made, priced, prop } from './lines.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

type League = typeof NFL;
const LEAGUES = [NFL, NBA, NCAAF, NCAAB, NHL, MLB, EPL] as const;
const read = ({ path }: Game, query = '') => server.get(`${path}/player-props${query}`);
const propsOf = async (one: Game, query = ''): Promise<any[]> => (await read(one, query)).player_props;
const ou = (over: number | null, under: number | null) => ({ over, under });
const row = (name: string, role: string, stats: Record<string, number>, more: object = {}) => ({
  ref: `row of ${name}`,
  name,
  role,
  stats,
  ...more,
});

let names = 0;
/** Somebody whom no other test knows. */
const someone = (first = 'Some'): string => `${first} Body${String.fromCharCode(97 + (++names % 26))}${names}`;

/** How a source names a game that it has no ref of. */
const matching = ({ league, sides: [home, away] }: Game, source: string) => ({
  source,
  ref: undefined,
  match: { ...league, starts_at: START, home, away },
});

/** A game whose two teams stand in the directory, with refs of the source `feed`. */
async function gameOfTeams(league: League) {
  const one = await game(server, league);
  const refs = one.sides.map((name) => `ref of ${name}`) as [string, string];
  await server.feed(...one.sides.map((name, index) => team(league, refs[index]!, name, `T${index}`)));
  const { participants } = await server.get(one.path);
  const teamIds: [number, number] = participants.map((side: any) => side.team.id);
  return { one, refs, teamIds };
}

async function idOf(sport: string, name: string): Promise<number> {
  const { data } = await server.get(`/v1/players?sport=${sport}&q=${encodeURIComponent(name)}`);
  expect(data).toHaveLength(1);
  return data[0].id;
}

describe('player props: the envelope', () => {
  it('without a line: available false, an empty array, and the event as it stands; free', async () => {
    const one = await game(server, NBA);
    await server.feed(one.score('inprogress', ['20', '18'], { period: '1', clock: '2:00' }));
    const { body, credits } = await server.ask(`${one.path}/player-props`);
    expect(body).toEqual({
      event_id: one.id,
      available: false,
      sport: 'nba',
      status: 'inprogress',
      period: '1',
      clock: '2:00',
      player_props: [],
    });
    expect(credits).toBe(0);
  });

  it('is not for tennis: 400, behind 404 and 403', async () => {
    await expectRefused(server, await game(server, ATP), 'player-props');
  });

  it.each(LEAGUES)('$league: costs one credit for all books, and nothing to who has the answer', async (league) => {
    const one = await game(server, league);
    await server.feed(
      priced(one, 'pinnacle', [prop('goals', someone(), 0.5)]),
      priced(one, 'fanduel', [prop('goals', someone(), 0.5)]),
    );
    await expectHeld(server, `${one.path}/player-props`);
  });

  it('an event with an undetermined side has none', async () => {
    const one = await game(server, NFL, { sides: [{ name: 'Winner of three', placeholder: true }, 'A side of nfl'] });
    await server.feed(priced(one, 'pinnacle', [prop('receptions', someone(), 3.5)]));
    expect(await read(one)).toMatchObject({ available: false, player_props: [] });
  });
});

describe('player props: the query', () => {
  let one: Game;
  let known: number;
  const [first, second] = [someone('Aa'), someone('Bb')];
  beforeAll(async () => {
    one = await game(server, NFL);
    await server.feed(
      player('nfl', `ref of ${first}`, first),
      priced(one, 'pinnacle', [prop('passing_yards', first, 250.5), prop('receptions', second, 3.5)]),
      priced(one, 'fanduel', [
        prop('passing_yards', first, 251.5),
        prop('passing_yards', first, 300.5, { alternate: true }),
      ]),
    );
    known = await idOf('nfl', first);
  });
  const found = async (query: string) => (await propsOf(one, query)).map(({ market, line }) => [market, line]);
  const all = [
    ['passing_yards', 250.5],
    ['passing_yards', 251.5],
    ['receptions', 3.5],
  ];

  it.each<[string, readonly (readonly [string, number])[]]>([
    ['', all as never],
    ['?bookmaker=all', all as never],
    ['?market=receptions', [['receptions', 3.5]]],
    ['?bookmaker=fanduel', [['passing_yards', 251.5]]],
    ['?bookmaker=Pinnacle,%20fanduel', all as never],
    [
      '?bookmaker=fanduel&include_alts=true',
      [
        ['passing_yards', 251.5],
        ['passing_yards', 300.5],
      ],
    ],
  ])('%s', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it('player_id: the props of one', async () => {
    expect(await found(`?player_id=${known}&market=passing_yards`)).toEqual(all.slice(0, 2));
  });

  it.each(['?market=rushing_yards', '?player_id=999999', '?bookmaker=bovada', '?bookmaker=,', '?market=constructor'])(
    '%s: what nothing fits is not available, and free',
    async (query) => {
      const { body, credits } = await server.ask(`${one.path}/player-props${query}`);
      expect([body.available, body.player_props, credits]).toEqual([false, [], 0]);
    },
  );

  it.each([
    ['market', 'Passing%20Yards'],
    ['market', 'passing_yards,receptions'],
    ['market', ''],
    ['player_id', 'somebody'],
    ['bookmaker', 'not!a!slug'],
    ['include_alts', '1'],
  ])('a wrong form of %s is 422', async (name, value) => {
    const { status, body } = await server.ask(`${one.path}/player-props?${name}=${value}`);
    expect([status, body.error.errors[0].loc]).toEqual([422, ['query', name]]);
  });
});

describe('player props: items', () => {
  it('all members', async () => {
    const { one, refs, teamIds } = await gameOfTeams(NFL);
    const name = someone();
    await server.feed(
      player('nfl', `ref of ${name}`, name, { team_ref: refs[1] }),
      priced(one, 'pinnacle', [prop('receiving_yards', name, 80.5, {}, [-105, -115])]),
      priced(one, 'betmgm', [prop('receiving_yards', name, 80.5)]),
      one.score('inprogress', ['7', '0'], { period: '2' }),
      box(one, [row(name, 'away', { receiving_yards: 40 })]),
    );
    const [item, ...others] = await propsOf(one);
    const members = ['player', 'player_id', 'team_id', 'market', 'line', 'current', 'pct_of_line', 'settleable'];
    expectMembers(item, [...members, 'result', 'books']);
    expect(others).toEqual([]);
    expect(item).toEqual({
      player: name,
      player_id: await idOf('nfl', name),
      team_id: teamIds[1],
      market: 'receiving_yards',
      line: 80.5,
      current: 40,
      pct_of_line: 49.7,
      settleable: false,
      result: 'in_progress',
      books: { betmgm: ou(-110, -110), pinnacle: ou(-105, -115) },
    });
    expect(Object.keys(item.books)).toEqual(['betmgm', 'pinnacle']);
  });

  it('by player in the order of code points, then market, then line', async () => {
    const one = await game(server, NBA);
    await server.feed(
      priced(one, 'pinnacle', [
        {
          key: 'points',
          outcomes: ['\u{1D49C} One', '\uFB00 Two', 'b Three', 'B Four'].flatMap(
            (name) => prop('points', name, 9.5).outcomes,
          ),
        },
        { key: 'assists', outcomes: [8.5, 7.5].flatMap((line) => prop('assists', 'B Four', line).outcomes) },
      ]),
    );
    expect((await propsOf(one)).map(({ player: name, market, line }) => [name, market, line])).toEqual([
      ['B Four', 'assists', 7.5],
      ['B Four', 'assists', 8.5],
      ['B Four', 'points', 9.5],
      ['b Three', 'points', 9.5],
      ['\uFB00 Two', 'points', 9.5],
      ['\u{1D49C} One', 'points', 9.5],
    ]);
  });

  it('a yes-or-no market is over 0.5, with under null where No has no price; what has no point does not show', async () => {
    const one = await game(server, NFL);
    const name = someone();
    const yes = { outcome: 'over', price: 150, point: 0.5, player: name };
    await server.feed(
      priced(one, 'pinnacle', [
        { key: 'touchdowns', outcomes: [yes] },
        { key: 'rushing_yards', outcomes: [{ outcome: 'over', price: -110, player: name }] },
        { key: 'receptions', scope: '1H', outcomes: prop('receptions', name, 1.5).outcomes },
        { key: 'passing_yards', outcomes: [{ outcome: 'over', price: -110, point: 200.5 }] },
      ]),
    );
    expect(await propsOf(one)).toMatchObject([{ market: 'touchdowns', line: 0.5, books: { pinnacle: ou(150, null) } }]);
  });
});

describe('player props: who', () => {
  const who = async (one: Game) =>
    (await propsOf(one)).map(({ player: name, player_id, books }) => [name, player_id, Object.keys(books)]);

  it('the ref of the price’s own source counts first, whatever name is given', async () => {
    const [name, other] = [someone(), someone()];
    const one = await game(server, NFL);
    await server.feed(
      player('nfl', `id ${name}`, name, { source: 'books' }),
      player('nfl', `id ${name}`, other, { source: 'feed' }),
      priced(
        one,
        'pinnacle',
        [prop('receptions', { player: 'Nobody', player_ref: `id ${name}` }, 3.5)],
        matching(one, 'books'),
      ),
      priced(one, 'fanduel', [prop('receptions', { player_ref: `id ${name}` }, 3.5)]),
    );
    expect(await who(one)).toEqual(
      [
        [name, await idOf('nfl', name), ['pinnacle']],
        [other, await idOf('nfl', other), ['fanduel']],
      ].toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
    );
  });

  it('one bookmaker’s prices from two sources: each ref is of its own source', async () => {
    const [name, other] = [someone('Aa'), someone('Bb')];
    const one = await game(server, NFL);
    await server.feed(
      player('nfl', `id ${name}`, name, { source: 'books' }),
      player('nfl', `id ${name}`, other, { source: 'feed' }),
      priced(one, 'pinnacle', [prop('receptions', { player_ref: `id ${name}` }, 3.5)], matching(one, 'books')),
      priced(one, 'pinnacle', [prop('receptions', { player_ref: `id ${name}` }, 3.5, { complete: false })]),
    );
    expect((await who(one)).map(([shown]) => shown)).toEqual([name, other]);
  });

  it('by name among the players of the two teams, though the sport has a namesake; an unknown ref does not matter', async () => {
    const { one, refs } = await gameOfTeams(NFL);
    const name = someone();
    await server.feed(
      player('nfl', `here ${name}`, name, { team_ref: refs[0], source: 'feed', birthdate: '1996-05-21' }),
      player('nfl', `there ${name}`, name, { source: 'feed', birthdate: '1997-07-13' }),
      priced(one, 'pinnacle', [prop('receptions', { player: name.toUpperCase(), player_ref: 'unknown' }, 3.5)]),
    );
    const [item] = await propsOf(one);
    const { data } = await server.get(`/v1/players?sport=nfl&q=${encodeURIComponent(name)}`);
    expect(data).toHaveLength(2);
    expect([item.player, item.player_id]).toEqual([name, data.find((one: any) => one.current_team_id !== null).id]);
  });

  it('two of the two teams are none: then prices of one name are one player, called as last given', async () => {
    const { one, refs } = await gameOfTeams(NFL);
    const name = someone('José');
    await server.feed(
      player('nfl', `home ${name}`, name, { team_ref: refs[0], birthdate: '1996-05-21' }),
      player('nfl', `away ${name}`, name, { team_ref: refs[1], birthdate: '1997-07-13' }),
      priced(one, 'fanduel', [prop('receptions', name.replace('é', 'e').toUpperCase(), 3.5)]),
      priced(one, 'pinnacle', [prop('receptions', name, 3.5)]),
    );
    expect(await who(one)).toEqual([[name, null, ['fanduel', 'pinnacle']]]);
  });

  it('by name in the sport; two that fit are none, and another sport does not count', async () => {
    const [name, twice] = [someone('Aa'), someone('Bb')];
    const one = await game(server, NBA);
    await server.feed(
      player('nba', `id ${name}`, name, { aliases: [`The ${name}`] }),
      player('nfl', `id ${name}`, name),
      player('nba', `one ${twice}`, twice, { birthdate: '1996-05-21' }),
      player('nba', `two ${twice}`, twice, { birthdate: '1997-07-13' }),
      priced(one, 'pinnacle', [
        { key: 'points', outcomes: [`The ${name}`, twice].flatMap((who) => prop('points', who, 9.5).outcomes) },
      ]),
    );
    expect(await who(one)).toEqual([
      [name, await idOf('nba', name), ['pinnacle']],
      [twice, null, ['pinnacle']],
    ]);
  });

  it('a box or a lineup makes no entry of the directory', async () => {
    const one = await game(server, NBA);
    const name = someone();
    await server.feed(
      priced(one, 'pinnacle', [prop('points', name, 9.5)]),
      box(one, [row(name, 'home', { points: 3 })]),
    );
    expect((await server.get(`/v1/players?sport=nba&q=${encodeURIComponent(name)}`)).data).toEqual([]);
    expect(await propsOf(one)).toMatchObject([{ player: name, player_id: null }]);
  });

  it('as of a moment: an entry that the directory had not yet does not count; by what was observed neither', async () => {
    server.setClock('2026-03-01T12:00:00Z');
    const one = await game(server, NBA);
    const name = someone();
    await server.feed(priced(one, 'pinnacle', [prop('points', name.toUpperCase(), 9.5)]));
    server.setClock('2026-03-01T12:10:00Z');
    await server.feed(player('nba', `id ${name}`, name, { at: '2026-03-01T12:08:00Z' }));
    const then = async (query: string) => (await propsOf(one, query)).map((item) => [item.player, item.player_id]);
    const entry = [[name, await idOf('nba', name)]];
    expect(await then('')).toEqual(entry);
    expect(await then('?as_of=2026-03-01T12:05:00Z')).toEqual([[name.toUpperCase(), null]]);
    expect(await then('?as_of=2026-03-01T12:10:00Z')).toEqual(entry);
    expect(await then('?as_of=2026-03-01T12:05:00Z&as_of_basis=observed')).toEqual([[name.toUpperCase(), null]]);
    expect(await then('?as_of=2026-03-01T12:09:00Z&as_of_basis=observed')).toEqual(entry);
  });
});

describe('player props: the team', () => {
  it.each<[string, (one: Game, name: string, refs: readonly string[]) => Message[], 0 | 1 | null]>([
    ['of nobody known', (one, name) => [priced(one, 'pinnacle', [prop('goals', name, 0.5)])], null],
    [
      'his current one, where it plays in the event',
      (one, name, refs) => [
        player('nhl', `id ${name}`, name, { team_ref: refs[1] }),
        priced(one, 'pinnacle', [prop('goals', name, 0.5)]),
      ],
      1,
    ],
    [
      'that of the outcome',
      (one, name, refs) => [
        player('nhl', `id ${name}`, name, { team_ref: refs[1] }),
        priced(one, 'pinnacle', [prop('goals', { player: name, team: 'home' }, 0.5)]),
      ],
      0,
    ],
    [
      'that of the lineup',
      (one, name) => [
        priced(one, 'pinnacle', [prop('goals', { player: name, team: 'home' }, 0.5)]),
        {
          kind: 'lineup',
          source: 'feed',
          at: one.nextAt(),
          ref: one.ref,
          teams: { away: { players: [{ name, starter: true }] } },
        },
      ],
      1,
    ],
    [
      'that of the box',
      (one, name) => [
        priced(one, 'pinnacle', [prop('goals', { player: name, team: 'away' }, 0.5)]),
        {
          kind: 'lineup',
          source: 'feed',
          at: one.nextAt(),
          ref: one.ref,
          teams: { away: { players: [{ name, starter: true }] } },
        },
        box(one, [row(name, 'home', {})]),
      ],
      0,
    ],
  ])('%s', async (_, messages, side) => {
    const { one, refs, teamIds } = await gameOfTeams(NHL);
    await server.feed(...messages(one, someone(), refs));
    expect((await propsOf(one))[0].team_id).toBe(side === null ? null : teamIds[side]);
  });

  it('a team that does not play in the event is none', async () => {
    const { refs } = await gameOfTeams(NHL);
    const { one } = await gameOfTeams(NHL);
    const name = someone();
    await server.feed(
      player('nhl', `id ${name}`, name, { team_ref: refs[0] }),
      priced(one, 'pinnacle', [prop('goals', name, 0.5)]),
    );
    expect(await propsOf(one)).toMatchObject([{ player_id: await idOf('nhl', name), team_id: null }]);
  });
});

describe('player props: whose row is which', () => {
  const standing = async (one: Game) => (await propsOf(one)).map((item) => item.current);

  it('by the ref of the box’s source, whatever the name', async () => {
    const { one, refs } = await gameOfTeams(NBA);
    const name = someone();
    await server.feed(
      player('nba', '17', name, { team_ref: refs[0], source: 'feed' }),
      priced(one, 'pinnacle', [prop('points', name, 9.5)]),
      one.score('inprogress', ['20', '18'], { period: '1' }),
      box(one, [
        { ref: '17', name: 'Other Name', role: 'home', stats: { points: 11 } },
        { ref: '18', name, role: 'home', stats: { points: 4 } },
      ]),
    );
    expect(await standing(one)).toEqual([11]);
  });

  it('by name within the team of the side: a namesake on the other side is somebody else', async () => {
    const { one, refs } = await gameOfTeams(NBA);
    const name = someone();
    await server.feed(
      player('nba', `id ${name}`, name, { team_ref: refs[0] }),
      priced(one, 'pinnacle', [prop('points', name, 9.5)]),
      one.score('inprogress', ['20', '18'], { period: '1' }),
      box(one, [row(name, 'away', { points: 30 })]),
    );
    expect(await standing(one)).toEqual([null]);
    await server.feed(box(one, [row(name, 'away', { points: 30 }), row(name, 'home', { points: 6 })]));
    expect(await standing(one)).toEqual([6]);
  });

  it('who has changed teams since keeps his row', async () => {
    const { refs } = await gameOfTeams(NBA);
    const { one } = await gameOfTeams(NBA);
    const name = someone();
    await server.feed(
      player('nba', `id ${name}`, name, { team_ref: refs[0] }),
      priced(one, 'pinnacle', [prop('points', name, 9.5)]),
      one.score('inprogress', ['20', '18'], { period: '1' }),
      box(one, [row(name, 'home', { points: 6 })]),
    );
    expect(await standing(one)).toEqual([6]);
  });

  it('without an entry by name, when exactly one row bears it', async () => {
    const one = await game(server, NBA);
    const name = someone("O'");
    await server.feed(
      priced(one, 'pinnacle', [prop('points', name, 9.5)]),
      one.score('inprogress', ['20', '18'], { period: '1' }),
      box(one, [row(name.replace("'", '’').toUpperCase(), 'home', { points: 6 })]),
    );
    expect(await standing(one)).toEqual([6]);
    await server.feed(box(one, [row(name, 'home', { points: 6 }), row(name, 'away', { points: 8 })]));
    expect(await standing(one)).toEqual([null]);
  });
});

/** What a line of the stat comes to for one player, whose row is the first of the box. */
async function outcomeOf(
  league: League,
  stat: string,
  line: number,
  rows: readonly Record<string, unknown>[] | null,
  {
    score = ['final', ['5', '3'], {}],
    boxFirst = false,
    ...more
  }: {
    readonly score?: readonly [status: string, scores: Parameters<Game['score']>[1], more: object];
    readonly boxFirst?: boolean;
    readonly [name: string]: unknown;
  } = {},
) {
  const one = await game(server, league);
  const name = 'The Player';
  const [status, scores, facts] = score;
  const said = [
    () => one.score(status, scores, { ...facts }),
    () =>
      rows &&
      box(
        one,
        rows.map((own, index) => row(index === 0 ? name : `Other ${index}`, 'home', {}, own)),
        more,
      ),
  ];
  if (boxFirst) said.reverse();
  await server.feed(priced(one, 'pinnacle', [prop(stat, name, line)]));
  for (const message of said.map((make) => make())) if (message) await server.feed(message);
  const [{ current, result, settleable }] = await propsOf(one);
  expect(settleable).toBe(['over', 'under', 'push'].includes(result));
  return [current, result];
}

const stats = (own: Record<string, number>) => ({ stats: own });

describe('player props: how they stand', () => {
  const live = { score: ['inprogress', ['5', '3'], { period: '1' }] } as const;
  const played = [stats({ assists: 4 })];

  it.each<{
    readonly when: string;
    readonly line?: number;
    readonly rows: Parameters<typeof outcomeOf>[3];
    readonly more?: Parameters<typeof outcomeOf>[4];
    readonly expected: readonly [number | null, string | null];
  }>([
    { when: 'final, with a box after the end: over', line: 3.5, rows: played, expected: [4, 'over'] },
    { when: 'under', line: 4.5, rows: played, expected: [4, 'under'] },
    { when: 'push', line: 4, rows: played, expected: [4, 'push'] },
    {
      when: 'while it is played, also when the line is beaten',
      line: 3.5,
      rows: played,
      more: live,
      expected: [4, 'in_progress'],
    },
    {
      when: 'before the start',
      rows: played,
      more: { score: ['delayed', ['5', '3'], {}] },
      expected: [null, 'in_progress'],
    },
    {
      when: 'without a score yet',
      rows: played,
      more: { score: ['inprogress', null, {}] },
      expected: [null, 'in_progress'],
    },
    { when: 'suspended', rows: played, more: { score: ['suspended', ['5', '3'], {}] }, expected: [4, 'in_progress'] },
    { when: 'live, without a box', rows: null, more: live, expected: [null, 'in_progress'] },
    {
      when: 'final, with a box from before the end',
      rows: played,
      more: { boxFirst: true },
      expected: [4, 'in_progress'],
    },
    {
      when: 'final, with a box from before the end that is final',
      line: 4,
      rows: played,
      more: { boxFirst: true, final: true },
      expected: [4, 'push'],
    },
    {
      when: 'final, with a box after the end that is not final',
      rows: played,
      more: { final: false },
      expected: [4, 'in_progress'],
    },
    { when: 'final, without a box', rows: null, expected: [null, 'no_stat'] },
    { when: 'final, without a row', rows: [], expected: [null, 'no_stat'] },
    { when: 'final, for a stat that the box does not carry', rows: [stats({ goals: 1 })], expected: [null, 'no_stat'] },
    {
      when: 'a stat that another row states is 0',
      rows: [stats({ goals: 1 }), stats({ assists: 1 })],
      expected: [0, 'under'],
    },
    { when: 'who did not play', rows: [{ ...stats({ assists: 0 }), dnp: true }], expected: [null, 'dnp'] },
    {
      when: 'who does not play, so far',
      rows: [{ ...stats({}), dnp: true }],
      more: live,
      expected: [null, 'in_progress'],
    },
    { when: 'cancelled: void', rows: played, more: { score: ['cancelled', ['5', '3'], {}] }, expected: [4, null] },
  ])('$when', async ({ line = 3.5, rows, more, expected }) => {
    for (const league of LEAGUES) {
      expect([league.league, ...(await outcomeOf(league, 'assists', line, rows, more))]).toEqual([
        league.league,
        ...expected,
      ]);
    }
  });

  it('a message that leaves players out keeps them; a list of players replaces the one before', async () => {
    const one = await game(server, NBA);
    await server.feed(
      priced(one, 'pinnacle', [prop('points', 'The Player', 9.5)]),
      one.score('inprogress', ['20', '18'], { period: '1' }),
      box(one, [row('The Player', 'home', { points: 12 })]),
      box(one, [], { players: undefined, teams: { home: { points: 20 } }, ...matching(one, 'other') }),
    );
    expect(await propsOf(one)).toMatchObject([{ current: 12 }]);
    await server.feed(box(one, [row('Other Player', 'home', { points: 1 })]));
    expect(await propsOf(one)).toMatchObject([{ current: null }]);
  });

  it('an older box that comes late changes nothing; the same box after the end is newer', async () => {
    const one = await game(server, NBA);
    const rows = [row('The Player', 'home', { points: 12 })];
    const late = box(one, [row('The Player', 'home', { points: 2 })]);
    await server.feed(
      priced(one, 'pinnacle', [prop('points', 'The Player', 9.5)]),
      one.score('inprogress', ['20', '18'], { period: '4' }),
      box(one, rows),
      late,
    );
    expect(await propsOf(one)).toMatchObject([{ current: 12, result: 'in_progress' }]);
    await server.feed(one.score('final', ['20', '18']));
    expect(await propsOf(one)).toMatchObject([{ current: 12, result: 'in_progress' }]);
    await server.feed(box(one, rows));
    expect(await propsOf(one)).toMatchObject([{ current: 12, result: 'over' }]);
  });

  it('a corrected box grades anew; as of before it the old grade stands', async () => {
    server.setClock('2026-03-01T13:00:00Z');
    const one = await game(server, NBA);
    await server.feed(
      priced(one, 'pinnacle', [prop('points', 'The Player', 9.5)]),
      one.score('final', ['20', '18']),
      box(one, [row('The Player', 'home', { points: 10 })], { final: true, at: '2026-03-01T11:00:00Z' }),
    );
    server.setClock('2026-03-01T13:10:00Z');
    await server.feed(
      box(one, [row('The Player', 'home', { points: 9 })], { final: true, at: '2026-03-01T12:00:00Z' }),
    );
    const resultOf = async (query = '') => (await propsOf(one, query))[0].result;
    expect(await resultOf()).toBe('under');
    expect(await resultOf('?as_of=2026-03-01T13:05:00Z')).toBe('over');
    expect(await resultOf('?as_of=2026-03-01T11:30:00Z&as_of_basis=observed')).toBe('over');
  });
});

describe('player props: rules of the house', () => {
  const nine = byPeriods(0, 0, 0, 0, 0, 0, 0, 0, 3);
  it.each([
    ['nine innings', [nine, nine], 'over'],
    ['eight and a half, home ahead', [byPeriods(4, 0, 0, 0, 0, 0, 0, 0), nine], 'over'],
    ['eight and a half, home behind', [byPeriods(1, 0, 0, 0, 0, 0, 0, 0), nine], null],
    ['six innings', [byPeriods(4, 0, 0, 0, 0, 0), byPeriods(0, 0, 0, 0, 0, 0)], null],
    ['nothing stated of innings', ['4', '1'], 'over'],
  ] as const)('baseball: %s', async (_, scores, result) => {
    const facts = { score: ['final', scores as never, {}] } as const;
    expect(await outcomeOf(MLB, 'hits', 1.5, [stats({ hits: 2 })], facts)).toEqual([2, result]);
  });

  it.each([
    ['regular time', { result_type: 'regulation' }, [2, 'over']],
    ['extra time', { result_type: 'overtime' }, [null, null]],
    ['penalties', { result_type: 'shootout' }, [null, null]],
    ['extra time as the periods tell', { period: 'ET2' }, [null, null]],
  ] as const)('soccer: %s', async (_, more, expected) => {
    const facts = { score: ['final', ['2', '1'], more] } as const;
    expect(await outcomeOf(EPL, 'shots', 1.5, [stats({ shots: 2 })], facts)).toEqual(expected);
  });

  it('overtime counts in the other sports', async () => {
    for (const league of [NFL, NBA, NCAAF, NCAAB, NHL]) {
      const facts = { score: ['final', [made('5'), made('3')], { result_type: 'overtime', period: 'OT' }] } as const;
      expect(await outcomeOf(league, 'points', 1.5, [stats({ points: 2 })], facts)).toEqual([2, 'over']);
    }
  });
});

describe('player props: combined statistics', () => {
  it.each<[League, string, Record<string, number>, number]>([
    [NBA, 'points_rebounds_assists', { points: 20, rebounds: 7, assists: 5 }, 32],
    [NCAAB, 'points_rebounds', { points: 20, rebounds: 7 }, 27],
    [NBA, 'points_assists', { points: 20, assists: 5 }, 25],
    [NBA, 'rebounds_assists', { rebounds: 7, assists: 5 }, 12],
    [NBA, 'blocks_steals', { blocks: 2, steals: 1 }, 3],
    [NFL, 'passing_rushing_yards', { passing_yards: 250, rushing_yards: -3 }, 247],
    [NFL, 'rushing_receiving_yards', { rushing_yards: 80, receiving_yards: 15 }, 95],
    [NFL, 'rushing_receiving_touchdowns', { rushing_touchdowns: 1, receiving_touchdowns: 1 }, 2],
    [NCAAF, 'passing_rushing_receiving_yards', { passing_yards: 200, rushing_yards: 30, receiving_yards: 4 }, 234],
    [
      NFL,
      'passing_rushing_receiving_touchdowns',
      { passing_touchdowns: 2, rushing_touchdowns: 1, receiving_touchdowns: 0 },
      3,
    ],
    [MLB, 'hits_runs_rbis', { hits: 2, runs: 1, rbis: 3 }, 6],
    [MLB, 'total_bases', { hits: 4, doubles: 1, triples: 1, home_runs: 1 }, 10],
    [MLB, 'singles', { hits: 4, doubles: 1, triples: 1, home_runs: 1 }, 1],
    [NHL, 'points', { goals: 1, assists: 2 }, 3],
    [NFL, 'assists', { total_tackles: 9, solo_tackles: 6 }, 3],
    [NCAAF, 'kicking_points', { field_goals_made: 3, extra_points_made: 2 }, 11],
    [EPL, 'cards', { yellow_cards: 1, red_cards: 1 }, 2],
  ])('$league: %s', async (league, stat, parts, sum) => {
    expect(await outcomeOf(league, stat, sum, [stats(parts)])).toEqual([sum, 'push']);
    // Where any row states it, it is what is stated, and 0 for who has none.
    expect(await outcomeOf(league, stat, 0.5, [stats(parts), stats({ [stat]: 3 })])).toEqual([0, 'under']);
    // Each part must be carried, by anybody.
    const [first, ...rest] = Object.entries(parts);
    expect(await outcomeOf(league, stat, 0.5, [stats(Object.fromEntries(rest))])).toEqual([null, 'no_stat']);
    const elsewhere = [stats(Object.fromEntries(rest)), stats(Object.fromEntries([first!]))];
    expect((await outcomeOf(league, stat, 0.5, elsewhere))[0]).not.toBeNull();
  });

  it.each<[string, Record<string, number>, number | null]>([
    ['rushing and receiving', { rushing_touchdowns: 1, receiving_touchdowns: 2 }, 3],
    ['rushing alone is carried', { rushing_touchdowns: 1 }, 1],
    ['returns', { receiving_touchdowns: 0, kick_return_touchdowns: 1, punt_return_touchdowns: 1 }, 2],
    [
      'an interception is told as both',
      { rushing_touchdowns: 0, defensive_touchdowns: 1, interception_touchdowns: 1 },
      1,
    ],
    ['passing ones never', { rushing_touchdowns: 1, passing_touchdowns: 4 }, 1],
    ['neither rushing nor receiving is carried', { defensive_touchdowns: 1, passing_touchdowns: 1 }, null],
    ['where the box states it', { touchdowns: 5, rushing_touchdowns: 1 }, 5],
  ])('touchdowns: %s', async (_, parts, expected) => {
    for (const league of [NFL, NCAAF]) {
      expect((await outcomeOf(league, 'touchdowns', 0.5, [stats(parts)]))[0]).toBe(expected);
    }
  });

  it('sports keep to their own: points of basketball and assists of hockey are no sums', async () => {
    expect(await outcomeOf(NBA, 'points', 1.5, [stats({ goals: 1, assists: 1 })])).toEqual([null, 'no_stat']);
    expect(await outcomeOf(NHL, 'assists', 1.5, [stats({ total_tackles: 3, solo_tackles: 1 })])).toEqual([
      null,
      'no_stat',
    ]);
  });
});
