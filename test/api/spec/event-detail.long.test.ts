import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Game, game, gamesOf, sidesOf } from './events.ts';
import {
  DETAIL,
  expectMembers,
  INTELLIGENCE,
  PARTICIPANT,
  PERIOD_SCORE,
  PLAYER_OF_PARTICIPANT,
  SCORES,
  SUMMARY,
  TEAM_OF_PARTICIPANT,
  VENUE,
  VENUE_DETAIL,
} from './members.ts';
import {
  ATP,
  EPL,
  MLB,
  MLS,
  market,
  NBA,
  NCAAB,
  NCAAF,
  NFL,
  NHL,
  odds,
  player,
  score,
  team,
  UCL,
  WORLD_CUP,
  WTA,
} from './messages.ts';
import { NOW, type SpecServer, startServer } from './server.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const detailOf = ({ path }: Game) => server.get(path);
const doubles = (first: string, second: string) => ({
  name: `${first}/${second}`,
  members: [{ name: first }, { name: second }],
});

/** Every sport of the catalogue; tennis singles and doubles. */
const EVERY = [
  ['nfl', NFL, {}],
  ['nba', NBA, {}],
  ['mlb', MLB, {}],
  ['nhl', NHL, {}],
  ['ncaaf', NCAAF, {}],
  ['ncaab', NCAAB, {}],
  ['soccer', EPL, {}],
  ['tennis singles', ATP, { draw_type: 'singles' }],
  [
    'tennis doubles',
    WTA,
    { draw_type: 'doubles', sides: [doubles('Ana One', 'Bea Two'), doubles('Cleo Three', 'Dora Four')] as const },
  ],
] as const;

describe('Event detail: members', () => {
  it.each(EVERY)('%s: the documented ones and no others, before and after the game', async (_, league, facts) => {
    const played = await game(server, league, facts);
    for (const message of [undefined, played.score('inprogress', ['1', '0'], { period: '1' }), played.score('final')]) {
      if (message) await server.feed(message);
      const detail = await detailOf(played);
      expectMembers(detail, DETAIL);
      expectMembers(detail.venue, VENUE_DETAIL);
      for (const side of sidesOf(detail)) expectMembers(side, PARTICIPANT);
    }
  });

  it('GET event: include_odds and include_intelligence add odds and intelligence, and nothing else does', async () => {
    const { path } = await game(server, NFL);
    expectMembers(await server.get(`${path}?include_odds=true`), [...DETAIL, 'odds']);
    expectMembers(await server.get(`${path}?include_intelligence=true`), [...DETAIL, 'intelligence']);
    expectMembers(await server.get(`${path}?include_alts=true&bookmaker=all`), DETAIL);
    expectMembers(await server.get(`${path}?include_odds=false&include_intelligence=false`), DETAIL);
  });

  it('Event detail: odds is the Odds object, also when it says available: false', async () => {
    const { id, path } = await game(server, NFL);
    const { odds: none } = await server.get(`${path}?include_odds=true`);
    expect(none).toEqual({ event_id: id, available: false, bookmakers: [], last_updated: null });
  });

  it('Event detail: intelligence has the top-level members of the predictive shape', async () => {
    const { id, path } = await game(server, NFL);
    const { intelligence } = await server.get(`${path}?include_intelligence=true`);
    expectMembers(intelligence, INTELLIGENCE);
    expect(intelligence).toMatchObject({
      event_id: id,
      available: false,
      has_recommend: null,
      bets: [],
      matchup: null,
    });
  });
});

describe('Event summary: name', () => {
  it.each([
    ['Away at Home', NFL, 'Kansas City Chiefs', 'Buffalo Bills', 'Buffalo Bills at Kansas City Chiefs'],
    ['Away at Home', NBA, 'Boston Celtics', 'Miami Heat', 'Miami Heat at Boston Celtics'],
    ['Away at Home', MLB, 'Boston Red Sox', 'New York Yankees', 'New York Yankees at Boston Red Sox'],
    ['Away at Home', NHL, 'Boston Bruins', 'Montréal Canadiens', 'Montréal Canadiens at Boston Bruins'],
    ['Away at Home', NCAAF, 'Ohio State', 'Michigan', 'Michigan at Ohio State'],
    ['Away at Home', NCAAB, 'Duke', 'North Carolina', 'North Carolina at Duke'],
    ['Home v. Away', EPL, 'Arsenal', 'Chelsea', 'Arsenal v. Chelsea'],
    ['First Last v. First Last', ATP, 'Carlos Alcaraz', 'Jannik Sinner', 'Carlos Alcaraz v. Jannik Sinner'],
  ])('%s (%o)', async (_, league, first, second, name) => {
    expect((await detailOf(await game(server, league, { sides: [first, second] }))).name).toBe(name);
  });

  it('tennis doubles name both pairs', async () => {
    const sides = [doubles('Max Purcell', 'Jordan Thompson'), doubles('Kevin Krawietz', 'Tim Pütz')] as const;
    const { name } = await detailOf(await game(server, ATP, { sides }));
    expect(name).toBe('Max Purcell/Jordan Thompson v. Kevin Krawietz/Tim Pütz');
  });

  it('is of the names that the directory has', async () => {
    const renamed = await game(server, NBA, { sides: ['Rip City', { name: 'The Pels', ref: 'pels' }] });
    await server.feed(team(NBA, 'pels', 'New Orleans Pelicans', 'NOP', { aliases: ['The Pels'] }));
    expect((await detailOf(renamed)).name).toBe('New Orleans Pelicans at Rip City');
  });
});

describe('Event summary: sport, league', () => {
  it.each([
    NFL,
    NBA,
    MLB,
    NHL,
    NCAAF,
    NCAAB,
    ATP,
    WTA,
    WORLD_CUP,
    MLS,
    EPL,
    ...['la_liga', 'serie_a', 'bundesliga', 'ligue_1'].map((league) => ({ sport: 'soccer', league })),
    UCL,
  ])('are the slugs $sport, $league', async (league) => {
    expect(await detailOf(await game(server, league))).toMatchObject(league);
  });
});

