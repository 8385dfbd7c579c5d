import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { game, START } from './events.ts';
import { expectMembers } from './members.ts';
import { ATP, EPL, NBA, NFL, player, schedule, score, team } from './messages.ts';
import { NOW, type SpecServer, startServer } from './server.ts';

let server: SpecServer;
/** Ids of one event, and of its sides. */
let ids: { event: number; home: number; away: number; quarterback: number; tennis: number };
beforeAll(async () => {
  server = await startServer({ adapters: 'sqlite' });
  const sides = (one: string, other: string) => [
    { name: 'Chiefs', ref: one },
    { name: 'Bills', ref: other },
  ];
  const [chiefs, bills] = sides('kc', 'buf') as [object, object];
  await server.feed(
    team(NFL, 'kc', 'Chiefs', 'KC'),
    team(NFL, 'buf', 'Bills', 'BUF'),
    schedule(NFL, 'g|1', [chiefs as any, bills as any], START, { refs: { action_network: '77', espn: 'e1' } }),
    player('nfl', 'same', 'Patrick Mahomes', { league: 'nfl', team_ref: 'kc' }),
    player('tennis', 'same', 'Iga Swiatek', { league: 'wta' }),
    { ...team(NFL, 'same', 'Chiefs', 'KC'), source: 'extra' },
  );
  server.setClock('2026-03-01T12:30:00.250Z');
  const [theirs, ours] = sides('t-kc', 't-buf') as [object, object];
  await server.feed(
    { ...schedule(NFL, 'o-1', [ours as any, theirs as any], START), source: 'other' },
    { ...player('nfl', 'p-15', 'Patrick Mahomes'), source: 'other' },
  );
  server.setClock('2026-03-01T13:00:00Z');
  await server.feed({
    ...score('late', 'inprogress', ['7', '0'], { at: '2026-03-01T12:59:00Z' }),
    source: 'third',
    match: { ...NFL, starts_at: START, home: 'Bills', away: 'Chiefs' },
  });
  const idOf = async (path: string) => (await server.get(path)).data[0].id;
  ids = {
    event: await server.eventId('feed', 'g|1'),
    home: await idOf('/v1/teams?q=chiefs'),
    away: await idOf('/v1/teams?q=bills'),
    quarterback: await idOf('/v1/players?q=mahomes'),
    tennis: await idOf('/v1/players?q=swiatek'),
  };
});
afterAll(() => server.close());

const mappings = async (query: string, key?: string): Promise<any[]> => {
  const body = await server.get(`/v1/mappings?${query}`, key);
  expectMembers(body, ['mappings', 'total']);
  expect(body.total).toBe(body.mappings.length);
  return body.mappings;
};
const named = async (query: string, key?: string) =>
  (await mappings(query, key)).map(({ type, name }: any) => `${type} ${name}`);
const status = async (query: string, key?: string) => {
  const answer = await server.ask(`/v1/mappings?${query}`, key === undefined ? {} : { key });
  return [answer.status, answer.body.error?.code, answer.credits];
};
const ref = (source: string, own: string, swapped: boolean | null, recorded_at: string) => ({
  source,
  ref: own,
  swapped,
  recorded_at,
});
const LATER = '2026-03-01T12:30:00.250Z';

describe('a mapping', () => {
  it('of an event has every ref of every source, who has the sides the other way round, and since when', async () => {
    const found = await mappings(`type=event&id=${ids.event}`);
    expect(found).toEqual([
      {
        type: 'event',
        id: ids.event,
        sport: 'nfl',
        league: 'nfl',
        name: 'Bills at Chiefs',
        merged_from: [],
        refs: [
          ref('action_network', '77', false, NOW),
          ref('espn', 'e1', false, NOW),
          ref('feed', 'g|1', false, NOW),
          ref('other', 'o-1', true, LATER),
          ref('third', 'late', true, '2026-03-01T13:00:00Z'),
        ],
      },
    ]);
    for (const query of ['source=feed&ref=g%7C1', 'source=espn&ref=e1', 'source=third&ref=late&type=event&sport=nfl']) {
      expect([query, await mappings(query)]).toEqual([query, found]);
    }
  });

  it('of a team and of players has no sides, and no league in tennis', async () => {
    expect(await mappings(`type=team&id=${ids.home}`)).toEqual([
      {
        type: 'team',
        id: ids.home,
        sport: 'nfl',
        league: 'nfl',
        name: 'Chiefs',
        merged_from: [],
        refs: [ref('extra', 'same', null, NOW), ref('feed', 'kc', null, NOW), ref('other', 't-kc', null, LATER)],
      },
    ]);
    expect(await mappings(`type=player&id=${ids.quarterback}`)).toEqual([
      {
        type: 'player',
        id: ids.quarterback,
        sport: 'nfl',
        league: 'nfl',
        name: 'Patrick Mahomes',
        merged_from: [],
        refs: [ref('feed', 'same', null, NOW), ref('other', 'p-15', null, LATER)],
      },
    ]);
    expect(await mappings(`type=player&id=${ids.tennis}`)).toMatchObject([{ sport: 'tennis', league: null }]);
  });

  it('shows the name that the thing has now', async () => {
    const { id } = await game(server, NBA, { sides: ['Celtics', 'Heat'] });
    await server.feed(team(NBA, 'bos', 'Boston Celtics', 'BOS', { aliases: ['Celtics'], at: '2026-03-01T09:00:00Z' }));
    expect(await named(`type=event&id=${id}`)).toEqual(['event Heat at Boston Celtics']);
  });
});

