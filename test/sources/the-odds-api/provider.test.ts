import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/domain/primitives/time.ts';
import type { Provider } from '../../../src/sources/provider-base/provider.ts';
import type { ReadLoggedPrices } from '../../../src/sources/the-odds-api/live-prices.ts';
import { theOddsApiProvider } from '../../../src/sources/the-odds-api/provider.ts';
import { known, NOW, readLive, view } from '../read-live-answers.ts';

const provider = (inLog?: ReadLoggedPrices): Provider =>
  theOddsApiProvider({ regions: ['us'], markets: ['h2h'], eventMarkets: [], scores: false }, inLog);
const timeOf = (milliseconds: number) => new Date(milliseconds).toISOString().replace('.000Z', 'Z');
const NBA = '/v4/sports/basketball_nba';
const ODDS = { path: `${NBA}/odds`, query: { markets: 'h2h,totals', oddsFormat: 'american' } };

const event = (bookmakers: unknown, more: object = {}) => ({
  id: 'e1',
  sport_key: 'basketball_nba',
  sport_title: 'NBA',
  commence_time: timeOf(NOW + HOUR),
  home_team: 'Hawks',
  away_team: 'Owls',
  bookmakers,
  ...more,
});
const h2h = (home: number, updated?: number) => ({
  key: 'h2h',
  ...(updated === undefined ? {} : { last_update: timeOf(updated) }),
  outcomes: [
    { name: 'Hawks', price: home },
    { name: 'Owls', price: 130 },
  ],
});
const totals = (point: number) => ({
  key: 'totals',
  outcomes: [
    { name: 'Over', price: -110, point },
    { name: 'Under', price: -110, point },
  ],
});
const book = (updated: number | undefined, ...markets: object[]) => ({
  key: 'fanduel',
  title: 'FanDuel',
  ...(updated === undefined ? {} : { last_update: timeOf(updated) }),
  markets,
});