describe('Event summary: season_id', () => {
  const seasonOf = async (id: number) => {
    const { seasons } = await server.get('/v1/seasons?current_only=false');
    const { year, league } = seasons.find((season: any) => season.id === id);
    return [league.slug, year];
  };

  it('is the id of the season that the schedule names', async () => {
    const { season_id } = await detailOf(await game(server, NFL, { season: { year: 2024, phase: 'playoffs' } }));
    expect(await seasonOf(season_id)).toEqual(['nfl', 2024]);
  });

  it.each([
    [ATP, '2026-01-01T00:00:00Z', 2026],
    [ATP, '2025-12-31T23:59:59Z', 2025],
    [WTA, '2026-01-01T00:00:00Z', 2026],
    [MLS, '2026-01-01T00:00:00Z', 2026],
    [MLS, '2025-12-31T23:59:59Z', 2025],
    [WORLD_CUP, '2026-06-11T19:00:00Z', 2026],
    [MLB, '2026-01-31T23:59:59Z', 2025],
    [MLB, '2026-02-01T00:00:00Z', 2026],
    [EPL, '2026-06-30T23:59:59Z', 2025],
    [EPL, '2026-07-01T00:00:00Z', 2026],
    [UCL, '2026-06-30T23:59:59Z', 2025],
    [UCL, '2026-07-01T00:00:00Z', 2026],
    [NFL, '2026-07-31T23:59:59Z', 2025],
    [NFL, '2026-08-01T00:00:00Z', 2026],
    [NCAAF, '2026-07-31T23:59:59Z', 2025],
    [NCAAF, '2026-08-01T00:00:00Z', 2026],
    [NBA, '2026-08-31T23:59:59Z', 2025],
    [NBA, '2026-09-01T00:00:00Z', 2026],
    [NHL, '2026-08-31T23:59:59Z', 2025],
    [NHL, '2026-09-01T00:00:00Z', 2026],
    [NCAAB, '2026-09-30T23:59:59Z', 2025],
    [NCAAB, '2026-10-01T00:00:00Z', 2026],
  ])('without one, is that of the season the start falls in: $league, %s', async (league, starts_at, year) => {
    const { season_id } = await detailOf(await game(server, league, { starts_at }));
    expect(await seasonOf(season_id)).toEqual([league.league, year]);
  });
});

describe('Event summary: starts_at', () => {
  it('is UTC ISO 8601 with a Z, in one spelling', async () => {
    const { starts_at } = await detailOf(await game(server, NFL, { starts_at: '2026-03-02T18:00:00Z' }));
    expect(starts_at).toBe('2026-03-02T18:00:00Z');
  });

  it('follows the newest schedule, and not an older one that comes late', async () => {
    const moved = await game(server, NFL);
    const late = moved.nextAt();
    await server.feed(moved.schedule({ starts_at: '2026-03-01T20:00:00Z' }));
    await server.feed(moved.schedule({ starts_at: '2026-03-01T19:00:00Z', at: late }));
    expect((await detailOf(moved)).starts_at).toBe('2026-03-01T20:00:00Z');
  });
});

describe('Event summary: scheduled_start_at', () => {
  it('is null until a tennis start has moved, then the first announced one, also when it moves back', async () => {
    const moved = await game(server, ATP);
    expect((await detailOf(moved)).scheduled_start_at).toBeNull();
    await server.feed(moved.schedule({ round: 'Final' }));
    expect((await detailOf(moved)).scheduled_start_at).toBeNull();
    for (const starts_at of ['2026-03-01T19:00:00Z', '2026-03-01T20:30:00Z', '2026-03-01T18:00:00Z']) {
      await server.feed(moved.schedule({ starts_at }));
      expect(await detailOf(moved)).toMatchObject({ starts_at, scheduled_start_at: '2026-03-01T18:00:00Z' });
    }
  });

  it('is null for other sports, also when the start moves', async () => {
    const moved = await game(server, NBA);
    await server.feed(moved.schedule({ starts_at: '2026-03-01T19:00:00Z' }));
    expect(await detailOf(moved)).toMatchObject({ starts_at: '2026-03-01T19:00:00Z', scheduled_start_at: null });
  });
});

describe('Event summary: starts_at_qualifier', () => {
  it.each(['exact', 'not_before', 'following', 'tbd'])('%s', async (starts_at_qualifier) => {
    expect(await detailOf(await game(server, ATP, { starts_at_qualifier }))).toMatchObject({ starts_at_qualifier });
  });

  it('is null where no source tells, and stays where a later schedule leaves it out', async () => {
    expect((await detailOf(await game(server, ATP))).starts_at_qualifier).toBeNull();
    const told = await game(server, ATP, { starts_at_qualifier: 'not_before' });
    await server.feed(told.schedule({ starts_at_qualifier: null, round: 'Quarterfinal' }));
    expect(await detailOf(told)).toMatchObject({ starts_at_qualifier: 'not_before', round: 'Quarterfinal' });
  });
});

describe('Event summary: inprogress_since', () => {
  it('is null until the start, then the at of the first live message, and stays after final', async () => {
    const played = await game(server, NFL);
    expect((await detailOf(played)).inprogress_since).toBeNull();
    await server.feed(played.score('delayed'));
    expect((await detailOf(played)).inprogress_since).toBeNull();
    await server.feed(played.score('inprogress', ['0', '0'], { at: '2026-03-01T09:00:00Z' }));
    await server.feed(played.score('inprogress', ['7', '0'], { at: '2026-03-01T09:10:00Z' }));
    expect((await detailOf(played)).inprogress_since).toBe('2026-03-01T09:00:00Z');
    await server.feed(played.score('final', ['7', '0'], { at: '2026-03-01T11:00:00Z' }));
    expect((await detailOf(played)).inprogress_since).toBe('2026-03-01T09:00:00Z');
  });

  it("is the source's own where it gives one", async () => {
    const played = await game(server, NFL);
    await server.feed(played.score('inprogress', ['0', '0'], { inprogress_since: '2026-03-01T07:59:00Z' }));
    expect((await detailOf(played)).inprogress_since).toBe('2026-03-01T07:59:00Z');
  });

  it('is null where there was no live message', async () => {
    const played = await game(server, NFL);
    await server.feed(played.score('final', ['7', '0']));
    expect((await detailOf(played)).inprogress_since).toBeNull();
  });

  it('moves to an older live message that comes late', async () => {
    const played = await game(server, NFL);
    await server.feed(played.score('inprogress', ['7', '0'], { at: '2026-03-01T09:10:00Z' }));
    await server.feed(played.score('inprogress', ['0', '0'], { at: '2026-03-01T09:00:00Z' }));
    expect((await detailOf(played)).inprogress_since).toBe('2026-03-01T09:00:00Z');
  });

  it('is of suspended play too, and of a walkover null', async () => {
    const [halted, won] = await gamesOf(server, ATP, 2);
    await server.feed(
      halted!.score('suspended', null, { at: '2026-03-01T09:00:00Z' }),
      won!.score('walkover', [{ is_winner: true }, null]),
    );
    expect((await detailOf(halted!)).inprogress_since).toBe('2026-03-01T09:00:00Z');
    expect((await detailOf(won!)).inprogress_since).toBeNull();
  });
});