describe('mappings by source and ref', () => {
  it('come by type event, team, player, then by id', async () => {
    const epl = await game(server, EPL);
    const refOf = { refs: { many: 'x' } };
    await server.feed(
      { ...player('tennis', 'x', 'Player One'), source: 'many' },
      { ...player('nfl', 'x', 'Player Two'), source: 'many' },
      { ...team(EPL, 'x', 'Arsenal', 'ARS'), source: 'many' },
      { ...team(NFL, 'x', 'Jets', 'NYJ'), source: 'many' },
      epl.schedule(refOf),
    );
    const all = await mappings('source=many&ref=x');
    expect(all.map(({ type, sport }) => [type, sport])).toEqual([
      ['event', 'soccer'],
      ...['soccer', 'nfl'].map((sport) => ['team', sport]),
      ...['tennis', 'nfl'].map((sport) => ['player', sport]),
    ]);
    expect(await named('source=many&ref=x&type=team')).toEqual(['team Arsenal', 'team Jets']);
    expect(await named('source=many&ref=x&sport=nfl')).toEqual(['team Jets', 'player Player Two']);
    expect(await named('source=many&ref=x&sport=nfl&type=event')).toEqual([]);
    const key = await server.newKey(['soccer', 'tennis']);
    expect((await mappings('source=many&ref=x', key)).map(({ type, sport }) => [type, sport])).toEqual([
      ['event', 'soccer'],
      ['team', 'soccer'],
      ['player', 'tennis'],
    ]);
  });

  it('of one that nobody has: an empty list, which costs as much', async () => {
    for (const query of ['source=feed&ref=none', 'source=nobody&ref=g%7C1', 'source=feed&ref=kc&sport=curling']) {
      expect([query, await mappings(query)]).toEqual([query, []]);
      expect(await status(query)).toEqual([200, undefined, 1]);
    }
    expect(await mappings('source=extra&ref=same&type=event')).toEqual([]);
  });

  it('say when what they name has another one', async () => {
    const before = await mappings('source=feed&ref=kc');
    await server.feed({ ...team(NFL, 'new-kc', 'Chiefs', 'KC'), source: 'newer' });
    const after = await mappings('source=feed&ref=kc');
    const [extra, feed, ...others] = before[0].refs;
    expect(after[0].refs).toEqual([extra, feed, ref('newer', 'new-kc', null, '2026-03-01T13:00:00Z'), ...others]);
  });
});

describe('mappings that are refused', () => {
  it.each([
    [''],
    ['source=feed'],
    ['ref=kc'],
    ['id=1'],
    ['type=team'],
    ['source=&ref='],
    ['source=feed&ref=kc&id=1&type=team'],
    ['source=feed&id=1&type=team'],
    ['ref=kc&id=1&type=team'],
    ['source=feed&ref=kc&type=league'],
    ['id=x&type=team'],
  ])('of a wrong form: %s', async (query) => {
    expect(await status(query)).toEqual([422, 'validation_error', 0]);
  });

  it.each<[query: string, ...wrong: [name: string, message: string][]]>([
    ['', ['source', 'is required'], ['ref', 'is required']],
    ['source=feed', ['ref', 'is required']],
    ['id=1', ['type', 'is required']],
    ['id=1&type=team&ref=kc', ['ref', 'does not go with id']],
  ])('tell which parameter is wrong: %s', async (query, ...wrong) => {
    const { body } = await server.ask(`/v1/mappings?${query}`);
    expect(body.error.errors.map(({ loc, msg }: any) => [...loc, msg])).toEqual(
      wrong.map(([name, message]) => ['query', name, message]),
    );
  });

  it('by an unknown id, or one outside the key’s sports', async () => {
    for (const type of ['event', 'team', 'player']) {
      expect(await status(`type=${type}&id=99999`)).toEqual([404, 'not_found', 0]);
    }
    const key = await server.newKey(['nba']);
    for (const query of [`type=event&id=${ids.event}`, `type=team&id=${ids.away}`, `type=player&id=${ids.tennis}`]) {
      expect(await status(query, key)).toEqual([403, 'sport_scope_denied', 0]);
    }
    expect(await status('source=feed&ref=kc&sport=nfl', key)).toEqual([403, 'sport_scope_denied', 0]);
    expect(await mappings('source=feed&ref=kc', key)).toEqual([]);
    expect(await mappings(`type=team&id=${ids.home}&sport=nba`)).toEqual([]);
    expect(await mappings(`type=team&id=${ids.home}&sport=${ATP.sport}`)).toEqual([]);
  });
});
