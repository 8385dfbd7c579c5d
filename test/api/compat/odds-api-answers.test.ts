import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SPORTS } from '../../../src/domain/catalogue/catalogue.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { type AgentServer, serveAgent } from '../agent/serving.ts';
import { type AskCompat, asking, hexOf, participantId } from './odds-api-client.ts';
import { at, NOW, STORY } from './story.ts';

const folder = temporaryFolder();
let server: AgentServer;
let ask: AskCompat;
const ids: Record<string, string> = {};
const whole = (hours: number): string => at(hours);

beforeAll(async () => {
  // On the stores of production.
  server = await serveAgent({ time: NOW, file: folder.path('data') });
  await server.feed(...STORY);
  ask = asking(server);
  for (const { kind, ref } of STORY) {
    if (kind === 'schedule') ids[String(ref)] = hexOf(await server.eventId('feed', String(ref)));
  }
});
afterAll(() => server.close());

const get = async (path: string, parameters: Readonly<Record<string, string>> = {}) => {
  const { status, body, text } = await ask(path, parameters);
  expect(status, text).toBe(200);
  return body;
};
const US = { regions: 'us' };

describe('/sports', () => {
  it('given events to come, then their sports, by key', async () => {
    expect(await get('/sports')).toEqual([
      sport('americanfootball_nfl', 'American Football', 'NFL', 'US Football', true),
      sport('soccer_epl', 'Soccer', 'EPL', 'English Premier League', true),
      sport('tennis_atp_250_bogot', 'Tennis', 'ATP 250 Bogotá', "Men's Singles", true),
      sport('tennis_atp_french_open', 'Tennis', 'ATP Roland Garros', "Men's Singles", true),
    ]);
  });

  it('given all=true, then those without events too', async () => {
    const all = await get('/sports/', { all: 'true' });
    expect(all.map(({ key }: any) => key)).toEqual(all.map(({ key }: any) => key).toSorted());
    // Those of a file too, where there is one.
    expect(all).toHaveLength(SPORTS.flatMap(({ leagues }) => leagues).length);
    expect(all).toContainEqual(
      sport('americanfootball_ncaaf', 'American Football', 'NCAAF', 'US College Football', false),
    );
    expect(all.filter(({ active }: any) => active)).toEqual(await get('/sports', { all: 'false' }));
  });

  const sport = (key: string, group: string, title: string, description: string, active: boolean) => ({
    key,
    group,
    title,
    description,
    active,
    has_outrights: false,
  });
});

describe('/events', () => {
  it('are those to come or in play, by start', async () => {
    const events = await get('/sports/americanfootball_nfl/events');
    expect(events).toEqual([
      event('live', at(-1), 'Buffalo Bills', 'New York Jets'),
      event('soon', whole(3), 'Kansas City Chiefs', 'Buffalo Bills'),
    ]);
  });

  it('of a tournament are its singles', async () => {
    const [one, ...others] = await get('/sports/tennis_atp_french_open/events', { dateFormat: 'unix' });
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      id: ids['rg'],
      sport_title: 'ATP Roland Garros',
      commence_time: (NOW + 4 * 3_600_000) / 1000,
      home_team: 'Carlos Alcaraz',
    });
  });

  it('upcoming are those of all sports', async () => {
    const events = await get('/sports/upcoming/events');
    const refs = events.map(({ id }: any) => Object.keys(ids).find((ref) => ids[ref] === id));
    expect(refs).toEqual(['live', 'soon', 'rg', 'bogota', 'epl']);
  });

  it('are filtered by ids and starts, both ends inclusive', async () => {
    const refsOf = async (parameters: Record<string, string>) =>
      (await get('/sports/americanfootball_nfl/events', parameters)).map(({ id }: any) => id);
    expect(await refsOf({ eventIds: `${ids['soon']},${'0'.repeat(32)}` })).toEqual([ids['soon']]);
    expect(await refsOf({ eventIds: ids['soon']!.toUpperCase() })).toEqual([ids['soon']]);
    expect(await refsOf({ commenceTimeFrom: at(3, 450) })).toEqual([ids['soon']]);
    expect(await refsOf({ commenceTimeFrom: at(3, 451) })).toEqual([]);
    expect(await refsOf({ commenceTimeTo: at(-1) })).toEqual([ids['live']]);
  });

  const event = (ref: string, commence_time: string, home_team: string, away_team: string) => ({
    id: ids[ref],
    sport_key: 'americanfootball_nfl',
    sport_title: 'NFL',
    commence_time,
    home_team,
    away_team,
  });
});