const STATUSES = [
  'scheduled',
  'inprogress',
  'delayed',
  'suspended',
  'postponed',
  'cancelled',
  'final',
  'walkover',
] as const;
type Status = (typeof STATUSES)[number];

/** How a source gets there, in steps that are forward. */
const WAY: Record<Status, readonly Status[]> = {
  scheduled: [],
  delayed: ['delayed'],
  inprogress: ['inprogress'],
  suspended: ['inprogress', 'suspended'],
  postponed: ['postponed'],
  cancelled: ['cancelled'],
  final: ['inprogress', 'final'],
  walkover: ['walkover'],
};
/** The table of forward transitions, with final from every state that is not terminal. */
const FORWARD: Record<Status, readonly Status[]> = {
  scheduled: ['delayed', 'inprogress', 'postponed', 'cancelled', 'walkover', 'final'],
  delayed: ['inprogress', 'postponed', 'cancelled', 'walkover', 'final'],
  inprogress: ['suspended', 'final'],
  suspended: ['inprogress', 'postponed', 'cancelled', 'final'],
  postponed: ['scheduled', 'cancelled', 'final'],
  final: [],
  cancelled: [],
  walkover: [],
};
/** Steps back, whichever steps one thinks to have been skipped. */
const BACK: Record<Status, readonly Status[]> = {
  scheduled: [],
  delayed: ['scheduled'],
  inprogress: ['scheduled', 'delayed', 'walkover'],
  suspended: ['scheduled', 'delayed', 'walkover'],
  postponed: [],
  final: STATUSES.filter((status) => status !== 'final'),
  cancelled: STATUSES.filter((status) => status !== 'cancelled'),
  walkover: STATUSES.filter((status) => status !== 'walkover'),
};

describe('Event status', () => {
  async function statusesAfter(from: Status, targets: readonly Status[], source: string): Promise<unknown[]> {
    const games = await gamesOf(server, ATP, targets.length);
    const messages = games.flatMap((one, index) => [
      ...WAY[from].map((status) => one.score(status)),
      ...(source === 'feed' ? [] : [{ ...one.schedule(), source }]),
      { ...one.score(targets[index]!), source },
    ]);
    await server.feed(...messages);
    return Promise.all(games.map(async (one) => (await detailOf(one)).status));
  }

  it.each(STATUSES)('%s is shown as it is told', async (status) => {
    const one = await game(server, ATP);
    if (status !== 'scheduled') await server.feed(...WAY[status].map((step) => one.score(step)));
    expect((await detailOf(one)).status).toBe(status);
  });

  it.each(STATUSES.filter((from) => FORWARD[from].length > 0))(
    'States: what is forward from %s counts from any source',
    async (from) => {
      expect(await statusesAfter(from, FORWARD[from], 'other')).toEqual(FORWARD[from]);
    },
  );

  it.each(STATUSES.filter((from) => BACK[from].length > 0))(
    'States: a step back from %s does not count from another source',
    async (from) => {
      expect(await statusesAfter(from, BACK[from], 'other')).toEqual(BACK[from].map(() => from));
    },
  );

  it.each(STATUSES.filter((from) => from !== 'scheduled'))(
    'States: the source that told %s may take it back to any other',
    async (from) => {
      const targets = STATUSES.filter((status) => status !== from);
      expect(await statusesAfter(from, targets, 'feed')).toEqual(targets);
    },
  );

  it("States: another source's message of a status that does not count changes nothing", async () => {
    const one = await game(server, NFL);
    await server.feed(one.score('inprogress', ['7', '3'], { period: '2', clock: '4:00' }));
    const before = await detailOf(one);
    await server.feed(
      { ...one.schedule({ broadcast: null }), source: 'other', ref: `o-${one.ref}` },
      { ...one.score('scheduled', ['0', '0'], { period: '1', clock: '15:00' }), source: 'other', ref: `o-${one.ref}` },
    );
    expect(await detailOf(one)).toEqual(before);
  });

  it('States: a schedule that gives a postponed event a new start makes it scheduled', async () => {
    const one = await game(server, MLB);
    await server.feed(one.score('postponed'));
    await server.feed(one.schedule({ round: 'Same start' }));
    expect((await detailOf(one)).status).toBe('postponed');
    await server.feed(one.schedule({ starts_at: '2026-03-03T18:00:00Z' }));
    expect(await detailOf(one)).toMatchObject({ status: 'scheduled', starts_at: '2026-03-03T18:00:00Z' });
  });

  it('States: a status in a schedule counts like one in a score', async () => {
    const one = await game(server, MLB, { status: 'postponed' });
    expect((await detailOf(one)).status).toBe('postponed');
  });

  it('States: at one at, the status further along wins, whichever comes first', async () => {
    const [first, second] = await gamesOf(server, NFL, 2);
    const at = '2026-03-01T11:30:00Z';
    const live = (one: Game) => one.score('inprogress', ['3', '0'], { at });
    const over = (one: Game) => one.score('final', ['3', '0'], { at });
    await server.feed(live(first!), over(first!));
    await server.feed(over(second!), live(second!));
    expect([(await detailOf(first!)).status, (await detailOf(second!)).status]).toEqual(['final', 'final']);
  });
});

