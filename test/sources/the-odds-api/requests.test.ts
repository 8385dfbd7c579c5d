import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../../src/domain/primitives/time.ts';
import type { KnownEvent, LeagueView, ProviderRequest } from '../../../src/sources/provider-base/provider.ts';
import { theOddsApiProvider } from '../../../src/sources/the-odds-api/provider.ts';
import type { OddsApiSettings } from '../../../src/sources/the-odds-api/requests.ts';
import { known, NOW, readLive, view } from '../read-live-answers.ts';

const SETTINGS: OddsApiSettings = {
  regions: ['us', 'eu'],
  markets: ['h2h', 'spreads', 'totals'],
  eventMarkets: [],
  scores: false,
};
const provider = (given: Partial<OddsApiSettings> = {}) => theOddsApiProvider({ ...SETTINGS, ...given });
const asked = (leagues: readonly LeagueView[], given: Partial<OddsApiSettings> = {}): readonly ProviderRequest[] =>
  provider(given).requests(leagues, NOW);
const of = (kind: string, questions: readonly ProviderRequest[]): ProviderRequest[] =>
  questions.filter((one) => one.kind === kind);

describe('what is asked of The Odds API', () => {
  it.each([
    ['live', 60, 600],
    ['soon', 300, 600],
    ['later', 3600, 3600],
    ['idle', undefined, 21_600],
  ] as const)('of a league that is %s: prices every %s s, events every %i s', (state, odds, events) => {
    const questions = asked([view({ state })]);

    expect(of('odds', questions)).toMatchObject(
      odds === undefined
        ? []
        : [
            {
              path: '/v4/sports/americanfootball_nfl/odds',
              query: { regions: 'us,eu', markets: 'h2h,spreads,totals', oddsFormat: 'american', dateFormat: 'iso' },
              intervalSeconds: odds,
              cost: 6,
              urgency: state,
            },
          ],
    );
    expect(of('events', questions)).toMatchObject([
      { path: '/v4/sports/americanfootball_nfl/events', intervalSeconds: events },
    ]);
    expect(of('events', questions)[0]?.cost).toBeUndefined();
    expect(of('sports', questions)).toMatchObject([
      { path: '/v4/sports', query: {}, intervalSeconds: 21_600, isPrerequisite: true },
    ]);
    expect(questions).toHaveLength(odds === undefined ? 2 : 3);
  });

  it.each([
    ['live', true, 1],
    ['soon', true, 0],
    ['live', false, 0],
  ] as const)('scores of a league that is %s, where nobody else tells them: %s', (state, scores, count) => {
    const found = of('scores', asked([view({ state })], { scores }));

    expect(found).toHaveLength(count);
    if (count > 0) expect(found[0]).toMatchObject({ intervalSeconds: 60, cost: 2, query: { daysFrom: '1' } });
  });

  it.each<[string, Partial<KnownEvent>, LeagueView['state'], number | undefined]>([
    ['in play, of a live league', { status: 'inprogress', startsAt: NOW - HOUR }, 'live', 120],
    ['within a day, of a league that plays soon', { startsAt: NOW + 24 * HOUR }, 'soon', 600],
    ['later than within a day', { startsAt: NOW + 24 * HOUR + MINUTE }, 'live', undefined],
    ['over', { status: 'final', startsAt: NOW - HOUR, overSince: NOW }, 'live', undefined],
    ['within a day, of a league that plays later', {}, 'later', undefined],
    ['not named by the provider', { ref: undefined }, 'live', undefined],
  ])('further markets of an event that is %s', (_, event, state, every) => {
    const leagues = [view({ state, events: [known(event)] })];

    const found = of('event-odds', asked(leagues, { eventMarkets: ['player_pass_tds', 'player_rush_yds'] }));

    expect(found.map((one) => one.intervalSeconds)).toEqual(every === undefined ? [] : [every]);
    if (every !== undefined) {
      expect(found[0]).toMatchObject({
        path: '/v4/sports/americanfootball_nfl/events/e1/odds',
        query: { markets: 'player_pass_tds,player_rush_yds', regions: 'us,eu' },
        cost: 4,
      });
    }
    expect(of('event-odds', asked(leagues))).toEqual([]);
  });

  it("asks for tennis under the keys of the tournaments that the provider's list of sports names", async () => {
    const one = provider();
    const leagues = [view({ sport: 'tennis', league: 'atp', state: 'live' })];
    expect(of('odds', one.requests(leagues, NOW))).toEqual([]);

    await readLive(one, { path: '/v4/sports', query: {} }, [
      { key: 'tennis_atp_paris_masters', active: true },
      { key: 'tennis_wta_finals', active: true },
      { key: 'tennis_atp_us_open', active: false },
      { key: 'cricket_ipl', active: true },
    ]);

    expect(of('odds', one.requests(leagues, NOW)).map(({ path }) => path)).toEqual([
      '/v4/sports/tennis_atp_paris_masters/odds',
    ]);
  });

  it('asks for further markets of tennis under the key that lists the event', async () => {
    const one = provider({ eventMarkets: ['h2h_s1'] });
    await readLive(one, { path: '/v4/sports', query: {} }, [
      { key: 'tennis_atp_a', active: true },
      { key: 'tennis_atp_b', active: true },
    ]);
    const event = { id: 'e1', sport_key: 'tennis_atp_b', commence_time: '2026-11-23T20:00:00Z' };
    const players = { home_team: 'Ann', away_team: 'Bea' };
    await readLive(one, { path: '/v4/sports/tennis_atp_b/events', query: {} }, [{ ...event, ...players }]);

    const leagues = [view({ sport: 'tennis', league: 'atp', state: 'live', events: [known()] })];

    expect(of('event-odds', one.requests(leagues, NOW)).map(({ path }) => path)).toEqual([
      '/v4/sports/tennis_atp_b/events/e1/odds',
    ]);
  });

  it('names every question once, and none has the key of the operator', () => {
    const events = [known(), known({ ref: 'e2' })];
    const leagues = [
      view({ state: 'live', events }),
      view({ sport: 'nba', league: 'nba', state: 'live', events: [known({ ref: 'e3' })] }),
    ];

    const questions = asked(leagues, { eventMarkets: ['player_points'], scores: true });

    expect(questions).toHaveLength(1 + 3 + 2 + 3 + 1);
    expect(new Set(questions.map(({ key }) => key)).size).toBe(questions.length);
    expect(questions.flatMap(({ query }) => Object.keys(query))).not.toContain('apiKey');
  });
});