describe('prices of The Odds API', () => {
  it('are of the time of the market, else of the bookmaker, and never later than they arrived', async () => {
    const markets = [h2h(-150, NOW - 10 * SECOND), totals(220.5)];
    const early = await readLive(provider(), ODDS, [event([book(NOW - MINUTE, ...markets)])]);
    const late = await readLive(provider(), ODDS, [event([book(NOW + MINUTE, h2h(-150))])], { age: 5 * SECOND });
    const unsaid = await readLive(provider(), ODDS, [event([book(undefined, h2h(-150))])]);

    expect(early.of('odds').map(({ at, markets: told }) => [at, told.map(({ key }: any) => key)])).toEqual([
      ['2026-11-23T17:59:00Z', ['totals']],
      ['2026-11-23T17:59:50Z', ['h2h']],
    ]);
    expect(late.of('odds').map(({ at }) => at)).toEqual(['2026-11-23T18:00:00Z']);
    expect(unsaid.of('odds').map(({ at }) => at)).toEqual(['2026-11-23T18:00:00Z']);
  });

  /** What two answers in a row tell: the times of the second one's messages, in seconds from the first arrival. */
  async function second(first: [price: number, updated: number], then: [price: number, updated: number]) {
    const one = provider();
    const ask = (price: number, updated: number, arrivedAt: number) =>
      readLive(one, ODDS, [event([book(NOW + updated * SECOND, h2h(price))])], { arrivedAt });
    await ask(...first, NOW);
    return (await ask(...then, NOW + MINUTE)).of('odds').map(({ at }) => (Date.parse(at) - NOW) / SECOND);
  }

  it.each<[string, [number, number], [number, number], number[]]>([
    ['changed, with a newer time: of that time', [-150, -30], [-160, 20], [20]],
    ['changed under the same time: of its arrival', [-150, -30], [-160, -30], [60]],
    ['changed under an older time: of its arrival', [-150, -30], [-160, -90], [60]],
    ['changed under a time older than an arrival that was told: of its arrival', [-150, 30], [-160, -5], [60]],
    ['the same under a newer time: of that time', [-150, -30], [-150, 20], [20]],
    ['the same under the same time: not told again', [-150, -30], [-150, -30], []],
    ['the same under an older time: not told again', [-150, -30], [-150, -90], []],
  ])('%s', async (_, first, then, expected) => {
    expect(await second(first, then)).toEqual(expected);
  });

  it('that were told as of their arrival stay so while they are the same', async () => {
    const one = provider();
    const ask = (price: number, arrivedAt: number) =>
      readLive(one, ODDS, [event([book(NOW - MINUTE, h2h(price))])], { arrivedAt });
    await ask(-150, NOW);
    await ask(-160, NOW + MINUTE);

    expect((await ask(-160, NOW + 2 * MINUTE)).of('odds')).toEqual([]);
    expect((await ask(-170, NOW + 3 * MINUTE)).of('odds')).toMatchObject([{ at: '2026-11-23T18:03:00Z' }]);
  });

  it('are compared with what the log knows, after a restart', async () => {
    const outcomes = [
      { outcome: 'home', price: -150 },
      { outcome: 'away', price: 130 },
    ];
    const looked: string[] = [];
    const one = provider(async (ref, bookmaker) => {
      looked.push(`${ref} ${bookmaker}`);
      return [
        { at: NOW - MINUTE, market: { key: 'h2h', outcomes } },
        { at: NOW - MINUTE, market: { key: 'totals', outcomes } },
      ];
    });
    const ask = (price: number) => readLive(one, ODDS, [event([book(NOW - MINUTE, h2h(price))])]);

    const same = await ask(-150);
    const changed = await ask(-160);

    expect(same.of('odds')).toMatchObject([{ markets: [{ key: 'totals', outcomes: [] }], at: '2026-11-23T18:00:00Z' }]);
    expect(changed.of('odds')).toMatchObject([{ markets: [{ key: 'h2h' }], at: '2026-11-23T18:00:00Z' }]);
    expect(looked).toEqual(['e1 fanduel']);
  });

  it('of a market that a bookmaker has no more are withdrawn, once', async () => {
    const one = provider();
    const ask = (arrivedAt: number, updated: number, ...markets: object[]) =>
      readLive(one, ODDS, [event([book(updated, ...markets)])], { arrivedAt });
    await ask(NOW, NOW - MINUTE, h2h(-150), totals(220.5));

    const gone = await ask(NOW + MINUTE, NOW + 30 * SECOND, h2h(-150));
    const still = await ask(NOW + 2 * MINUTE, NOW + 90 * SECOND, h2h(-150));
    const back = await ask(NOW + 3 * MINUTE, NOW + 150 * SECOND, h2h(-150), totals(221.5));

    const of = ({ of: kind }: Awaited<ReturnType<typeof ask>>) =>
      kind('odds').map(({ at, markets }) => [at, markets.map(({ key, outcomes }: any) => `${key} ${outcomes.length}`)]);
    expect(of(gone)).toEqual([['2026-11-23T18:00:30Z', ['h2h 2', 'totals 0']]]);
    expect(of(still)).toEqual([['2026-11-23T18:01:30Z', ['h2h 2']]]);
    expect(of(back)).toEqual([['2026-11-23T18:02:30Z', ['h2h 2', 'totals 2']]]);
  });

  it('are not withdrawn where a bookmaker is missing, none are there, or the market was not asked for', async () => {
    const one = provider();
    await readLive(one, ODDS, [event([book(NOW - MINUTE, h2h(-150), totals(220.5))])]);
    const h2hOnly = { ...ODDS, query: { markets: 'h2h', oddsFormat: 'american' } };

    const answers = [
      await readLive(one, ODDS, [event([])]),
      await readLive(one, ODDS, [event([{ ...book(NOW, h2h(-120)), key: 'draftkings' }])]),
      await readLive(one, ODDS, []),
      await readLive(one, h2hOnly, [event([book(NOW - MINUTE, h2h(-150))])]),
    ];

    const told = answers.flatMap(({ of }) => of('odds'));
    expect(told.map(({ bookmaker, markets }) => [bookmaker, markets.map(({ key }: any) => key)])).toEqual([
      ['draftkings', ['h2h']],
    ]);
  });

  it('of soccer that leave no room for a draw withdraw the moneyline that stood, and stand for none that did not', async () => {
    const ask = async (one: Provider, ...outcomes: [name: string, price: number][]) => {
      const market = { key: 'h2h', outcomes: outcomes.map(([name, price]) => ({ name, price })) };
      const soccer = { ...event([book(NOW - MINUTE, market)]), sport_key: 'soccer_epl' };
      const path = { ...ODDS, path: '/v4/sports/soccer_epl/odds' };
      return (await readLive(one, path, [soccer])).of('odds').map(({ markets }) => markets);
    };
    const one = provider();
    const heavy: [string, number][] = [
      ['Hawks', -5000],
      ['Owls', 4000],
    ];
    await ask(one, ['Hawks', -900], ['Owls', 2000], ['Draw', 900]);

    expect(await ask(one, ...heavy)).toEqual([[{ key: 'h2h', outcomes: [] }]]);
    expect(await ask(provider(), ...heavy)).toEqual([]);
  });

  it('of a market that cannot be read are not withdrawn', async () => {
    const one = provider();
    await readLive(one, ODDS, [event([book(NOW - MINUTE, h2h(-150))])]);

    const { of, notes } = await readLive(one, ODDS, [event([book(NOW, h2h(0))])]);

    expect(of('odds')).toEqual([]);
    expect(notes.map(({ code }) => code)).toEqual(['price_dropped']);
  });

  it.each([
    ['american', -150, -150],
    ['decimal', 150, 14900],
  ])('are read as they were asked for: %s', async (oddsFormat, price, expected) => {
    const asked = { ...ODDS, query: { ...ODDS.query, oddsFormat } };

    const { of } = await readLive(provider(), asked, [event([book(NOW, h2h(price))])]);

    expect(of('odds')[0]?.['markets'][0].outcomes[0].price).toBe(expected);
  });

  it('of one event come with the time of each market', async () => {
    const asked = { path: `${NBA}/events/e1/odds`, query: { markets: 'player_points', oddsFormat: 'american' } };
    const line = { description: 'Cy Dee', price: -110, point: 20.5 };
    const market = { key: 'player_points', last_update: timeOf(NOW - MINUTE) };
    const outcomes = [
      { ...line, name: 'Over' },
      { ...line, name: 'Under' },
    ];

    const { of } = await readLive(provider(), asked, event([book(undefined, { ...market, outcomes })]));

    expect(of('odds')).toMatchObject([{ at: '2026-11-23T17:59:00Z', markets: [{ key: 'points' }] }]);
  });

  it('are told again where they were not taken in', async () => {
    const one = provider();
    const ask = () => readLive(one, ODDS, [event([book(NOW - MINUTE, h2h(-150))])]);
    await ask();
    expect((await ask()).messages).toEqual([]);

    one.forgetPublished!();

    expect((await ask()).messages.map(({ kind }) => kind)).toEqual(['schedule', 'odds']);
  });
});

