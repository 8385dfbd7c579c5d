import { describe, expect, it } from 'vitest';
import { DAY } from '../../../src/domain/primitives/time.ts';
import { espnProvider } from '../../../src/sources/espn/provider.ts';
import { SCOREBOARD_LIMIT } from '../../../src/sources/espn/requests.ts';
import type { Provider } from '../../../src/sources/provider-base/provider.ts';
import { NOW, readLive, view } from '../read-live-answers.ts';

/** Monday, 2026-11-23 and Tuesday, 2026-11-10. */
const [LATE, EARLY] = [NOW, NOW - 13 * DAY];
const EPL = view({ sport: 'soccer', league: 'epl' });
const NFL = view();
const PATH = '/apis/site/v2/sports/soccer/eng.1/scoreboard';

/** The values of `dates` that are asked for, but for today's. */
const datesOf = (provider: Provider, now: number, league = EPL) =>
  provider
    .requests([league], now)
    .filter(({ kind, isPrerequisite }) => kind === 'scoreboard' && !isPrerequisite)
    .map(({ query }) => query['dates']);
const days = (month: string, ...numbers: number[]) => numbers.map((day) => `${month}${String(day).padStart(2, '0')}`);

/** A fixture in ESPN's shape; made up. */
const fixture = (id: number, at: number) => ({
  id: String(id),
  date: `${new Date(at).toISOString().slice(0, 16)}Z`,
  competitions: [
    {
      id: String(id),
      status: {
        type: {
          name: at < NOW ? 'STATUS_FULL_TIME' : 'STATUS_SCHEDULED',
          state: at < NOW ? 'post' : 'pre',
          completed: at < NOW,
        },
      },
      competitors: [
        { id: '1', homeAway: 'home', score: '0', team: { displayName: 'Reds' } },
        { id: '2', homeAway: 'away', score: '0', team: { displayName: 'Blues' } },
      ],
    },
  ],
});
const readMonth = (provider: Provider, events: object[]) =>
  readLive(provider, { path: PATH, query: { dates: '202611', limit: SCOREBOARD_LIMIT } }, { events });

describe('the days ahead', () => {
  it('of soccer are asked for by month, in its last 7 days the next month too, and never by range or above 500', () => {
    expect(datesOf(espnProvider(), EARLY)).toEqual(['202611']);
    expect(datesOf(espnProvider(), LATE)).toEqual(['202611']);
    expect(datesOf(espnProvider(), LATE + DAY)).toEqual(['202611', '202612']);
    const asked = espnProvider().requests([EPL, NFL], LATE);
    expect(asked.flatMap(({ query }) => query['dates'] ?? []).every((dates) => /^\d{6}(\d\d)?$/.test(dates))).toBe(
      true,
    );
    expect(asked.every(({ kind, query }) => kind !== 'scoreboard' || query['limit'] === '500')).toBe(true);
  });

  it('of the others are asked for a day at a time', () => {
    expect(datesOf(espnProvider(), LATE, NFL)).toEqual(days('202611', 24, 25, 26, 27, 28, 29, 30));
  });

  it('are asked for as ESPN_AHEAD says', () => {
    expect(datesOf(espnProvider({ ahead: 'day' }), EARLY)).toEqual(days('202611', 11, 12, 13, 14, 15, 16, 17));
    expect(datesOf(espnProvider({ ahead: 'month' }), EARLY, NFL)).toEqual(['202611']);
  });

  it('given a month that is refused, are asked for by day at once, and it is told', () => {
    const provider = espnProvider();
    const month = provider.requests([EPL], EARLY).find(({ query }) => query['dates'] === '202611')!;
    expect(provider.ahead!(['epl', 'nfl'])).toEqual({ epl: 'month', nfl: 'day' });
    provider.missing!(month);
    expect(datesOf(provider, EARLY)).toEqual(days('202611', 11, 12, 13, 14, 15, 16, 17));
    expect(provider.ahead!(['epl', 'nfl'])).toEqual({ epl: 'day', nfl: 'day' });
  });

  it('given a day that is refused, are asked for as before', () => {
    const provider = espnProvider();
    provider.missing!(provider.requests([EPL], EARLY).find(({ isPrerequisite }) => isPrerequisite)!);
    expect(datesOf(provider, EARLY)).toEqual(['202611']);
  });

  it('given as many fixtures as were asked for, takes them, and asks by day from then on', async () => {
    const provider = espnProvider();
    provider.requests([EPL], NOW);
    const { of } = await readMonth(
      provider,
      Array.from({ length: 499 }, (_, index) => fixture(index, NOW + DAY)),
    );
    expect([of('schedule').length, datesOf(provider, NOW)]).toEqual([499, ['202611']]);
    const full = await readMonth(
      provider,
      Array.from({ length: 500 }, (_, index) => fixture(index, NOW + DAY)),
    );
    expect(full.of('schedule').length).toBe(500);
    expect(datesOf(provider, NOW)).toEqual(days('202611', 24, 25, 26, 27, 28, 29, 30));
  });

  it('of a month leave out what was played on earlier days', async () => {
    const { of } = await readMonth(espnProvider(), [fixture(1, NOW - 5 * DAY), fixture(2, NOW + 5 * DAY)]);
    expect(of('schedule').map(({ ref }) => ref)).toEqual(['2']);
  });
});