describe('Event summary: result_type', () => {
  const ends = async (
    league: typeof NFL,
    more: Record<string, unknown>,
    scores: any = ['2', '1'],
    status = 'final',
  ) => {
    const one = await game(server, league);
    await server.feed(one.score('inprogress', scores, more));
    expect((await detailOf(one)).result_type).toBeNull();
    await server.feed(one.score(status, scores, more));
    return (await detailOf(one)).result_type;
  };

  it.each([
    [NFL, 'regulation'],
    [NFL, 'overtime'],
    [NBA, 'overtime'],
    [NHL, 'overtime'],
    [NHL, 'shootout'],
    [EPL, 'overtime'],
    [EPL, 'shootout'],
    [MLB, 'regulation'],
    [ATP, 'retired'],
    [ATP, 'regulation'],
    [NCAAB, 'overtime'],
  ])('$league: is what the source says: %s', async (league, result_type) => {
    expect(await ends(league, { result_type })).toBe(result_type);
  });

  it.each([NFL, NBA, NHL, NCAAF, NCAAB])('$league: overtime from the periods played', async (league) => {
    expect(await ends(league, { period: 'OT' })).toBe('overtime');
    const by = (periods: string[]) => periods.map((period) => ({ period, score: 1 }));
    expect(await ends(league, {}, [{ score: '2', period_scores: by(['1', 'OT2']) }, '1'])).toBe('overtime');
  });

  it('soccer: overtime from extra time, shootout from penalties; NHL: shootout from SO', async () => {
    expect(await ends(EPL, { period: 'ET2' })).toBe('overtime');
    expect(await ends(EPL, { period: 'PKs' })).toBe('shootout');
    expect(await ends(NHL, { period: 'SO' })).toBe('shootout');
  });

  it('MLB: extra innings are regulation, whatever the source calls them', async () => {
    expect(await ends(MLB, { period: 'Bot 11' })).toBe('regulation');
    expect(await ends(MLB, { period: 'Bot 11', result_type: 'overtime' })).toBe('regulation');
  });

  it.each([NFL, EPL, MLB, ATP])('$league: null where the source does not tell', async (league) => {
    expect(await ends(league, { period: league === ATP ? 'Set 2' : league === EPL ? '2H' : '4' })).toBeNull();
  });

  it('walkover is one', async () => {
    const one = await game(server, ATP);
    await server.feed(one.score('walkover', [null, { is_winner: true }]));
    expect((await detailOf(one)).result_type).toBe('walkover');
  });

  it('is null while it is not over, and of cancelled events', async () => {
    expect(await ends(NFL, { result_type: 'regulation' }, ['2', '1'], 'cancelled')).toBeNull();
  });
});

describe('Event summary: period, period_label', () => {
  const clocked = [NFL, NBA, NCAAF, NCAAB];
  it.each([
    [NFL, '1', '1st Quarter'],
    [NFL, '2', '2nd Quarter'],
    [NFL, '3', '3rd Quarter'],
    [NFL, '4', '4th Quarter'],
    [NFL, 'OT', 'Overtime'],
    [NFL, 'OT2', '2nd Overtime'],
    [NCAAF, '1', '1st Quarter'],
    [NCAAF, 'OT3', '3rd Overtime'],
    [NBA, '3', '3rd Quarter'],
    [NBA, 'OT', 'Overtime'],
    [NBA, 'OT4', '4th Overtime'],
    [NCAAB, '1H', '1st Half'],
    [NCAAB, '2H', '2nd Half'],
    [NCAAB, 'OT', 'Overtime'],
    [NHL, '1', '1st Period'],
    [NHL, '2', '2nd Period'],
    [NHL, '3', '3rd Period'],
    [NHL, 'OT', 'Overtime'],
    [NHL, 'SO', 'Shootout'],
    [MLB, 'Top 5', 'Top 5th'],
    [MLB, 'Mid 5', 'Middle 5th'],
    [MLB, 'Bot 5', 'Bottom 5th'],
    [MLB, 'End 5', 'End of 5th'],
    [MLB, 'Top 1', 'Top 1st'],
    [MLB, 'Bot 2', 'Bottom 2nd'],
    [MLB, 'Bot 3', 'Bottom 3rd'],
    [MLB, 'Top 11', 'Top 11th'],
    [MLB, 'Top 12', 'Top 12th'],
    [MLB, 'Top 13', 'Top 13th'],
    [ATP, 'Set 1', '1st Set'],
    [ATP, 'Set 2', '2nd Set'],
    [ATP, 'Set 3', '3rd Set'],
    [ATP, 'Set 5', '5th Set'],
    [EPL, '1H', '1st Half'],
    [EPL, 'HT', 'Half-time'],
    [EPL, '2H', '2nd Half'],
    [EPL, 'ET1', 'Extra Time 1st Half'],
    [EPL, 'ET2', 'Extra Time 2nd Half'],
    [EPL, 'PKs', 'Penalties'],
    [NFL, 'Halftime', 'Halftime'],
    [ATP, 'Warm-up', 'Warm-up'],
    [EPL, 'constructor', 'constructor'],
  ])('$league: %s is %s', async (league, period, period_label) => {
    const one = await game(server, league);
    await server.feed(one.score('inprogress', ['1', '0'], { period }));
    expect(await detailOf(one)).toMatchObject({ period, period_label });
    expect(await server.get(`${one.path}/score`)).toMatchObject({ period, period_label });
  });

  it('stay after the end', async () => {
    const one = await game(server, NFL);
    await server.feed(one.score('inprogress', ['1', '0'], { period: '4', clock: '0:10' }), one.score('final'));
    expect(await detailOf(one)).toMatchObject({ period: '4', period_label: '4th Quarter' });
  });

  it('are null where the provider gives none', async () => {
    const one = await game(server, NFL);
    await server.feed(one.score('inprogress', ['1', '0']));
    expect(await detailOf(one)).toMatchObject({ period: null, period_label: null, clock: null });
  });

  it.each(['scheduled', 'delayed', 'postponed'])('are null while %s, whatever a feed said', async (status) => {
    const one = await game(server, NBA);
    await server.feed(
      one.score('inprogress', ['10', '8'], { period: '2', clock: '3:21' }),
      one.score(status, ['10', '8'], { period: '2', clock: '3:21' }),
    );
    expect(await detailOf(one)).toMatchObject({ status, period: null, period_label: null, clock: null });
    const sides = sidesOf(await detailOf(one));
    expect(sides.map((side) => [side.score, side.period_scores])).toEqual([
      [null, []],
      [null, []],
    ]);
  });

  it.each([...clocked.map((league) => [league, '12:34'] as const), [EPL, "45+2'"] as const])(
    'clock: $league: %s',
    async (league, clock) => {
      const one = await game(server, league);
      await server.feed(one.score('inprogress', ['1', '0'], { period: '1', clock }));
      expect((await detailOf(one)).clock).toBe(clock);
    },
  );

  it.each([NHL, MLB, ATP])('clock: $league: null even when a feed has one', async (league) => {
    const one = await game(server, league);
    await server.feed(one.score('inprogress', ['1', '0'], { period: '1', clock: '12:34' }));
    expect([(await detailOf(one)).clock, (await server.get(`${one.path}/score`)).clock]).toEqual([null, null]);
  });
});