describe('/odds', () => {
  it('have the bookmakers of the regions, main lines in their order, each with the time of its last message', async () => {
    const [live, soon] = await get('/sports/americanfootball_nfl/odds', {
      regions: 'us,eu',
      markets: 'totals,h2h,spreads',
      oddsFormat: 'american',
    });
    expect(live.bookmakers).toEqual([]);
    expect(soon.bookmakers).toEqual([
      {
        key: 'fanduel',
        title: 'FanDuel',
        last_update: at(-3),
        markets: [
          {
            key: 'h2h',
            last_update: at(-3),
            outcomes: [
              { name: 'Buffalo Bills', price: -104 },
              { name: 'Kansas City Chiefs', price: -112 },
            ],
          },
          {
            key: 'spreads',
            last_update: at(-5),
            outcomes: [
              { name: 'Buffalo Bills', price: -110, point: 3.5 },
              { name: 'Kansas City Chiefs', price: -110, point: -3.5 },
            ],
          },
          {
            key: 'totals',
            last_update: at(-5),
            outcomes: [
              { name: 'Over', price: -105, point: 44.5 },
              { name: 'Under', price: -115, point: 44.5 },
            ],
          },
        ],
      },
      {
        key: 'pinnacle',
        title: 'Pinnacle',
        last_update: at(-2),
        markets: [
          {
            key: 'h2h',
            last_update: at(-2),
            outcomes: [
              { name: 'Buffalo Bills', price: 100 },
              { name: 'Kansas City Chiefs', price: -108 },
            ],
          },
        ],
      },
      {
        key: 'williamhill_us',
        title: 'Caesars',
        last_update: at(-2),
        markets: [expect.objectContaining({ key: 'spreads' })],
      },
    ]);
  });

  it('are moneylines in decimals by default', async () => {
    const [, soon] = await get('/sports/americanfootball_nfl/odds', US);
    expect(soon.bookmakers).toHaveLength(1);
    expect(soon.bookmakers[0].markets.map(({ key, outcomes }: any) => [key, outcomes])).toEqual([
      [
        'h2h',
        [
          { name: 'Buffalo Bills', price: 1.96 },
          { name: 'Kansas City Chiefs', price: 1.89 },
        ],
      ],
    ]);
  });

  it('bookmakers override regions, by their keys or by our slugs', async () => {
    const keysOf = async (parameters: Record<string, string>) => {
      const [, soon] = await get('/sports/americanfootball_nfl/odds', { markets: 'h2h,spreads', ...parameters });
      return soon.bookmakers.map(({ key }: any) => key);
    };
    expect(await keysOf({ bookmakers: 'williamhill_us' })).toEqual(['williamhill_us']);
    expect(await keysOf({ bookmakers: 'caesars, pinnacle', regions: 'us' })).toEqual(['pinnacle', 'williamhill_us']);
    expect(await keysOf({ bookmakers: 'nobody' })).toEqual([]);
    expect(await keysOf({ regions: 'uk' })).toEqual([]);
  });

  it('the draw comes last', async () => {
    const [{ bookmakers }] = await get('/sports/soccer_epl/odds', { regions: 'eu' });
    expect(bookmakers[0].markets[0].outcomes.map(({ name }: any) => name)).toEqual(['Arsenal', 'Chelsea', 'Draw']);
  });

  it('true includes add members that are null', async () => {
    const [, soon] = await get('/sports/americanfootball_nfl/odds', {
      ...US,
      includeLinks: 'true',
      includeSids: 'True',
      includeBetLimits: 'true',
      includeMultipliers: 'false',
      includeRotationNumbers: 'true',
    });
    expect(soon).toMatchObject({ home_rotation_number: null, away_rotation_number: null });
    const [book] = soon.bookmakers;
    expect(book).toMatchObject({ link: null, sid: null });
    expect(book.markets[0]).toMatchObject({ link: null, sid: null });
    expect(book.markets[0].outcomes[0]).toEqual({
      name: 'Buffalo Bills',
      price: 1.96,
      link: null,
      sid: null,
      bet_limit: null,
    });
  });
});

