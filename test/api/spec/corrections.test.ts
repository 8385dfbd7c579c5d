import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allPages, type Game, game, START } from './events.ts';
import { expectMembers } from './members.ts';
import { ATP, EPL, type Message, NBA, NFL, NHL } from './messages.ts';
import { NOW, type SpecServer, startServer } from './server.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startServer({ adapters: 'sqlite' });
});
afterAll(() => server.close());

const ROW = ['id', 'event_id', 'sport', 'league', 'field', 'before', 'after', 'source', 'at', 'recorded_at', 'reason'];
const LATER = '2026-03-02T18:00:00Z';

/** What the event's corrections say, in their order. */
async function correctionsOf({ id }: Game): Promise<unknown[]> {
  const { data } = await server.get(`/v1/corrections?event_id=${id}&limit=100`);
  return data.map(({ field, before, after }: any) => [field, before, after]);
}

/** Sent one by one, so that each is decided on what the ones before it have made. */
async function send(...messages: readonly Message[]): Promise<void> {
  for (const message of messages) await server.feed(message);
}

const score = (home: string | null, away: string | null) => ({ home, away });
const regular = (winner: string | null) => ({ result_type: 'regulation', winner });
const REGULAR = { result_type: 'regulation' };

type League = typeof NFL;
type Story = (game: Game) => readonly Message[];

/** What a message changes, and what is told of it. */
const ROWS: readonly [title: string, league: League, story: Story, expected: readonly unknown[]][] = [
  [
    'a status that is not forward, by the source that told the present one',
    NFL,
    (one) => [one.score('inprogress'), one.score('scheduled')],
    [['status', 'inprogress', 'scheduled']],
  ],
  ['a status that is forward, steps skipped too', NFL, (one) => [one.score('delayed'), one.score('final')], []],
  [
    'an end that is taken back, and the end again',
    NBA,
    (one) => [
      one.score('final', ['90', '88']),
      one.score('inprogress', ['90', '88']),
      one.score('final', ['90', '91']),
    ],
    [['status', 'final', 'inprogress']],
  ],
  [
    'a status that does not count, from another source',
    NFL,
    (one) => [one.score('inprogress', ['7', '0']), { ...one.schedule({ status: 'scheduled' }), source: 'other' }],
    [],
  ],
  [
    'a postponed event gets a new start',
    NFL,
    (one) => [one.score('postponed'), one.schedule({ starts_at: LATER })],
    [],
  ],
  [
    'a score that goes down in play',
    NFL,
    (one) => [one.score('inprogress', ['14', '7']), one.score('inprogress', ['13', '7'])],
    [['score', score('14', '7'), score('13', '7')]],
  ],
  [
    'a score that goes down while suspended, and by the message that ends the event',
    EPL,
    (one) => [
      one.score('inprogress', ['2', '1']),
      one.score('suspended', ['1', '1']),
      one.score('final', ['1', '0'], REGULAR),
    ],
    [
      ['score', score('2', '1'), score('1', '1')],
      ['score', score('1', '1'), score('1', '0')],
    ],
  ],
  [
    'a score of two digits after one',
    NBA,
    (one) => [one.score('inprogress', ['9', '9']), one.score('inprogress', ['10', '11'])],
    [],
  ],
  ['scores that go up', NHL, (one) => [one.score('inprogress', ['0', '0']), one.score('inprogress', ['1', '2'])], []],
  [
    'games of sets in play, which no number orders',
    ATP,
    (one) => [one.score('inprogress', ['6 4', '3 2']), one.score('inprogress', ['6 3', '3 2'])],
    [],
  ],
  [
    'games of sets after the end',
    ATP,
    (one) => [one.score('final', ['6 6', '3 2']), one.score('final', ['6 6', '3 4'])],
    [['score', { player_1: '6 6', player_2: '3 2' }, { player_1: '6 6', player_2: '3 4' }]],
  ],
  [
    'a score that goes up after the end, and turns the winner',
    NFL,
    (one) => [one.score('final', ['20', '17'], REGULAR), one.score('final', ['20', '24'], REGULAR)],
    [
      ['score', score('20', '17'), score('20', '24')],
      ['result', regular('home'), regular('away')],
    ],
  ],
  [
    'a score of a cancelled event, and of one side alone',
    NFL,
    (one) => [one.score('inprogress', ['3', '0']), one.score('cancelled'), one.score('cancelled', [null, '7'])],
    [['score', score('3', '0'), score('3', '7')]],
  ],
  [
    'a winner whom the source names otherwise',
    EPL,
    (one) => [
      one.score('final', [{ score: '1', is_winner: true }, '1'], REGULAR),
      one.score('final', ['1', { score: '1', is_winner: true }], REGULAR),
    ],
    [['result', regular('home'), regular('away')]],
  ],
  [
    'how the event ended',
    NHL,
    (one) => [one.score('final', ['3', '2'], REGULAR), one.score('final', ['3', '2'], { result_type: 'overtime' })],
    [['result', regular('home'), { result_type: 'overtime', winner: 'home' }]],
  ],
  [
    'a walkover in the place of a played end',
    ATP,
    (one) => [one.score('final', ['6 6', '3 2']), one.score('walkover', [{ is_winner: true }, null])],
    [
      ['status', 'final', 'walkover'],
      ['score', { player_1: '6 6', player_2: '3 2' }, { player_1: null, player_2: null }],
    ],
  ],
  ['a start that moves', NFL, (one) => [one.schedule({ starts_at: LATER })], [['starts_at', START, LATER]]],
  ['the same start, spelled otherwise', NFL, (one) => [one.schedule({ starts_at: '2026-03-01T18:00:00.000Z' })], []],
  [
    'a start that was announced as not before',
    ATP,
    (one) => [
      one.schedule({ starts_at_qualifier: 'not_before' }),
      one.schedule({ starts_at: LATER, starts_at_qualifier: 'exact' }),
      one.schedule({ starts_at: START }),
    ],
    [['starts_at', LATER, START]],
  ],
  [
    'a start that follows another match',
    ATP,
    (one) => [one.schedule({ starts_at_qualifier: 'following' }), one.schedule({ starts_at: LATER })],
    [],
  ],
  [
    'a start that is to be told',
    NFL,
    (one) => [one.schedule({ starts_at_qualifier: 'tbd' }), one.schedule({ starts_at: LATER })],
    [],
  ],
];

