import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/domain/primitives/time.ts';
import { espnProvider } from '../../../src/sources/espn/provider.ts';
import { requestAddress } from '../../../src/sources/espn/requests.ts';
import { UnknownAnswerShape } from '../../../src/sources/provider-base/provider.ts';
import { known, NOW, readLive, view } from '../read-live-answers.ts';
import { event, match, player, scoreboard, status, tournament } from './espn-answers.ts';

const board = (day = '20261123', league = 'nfl') => requestAddress('scoreboard', league, day)!;
const SCHEDULED = status('SCHEDULED', 'pre');
const LIVE = status('IN_PROGRESS', 'in', { period: 2, displayClock: '4:10' });
const FINAL = status('FINAL', 'post', { period: 4 });
const timeOf = (milliseconds: number) => new Date(milliseconds).toISOString().replace('.000Z', 'Z');
const game = (id: string, state: object, more: object = {}) => {
  const one = event(state, { id, date: timeOf(NOW + HOUR), ...more });
  return { ...one, id };
};
const odds = (provider: string, home: number) => ({
  provider: { id: '58', name: provider },
  homeTeamOdds: { moneyLine: home, open: { moneyLine: { american: '-300' } } },
  awayTeamOdds: { moneyLine: 170, open: { moneyLine: { american: '+250' } } },
});

describe('a live scoreboard', () => {
  it('tells schedule, score and odds of every game, and nothing else, as of the arrival less the age', async () => {
    const answer = scoreboard(
      'nfl',
      game('1', SCHEDULED, {
        odds: [odds('ESPN BET', -200)],
        home: { probables: [{ athlete: { displayName: 'A' } }] },
      }),
      game('2', LIVE, { home: { score: '7' } }),
    );

    const { messages, rejected, drift, notes } = await readLive(espnProvider(), board(), answer, { age: 5 * SECOND });

    expect(messages.map(({ kind, ref }) => `${kind} ${ref}`)).toEqual([
      'schedule 1',
      'odds 1',
      'schedule 2',
      'score 2',
    ]);
    expect(new Set(messages.map(({ at }) => at))).toEqual(new Set(['2026-11-23T17:59:55Z']));
    expect(messages[1]).toMatchObject({
      bookmaker: 'espn_bet',
      markets: [{ key: 'h2h', outcomes: [{ price: -200 }, { price: 170 }] }],
    });
    expect(messages[3]).toMatchObject({ status: 'inprogress', period: '2', clock: '4:10' });
    expect([rejected, drift, notes]).toEqual([[], [], []]);
  });

  it('tells prices of a start that has passed while the game has not begun as of now', async () => {
    const late = game('1', status('DELAYED', 'pre'), { date: timeOf(NOW - HOUR), odds: [odds('ESPN BET', -200)] });

    const { of } = await readLive(espnProvider(), board(), scoreboard('nfl', late));

    expect(of('odds')).toMatchObject([{ at: '2026-11-23T18:00:00Z' }]);
  });

  it('tells of a game in play the prices of a live provider alone', async () => {
    const given = [odds('ESPN BET', -200), odds('ESPN BET - Live Odds', -450)];

    const { of, notes } = await readLive(espnProvider(), board(), scoreboard('nfl', game('1', LIVE, { odds: given })));

    expect(of('odds')).toMatchObject([{ bookmaker: 'espn_bet_live', at: '2026-11-23T18:00:00Z' }]);
    expect(notes.map(({ code }) => code)).toEqual(['closed_prices']);
  });

  it('takes the last of an id that stands in it twice', async () => {
    const answer = scoreboard(
      'nfl',
      game('1', LIVE, { home: { score: '3' } }),
      game('1', LIVE, { home: { score: '10' } }),
    );

    const { of } = await readLive(espnProvider(), board(), answer);

    expect(of('score').map(({ scores }) => scores.find(({ role }: any) => role === 'home').score)).toEqual(['10']);
    expect(of('schedule')).toHaveLength(1);
  });

  it("takes a game that stands on several days' scoreboards from today's, and from the nearest day else", async () => {
    const provider = espnProvider();
    const refs = async (day: string, ...ids: string[]) => {
      const answer = scoreboard('nfl', ...ids.map((id) => game(id, SCHEDULED)));
      return (await readLive(provider, board(day), answer)).of('schedule').map(({ ref }) => ref);
    };

    expect(await refs('20261125', '1', '2', '3')).toEqual(['1', '2', '3']);
    expect(await refs('20261123', '1')).toEqual(['1']);
    expect(await refs('20261122', '1', '2')).toEqual(['2']);
    expect(await refs('20261125', '1', '2', '3')).toEqual(['3']);
    // Today's does not list it any more.
    expect(await refs('20261123')).toEqual([]);
    expect(await refs('20261122', '1', '2')).toEqual(['1', '2']);
  });

  it("takes a match that both tours list from its own tour's scoreboard", async () => {
    const sides = [player('home', '1', 'Ann'), player('away', '2', 'Bea')];
    const provider = espnProvider();
    const refs = async (league: string, day: string) => {
      const answer = scoreboard('atp', tournament({ 'womens-singles': [match('9', SCHEDULED, sides)] }));
      return (await readLive(provider, board(day, league), answer)).of('schedule').map(({ ref }) => ref);
    };

    expect(await refs('atp', '20261123')).toEqual(['9']);
    expect(await refs('wta', '20261124')).toEqual(['9']);
    expect(await refs('atp', '20261123')).toEqual([]);
    expect(await refs('wta', '20261123')).toEqual(['9']);
  });

  it('leaves out a game that cannot be read, and takes the others', async () => {
    const broken = { ...game('2', SCHEDULED), competitions: [{ id: '2', status: SCHEDULED }] };
    const games = ['1', '3', '4', '5', '6'].map((id) => game(id, SCHEDULED));

    const { of, rejected, drift } = await readLive(espnProvider(), board(), scoreboard('nfl', broken, ...games));

    expect(of('schedule').map(({ ref }) => ref)).toEqual(['1', '3', '4', '5', '6']);
    expect(rejected).toMatchObject([{ code: 'incomplete_event' }]);
    expect(drift).toEqual([]);
  });

  it.each([
    [4, []],
    [
      5,
      [
        {
          path: 'events[].competitions[].status.type.name',
          problem: 'is an object, not a text in 5 of 25',
        },
      ],
    ],
  ])('of whose 25 games %i have a member of another type', async (count, expected) => {
    const games = Array.from({ length: 25 }, (_, index) =>
      game(String(index), index < count ? { type: { name: {}, state: 'pre' } } : SCHEDULED),
    );

    const { drift, of } = await readLive(espnProvider(), board(), scoreboard('nfl', ...games));

    expect(drift).toEqual(expected);
    expect(of('schedule')).toHaveLength(25);
  });

  it.each([
    ['no object', [], 'events'],
    ['an error', { code: 404, message: 'none' }, 'events'],
    ['events of another type', { events: {} }, 'events'],
  ])('that is %s is refused whole', async (_, body, path) => {
    await expect(readLive(espnProvider(), board(), body)).rejects.toThrow(UnknownAnswerShape);
    await expect(readLive(espnProvider(), board(), body)).rejects.toMatchObject({ path });
  });

  it('tells a match of tennis under the tour of its draw', async () => {
    const sides = [player('home', '1', 'Ann'), player('away', '2', 'Bea')];
    const answer = scoreboard('atp', tournament({ 'womens-singles': [match('9', SCHEDULED, sides)] }));

    const { messages } = await readLive(espnProvider(), board('20261123', 'atp'), answer);

    expect(messages).toMatchObject([{ kind: 'schedule', league: 'wta', ref: '9', at: '2026-11-23T18:00:00Z' }]);
  });
});

