import { expect, it } from 'vitest';
import type { FeedHealth } from '../../../src/api/calls/operation/operation.ts';
import { serveLive } from './serve-live-page.ts';

const health: FeedHealth = {
  name: 'the-odds-api',
  state: 'ok',
  last_success_at: '2026-03-01T19:59:00.000Z',
  last_error_at: null,
  last_error: null,
  lag_seconds: 60,
  requests: 9,
  failures: 0,
  messages: 5,
  rejected: 0,
  held: 0,
  flaps: 0,
  ahead: null,
  budget: { limit: 16, used: 3, remaining: 13, provider_remaining: 400, resets_at: '2026-03-02T00:00:00.000Z' },
};

it('given live connectors, the page is told how they are, and no more than it shows', async () => {
  const server = await serveLive({ feeds: () => [health] });
  expect(await server.get('/live/feeds')).toEqual({
    feeds: [
      {
        name: 'the-odds-api',
        state: 'ok',
        last_success_at: '2026-03-01T19:59:00.000Z',
        budget: { used: 3, limit: 16 },
      },
    ],
  });
  await server.close();
});

it('given none, it is told that', async () => {
  const server = await serveLive();
  expect(await server.get('/live/feeds')).toEqual({ feeds: [] });
  await server.close();
});

it('given a league whose feed is down, the page is told so, and since when, also where another process polls', async () => {
  const feedAges = {
    ofLeague: (league: string) =>
      league === 'nba' ? { seconds: 300, isDown: true } : league === 'nfl' ? { seconds: 5, isDown: false } : null,
  };
  for (const feeds of [() => [health], undefined]) {
    const server = await serveLive({ feeds, feedAges });
    expect(await server.get('/live/feeds')).toMatchObject({
      down: [{ league: 'National Basketball Association', stale_seconds: 300 }],
    });
    await server.close();
  }
});