describe('a correction', () => {
  it.each(ROWS)('is told of what the rule does not allow: %s', async (_, league, story, expected) => {
    const one = await game(server, league);
    await send(...story(one));
    expect(await correctionsOf(one)).toEqual(expected);
  });

  it('has all members, times of both clocks, and who sent the message', async () => {
    const one = await game(server, NFL);
    await send(one.score('inprogress', ['7', '0']), one.score('scheduled', null, { at: '2026-03-01T11:30:00.500Z' }));
    const { data } = await server.get(`/v1/corrections?event_id=${one.id}`);
    expectMembers(data[0], ROW);
    expect(data).toEqual([
      {
        id: expect.any(Number),
        event_id: one.id,
        sport: 'nfl',
        league: 'nfl',
        field: 'status',
        before: 'inprogress',
        after: 'scheduled',
        source: 'feed',
        at: '2026-03-01T11:30:00.500Z',
        recorded_at: NOW,
        reason: null,
      },
    ]);
  });

  it('is none of a message too old to change the state, and one of what an old message changes', async () => {
    const [first, second, third] = [one(), one(), one()];
    const lower = await first;
    const messages = [lower.score('inprogress', ['7', '0']), lower.score('inprogress', ['3', '0'])] as const;
    await send(messages[1], messages[0]);
    expect(await correctionsOf(lower)).toEqual([]);

    const moved = await second;
    const moves = [moved.schedule({ starts_at: LATER }), moved.schedule({ starts_at: START })] as const;
    await send(moves[1], moves[0]);
    expect(await correctionsOf(moved)).toEqual([]);

    // The end said nothing of the guests, so an older message decides what they had.
    const ended = await third;
    const said = [ended.score('inprogress', ['0', '6']), ended.score('final', ['3', null], REGULAR)] as const;
    await send(said[1], said[0]);
    expect(await correctionsOf(ended)).toEqual([
      ['score', score('3', null), score('3', '6')],
      ['result', regular(null), regular('away')],
    ]);

    function one(): Promise<Game> {
      return game(server, NFL);
    }
  });

  it('has the same id after a rebuild', async () => {
    const before = await server.get('/v1/corrections?limit=100');
    expect(before.data.length).toBeGreaterThan(10);
    await server.rebuild();
    expect(await server.get('/v1/corrections?limit=100')).toEqual(before);
  });
});

