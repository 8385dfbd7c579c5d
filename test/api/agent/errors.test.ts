import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flatCost, type Operation } from '../../../src/api/calls/operation/operation.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { formatTime, HOUR } from '../../../src/domain/primitives/time.ts';
import { DEFAULT_PLANS } from '../../../src/platform/settings/plans-and-packs.ts';
import { type Caller, expectEnvelope, expectRows, newCaller, PAGES, UPGRADE } from './error-rows.ts';
import { feedGames, type Games } from './games.ts';
import { declineInvoices, metersOf, putCard } from './metering.ts';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from './serving.ts';

/*
 * The table "Errors" of the specification, row by row, behind the limits and credits of production. 401 is in
 * unauthorized.test.ts; the codes of status 429 are in window.test.ts and at-once.test.ts.
 *
 * Rows whose operations do not exist yet: 400 for an unsupported sport on stats and period-odds, and for tennis totals
 * on the EV scan; 422 for a query text of more than 500 characters, more than 8 legs of a slip, and an empty list of
 * calls to estimate.
 */

const broken: Operation = {
  ...operations.find(({ name }) => name === 'list_sports')!,
  name: 'broken',
  path: '/v1/broken',
  cost: flatCost(1),
  run: () => Promise.reject(new Error('on purpose')),
};

const CAP = 2;
let server: AgentServer;
let games: Games;
beforeAll(async () => {
  const plans = { ...DEFAULT_PLANS, free: { ...DEFAULT_PLANS['free'], daily_credit_cap: CAP } };
  server = await serveAgent({
    plans,
    operations: [...operations, broken],
    hosts: { 'hooks.example': ['93.184.215.14'] },
  });
  games = await feedGames(server);
});
afterAll(() => server.close());
const world = () => ({ server, games });

describe('400 bad_request', () => {
  expectRows(world, 400, 'bad_request', [
    { name: 'unknown status value', path: '/v1/events?status=over' },
    {
      name: 'unknown status value, of player events',
      path: ({ playerId }) => `/v1/players/${playerId}/events?status=x`,
    },
    { name: 'bad date format', path: '/v1/events?date=1-2-2026' },
    { name: 'date together with from', path: '/v1/events?date=2026-03-01&from=2026-03-01' },
    { name: 'date range over 90 days', path: '/v1/events?from=2026-01-01&to=2026-04-02' },
    { name: 'from after to', path: '/v1/events?from=2026-01-02&to=2026-01-01' },
    { name: 'sort=status with after_id', path: ({ bare }) => `/v1/events?sort=status&after_id=${bare}` },
    { name: 'unknown exclude_status', path: ({ full }) => `/v1/events/${full}/injuries?exclude_status=sore` },
    { name: 'unknown after_id', path: '/v1/teams?after_id=987654' },
    { name: 'malformed as_of', path: ({ full }) => `/v1/events/${full}/score?as_of=now` },
    { name: 'as_of in the future', path: ({ full }) => `/v1/events/${full}?as_of=2050-01-01T00:00:00Z` },
    { name: 'invalid pack_id', path: '/api/agent/credits/topup', body: { pack_id: 99 } },
    { name: 'malformed JSON', path: '/v1/events/batch', body: '{' },
    { name: 'a path that is no percent-encoding', path: '/v1/events/%ZZ' },
  ]);
});

describe('402 insufficient_credits', () => {
  expectRows(world, 402, 'insufficient_credits', [
    { name: 'nothing left', plan: 'payg', path: '/v1/sports', extras: PAGES },
    {
      name: 'less left than the call can cost',
      plan: 'trial',
      before: ({ key }) => spend(key, 49),
      path: ({ bare }) => `/v1/events/${bare}?include_odds=true`,
      extras: PAGES,
    },
    {
      name: 'of a trial that is over',
      plan: 'trial',
      before: () => passHours(24),
      path: '/v1/sports',
      extras: { ...PAGES, is_trial_expired: true },
    },
    {
      name: 'an opening of a stream',
      plan: 'payg',
      path: ({ full }) => `/v1/events/${full}/stream`,
      extras: PAGES,
    },
  ]);
});

describe('402 daily_credit_cap_exceeded', () => {
  const extras = () => ({
    ...PAGES,
    resets_at: formatTime(spentFrom + 24 * HOUR),
    window_hours: 24,
  });
  const before = ({ key }: Caller) => spend(key, CAP);
  expectRows(world, 402, 'daily_credit_cap_exceeded', [
    { name: 'a call', plan: 'free', before, path: '/v1/sports', extras },
    { name: 'an opening of a stream', plan: 'free', before, path: ({ full }) => `/v1/events/${full}/stream`, extras },
  ]);
});