describe('events of The Odds API', () => {
  const EVENTS = { path: `${NBA}/events`, query: {} };
  const starting = (from: number) => event(undefined, { commence_time: timeOf(NOW + from) });

  it('are told when they are new and when their start changes, not when they have begun', async () => {
    const one = provider();
    const ask = async (from: number, arrivedAt: number) =>
      (await readLive(one, EVENTS, [starting(from)], { arrivedAt })).of('schedule').map(({ starts_at }) => starts_at);

    expect(await ask(HOUR, NOW)).toEqual(['2026-11-23T19:00:00Z']);
    expect(await ask(HOUR, NOW + MINUTE)).toEqual([]);
    expect(await ask(HOUR + MINUTE, NOW + 2 * MINUTE)).toEqual(['2026-11-23T19:01:00Z']);
    // The provider says when play really began.
    expect(await ask(HOUR + 3 * MINUTE, NOW + HOUR + 4 * MINUTE)).toEqual([]);
  });

  it('that are known from before a restart are not told once they have begun', async () => {
    const one = provider();
    one.requests([view({ sport: 'nba', league: 'nba', events: [known()] })], NOW);

    expect((await readLive(one, EVENTS, [starting(-HOUR)])).messages).toEqual([]);
  });

  it('stand once, the last, where an id is there twice', async () => {
    const { of } = await readLive(provider(), EVENTS, [starting(HOUR), starting(2 * HOUR)]);

    expect(of('schedule').map(({ starts_at }) => starts_at)).toEqual(['2026-11-23T20:00:00Z']);
  });

  it('that cannot be read are left out alone', async () => {
    const others = ['1', '2', '3', '4', '5'].map((id) => ({ ...starting(HOUR), id }));

    const { of, rejected, drift } = await readLive(provider(), EVENTS, [
      { ...starting(HOUR), home_team: 7 },
      ...others,
    ]);

    expect(of('schedule')).toHaveLength(6);
    expect([rejected, drift]).toEqual([[], []]);

    const broken = await readLive(provider(), EVENTS, [{ ...starting(HOUR), home_team: {} }, ...others]);

    expect(broken.of('schedule')).toHaveLength(5);
    expect(broken.rejected).toMatchObject([{ code: 'incomplete_event' }]);
    expect(broken.drift).toEqual([]);
  });

  it('of which a fifth lack a member tell of drift', async () => {
    const priced = event([{ ...book(NOW, h2h(-150)), markets: undefined }]);

    const { drift } = await readLive(provider(), ODDS, [priced]);

    expect(drift).toEqual([{ path: '[].bookmakers[].markets', problem: 'is absent in 1 of 1' }]);
  });

  it.each([
    ['an error', { message: 'no', error_code: 'INVALID_KEY' }],
    ['a text', 'no'],
  ])('are refused whole in %s', async (_, body) => {
    await expect(readLive(provider(), EVENTS, body)).rejects.toMatchObject({ code: 'drift' });
  });
});