describe('the list of corrections', () => {
  /** Corrected once on each of these days. */
  const DAYS = ['2025-11-01', '2025-12-03', '2025-12-31', '2026-01-30'];
  const AFTERWARDS = '2026-01-30T23:59:59.999Z';
  let list: SpecServer;
  const games: Game[] = [];
  beforeAll(async () => {
    list = await startServer({ adapters: 'sqlite', now: `${DAYS[0]}T00:00:00Z` });
    for (const league of [NFL, EPL, ATP]) {
      games.push(await game(list, league, { starts_at: '2025-10-31T18:00:00Z', at: '2025-10-01T00:00:00Z' }));
    }
    for (const [day, date] of DAYS.entries()) {
      list.setClock(`${date}T${day === 3 ? '23:59:59.999' : '00:00:00'}Z`);
      for (const one of games) {
        const at = (n: number) => ({
          at: new Date(Date.parse('2025-10-31T20:00:00Z') + 1000 * (10 * day + n)).toISOString(),
        });
        await list.feed(one.score('final', ['1', '0'], at(1)), one.score('inprogress', ['1', '0'], at(2)));
      }
    }
  });
  afterAll(() => list.close());

  const page = (query: string, key?: string) => list.get(`/v1/corrections?${query}`, key);
  /** The leagues and the days of what is listed. */
  const seen = async (query: string, key?: string): Promise<string[]> =>
    (await page(query, key)).data.map((row: any) => `${row.league} ${row.recorded_at.slice(0, 10)}`);
  const on = (...days: readonly string[]) =>
    days.flatMap((day) => ['nfl', 'epl', 'atp'].map((league) => `${league} ${day}`));
  const status = async (query: string, key?: string) => {
    const answer = await list.ask(`/v1/corrections?${query}`, key === undefined ? {} : { key });
    return [answer.status, answer.body.error?.code, answer.credits];
  };
  const BAD = [400, 'bad_request', 0];

  it('{data[], has_more, next_after_id}, ids ascending, 1 credit', async () => {
    const whole = await page('');
    expectMembers(whole, ['data', 'has_more', 'next_after_id']);
    const ids = whole.data.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(await status('')).toEqual([200, undefined, 1]);
    expect(await status('sport=curling')).toEqual([200, undefined, 1]);
  });

  it.each<[title: string, query: string, days: readonly string[]]>([
    ['the last 30 days, unless told', '', DAYS.slice(2)],
    ['days are those of recorded_at, both ends included', 'from=2025-12-03&to=2025-12-31', DAYS.slice(1, 3)],
    ['90 days', 'from=2025-11-01&to=2026-01-30', DAYS],
    ['one day', 'from=2025-12-03&to=2025-12-03', DAYS.slice(1, 2)],
    ['a day of which nothing is told', 'from=2025-12-04&to=2025-12-04', []],
    ['from alone: up to today', 'from=2025-12-31', DAYS.slice(2)],
    ['from alone, long ago: 90 days', 'from=2025-09-10', DAYS.slice(0, 2)],
    ['from alone, to come: nothing', 'from=2026-02-10', []],
    ['to alone: 30 days', 'to=2025-12-31', DAYS.slice(1, 3)],
  ])('of a time: %s', async (_, query, days) => {
    list.setClock(AFTERWARDS);
    expect(await seen(`${query}&limit=100`)).toEqual(on(...days));
  });

  it('of a sport, a league, an event, a field, and of several of these', async () => {
    const all = 'from=2025-11-01&to=2026-01-30';
    const of = (league: string) => DAYS.map((day) => `${league} ${day}`);
    expect(await seen(`${all}&sport=soccer`)).toEqual(of('epl'));
    expect(await seen(`${all}&league=atp`)).toEqual(of('atp'));
    expect(await seen(`${all}&league=atp&sport=tennis&field=status`)).toEqual(of('atp'));
    expect(await seen(`${all}&event_id=${games[0]!.id}`)).toEqual(of('nfl'));
    expect(await seen(`${all}&event_id=${games[0]!.id}&field=status&sport=nfl&league=nfl`)).toEqual(of('nfl'));
    expect(await seen(`${all}&field=status`)).toEqual(on(...DAYS));
    for (const nothing of [
      ...['sport=curling', 'sport=nba', 'league=la_liga', 'league=eredivisie', 'sport=nfl&league=atp', 'field=result'],
      ...[`event_id=${games[0]!.id}&sport=nba`, `event_id=${games[0]!.id}&league=atp`, 'sport=nfl&field=starts_at'],
    ]) {
      expect([nothing, await page(`${all}&${nothing}`)]).toEqual([
        nothing,
        { data: [], has_more: false, next_after_id: null },
      ]);
    }
  });

  it('pages: each row once, whatever the size; next_after_id null exactly on the last', async () => {
    const path = '/v1/corrections?from=2025-11-01&to=2026-01-30';
    const whole = (await list.get(`${path}&limit=100`)).data;
    expect(whole).toHaveLength(12);
    for (const limit of [1, 5, 12]) expect(await allPages(list, `${path}&limit=${limit}`)).toEqual(whole);
    expect(await page('from=2025-11-01&to=2026-01-30&limit=12')).toMatchObject({
      has_more: false,
      next_after_id: null,
    });
    expect(await page('from=2025-11-01&to=2026-01-30&limit=11')).toMatchObject({
      has_more: true,
      next_after_id: whole[10].id,
    });
    expect(await page(`from=2025-11-01&to=2026-01-30&after_id=${whole[11].id}`)).toMatchObject({ data: [] });
  });

  it('what is malformed is refused', async () => {
    expect(await status('field=clock')).toEqual([422, 'validation_error', 0]);
    expect(await status('limit=0')).toEqual([422, 'validation_error', 0]);
    expect(await status('limit=101')).toEqual([422, 'validation_error', 0]);
    expect(await status('event_id=x')).toEqual([422, 'validation_error', 0]);
    expect(await status('event_id=999999')).toEqual([404, 'not_found', 0]);
    expect(await status('from=yesterday')).toEqual(BAD);
    expect(await status('to=2026-02-30')).toEqual(BAD);
    expect(await status('from=2026-01-02&to=2026-01-01')).toEqual(BAD);
    expect(await status('from=2025-11-01&to=2026-01-31')).toEqual(BAD);
    expect(await status('after_id=1')).toEqual(BAD);
  });

  it('a scoped key sees its sports, and no others', async () => {
    const key = await list.newKey(['nfl', 'tennis']);
    const day = 'from=2025-12-03&to=2025-12-03';
    expect(await seen(day, key)).toEqual(['nfl 2025-12-03', 'atp 2025-12-03']);
    expect(await seen('from=2025-11-01&to=2026-01-30', key)).toHaveLength(8);
    expect(await seen(`${day}&league=epl`, key)).toEqual([]);
    expect(await seen(`${day}&league=atp`, key)).toEqual(['atp 2025-12-03']);
    expect(await status(`${day}&sport=soccer`, key)).toEqual([403, 'sport_scope_denied', 0]);
    expect(await status(`${day}&event_id=${games[1]!.id}`, key)).toEqual([403, 'sport_scope_denied', 0]);
    const soccer = (await page(`${day}&sport=soccer`)).data[0].id;
    expect(await status(`${day}&after_id=${soccer}`, key)).toEqual([403, 'sport_scope_denied', 0]);
  });
});
