import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/api/calls/operation/operation.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { feedGames, type Games } from './games.ts';
import { outcomeOf } from './metering.ts';
import { type AgentServer, serveAgent } from './serving.ts';

/* What a call that cannot be paid makes the server do: nothing that the answer is made of. */

const ran: string[] = [];
const watched = operations.map(
  (operation): Operation => ({
    ...operation,
    run(input, context) {
      ran.push(operation.name);
      return operation.run(input, context);
    },
  }),
);

let server: AgentServer;
let games: Games;
let poor: string;
beforeAll(async () => {
  server = await serveAgent({ operations: watched });
  games = await feedGames(server);
  poor = (await server.newKey({ plan: 'payg' })).key;
});
afterAll(() => server.close());

describe('fault 5: without credits', () => {
  it.each<[string, (games: Games) => string]>([
    ['a search without a hit', () => '/v1/players?limit=1&q=zzN'],
    ['teams', () => '/v1/teams'],
    ['events', () => '/v1/events?include_scores=true'],
    ['a page behind a cursor', ({ full }) => `/v1/events?after_id=${full}`],
    ['an event', ({ full }) => `/v1/events/${full}?include_odds=true`],
    ['an event of long ago', ({ full }) => `/v1/events/${full}/odds/history?as_of=2026-03-01T12:00:00Z&bookmaker=all`],
    ['what would be free', ({ bare }) => `/v1/events/${bare}/splits`],
    ['an unknown event', ({ unknown }) => `/v1/events/${unknown}`],
    ['an unknown player', ({ unknown }) => `/v1/players/${unknown}`],
    ['the events of a player', ({ playerId }) => `/v1/players/${playerId}/events`],
    ['sports', () => '/v1/sports'],
    ['seasons', () => '/v1/seasons'],
    ['a stream', ({ full }) => `/v1/events/${full}/stream`],
  ])('%s is 402, and nothing is run', async (_, path) => {
    ran.length = 0;
    expect(outcomeOf(await server.ask(path(games), { key: poor }))).toBe('402 insufficient_credits');
    expect(ran).toEqual([]);
  });

  it('a batch is 402, and nothing is run', async () => {
    ran.length = 0;
    const body = { event_ids: [games.full, games.unknown], include_odds: true, as_of: '2026-03-01T12:00:00Z' };
    expect(outcomeOf(await server.post('/v1/events/batch', body, { key: poor }))).toBe('402 insufficient_credits');
    expect(ran).toEqual([]);
  });

  it('a question is 402, and nothing is run, unless it would be refused anyway', async () => {
    ran.length = 0;
    const { key: scoped } = await server.newKey({ plan: 'payg', scopes: ['nba'] });
    const ask = async (query: string, key: string) => outcomeOf(await server.post('/v1/query', { query }, { key }));
    expect(await ask('live games', poor)).toBe('402 insufficient_credits');
    expect(await ask('next 91 days', poor)).toBe('400 bad_request');
    expect(await ask(' ', poor)).toBe('422 validation_error');
    expect(await ask('nfl', scoped)).toBe('403 sport_scope_denied');
    expect(ran).toEqual([]);
  });

  it('what is always free answers', async () => {
    for (const path of [
      '/v1/health',
      '/api/agent/keys',
      '/api/agent/credits',
      '/api/agent/credit-packs',
      '/v1/webhooks',
      '/v1/estimate/tools',
    ]) {
      expect([path, (await server.ask(path, { key: poor })).status]).toEqual([path, 200]);
    }
  });

  it('of the operations that cost, each that can refuse by its input or by scope does so without its run', () => {
    const refusing = operations.filter(
      ({ cost, errors = [], streaming }) =>
        cost.description !== 'Free' &&
        (streaming || errors.some((code) => code === 'bad_request' || code === 'not_found')),
    );
    expect(refusing.filter(({ checkUnpaid }) => checkUnpaid === undefined).map(({ name }) => name)).toEqual([]);
  });
});