describe('Event summary: round, neutral_site, competition, venue', () => {
  it('round: as reported, else null', async () => {
    expect((await detailOf(await game(server, ATP, { round: 'Semifinal' }))).round).toBe('Semifinal');
    expect((await detailOf(await game(server, ATP))).round).toBeNull();
  });

  it('neutral_site: false by default', async () => {
    expect((await detailOf(await game(server, NFL, { neutral_site: true }))).neutral_site).toBe(true);
    expect((await detailOf(await game(server, NFL))).neutral_site).toBe(false);
  });

  it.each(['clay', 'grass', 'hard', 'indoor_hard'])('competition: surface %s', async (surface) => {
    const one = await game(server, ATP, { competition: { name: `Open on ${surface}`, surface } });
    const { competition } = await detailOf(one);
    expect(competition).toEqual({ id: expect.any(Number), name: `Open on ${surface}`, surface, tier: null });
  });

  it.each(['grand_slam', 'masters_1000', 'atp_500', 'atp_250', 'wta_1000', 'wta_500', 'wta_250'])(
    'competition: tier %s',
    async (tier) => {
      const { competition } = await detailOf(await game(server, WTA, { competition: { name: `A ${tier}`, tier } }));
      expect(competition).toEqual({ id: expect.any(Number), name: `A ${tier}`, surface: null, tier });
    },
  );

  it('competition: one id for one name, null where there is none', async () => {
    const [a, b] = await gamesOf(server, ATP, 2, { competition: { name: 'Monte Carlo' } });
    expect((await detailOf(a!)).competition.id).toBe((await detailOf(b!)).competition.id);
    expect((await detailOf(await game(server, ATP))).competition).toBeNull();
  });

  it('venue: always an object, its members null where unknown', async () => {
    const { venue } = await detailOf(await game(server, NFL));
    expect(venue).toEqual(Object.fromEntries(VENUE_DETAIL.map((name) => [name, null])));
  });

  it('venue: id, name, city, surface, roof_type, timezone; the detail adds country and capacity', async () => {
    const facts = {
      name: 'Arrowhead Stadium',
      city: 'Kansas City',
      surface: 'grass',
      roof_type: 'open',
      timezone: 'America/Chicago',
    };
    const [one, two] = await gamesOf(server, NFL, 2, { venue: { ...facts, country: 'USA', capacity: 76_416 } });
    const { venue } = await detailOf(one!);
    expect(venue).toEqual({ id: expect.any(Number), ...facts, country: 'USA', capacity: 76_416 });
    expect((await detailOf(two!)).venue.id).toBe(venue.id);
    const { events } = await server.get('/v1/events?league=nfl&limit=100');
    expect(events.find(({ id }: any) => id === one!.id).venue).toEqual({ id: venue.id, ...facts });
    expectMembers(events.find(({ id }: any) => id === one!.id).venue, VENUE);
  });
});

describe('Event detail: draw_type, broadcast, court, order_of_play', () => {
  it('draw_type: singles or doubles for tennis, null for team sports', async () => {
    expect((await detailOf(await game(server, ATP, { draw_type: 'singles' }))).draw_type).toBe('singles');
    const sides = [doubles('Eva A', 'Fay B'), doubles('Gia C', 'Hal D')] as const;
    expect((await detailOf(await game(server, WTA, { draw_type: 'doubles', sides }))).draw_type).toBe('doubles');
    expect((await detailOf(await game(server, NFL, { draw_type: 'singles' }))).draw_type).toBeNull();
  });

  it('broadcast, court, order_of_play: as reported, else null', async () => {
    const facts = { broadcast: 'ESPN', court: 'Court Philippe-Chatrier', order_of_play: 1 };
    expect(await detailOf(await game(server, ATP, facts))).toMatchObject(facts);
    expect(await detailOf(await game(server, ATP))).toMatchObject({
      broadcast: null,
      court: null,
      order_of_play: null,
    });
  });
});

describe('Event detail: updated_at', () => {
  it('is when the server recorded the last message on the event, reconfirmations included', async () => {
    const own = await startServer();
    const updatedAt = async (path: string) => (await own.get(path)).updated_at;
    const one = await game(own, NFL);
    expect(await updatedAt(one.path)).toBe(NOW);
    own.setClock('2026-03-01T12:01:00Z');
    await own.feed(one.score('inprogress', ['7', '0']));
    expect(await updatedAt(one.path)).toBe('2026-03-01T12:01:00Z');
    own.setClock('2026-03-01T12:02:00Z');
    await own.feed(one.score('inprogress', ['7', '0']));
    expect(await updatedAt(one.path)).toBe('2026-03-01T12:02:00Z');
    own.setClock('2026-03-01T12:03:00.250Z');
    await own.feed(one.score('inprogress', ['3', '0'], { at: '2026-03-01T08:00:30Z' }));
    expect(await updatedAt(one.path)).toBe('2026-03-01T12:03:00.250Z');
    own.setClock('2026-03-01T12:04:00Z');
    await own.feed(
      odds(one.ref, 'pinnacle', [
        market('h2h', [
          ['home', -110],
          ['away', 100],
        ]),
      ]),
    );
    expect(await updatedAt(one.path)).toBe('2026-03-01T12:03:00.250Z');
    expect((await own.get(`${one.path}/score`)).updated_at).toBe('2026-03-01T12:03:00.250Z');
    await own.close();
  });
});

