import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Ask } from '../spec/server.ts';
import { openStream } from '../streams/sse-client.ts';
import { feedGames, type Games } from './games.ts';
import { chargesOf, metersOf } from './metering.ts';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from './serving.ts';

/*
 * "Credits" of the specification, price by price, on growth: no cap, 50,000 credits.
 *
 * Injury deliveries of webhooks (half a credit) are in test/webhooks. Rows whose operations do not exist yet:
 * intelligence, stats, forecasts, EV scans, player props, period odds, team props, slip grading (1 each),
 * calls of MCP tools (as by REST) and its handshake (free), add-ons of intelligence that is available.
 */

let server: AgentServer;
let games: Games;
beforeAll(async () => {
  server = await serveAgent();
  games = await feedGames(server);
});
afterAll(() => server.close());

type Row = [credits: number, name: string, path: string | ((games: Games) => string), body?: (games: Games) => object];

const of = (game: 'full' | 'bare' | 'unknown', path: string) => (known: Games) => `/v1/events/${known[game]}${path}`;

/** Those whose answers are 200; each is asked for twice, since a kept answer costs what a new one costs. */
const ROWS: Row[] = [
  [1, 'sports', '/v1/sports'],
  [1, 'seasons', '/v1/seasons'],
  [1, 'events', '/v1/events'],
  [1, 'events, of which there are none', '/v1/events?sport=nhl'],
  [1, 'events with scores', '/v1/events?include_scores=true'],
  [1, 'teams', '/v1/teams'],
  [1, 'a team', ({ teamId }) => `/v1/teams/${teamId}`],
  [1, 'players', '/v1/players'],
  [1, 'a player', ({ playerId }) => `/v1/players/${playerId}`],
  [1, 'player events', ({ playerId }) => `/v1/players/${playerId}/events`],
  [1, 'an event', of('full', '')],
  [1, 'an event as of a moment', of('full', '?as_of=2026-03-01T12:00:00Z')],
  [2, 'an event with its odds', of('full', '?include_odds=true')],
  [2, 'an event with the odds of all books', of('full', '?include_odds=true&bookmaker=all')],
  [1, 'an event whose odds are not there', of('bare', '?include_odds=true')],
  [1, 'an event whose odds of that book are not there', of('full', '?include_odds=true&bookmaker=bet365')],
  [1, 'an event whose intelligence is not there', of('full', '?include_intelligence=true')],
  [2, 'an event with all add-ons, of which one is there', of('full', '?include_odds=true&include_intelligence=true')],
  [1, 'a score', of('full', '/score')],
  [1, 'a score of a game to come', of('bare', '/score')],
  [1, 'odds of the default book', of('full', '/odds')],
  [1, 'odds of one book', of('full', '/odds?bookmaker=fanduel')],
  [1, 'odds of a list of one book', of('full', '/odds?bookmaker=pinnacle,')],
  [1, 'odds of one book, named twice', of('full', '/odds?bookmaker=fanduel,%20FanDuel')],
  [2, 'odds of two books', of('full', '/odds?bookmaker=pinnacle,fanduel')],
  [2, 'odds of two books, of which one has some', of('full', '/odds?bookmaker=bet365,fanduel')],
  [2, 'odds of all books', of('full', '/odds?bookmaker=all')],
  [0, 'odds that are not there', of('bare', '/odds')],
  [0, 'odds of all books that are not there', of('bare', '/odds?bookmaker=all')],
  [0, 'odds of a book that has none', of('full', '/odds?bookmaker=bet365')],
  [0, 'odds that were not there then', of('full', '/odds?as_of=2026-03-01T08:30:00Z&as_of_basis=observed')],
  [1, 'history of one book', of('full', '/odds/history')],
  [2, 'history of two books', of('full', '/odds/history?bookmaker=pinnacle,fanduel')],
  [2, 'history of all books', of('full', '/odds/history?bookmaker=all')],
  [1, 'splits', of('full', '/splits')],
  [0, 'splits that are not there', of('bare', '/splits')],
  [1, 'injuries', of('full', '/injuries')],
  [1, 'injuries without those left out', of('full', '/injuries?exclude_status=questionable')],
  [0, 'injuries that are not there', of('bare', '/injuries')],
  [1, 'a question', '/v1/query', () => ({ query: 'live nfl games' })],
  [1, 'a team that is resolved', '/v1/resolve/team', ({ teamId }) => ({ clues: { team_id: teamId } })],
  [1, 'a team that is not found', '/v1/resolve/team', () => ({ query: 'nobody' })],
  [1, 'a player who is not found', '/v1/resolve/player', () => ({ query: 'nobody' })],
  [1, 'a question that finds nothing', '/v1/query', () => ({ query: 'soccer tomorrow' })],
  [0, 'an estimate', '/v1/estimate', ({ full }) => ({ calls: [{ tool: 'get_event', arguments: { id: full } }] })],
  [0, 'the tools of the estimate', '/v1/estimate/tools'],
  [0, 'health', '/v1/health'],
  [0, 'keys', '/api/agent/keys'],
  [0, 'credits', '/api/agent/credits'],
  [0, 'packs', '/api/agent/credit-packs'],
  [0, 'webhooks', '/v1/webhooks'],
  ...batches(),
];