describe('scores of The Odds API', () => {
  const SCORES = { path: `${NBA}/scores`, query: { daysFrom: '1' } };
  const score = (home: string, updated: number | null, more: object = {}) => ({
    ...event(undefined),
    completed: false,
    scores: [
      { name: 'Hawks', score: home },
      { name: 'Owls', score: '5' },
    ],
    last_update: updated === null ? null : timeOf(updated),
    ...more,
  });

  it('are of their own time, and of their arrival where they change without one', async () => {
    const one = provider();
    const ask = async (home: string, arrivedAt: number) =>
      (await readLive(one, SCORES, [score(home, NOW - MINUTE)], { arrivedAt })).of('score');

    expect(await ask('7', NOW)).toMatchObject([{ at: '2026-11-23T17:59:00Z', status: 'inprogress' }]);
    expect(await ask('7', NOW + MINUTE)).toEqual([]);
    expect(await ask('9', NOW + 2 * MINUTE)).toMatchObject([{ at: '2026-11-23T18:02:00Z' }]);
  });

  it('are final where the event is completed, and none before it has begun', async () => {
    const over = await readLive(provider(), SCORES, [score('99', NOW, { completed: true })]);
    const before = await readLive(provider(), SCORES, [score('0', null, { scores: null })]);

    expect(over.of('score')).toMatchObject([{ status: 'final' }]);
    expect(before.of('score')).toEqual([]);
  });
});