describe('a live summary', () => {
  const summary = (state: object) => {
    const { competitions } = game('1', state, { odds: [odds('ESPN BET', -200)] });
    const team = (id: string, homeAway: string) => ({
      team: { id },
      homeAway,
      statistics: [{ name: 'rebounds', displayValue: '9' }],
    });
    return {
      header: { id: '1', competitions },
      boxscore: { teams: [team('1', 'home'), team('2', 'away')], players: [] },
      rosters: [{ team: { id: '1' }, roster: [{ athlete: { id: '7', displayName: 'Cy' }, starter: true }] }],
      injuries: [
        { team: { id: '1', displayName: 'X' }, injuries: [{ status: 'Out', athlete: { displayName: 'Di' } }] },
      ],
      pickcenter: [odds('ESPN BET', -200)],
    };
  };

  it('tells box and line-up alone', async () => {
    const { messages } = await readLive(espnProvider(), requestAddress('summary', 'nba', '1')!, summary(FINAL));

    expect(messages.map(({ kind, at, ref }) => [kind, at, ref])).toEqual([
      ['box', '2026-11-23T18:00:00Z', '1'],
      ['lineup', '2026-11-23T18:00:00Z', '1'],
    ]);
    expect(messages[0]).toMatchObject({ final: true, teams: { home: { rebounds: 9 } } });
  });

  it('tells no box before the start', async () => {
    const { messages } = await readLive(espnProvider(), requestAddress('summary', 'nba', '1')!, summary(SCHEDULED));

    expect(messages.map(({ kind }) => kind)).toEqual(['lineup']);
  });

  it('is refused whole without its header', async () => {
    const asked = requestAddress('summary', 'nba', '1')!;

    await expect(readLive(espnProvider(), asked, { boxscore: {} })).rejects.toMatchObject({
      path: 'header.competitions',
    });
  });
});