describe('Participant', () => {
  it('participant_id: an integer for each side, stable for the event', async () => {
    const [one, two] = await gamesOf(server, ATP, 2);
    const idsOf = async (of: Game) => sidesOf(await detailOf(of)).map((side) => side.participant_id);
    const before = await idsOf(one!);
    await server.feed(one!.score('inprogress', ['1', '0'], { period: 'Set 1' }), one!.schedule({ court: 'Court 1' }));
    expect(await idsOf(one!)).toEqual(before);
    expect(new Set([...before, ...(await idsOf(two!))]).size).toBe(4);
    for (const id of before) expect(Number.isInteger(id)).toBe(true);
  });

  it.each([
    [NFL, ['home', 'away']],
    [EPL, ['home', 'away']],
    [ATP, ['player_1', 'player_2']],
  ])('role: $league', async (league, roles) => {
    const one = await game(server, league);
    expect(sidesOf(await detailOf(one)).map(({ role }) => role)).toEqual(roles);
    expect(sidesOf(await server.get(`${one.path}/score`)).map(({ role }) => role)).toEqual(roles);
  });

  it('role: home stands first, whatever the order in the message', async () => {
    const one = await game(server, NFL);
    const again = one.schedule();
    const turned = { ...again, participants: (again as any).participants.toReversed() };
    await server.feed(turned);
    expect(sidesOf(await detailOf(one)).map(({ team: { name } }) => name)).toEqual(one.sides);
  });

  it('score: a string, null before the start', async () => {
    const one = await game(server, NFL);
    const scoresOf = async () => sidesOf(await detailOf(one)).map((side) => side.score);
    expect(await scoresOf()).toEqual([null, null]);
    await server.feed(one.score('inprogress', ['7', '0']));
    expect(await scoresOf()).toEqual(['7', '0']);
    await server.feed(one.score('inprogress', [null, '3']));
    expect(await scoresOf()).toEqual(['7', '3']);
  });

  it("score: tennis has the side's own games per set, joined by single spaces; a walkover has none", async () => {
    const [played, given] = await gamesOf(server, ATP, 2);
    await server.feed(
      played!.score('final', ['6 3 7', '4 6 5']),
      given!.score('walkover', [{ score: '0', is_winner: true }, { score: '0' }]),
    );
    expect(sidesOf(await detailOf(played!)).map((side) => side.score)).toEqual(['6 3 7', '4 6 5']);
    expect(sidesOf(await detailOf(given!)).map((side) => [side.score, side.is_winner])).toEqual([
      [null, true],
      [null, false],
    ]);
  });

  it('game_score: tennis only, null unless the match is in progress', async () => {
    const [tennis] = await gamesOf(server, ATP, 1);
    const [other] = await gamesOf(server, NFL, 1);
    const scores = [
      { score: '3', game_score: '40' },
      { score: '2', game_score: '15' },
    ] as const;
    const gameScores = async (of: Game) => sidesOf(await detailOf(of)).map((side) => side.game_score);
    await server.feed(tennis!.score('inprogress', scores), other!.score('inprogress', scores));
    expect(await gameScores(tennis!)).toEqual(['40', '15']);
    expect(await gameScores(other!)).toEqual([null, null]);
    for (const status of ['suspended', 'final']) {
      await server.feed(tennis!.score(status, scores));
      expect(await gameScores(tennis!)).toEqual([null, null]);
    }
  });

  describe('is_winner', () => {
    const winnersOf = async (of: Game) => sidesOf(await detailOf(of)).map((side) => side.is_winner);
    it('is null until final', async () => {
      const one = await game(server, NFL);
      for (const status of ['scheduled', 'delayed', 'inprogress', 'suspended', 'postponed', 'cancelled']) {
        await server.feed(
          one.score(status, [
            { score: '7', is_winner: true },
            { score: '0', is_winner: false },
          ]),
        );
        expect([status, await winnersOf(one)]).toEqual([status, [null, null]]);
      }
    });

    it.each([
      ['the scores', NFL, ['20', '27'], [false, true]],
      ['the scores', NBA, ['101', '99'], [true, false]],
      ['numbers and not texts', NBA, ['99', '101'], [false, true]],
      ['false for both on a draw', EPL, ['1', '1'], [false, false]],
      ['false for both on a tie', NFL, ['20', '20'], [false, false]],
      ['the sets', ATP, ['6 6', '4 4'], [true, false]],
      ['the sets and not the games', ATP, ['6 0 7', '4 6 6'], [true, false]],
      [
        'penalties',
        EPL,
        [
          { score: '1', period_scores: [{ period: 'PKs', score: 3 }] },
          { score: '1', period_scores: [{ period: 'PKs', score: 4 }] },
        ],
        [false, true],
      ],
      ['nothing, where there are no scores', NFL, [null, null], [null, null]],
    ] as const)('else is from %s ($1.league)', async (_, league, scores, winners) => {
      const one = await game(server, league);
      await server.feed(one.score('final', scores as any));
      expect(await winnersOf(one)).toEqual(winners);
    });

    it('is what the source says, before the scores', async () => {
      const one = await game(server, ATP);
      const scores = [
        { score: '6 2', is_winner: false },
        { score: '4 1', is_winner: true },
      ] as const;
      await server.feed(one.score('final', scores, { result_type: 'retired' }));
      expect(await winnersOf(one)).toEqual([false, true]);
    });

    it('later scores without it decide anew', async () => {
      const one = await game(server, NFL);
      await server.feed(
        one.score('final', [
          { score: '20', is_winner: true },
          { score: '17', is_winner: false },
        ]),
      );
      expect(await winnersOf(one)).toEqual([true, false]);
      await server.feed(one.score('final', ['20', '23']));
      expect(await winnersOf(one)).toEqual([false, true]);
    });

    it('stays where only the status comes again', async () => {
      const one = await game(server, EPL);
      await server.feed(
        one.score('final', [
          { score: '1', is_winner: true },
          { score: '1', is_winner: false },
        ]),
      );
      await server.feed(one.score('final', null, { result_type: 'shootout' }));
      expect(await winnersOf(one)).toEqual([true, false]);
    });
  });

  it('team: id, name, abbreviation, country_code, image_url of the directory; player is null', async () => {
    const one = await game(server, NHL, {
      sides: [
        { name: 'Toronto Maple Leafs', ref: 'tor', abbreviation: 'TOR', country_code: 'CAN' },
        { name: 'Ottawa Senators', ref: 'ott' },
      ],
    });
    const [home, away] = sidesOf(await detailOf(one));
    expectMembers(home.team, TEAM_OF_PARTICIPANT);
    expect(home.team).toEqual({
      id: expect.any(Number),
      name: 'Toronto Maple Leafs',
      abbreviation: 'TOR',
      country_code: 'CAN',
      image_url: null,
    });
    expect([home.player, away.player]).toEqual([null, null]);
    const image_url = 'https://images.example/tor.png';
    await server.feed(team(NHL, 'tor', 'Toronto Maple Leafs', 'TML', { image_url }));
    const [described] = sidesOf(await detailOf(one));
    expect(described.team).toEqual({ ...home.team, abbreviation: 'TML', image_url });
    expect(await server.get(`/v1/teams/${home.team.id}`)).toMatchObject({ name: 'Toronto Maple Leafs' });
  });

  it('player: id, name, country_code, image_url of the directory; team is null', async () => {
    const one = await game(server, ATP, {
      sides: [{ name: 'Novak Djokovic', ref: 'nd', country_code: 'SRB' }, 'Andy Murray'],
    });
    const [first, second] = sidesOf(await detailOf(one));
    expectMembers(first.player, PLAYER_OF_PARTICIPANT);
    expect(first.player).toEqual({
      id: expect.any(Number),
      name: 'Novak Djokovic',
      country_code: 'SRB',
      image_url: null,
    });
    expect([first.team, second.team]).toEqual([null, null]);
    await server.feed(player('tennis', 'nd', 'Novak Djokovic', { image_url: 'https://images.example/nd.png' }));
    const [described] = sidesOf(await detailOf(one));
    expect(described.player).toEqual({ ...first.player, image_url: 'https://images.example/nd.png' });
  });

  it('player: a doubles pair is one player object with a null id', async () => {
    const sides = [doubles('Ivy One', 'Jo Two'), doubles('Kay Three', 'Lou Four')] as const;
    const [first, second] = sidesOf(await detailOf(await game(server, WTA, { sides, draw_type: 'doubles' })));
    expect(first.player).toEqual({ id: null, name: 'Ivy One/Jo Two', country_code: null, image_url: null });
    expect(second.player).toMatchObject({ id: null, name: 'Kay Three/Lou Four' });
  });

  it('team: a placeholder has a team with a null id and its name, and stands in no directory', async () => {
    const sides = [{ name: 'Winner Quarterfinal 1', placeholder: true }, 'Brazil'] as const;
    const one = await game(server, WORLD_CUP, { sides });
    const [first] = sidesOf(await detailOf(one));
    expect(first.team).toEqual({
      id: null,
      name: 'Winner Quarterfinal 1',
      abbreviation: null,
      country_code: null,
      image_url: null,
    });
    expect((await server.get('/v1/teams?q=quarterfinal')).data).toEqual([]);
    await server.feed(
      one.schedule({
        participants: [
          { role: 'home', name: 'Croatia' },
          { role: 'away', name: 'Brazil' },
        ],
      }),
    );
    const [known] = sidesOf(await detailOf(one));
    expect(known.team).toMatchObject({ id: expect.any(Number), name: 'Croatia' });
    expect((await detailOf(one)).name).toBe('Croatia v. Brazil');
  });

  it('placeholders of tennis are players with a null id', async () => {
    const one = await game(server, ATP, { sides: [{ name: 'Qualifier', placeholder: true }, 'Holger Rune'] });
    const [first] = sidesOf(await detailOf(one));
    expect([first.team, first.player]).toEqual([
      null,
      { id: null, name: 'Qualifier', country_code: null, image_url: null },
    ]);
  });

  describe('period_scores', () => {
    const by = (...scores: readonly [string, number, number?][]) =>
      scores.map(([period, number, tiebreak]) => ({
        period,
        score: number,
        ...(tiebreak === undefined ? {} : { tiebreak }),
      }));

    it('is an empty array when unavailable', async () => {
      const one = await game(server, NFL);
      await server.feed(one.score('inprogress', ['7', '0']));
      expect(sidesOf(await detailOf(one)).map((side) => side.period_scores)).toEqual([[], []]);
    });

    it('tennis: {period, score, tiebreak, confirmed}, confirmed once a later set has begun or it is final', async () => {
      const one = await game(server, ATP);
      const scores = (...sets: readonly [number, number, number?, number?][]) =>
        ([0, 1] as const).map((side) => ({
          score: sets.map((set) => set[side]).join(' '),
          period_scores: by(
            ...sets.map((set, i) => [`S${i + 1}`, set[side], set[side + 2]] as [string, number, number?]),
          ),
        })) as any;
      await server.feed(one.score('inprogress', scores([7, 6, 7, 4]), { period: 'Set 1' }));
      const [open] = sidesOf(await detailOf(one));
      expect(open.period_scores).toEqual([{ period: 'S1', score: 7, tiebreak: 7, confirmed: false }]);
      await server.feed(one.score('inprogress', scores([7, 6, 7, 4], [2, 1]), { period: 'Set 2' }));
      const [first, second] = sidesOf(await detailOf(one));
      for (const entry of first.period_scores) expectMembers(entry, PERIOD_SCORE);
      expect([first.period_scores, second.period_scores]).toEqual([
        [
          { period: 'S1', score: 7, tiebreak: 7, confirmed: true },
          { period: 'S2', score: 2, tiebreak: null, confirmed: false },
        ],
        [
          { period: 'S1', score: 6, tiebreak: 4, confirmed: true },
          { period: 'S2', score: 1, tiebreak: null, confirmed: false },
        ],
      ]);
      await server.feed(one.score('final'));
      expect(sidesOf(await detailOf(one))[0].period_scores.map((entry: any) => entry.confirmed)).toEqual([true, true]);
    });

    it.each([
      ['quarters', NFL, ['1', '2', '3', '4', 'OT'], 'OT'],
      ['halves', NCAAB, ['1H', '2H', 'OT', 'OT2'], 'OT2'],
      ['periods', NHL, ['1', '2', '3', 'OT', 'SO'], 'SO'],
      ['innings', MLB, ['1', '2', '9', '10'], 'Bot 10'],
      ['soccer', EPL, ['1H', '2H', 'ET1', 'ET2', 'PKs'], 'PKs'],
    ] as const)('%s have the same shape, the last one not confirmed', async (_, league, periods, period) => {
      const one = await game(server, league);
      const entries = by(...periods.map((name, index) => [name, index] as [string, number]));
      await server.feed(one.score('inprogress', [{ score: '9', period_scores: entries }, '8'], { period }));
      const [first] = sidesOf(await detailOf(one));
      expect(first.period_scores).toEqual(
        periods.map((name, index) => ({
          period: name,
          score: index,
          tiebreak: null,
          confirmed: index < periods.length - 1,
        })),
      );
    });
  });
});