describe('402 payment_failed, card_declined, payment_method_required', () => {
  const url = 'https://pay.example/invoice/2';
  expectRows(world, 402, 'payment_failed', [
    {
      name: 'two declined invoices',
      before: ({ accountId }) => declineInvoices(server, accountId),
      path: '/v1/sports',
      extras: PAGES,
    },
    {
      name: 'with the page where the invoice can be paid, where there is one',
      before: ({ accountId }) => declineInvoices(server, accountId, url),
      path: '/v1/sports',
      extras: { ...PAGES, hosted_invoice_url: url },
    },
    {
      name: 'before all other reasons of 402',
      plan: 'payg',
      before: ({ accountId }) => declineInvoices(server, accountId),
      path: '/v1/sports',
      extras: PAGES,
    },
  ]);
  const topUp = { path: '/api/agent/credits/topup', body: { pack_id: 1 }, extras: PAGES };
  expectRows(world, 402, 'card_declined', [
    { name: 'a declined card', before: ({ accountId }) => putCard(server, accountId, 'declined'), ...topUp },
  ]);
  expectRows(world, 402, 'payment_method_required', [{ name: 'no card', ...topUp }]);
});

describe('403', () => {
  const scopes = ['nba', 'tennis'];
  const denied = { scopes, extras: { sport: 'nfl', granted_scopes: scopes, ...UPGRADE } };
  expectRows(world, 403, 'sport_scope_denied', [
    { name: 'a sport', ...denied, path: '/v1/events?sport=nfl' },
    { name: 'an event', ...denied, path: ({ full }) => `/v1/events/${full}` },
    { name: 'the score of an event', ...denied, path: ({ full }) => `/v1/events/${full}/score` },
    { name: 'a stream', ...denied, path: ({ full }) => `/v1/events/${full}/stream` },
    { name: 'a team', ...denied, path: ({ teamId }) => `/v1/teams/${teamId}` },
    { name: 'a player', ...denied, path: ({ playerId }) => `/v1/players/${playerId}/events` },
  ]);
  it('sport_scope_denied: a batch with one event outside the scopes', async () => {
    const { key } = await newCaller(server, { scopes });
    const answer = await server.post('/v1/events/batch', { event_ids: [games.bare, games.full] }, { key });
    expectEnvelope(answer, 403, 'sport_scope_denied', denied.extras);
    expect(metersOf(answer)).toMatchObject({ used: 0, credits: 50_000 });
  });
  expectRows(world, 403, 'forbidden', [
    { name: 'a key that would open more', scopes, path: '/api/agent/keys', body: { name: 'x', scopes: ['all'] } },
  ]);
  expectRows(world, 403, 'key_limit_reached', [
    { name: 'more keys than the plan', plan: 'trial', path: '/api/agent/keys', body: { name: 'x' }, extras: UPGRADE },
  ]);
  it.each([
    ['/api/agent/keys', { name: 'x' }],
    ['/api/agent/credits/topup', { pack_id: 1 }],
  ])('forbidden: the operator’s own key has no account: %s', async (path, body) => {
    const answer = await server.post(path, body, { key: BOOTSTRAP_KEY });
    expectEnvelope(answer, 403, 'forbidden');
    const none = { limit: null, left: null, reset: null, credits: null, retryAfter: null };
    expect(metersOf(answer)).toEqual({ ...none, used: 0 });
  });
});

