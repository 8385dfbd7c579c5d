import { expect, it } from 'vitest';
import { type FeedAges, feedAgeOf, NO_FEEDS } from '../../../src/api/calls/feed-age.ts';

const AGES: Readonly<Record<string, { seconds: number; isDown: boolean }>> = {
  nba: { seconds: 12, isDown: false },
  epl: { seconds: 700, isDown: true },
  mls: { seconds: 40, isDown: false },
};
const ages: FeedAges = {
  ofLeague: (league) => AGES[league] ?? null,
};
const leagueOfEvent = async (id: number) => ({ 1: 'nba', 2: 'epl' })[id];

it.each([
  ['/v1/events', { league: 'nba' }, 12, []],
  ['/v1/events', { sport: 'soccer' }, 700, ['epl']],
  ['/v1/events', {}, 700, ['epl']],
  ['/v1/events', { league: 'nfl' }, null, []],
  ['/v1/events/{id}/score', { id: 1 }, 12, []],
  ['/v1/events/{id}/odds', { id: 2 }, 700, ['epl']],
  ['/v1/events/{id}', { id: 99 }, null, []],
  ['/v1/events/batch', { event_ids: [1, 2] }, 700, ['epl']],
  ['/v1/intelligence/ev', { sport: 'nba' }, 12, []],
])('an answer of %s to %j is as old as the oldest feed of its leagues', async (path, input, seconds, down) => {
  expect(await feedAgeOf({ path }, input, ages, leagueOfEvent)).toEqual({ seconds, down });
});

it('an answer that is about no game has no age, and a server without feeds expects none', async () => {
  expect(await feedAgeOf({ path: '/v1/sports' }, {}, ages, leagueOfEvent)).toBeUndefined();
  expect(await feedAgeOf({ path: '/v1/events' }, {}, NO_FEEDS, leagueOfEvent)).toEqual({ seconds: null, down: [] });
});