describe('GET /v1/events/{id}: cache', () => {
  it('5 minutes, 2 minutes with include_odds; a final is revalidated for a day, which is free, then 1 hour', async () => {
    const one = await game(server, NFL);
    const maxAge = async (query: string) => (await server.ask(one.path + query)).headers.get('cache-control');
    expect(await maxAge('')).toBe('private, max-age=300');
    expect(await maxAge('?include_odds=true')).toBe('private, max-age=120');
    await server.feed(one.score('inprogress', ['7', '0']));
    expect(await maxAge('')).toBe('private, max-age=300');
    await server.feed(one.score('final', ['7', '0']));
    expect(await maxAge('')).toBe('private, no-cache, must-revalidate');
    const held = await server.ask(one.path);
    const again = await server.ask(one.path, { headers: { 'if-none-match': held.headers.get('etag')! } });
    expect([again.status, again.credits]).toEqual([304, 0]);
    server.setClock('2026-03-02T12:00:00Z');
    expect(await maxAge('?include_odds=true')).toBe('private, max-age=3600');
    server.setClock('2026-03-01T12:00:00Z');
  });
});

describe('GET /v1/events/{id}: credits', () => {
  it('1; include_odds and include_intelligence add 1 each, only when that data is available', async () => {
    const one = await game(server, NFL);
    const credits = async (query: string) => (await server.ask(one.path + query)).credits;
    expect(await credits('')).toBe(1);
    expect(await credits('?include_odds=true')).toBe(1);
    expect(await credits('?include_odds=true&include_intelligence=true')).toBe(1);
    await server.feed(
      odds(one.ref, 'fanduel', [
        market('h2h', [
          ['home', -110],
          ['away', 100],
        ]),
      ]),
    );
    expect(await credits('?include_odds=true')).toBe(1);
    expect(await credits('?include_odds=true&bookmaker=fanduel')).toBe(2);
    expect(await credits('?include_odds=true&bookmaker=all')).toBe(2);
    expect(await credits('')).toBe(1);
  });
});

