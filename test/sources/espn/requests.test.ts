import { describe, expect, it } from 'vitest';
import type { EventStatus } from '../../../src/domain/catalogue/catalogue.ts';
import { HOUR, MINUTE, parseTime } from '../../../src/domain/primitives/time.ts';
import { espnProvider } from '../../../src/sources/espn/provider.ts';
import type { KnownEvent, LeagueView, ProviderRequest } from '../../../src/sources/provider-base/provider.ts';
import { known, NOW, view } from '../read-live-answers.ts';

const asked = (leagues: readonly LeagueView[], now = NOW, pace = 1): readonly ProviderRequest[] =>
  espnProvider({ pace }).requests(leagues, now);
const of = (kind: string, questions: readonly ProviderRequest[]): ProviderRequest[] =>
  questions.filter((one) => one.kind === kind);
const days = (questions: readonly ProviderRequest[]) => of('scoreboard', questions).map(({ query }) => query['dates']);

describe('what is asked of ESPN', () => {
  it.each([
    ['live', 15, 3600, 600],
    ['soon', 60, 3600, 600],
    ['later', 600, 3600, 3600],
    ['idle', 3600, 21_600, 21_600],
  ] as const)('of a league that is %s: today every %i s, the days ahead every %i s, injuries every %i s', (...row) => {
    const [state, today, ahead, injuries] = row;

    const questions = asked([view({ state })]);

    const boards = of('scoreboard', questions);
    expect(boards.map(({ query }) => query)).toEqual(
      ['23', '24', '25', '26', '27', '28', '29', '30'].map((day) => ({ dates: `202611${day}`, limit: '500' })),
    );
    expect(boards.map(({ intervalSeconds }) => intervalSeconds)).toEqual([today, ...Array(7).fill(ahead)]);
    expect(boards[0]).toMatchObject({ path: '/apis/site/v2/sports/football/nfl/scoreboard', urgency: state });
    expect(of('injuries', questions)).toMatchObject([
      { path: '/apis/site/v2/sports/football/nfl/injuries', intervalSeconds: injuries, query: {} },
    ]);
  });

  it.each([
    ['nfl', 'nfl', 'football/nfl', undefined],
    ['ncaaf', 'ncaaf', 'football/college-football', '80'],
    ['ncaab', 'ncaab', 'basketball/mens-college-basketball', '50'],
    ['nba', 'nba', 'basketball/nba', undefined],
    ['mlb', 'mlb', 'baseball/mlb', undefined],
    ['nhl', 'nhl', 'hockey/nhl', undefined],
    ['soccer', 'ucl', 'soccer/uefa.champions', undefined],
    ['tennis', 'wta', 'tennis/wta', undefined],
  ] as const)('of %s, %s at %s with the group %s', (sport, league, place, groups) => {
    const [today] = of('scoreboard', asked([view({ sport, league })]));

    expect(today?.path).toBe(`/apis/site/v2/sports/${place}/scoreboard`);
    expect(today?.query['groups']).toBe(groups);
  });

  it('goes by the US Eastern day', () => {
    const late = parseTime('2026-11-24T04:59:59Z')!;

    expect(days(asked([view()], late))[0]).toBe('20261123');
    expect(days(asked([view()], late + 1000))[0]).toBe('20261124');
  });

  it.each<[string, Partial<KnownEvent>, boolean]>([
    ['is in play', { status: 'inprogress' }, true],
    ['has not begun', { status: 'scheduled' }, true],
    ['is over', { status: 'final', overSince: NOW - HOUR }, false],
    ['is postponed', { status: 'postponed' }, false],
  ])('asks for the day before while a game of it %s', (_, game, expected) => {
    const startsAt = parseTime('2026-11-23T02:00:00Z')!;

    const questions = asked([view({ state: 'live', events: [known({ startsAt, ...game })] })]);

    expect(days(questions).includes('20261122')).toBe(expected);
    if (expected)
      expect(of('scoreboard', questions)[1]).toMatchObject({ intervalSeconds: 15, query: { dates: '20261122' } });
  });

  it.each<[string, EventStatus, number, number | undefined]>([
    ['in play', 'inprogress', -HOUR, 30],
    ['suspended', 'suspended', -5 * HOUR, 30],
    ['to begin within 90 minutes', 'scheduled', 90 * MINUTE, 300],
    ['delayed', 'delayed', -HOUR, 300],
    ['to begin later', 'scheduled', 91 * MINUTE, undefined],
    ['postponed', 'postponed', HOUR, undefined],
  ])('asks for the summary of a game that is %s', (_, status, from, every) => {
    const events = [known({ status, startsAt: NOW + from })];

    const summaries = of('summary', asked([view({ state: 'live', events })]));

    expect(summaries.map((one) => one.intervalSeconds)).toEqual(every === undefined ? [] : [every]);
    if (every !== undefined) {
      expect(summaries[0]).toMatchObject({
        path: '/apis/site/v2/sports/football/nfl/summary',
        query: { event: 'e1' },
      });
    }
  });

  it('asks for the summary of a game that is over once, and once more ten minutes later by the pace', () => {
    const over = known({ status: 'final', startsAt: NOW - 4 * HOUR, overSince: NOW - MINUTE });
    const summariesAt = (now: number, pace: number) => of('summary', asked([view({ events: [over] })], now, pace));

    const [end, settled, ...more] = summariesAt(NOW, 2);

    expect(more).toEqual([]);
    expect(end).toMatchObject({ intervalSeconds: 'once', query: { event: 'e1' } });
    expect(end?.notBefore).toBeUndefined();
    expect(settled).toMatchObject({ intervalSeconds: 'once', notBefore: NOW + 4 * MINUTE, query: { event: 'e1' } });
    expect(settled?.key).not.toBe(end?.key);
    expect(summariesAt(NOW + 3 * HOUR, 2)).toEqual([]);
  });

  it('asks for no summary of a game that ESPN never named', () => {
    const events = [known({ ref: undefined, status: 'inprogress' })];

    expect(of('summary', asked([view({ state: 'live', events })]))).toEqual([]);
  });

  it('asks for teams once a day, and for rosters once a day with 30 seconds between two', () => {
    const questions = asked([view({ teamRefs: ['5', '12'] }), view({ sport: 'nba', league: 'nba', teamRefs: ['5'] })]);

    expect(of('teams', questions)).toMatchObject([{ intervalSeconds: 86_400 }, { intervalSeconds: 86_400 }]);
    expect(
      of('roster', questions).map(({ path, intervalSeconds, sequence }) => ({
        path,
        intervalSeconds,
        line: sequence,
      })),
    ).toEqual(
      ['football/nfl/teams/5', 'football/nfl/teams/12', 'basketball/nba/teams/5'].map((team) => ({
        path: `/apis/site/v2/sports/${team}/roster`,
        intervalSeconds: 86_400,
        line: { name: 'espn:rosters', apart: 30 },
      })),
    );
  });

  it('asks for the rankings of tennis, which has neither teams nor summaries', () => {
    const events = [known({ status: 'inprogress' })];

    const questions = asked([view({ sport: 'tennis', league: 'atp', state: 'live', events, teamRefs: ['1'] })]);

    expect(new Set(questions.map(({ kind }) => kind))).toEqual(new Set(['scoreboard', 'rankings']));
    expect(of('rankings', questions)).toMatchObject([
      { path: '/apis/site/v2/sports/tennis/atp/rankings', intervalSeconds: 86_400 },
    ]);
  });

  it("asks for every league's scoreboard of today before anything else", () => {
    const questions = asked([view(), view({ sport: 'nba', league: 'nba' })]);

    expect(questions.slice(0, 2).map(({ league, query }) => [league, query['dates']])).toEqual([
      ['nfl', '20261123'],
      ['nba', '20261123'],
    ]);
    expect(questions.filter(({ isPrerequisite }) => isPrerequisite)).toEqual(questions.slice(0, 2));
  });

  it('names every question once', () => {
    const events = [
      known({ status: 'inprogress' }),
      known({ ref: 'e2' }),
      known({ ref: 'e3', status: 'final', overSince: NOW }),
    ];
    const leagues = [
      view({ state: 'live', events, teamRefs: ['1', '2'] }),
      view({ sport: 'nba', league: 'nba', events, teamRefs: ['1'] }),
    ];

    const keys = asked(leagues).map(({ key }) => key);

    expect(new Set(keys).size).toBe(keys.length);
  });
});