describe("a league's injuries", () => {
  const item = (name: string, stated: string, more: object = {}) => ({
    status: stated,
    date: '2026-11-20T10:00Z',
    athlete: { id: name, displayName: name },
    type: { name: `INJURY_STATUS_${stated.toUpperCase()}` },
    ...more,
  });
  const answer = {
    injuries: [{ id: '5', displayName: 'Hawks', injuries: [item('Ann', 'Out'), item('Bea', 'Active')] }],
  };
  const asked = requestAddress('injuries', 'nfl')!;

  it('are told as of now, an active player as available', async () => {
    const { messages } = await readLive(espnProvider(), asked, answer);

    expect(messages).toMatchObject([
      { kind: 'injury', at: '2026-11-23T18:00:00Z', league: 'nfl', player: 'Ann', team_ref: '5', status: 'out' },
      { kind: 'injury', at: '2026-11-23T18:00:00Z', player: 'Bea', status: 'available' },
    ]);
  });

  it('are said to have been looked at for every game that starts within seven days', async () => {
    const provider = espnProvider();
    const at = (id: string, from: number, state = SCHEDULED) => game(id, state, { date: timeOf(NOW + from) });
    await readLive(
      provider,
      board(),
      scoreboard(
        'nfl',
        at('soon', HOUR),
        at('last', 7 * DAY),
        at('later', 7 * DAY + MINUTE),
        at('begun', -HOUR, LIVE),
        at('off', HOUR, status('POSTPONED', 'post', { completed: false })),
      ),
    );
    await readLive(provider, board('20261123', 'nba'), scoreboard('nba', at('other', HOUR)));
    provider.requests([view({ events: [known({ ref: 'logged', startsAt: NOW + 2 * HOUR })] })], NOW);

    const { messages } = await readLive(provider, asked, answer);

    const checked = messages.filter((one) => one['checked']);
    expect(checked.map(({ ref }) => ref)).toEqual(['soon', 'logged', 'last']);
    expect(checked[0]).toEqual({
      kind: 'injury',
      source: 'espn',
      at: '2026-11-23T18:00:00Z',
      sport: 'nfl',
      league: 'nfl',
      ref: 'soon',
      checked: true,
    });
  });

  it('leave out an item that cannot be read', async () => {
    const broken = [item('Ann', 'Out'), item('Cy', 'Out', { athlete: {} })];

    const { messages, rejected, drift } = await readLive(espnProvider(), asked, {
      injuries: [{ id: '5', displayName: 'Hawks', injuries: broken }],
    });

    expect(messages.map(({ player: name }) => name)).toEqual(['Ann']);
    expect(rejected).toMatchObject([{ code: 'incomplete_injury' }]);
    expect(drift).toEqual([
      { path: 'injuries[].injuries[].athlete.displayName|fullName', problem: 'is absent in 1 of 2' },
    ]);
  });
});

describe('the live directory', () => {
  it('tells teams from the list of teams', async () => {
    const team = { id: '5', displayName: 'Cleveland Browns', abbreviation: 'CLE' };

    const { messages } = await readLive(espnProvider(), requestAddress('teams', 'nfl')!, {
      sports: [{ leagues: [{ teams: [{ team }] }] }],
    });

    expect(messages).toMatchObject([{ kind: 'team', ref: '5', at: '2026-11-23T18:00:00Z' }]);
  });

  it('tells the team and its players from a roster, and no injuries', async () => {
    const injured = { id: '9', fullName: 'Ann Bee', injuries: [{ status: 'Out', date: '2026-11-20T10:00Z' }] };

    const { messages } = await readLive(espnProvider(), requestAddress('roster', 'nfl', '5')!, {
      team: { id: '5', displayName: 'Cleveland Browns', abbreviation: 'CLE' },
      athletes: [{ position: 'offense', items: [injured] }],
    });

    expect(messages.map(({ kind, ref }) => [kind, ref])).toEqual([
      ['team', '5'],
      ['player', '9'],
    ]);
  });

  it('tells the players of a tour with their places', async () => {
    const ranks = [{ current: 1, points: 9000, athlete: { id: '7', displayName: 'Cy' } }];

    const { messages } = await readLive(espnProvider(), requestAddress('rankings', 'atp')!, { rankings: [{ ranks }] });

    expect(messages).toMatchObject([{ kind: 'player', ref: '7', tennis_ranking: 1, at: '2026-11-23T18:00:00Z' }]);
  });

  it.each([
    ['teams', { sports: [] }, 'sports[].leagues[].teams'],
    ['roster', { team: {} }, 'athletes'],
    ['rankings', {}, 'rankings'],
    ['injuries', { injuries: {} }, 'injuries'],
  ] as const)('refuses %s of another shape', async (route, body, path) => {
    await expect(readLive(espnProvider(), requestAddress(route, 'nfl', '5')!, body)).rejects.toMatchObject({ path });
  });
});

it('refuses an answer to what it never asks', async () => {
  const elsewhere = { path: '/apis/site/v2/sports/football/nfl/news', query: {} };

  await expect(readLive(espnProvider(), elsewhere, {})).rejects.toThrow(UnknownAnswerShape);
});
