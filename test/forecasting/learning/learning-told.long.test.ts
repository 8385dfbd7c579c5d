import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../../api/agent/serving.ts';
import type { Message } from '../../api/spec/messages.ts';
import { gamesOf, numbersOf } from '../../intelligence/seasons.ts';
import { serve } from '../../webhooks/local-endpoint.ts';
import { publishedIn } from '../publishing/publications.ts';
import { messagesOf } from '../track-record/game-messages.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const GAMES = 180;
const results = messagesOf('nba', gamesOf('nba', 'nba', GAMES, numbersOf(4)));
let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent({ time: NOON, publishes: true, webhookAllow: ['127.0.0.0/8'] });
});
afterEach(() => server.close());

/** A game to come of sides that the results know. */
const upcoming = (ref: string): Message => {
  const schedule = structuredClone(results.find(({ kind }) => kind === 'schedule')) as any;
  return { ...schedule, ref, starts_at: '2026-03-01T18:00:00Z', at: '2026-03-01T05:00:00Z' };
};
const intelligenceOf = (id: number) => server.get(`/v1/events/${id}/intelligence`, BOOTSTRAP_KEY);
const forecastsRow = async () =>
  (await server.get('/v1/health')).projections.find(({ name }: { name: string }) => name === 'forecasts');

it('says that a league is learned while it imports, without numbers, and then tells the forecasts', async () => {
  const endpoint = await serve();
  await server.webhooks.start();
  await server.post('/v1/webhooks', { url: endpoint.url, event_types: ['intelligence'] });
  await server.feed(upcoming('next'));
  const id = await server.eventId('feed', 'next');
  await server.published();
  // When many results come at once, and are asked for all the while.
  const seen: any[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) seen.push(await intelligenceOf(id));
  })();
  await server.feed(...results);
  await server.published();
  isOver = true;
  await asking;
  const last = await intelligenceOf(id);
  // Then there is either no forecast, or the one of all results.
  expect(last.learning).toBeUndefined();
  const probabilities = ({ bets }: any) => bets.map(({ probability }: any) => probability);
  expect(probabilities(last)[0]).toBeGreaterThan(0);
  for (const one of seen) {
    if (one.learning) expect(one.bets.every(({ probability }: any) => probability === null)).toBe(true);
    else if (one.available) expect(probabilities(one)).toEqual(probabilities(last));
  }
  expect(seen.some(({ learning }) => learning)).toBe(true);
  // And what was published of the event is what all results say.
  const published = (await publishedIn(server.log)).filter(({ event }) => event === id);
  expect(published.length).toBeGreaterThan(0);
  for (const { bets } of published)
    for (const bet of bets)
      expect(bet.probability).toBe(last.bets.find(({ bet_type }: any) => bet_type === bet.bet_type).probability);
  expect(await forecastsRow()).toMatchObject({ name: 'forecasts', lag_events: 0 });
});