function batches(): Row[] {
  const batch = (ids: (known: Games) => readonly number[], more: object = {}) =>
    ['/v1/events/batch', (known: Games) => ({ event_ids: ids(known), ...more })] as const;
  return [
    [2, 'a batch of two', ...batch(({ full, bare }) => [full, bare])],
    [2, 'duplicates once', ...batch(({ full, bare }) => [full, full, bare, full])],
    [1, 'unknown ids not', ...batch(({ unknown, bare }) => [unknown, bare, unknown + 1])],
    [0, 'nothing but unknown ids', ...batch(({ unknown }) => [unknown])],
    [3, 'odds only where there are some', ...batch(({ full, bare }) => [full, bare], { include_odds: true })],
    [
      3,
      'all of that at once',
      ...batch(({ full, bare, unknown }) => [bare, full, unknown, full], {
        include_odds: true,
        include_intelligence: true,
        bookmaker: 'all',
      }),
    ],
  ];
}

const ask = (path: Row[2], body: Row[3], given: Ask): Promise<Answer> => {
  const url = typeof path === 'string' ? path : path(games);
  return body ? server.post(url, body(games), given) : server.ask(url, given);
};

describe('what a call costs', () => {
  it.each(ROWS)('%d: %s', async (credits, _, path, body) => {
    const { key, record } = await server.newKey({ plan: 'growth' });
    for (const time of [1, 2]) {
      const answer = await ask(path, body, { key });
      expect([answer.status, answer.credits]).toEqual([200, credits]);
      expect(metersOf(answer).credits).toBe(50_000 - time * credits);
      const requestId = answer.headers.get('x-request-id')!;
      expect(await chargesOf(server, record.accountId, requestId)).toEqual(credits > 0 ? [credits] : []);
    }
    expect((await server.get('/api/agent/credits', key)).credits_used).toBe(2 * credits);
  });

  it.each(ROWS.filter(([, , , body]) => !body).map((row) => [row[1], row] as const))(
    'HEAD of %s costs what GET costs, and tells the same',
    async (_, [credits, , path]) => {
      const { key } = await server.newKey({ plan: 'growth' });
      const head = await ask(path, undefined, { key, method: 'HEAD' });
      expect([head.status, head.body, metersOf(head).used]).toEqual([200, undefined, credits]);
      const { left, credits: had, ...told } = metersOf(head);
      const answer = metersOf(await ask(path, undefined, { key }));
      expect(answer).toEqual({ ...told, left: left! - 1, credits: had! - credits });
    },
  );

  it.each(ROWS.filter(([credits, , , body]) => credits > 0 && !body).map((row) => [row[1], row] as const))(
    'nothing, for %s, where the client holds that answer already',
    async (_, [credits, , path]) => {
      const { key } = await server.newKey({ plan: 'growth' });
      const tag = (await ask(path, undefined, { key })).headers.get('etag')!;
      const again = await ask(path, undefined, { key, headers: { 'if-none-match': `"other", ${tag}` } });
      expect([again.status, again.credits, again.body]).toEqual([304, 0, undefined]);
      expect(metersOf(again).credits).toBe(50_000 - credits);
      expect(metersOf(again).left).toBe(9998);
      const other = await ask(path, undefined, { key, headers: { 'if-none-match': '"other"' } });
      expect([other.status, other.credits]).toEqual([200, credits]);
    },
  );
});

