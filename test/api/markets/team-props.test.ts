import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Game, game } from '../spec/events.ts';
import { expectMembers } from '../spec/members.ts';
import { ATP, EPL, MLB, NBA, NCAAB, NCAAF, NFL, NHL, team, UCL } from '../spec/messages.ts';
import { type SpecServer, startServer } from '../spec/server.ts';
import { byPeriods, expectHeld, expectRefused, made, priced, teamTotal } from './lines.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const read = ({ path }: Game, query = '') => server.get(`${path}/team-props${query}`);
const ou = (over: number | null, under: number | null) => ({ over, under });

describe('team props: the envelope', () => {
  it('without a line: available false, an empty array, and the event as it stands; free', async () => {
    const one = await game(server, EPL);
    await server.feed(one.score('inprogress', ['1', '0'], { period: '1H', clock: "12'" }));
    const { body, credits } = await server.ask(`${one.path}/team-props`);
    expect(body).toEqual({
      event_id: one.id,
      available: false,
      sport: 'soccer',
      status: 'inprogress',
      period: '1H',
      clock: "12'",
      team_props: [],
    });
    expect(credits).toBe(0);
  });

  it.each([NBA, NCAAB, NHL, ATP])('is not for $sport: 400, behind 404 and 403', async (league) => {
    await expectRefused(server, await game(server, league), 'team-props');
  });

  it('costs one credit, and nothing to who has the answer already', async () => {
    const one = await game(server, NFL);
    await server.feed(
      priced(one, 'pinnacle', [teamTotal('home', 24.5)]),
      priced(one, 'fanduel', [teamTotal('home', 24.5)]),
    );
    await expectHeld(server, `${one.path}/team-props`);
  });

  it('an event with an undetermined side has none', async () => {
    const sides = [{ name: 'Winner of two', placeholder: true }, 'Somebody else of ucl'] as const;
    const one = await game(server, UCL, { sides });
    await server.feed(priced(one, 'pinnacle', [teamTotal('away', 1.5)]));
    expect(await read(one)).toMatchObject({ available: false, team_props: [] });
  });
});

describe('team props: items', () => {
  it('all members: the team by its name and id of the directory, the side, the line, and how it stands', async () => {
    const one = await game(server, NFL);
    await server.feed(
      team(NFL, `ref of ${one.sides[0]}`, one.sides[0], 'HOM'),
      priced(one, 'pinnacle', [teamTotal('away', 20.5, {}, [-105, -115])]),
      priced(one, 'betmgm', [teamTotal('home', 24, {}, [-120, 100])]),
      one.score('inprogress', ['6', '3'], { period: '1' }),
    );
    const { participants } = await server.get(one.path);
    const { team_props: items } = await read(one);
    const members = ['team', 'team_id', 'side', 'market', 'line', 'current', 'pct_of_line', 'settleable', 'result'];
    expectMembers(items[0], [...members, 'books']);
    const shared = { market: 'team_total', settleable: false, result: 'in_progress' };
    expect(items).toEqual([
      {
        ...shared,
        team: one.sides[0],
        team_id: participants[0].team.id,
        side: 'home',
        line: 24,
        current: 6,
        pct_of_line: 25,
        books: { betmgm: ou(-120, 100) },
      },
      {
        ...shared,
        team: one.sides[1],
        team_id: participants[1].team.id,
        side: 'away',
        line: 20.5,
        current: 3,
        pct_of_line: 14.6,
        books: { pinnacle: ou(-105, -115) },
      },
    ]);
  });

  it('home, then away, each by line; books of one line share its item', async () => {
    const one = await game(server, NCAAF);
    await server.feed(
      priced(one, 'pinnacle', [teamTotal('away', 20.5)]),
      priced(one, 'pinnacle', [
        { key: 'team_totals', outcomes: ['home', 'away'].flatMap((side) => teamTotal(side, 30).outcomes) },
      ]),
      priced(one, 'fanduel', [teamTotal('home', 28)]),
      priced(one, 'bovada', [teamTotal('home', 30, {}, [105])]),
    );
    const { team_props: items } = await read(one);
    expect(items.map(({ side, line, books }: any) => [side, line, Object.keys(books)])).toEqual([
      ['home', 28, ['fanduel']],
      ['home', 30, ['bovada', 'pinnacle']],
      ['away', 30, ['pinnacle']],
    ]);
  });

  it('alternates only with include_alts=true; no totals of a period; a side without a price is null', async () => {
    const one = await game(server, NFL);
    await server.feed(
      priced(one, 'pinnacle', [
        { key: 'team_totals', outcomes: [{ outcome: 'over', price: -110, point: 24.5, team: 'home' }] },
        teamTotal('home', 27.5, { alternate: true }),
        teamTotal('home', 13.5, { scope: '1H' }),
      ]),
    );
    const linesOf = async (query = '') =>
      (await read(one, query)).team_props.map(({ line, books }: any) => [line, books.pinnacle]);
    expect(await linesOf()).toEqual([[24.5, ou(-110, null)]]);
    expect(await linesOf('?include_alts=true')).toEqual([
      [24.5, ou(-110, null)],
      [27.5, ou(-110, -110)],
    ]);
  });

  it('the sides of a source that has them the other way round are turned', async () => {
    const one = await game(server, NFL);
    const [home, away] = one.sides;
    const match = { ...NFL, starts_at: '2026-03-01T18:00:00Z', home: away, away: home };
    await server.feed(priced(one, 'pinnacle', [teamTotal('home', 17.5)], { ref: undefined, match, source: 'turned' }));
    expect((await read(one)).team_props).toMatchObject([{ team: away, side: 'away', line: 17.5 }]);
  });
});