describe('/events/{id}/odds and /markets', () => {
  const markets = [
    ...['alternate_spreads', 'h2h_h1', 'totals_h1', 'team_totals', 'player_anytime_td', 'player_tds_over'],
    ...['player_pass_yds', 'player_laughs', 'btts', 'player_1st_td'],
  ].join();

  it('have markets beside the featured ones, by key', async () => {
    const found = await get(`/sports/americanfootball_nfl/events/${ids['soon']}/odds`, {
      bookmakers: 'draftkings',
      markets,
      oddsFormat: 'american',
    });
    expect(found.id).toBe(ids['soon']);
    const [book] = found.bookmakers;
    expect(Object.keys(book)).toEqual(['key', 'title', 'markets']);
    const told = (key: string, ...outcomes: object[]) => ({ key, last_update: at(-1), outcomes });
    const over = (description: string, price: number, point: number) => ({ name: 'Over', description, price, point });
    expect(book.markets).toEqual([
      told(
        'alternate_spreads',
        { name: 'Buffalo Bills', price: -110, point: 7.5 },
        { name: 'Kansas City Chiefs', price: -110, point: -7.5 },
      ),
      told('h2h_h1', { name: 'Buffalo Bills', price: 100 }, { name: 'Kansas City Chiefs', price: -120 }),
      told(
        'player_anytime_td',
        { name: 'No', description: 'Travis Kelce', price: -190 },
        { name: 'Yes', description: 'Travis Kelce', price: 150 },
      ),
      told('player_laughs', { name: 'Under', description: 'Patrick Mahomes', price: 105, point: 2.5 }),
      told('player_pass_yds', over('Patrick Mahomes', -110, 275.5)),
      told('player_tds_over', over('Travis Kelce', 900, 1.5)),
      told('team_totals', over('Buffalo Bills', -110, 20.5), over('Kansas City Chiefs', -115, 24.5), {
        name: 'Under',
        description: 'Kansas City Chiefs',
        price: -105,
        point: 24.5,
      }),
      told('totals_h1', { name: 'Over', price: -105, point: 20.5 }, { name: 'Under', price: -115, point: 20.5 }),
    ]);
  });

  it('/markets names all that a bookmaker has', async () => {
    const found = await get(`/sports/americanfootball_nfl/events/${ids['soon']}/markets`, { regions: 'us' });
    expect(found.bookmakers.find(({ key }: any) => key === 'fanduel')).toEqual({
      key: 'fanduel',
      title: 'FanDuel',
      markets: [
        { key: 'h2h', last_update: at(-3) },
        { key: 'spreads', last_update: at(-5) },
        { key: 'totals', last_update: at(-5) },
      ],
    });
  });

  it('an event of another sport, and one that no list has, is not found', async () => {
    for (const [sport, ref] of [
      ['soccer_epl', 'soon'],
      ['americanfootball_nfl', 'done'],
      ['americanfootball_nfl', 'stale'],
      ['americanfootball_nfl', 'off'],
      ['americanfootball_nfl', 'open'],
      ['tennis_atp_french_open', 'pairs'],
    ]) {
      const { status, body } = await ask(`/sports/${sport}/events/${ids[ref!]}/odds`, US);
      expect([ref, status, body.error_code]).toEqual([ref, 404, 'EVENT_NOT_FOUND']);
    }
  });

  it("the provider's own id is one too", async () => {
    const own = 'ABCDEF0123456789abcdef0123456789'.toLowerCase();
    const more = { refs: { 'the-odds-api': own }, at: at(-90) };
    await server.feed({ ...STORY.find(({ ref }) => ref === 'epl')!, kind: 'schedule', ...more });
    expect((await get(`/sports/soccer_epl/events/${own}/odds`, US)).id).toBe(ids['epl']);
    expect((await get('/sports/soccer_epl/events', { eventIds: own })).map(({ id }: any) => id)).toEqual([ids['epl']]);
  });
});

describe('/scores', () => {
  it('are those of the events', async () => {
    expect(await get('/sports/americanfootball_nfl/scores')).toEqual([
      {
        id: ids['live'],
        sport_key: 'americanfootball_nfl',
        sport_title: 'NFL',
        commence_time: at(-1),
        completed: false,
        home_team: 'Buffalo Bills',
        away_team: 'New York Jets',
        scores: [
          { name: 'Buffalo Bills', score: '7' },
          { name: 'New York Jets', score: '3' },
        ],
        last_update: at(-0.5),
      },
      expect.objectContaining({ id: ids['soon'], completed: false, scores: null, last_update: null }),
    ]);
  });

  it('and with daysFrom those that are over', async () => {
    const refsOf = async (daysFrom: string) =>
      (await get('/sports/americanfootball_nfl/scores', { daysFrom })).map(({ id, completed }: any) => [
        Object.keys(ids).find((ref) => ids[ref] === id),
        completed,
      ]);
    expect(await refsOf('1')).toEqual([
      ['done', true],
      ['live', false],
      ['soon', false],
    ]);
    expect((await refsOf('3'))[0]).toEqual(['older', true]);
  });
});

describe('/participants', () => {
  it('are the teams of a league, by name', async () => {
    const teams = await get('/sports/americanfootball_nfl/participants');
    expect(teams.map(({ full_name }: any) => full_name)).toEqual([
      ...['Buffalo Bills', 'Kansas City Chiefs', 'Miami Dolphins', 'New York Jets'],
    ]);
    const { body } = await server.ask('/v1/teams?q=buffalo');
    expect(teams[0].id).toBe(participantId('team', body.data[0].id));
  });

  it("are the players of a tournament's singles", async () => {
    const players = await get('/sports/tennis_atp_french_open/participants');
    expect(players.map(({ full_name }: any) => full_name)).toEqual(['Carlos Alcaraz', 'Jannik Sinner']);
    const { body } = await server.ask('/v1/players?q=alcaraz');
    expect(players[0].id).toBe(participantId('player', body.data[0].id));
  });
});