describe('an opening of a stream', () => {
  const open = (key: string, id: number) =>
    openStream(`${server.url}/v1/events/${id}/stream`, { authorization: `Bearer ${key}` });

  it('costs 1, once, whatever comes over it, and 1 again when it is opened again', async () => {
    const { key, record } = await server.newKey({ plan: 'growth' });
    for (const left of [49_999, 49_998]) {
      const stream = await open(key, games.full);
      expect((await stream.next()).event).toBe('score');
      expect(stream.headers).toMatchObject({
        'x-credits-used': '1',
        'x-credits-remaining': String(left),
        'x-ratelimit-limit': '10000',
      });
      const requestId = String(stream.headers['x-request-id']);
      expect(await chargesOf(server, record.accountId, requestId)).toEqual([1]);
      server.timers.advance(300_000);
      expect((await stream.rest()).map(({ event }) => event).slice(-2)).toEqual(['reconnect', 'end']);
      expect(await chargesOf(server, record.accountId, requestId)).toEqual([1]);
    }
    expect((await server.get('/api/agent/credits', key)).credits_used).toBe(2);
  });

  it('of an unknown event is a 200 with the error, and costs nothing', async () => {
    const { key } = await server.newKey({ plan: 'growth' });
    const stream = await open(key, games.unknown);
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({ 'x-credits-used': '0', 'x-credits-remaining': '50000' });
    const [error, end] = await stream.rest();
    expect([error!.event, error!.data.error.code, end!.event]).toEqual(['error', 'not_found', 'end']);
    expect((await server.get('/api/agent/credits', key)).credits_used).toBe(0);
  });
});

describe('where credits have no limit', () => {
  it.each(ROWS)('the price is told all the same: %d: %s', async (credits, _, path, body) => {
    const { key, record } = await server.newKey({ plan: 'enterprise' });
    const answer = await ask(path, body, { key });
    expect([answer.status, answer.credits, metersOf(answer).credits]).toEqual([200, credits, null]);
    const charges = await chargesOf(server, record.accountId, answer.headers.get('x-request-id')!);
    expect(charges).toEqual(credits > 0 ? [credits] : []);
  });

  it.each(ROWS)(
    'to the operator’s own key too, whose calls are in no ledger: %d: %s',
    async (credits, _, path, body) => {
      await server.credits.flush();
      const head = await server.log.head();
      const answer = await ask(path, body, { key: BOOTSTRAP_KEY });
      expect([answer.status, answer.credits, metersOf(answer).credits]).toEqual([200, credits, null]);
      await server.credits.flush();
      expect(await server.log.head()).toBe(head);
    },
  );
});

describe('X-Credits-Used stands on every answer', () => {
  it.each([
    ['GET', '/healthz', 200],
    ['GET', '/readyz', 200],
    ['GET', '/openapi.json', 200],
    ['GET', '/docs', 200],
    ['GET', '/docs/errors/unauthorized', 200],
    ['POST', '/healthz', 405],
    ['OPTIONS', '/docs', 405],
    ['GET', '/nothing', 404],
    ['GET', '/billing/stripe', 404],
    ['GET', '/v1/sports', 401],
  ])('%s %s, without a key: 0', async (method, path, status) => {
    const response = await fetch(server.url + path, { method });
    await response.arrayBuffer();
    const none = { limit: null, left: null, reset: null, credits: null, retryAfter: null };
    expect([response.status, metersOf(response)]).toEqual([status, { ...none, used: 0 }]);
  });
});