type Scores = Parameters<Game['score']>[1];

/** What a total of 4 of the home side comes to. */
async function standing(league: typeof NFL, status: string, scores: Scores, more: object = {}) {
  const one = await game(server, league);
  await server.feed(priced(one, 'pinnacle', [teamTotal('home', 4)]), one.score(status, scores, { ...more }));
  const [{ current, result, settleable }] = (await read(one)).team_props;
  expect(settleable).toBe(['over', 'under', 'push'].includes(result));
  return [current, result];
}

describe('team props: how they stand', () => {
  it.each<[string, string, Scores, readonly [number | null, string | null]]>([
    ['before the start', 'scheduled', null, [null, 'in_progress']],
    ['before the start, whatever a feed says', 'delayed', ['9', '0'], [null, 'in_progress']],
    ['postponed', 'postponed', null, [null, 'in_progress']],
    ['while it is played, also when the line is beaten', 'inprogress', ['9', '0'], [9, 'in_progress']],
    ['without a score', 'inprogress', null, [null, 'in_progress']],
    ['suspended', 'suspended', ['9', '0'], [9, 'in_progress']],
    ['over', 'final', ['5', '9'], [5, 'over']],
    ['under', 'final', ['3', '9'], [3, 'under']],
    ['push', 'final', ['4', '9'], [4, 'push']],
    ['final without a score', 'final', null, [null, null]],
    ['cancelled: void', 'cancelled', ['9', '0'], [9, null]],
  ])('%s', async (_, status, scores, expected) => {
    for (const league of [NFL, NCAAF, MLB, EPL]) {
      expect([league.sport, ...(await standing(league, status, scores))]).toEqual([league.sport, ...expected]);
    }
  });

  it('overtime and extra innings count', async () => {
    const overtime = [byPeriods(0, 0, 0, 3, 3), byPeriods(0, 3, 0, 0, 0)] as const;
    expect(await standing(NFL, 'final', overtime, { period: 'OT', result_type: 'overtime' })).toEqual([6, 'over']);
    const extra = [byPeriods(0, 0, 0, 0, 0, 0, 0, 4, 0, 1), byPeriods(0, 0, 0, 0, 0, 0, 0, 4, 0, 0)] as const;
    expect(await standing(MLB, 'final', extra, { period: 'Bot 10' })).toEqual([5, 'over']);
  });

  const nine = (home: readonly number[], away: readonly number[]) => [byPeriods(...home), byPeriods(...away)] as const;
  it.each<[string, Scores, object, readonly [number, string | null]]>([
    ['nine innings', nine([0, 0, 0, 0, 0, 0, 0, 0, 5], [0, 0, 0, 0, 0, 0, 0, 0, 0]), {}, [5, 'over']],
    ['nine innings, home behind', nine([3, 0, 0, 0, 0, 0, 0, 0, 0], [9, 0, 0, 0, 0, 0, 0, 0, 0]), {}, [3, 'under']],
    ['eight and a half, home ahead', nine([5, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 0]), {}, [5, 'over']],
    ['eight and a half, level', nine([5, 0, 0, 0, 0, 0, 0, 0], [5, 0, 0, 0, 0, 0, 0, 0, 0]), {}, [5, null]],
    ['eight innings, home ahead', nine([5, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0]), {}, [5, null]],
    ['five innings', nine([5, 0, 0, 0, 0], [1, 0, 0, 0, 0]), {}, [5, null]],
    ['by the last period: nine', ['5', '1'], { period: 'Bot 9' }, [5, 'over']],
    ['by the last period: eight and a half', ['5', '1'], { period: 'Mid 9' }, [5, 'over']],
    ['by the last period: seven', ['5', '1'], { period: 'End 7' }, [5, null]],
    ['nothing stated of innings', ['5', '1'], {}, [5, 'over']],
  ])('a game of baseball: %s', async (_, scores, more, expected) => {
    expect(await standing(MLB, 'final', scores, more)).toEqual(expected);
  });

  const halves = (first: number, second: number, extra: number) =>
    made(String(first + second + extra), { '1H': first, '2H': second, ET1: extra });
  it.each<[string, string, Scores, object, readonly [number | null, string | null]]>([
    ['in the second half', 'inprogress', ['4', '1'], { period: '2H' }, [4, 'in_progress']],
    ['in extra time', 'inprogress', [halves(2, 2, 1), halves(4, 0, 0)], { period: 'ET1' }, [4, 'in_progress']],
    ['after it', 'final', [halves(2, 2, 1), halves(4, 0, 0)], { result_type: 'overtime' }, [4, 'push']],
    ['after penalties', 'final', [halves(2, 1, 2), halves(3, 0, 2)], { result_type: 'shootout' }, [3, 'under']],
    ['known by its periods alone', 'final', [halves(5, 0, 0), halves(5, 0, 2)], {}, [5, 'over']],
    ['halves not stated', 'final', ['5', '4'], { result_type: 'overtime' }, [null, null]],
  ])('extra time of soccer does not count: %s', async (_, status, scores, more, expected) => {
    expect(await standing(EPL, status, scores, more)).toEqual(expected);
  });

  it('a corrected score grades anew; as of before it the old grade stands, by either basis', async () => {
    server.setClock('2026-03-01T12:00:00Z');
    const one = await game(server, NFL);
    await server.feed(
      priced(one, 'pinnacle', [teamTotal('away', 20.5)]),
      one.score('final', ['24', '21'], { at: '2026-03-01T11:00:00Z' }),
    );
    server.setClock('2026-03-01T12:10:00Z');
    await server.feed(one.score('final', ['24', '20'], { at: '2026-03-01T12:00:00Z' }));
    const resultOf = async (query = '') => (await read(one, query)).team_props[0].result;
    expect(await resultOf()).toBe('under');
    expect(await resultOf('?as_of=2026-03-01T12:05:00Z')).toBe('over');
    expect(await resultOf('?as_of=2026-03-01T11:30:00Z&as_of_basis=observed')).toBe('over');
    expect((await server.ask(`${one.path}/team-props?as_of=2027-01-01T00:00:00Z`)).status).toBe(400);
  });
});