describe('404, 405, 413, 415', () => {
  expectRows(world, 404, 'not_found', [
    ...['', '/score', '/odds', '/odds/history', '/splits', '/injuries'].map((path) => ({
      name: `an unknown event: /v1/events/{id}${path}`,
      path: ({ unknown }: Games) => `/v1/events/${unknown}${path}`,
    })),
    { name: 'an unknown team', path: '/v1/teams/987654' },
    { name: 'an unknown player', path: '/v1/players/987654/events' },
    { name: 'no odds movement recorded', path: ({ bare }) => `/v1/events/${bare}/odds/history?bookmaker=all` },
    { name: 'an event not yet known then', path: ({ bare }) => `/v1/events/${bare}?as_of=2026-01-01T00:00:00Z` },
    { name: 'a key that the caller does not own', path: '/api/agent/keys/1', ask: { method: 'DELETE' } },
    { name: 'an unknown webhook', path: '/v1/webhooks/987654', ask: { method: 'DELETE' } },
    { name: 'deliveries of an unknown webhook', path: '/v1/webhooks/987654/deliveries' },
    {
      name: 'a webhook that the caller does not own',
      before: async () => {
        expect((await server.post('/v1/webhooks', { url: 'https://hooks.example/' })).body.id).toBe(1);
      },
      path: '/v1/webhooks/1',
      ask: { method: 'DELETE' },
    },
    { name: 'a path that leads nowhere', path: '/v1/nothing' },
    { name: 'a path of agents that leads nowhere', path: '/api/agent/nothing', body: {} },
  ]);
  expectRows(world, 405, 'method_not_allowed', [
    { name: 'OPTIONS', path: '/v1/sports', ask: { method: 'OPTIONS' }, allow: 'GET, HEAD' },
    { name: 'DELETE', path: '/v1/sports', ask: { method: 'DELETE' }, allow: 'GET, HEAD' },
    { name: 'OPTIONS of agents', path: '/api/agent/keys', ask: { method: 'OPTIONS' }, allow: 'GET, HEAD, POST' },
    { name: 'POST to a stream', path: '/v1/events/1/stream', body: {}, allow: 'GET, HEAD' },
    { name: 'GET of a batch', path: '/v1/events/batch', allow: 'POST' },
  ]);
  expectRows(world, 413, 'payload_too_large', [
    { name: 'a body over 1 MiB', path: '/v1/events/batch', body: { event_ids: [1], more: 'x'.repeat(1024 * 1024) } },
  ]);
  const text = { headers: { 'content-type': 'text/plain' } };
  expectRows(world, 415, 'unsupported_media_type', [
    { name: 'a text', path: '/v1/events/batch', body: 'x', ask: text },
  ]);
});

describe('422 validation_error', () => {
  const wrong = (loc: readonly string[], type: string) => ({ errors: [{ loc, msg: expect.any(String), type }] });
  expectRows(world, 422, 'validation_error', [
    { name: 'a non-integer id', path: '/v1/events/abc', extras: wrong(['path', 'id'], 'invalid_type') },
    { name: 'the id of a stream', path: '/v1/events/abc/stream', extras: wrong(['path', 'id'], 'invalid_type') },
    { name: 'limit 0', path: '/v1/events?limit=0', extras: wrong(['query', 'limit'], 'too_small') },
    { name: 'limit 101', path: '/v1/teams?limit=101', extras: wrong(['query', 'limit'], 'too_big') },
    {
      name: 'limit 201 of the history',
      path: '/v1/events/1/odds/history?limit=201',
      extras: wrong(['query', 'limit'], 'too_big'),
    },
    {
      name: 'no events in a batch',
      path: '/v1/events/batch',
      body: {},
      extras: wrong(['body', 'event_ids'], 'missing'),
    },
    {
      name: 'a webhook of a private address',
      path: '/v1/webhooks',
      body: { url: 'https://10.0.0.1/' },
      extras: wrong(['body', 'url'], 'refused_url'),
    },
    {
      name: 'a webhook of a host that does not resolve',
      path: '/v1/webhooks',
      body: { url: 'https://nowhere.example/' },
      extras: wrong(['body', 'url'], 'refused_url'),
    },
    {
      name: '26 events in a batch',
      path: '/v1/events/batch',
      body: { event_ids: Array.from({ length: 26 }, (_, index) => index + 1) },
      extras: wrong(['body', 'event_ids'], 'too_big'),
    },
    {
      name: 'a pack of no id',
      path: '/api/agent/credits/topup',
      body: {},
      extras: wrong(['body', 'pack_id'], 'missing'),
    },
  ]);
});

describe('500 internal_error', () => {
  expectRows(world, 500, 'internal_error', [
    { name: 'tells nothing of its cause, and costs nothing', path: '/v1/broken' },
  ]);
  it('leaves nothing held back', async () => {
    const { key } = await newCaller(server, { credits: 1 });
    expect((await server.ask('/v1/broken', { key })).status).toBe(500);
    expect((await server.ask('/v1/sports', { key })).status).toBe(200);
    expect(server.failures.splice(0)).toHaveLength(2);
  });
});

/** When the first credit was spent that `spend` has spent last. */
let spentFrom: number;

/** Calls of 1 credit each. */
async function spend(key: string, credits: number): Promise<void> {
  spentFrom = server.clock.time;
  for (let spent = 0; spent < credits; spent++) {
    // So slowly that the window of requests has room.
    if (spent > 0) server.clock.time += 6000;
    expect((await server.ask('/v1/sports', { key })).status).toBe(200);
  }
  server.clock.time += 60_000;
}

async function passHours(hours: number): Promise<void> {
  server.clock.time += hours * HOUR;
}