describe('A late score', () => {
  it('never overwrites newer state', async () => {
    const one = await game(server, NFL);
    await server.feed(one.score('inprogress', ['14', '7'], { period: '3', clock: '9:00', at: '2026-03-01T10:00:00Z' }));
    const before = await detailOf(one);
    await server.feed(one.score('inprogress', ['7', '7'], { period: '2', clock: '1:00', at: '2026-03-01T09:50:00Z' }));
    expect(await detailOf(one)).toEqual({ ...before, inprogress_since: '2026-03-01T09:50:00Z' });
  });

  it('fills in what newer messages left out', async () => {
    const one = await game(server, NFL);
    await server.feed(one.score('inprogress', ['14', '7'], { at: '2026-03-01T10:00:00Z' }));
    await server.feed(one.score('inprogress', ['7', '7'], { period: '2', at: '2026-03-01T09:50:00Z' }));
    const detail = await detailOf(one);
    expect([detail.period, sidesOf(detail)[0].score]).toEqual(['2', '14']);
  });
});

describe('Two sources the other way round', () => {
  it('scores are turned with the sides of their own schedule', async () => {
    const one = await game(server, NFL);
    const [home, away] = one.sides;
    const participants = [
      { role: 'home', name: away },
      { role: 'away', name: home },
    ];
    await server.feed(
      { ...one.schedule({ participants }), source: 'other', ref: `t-${one.ref}` },
      { ...one.score('inprogress', ['3', '14']), source: 'other', ref: `t-${one.ref}` },
    );
    const detail = await detailOf(one);
    expect(sidesOf(detail).map((side) => [side.team.name, side.score])).toEqual([
      [home, '14'],
      [away, '3'],
    ]);
  });

  it('scores are turned with the sides of their own match', async () => {
    const one = await game(server, ATP);
    const [first, second] = one.sides;
    const match = { ...ATP, starts_at: '2026-03-02T12:00:00Z', player_1: second, player_2: first };
    await server.feed({
      kind: 'score',
      source: 'third',
      at: one.nextAt(),
      match,
      status: 'final',
      scores: [
        { role: 'player_1', score: '6 6' },
        { role: 'player_2', score: '1 2' },
      ],
    });
    expect(sidesOf(await detailOf(one)).map((side) => [side.score, side.is_winner])).toEqual([
      ['1 2', false],
      ['6 6', true],
    ]);
  });

  it('the list has the detail fields with include_scores, and only then', async () => {
    const one = await game(server, NFL, { starts_at: '2026-04-01T18:00:00Z' });
    const find = async (query: string) =>
      (await server.get(`/v1/events?date=2026-04-01${query}`)).events.find(({ id }: any) => id === one.id);
    expectMembers(await find(''), SUMMARY);
    expectMembers(await find('&include_scores=true'), [...SUMMARY, ...SCORES]);
    expectMembers(await find('&include_scores=false'), SUMMARY);
    const { venue, ...detail } = await detailOf(one);
    const { venue: shortVenue, ...item } = await find('&include_scores=true');
    expect(detail).toMatchObject(item);
    expect(venue).toMatchObject(shortVenue);
  });

  it('a score by ref of the source that scheduled stays as it is', async () => {
    const one = await game(server, NFL);
    await server.feed(score(one.ref, 'inprogress', ['21', '0'], { at: one.nextAt() }));
    expect(sidesOf(await detailOf(one)).map((side) => side.score)).toEqual(['21', '0']);
  });
});
