import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { feedGames, type Games } from './games.ts';
import { declineInvoices, outcomeOf } from './metering.ts';
import { type AgentServer, serveAgent } from './serving.ts';

/* 400, 403 and 422 come before 402, and 402 before what only the run can tell: who asks for nonsense is told so. */

let server: AgentServer;
let games: Games;
beforeAll(async () => {
  server = await serveAgent({ plans: { free: { daily_credit_cap: 1 } } });
  games = await feedGames(server);
});
afterAll(() => server.close());

/** Keys for the NBA alone, of accounts that can pay nothing. */
const POOR: Readonly<Record<string, () => Promise<string>>> = {
  insufficient_credits: async () => (await newKey('payg')).key,
  async daily_credit_cap_exceeded() {
    const { key } = await newKey('free');
    expect((await server.ask('/v1/sports', { key })).credits).toBe(1);
    return key;
  },
  async payment_failed() {
    const { key, record } = await newKey('growth');
    await declineInvoices(server, record.accountId);
    return key;
  },
};
const newKey = (plan: string) => server.newKey({ plan, scopes: ['nba'] });

type Row = [outcome: string, path: (games: Games) => string, body?: (games: Games) => unknown];
const at = (path: string) => () => path;
const of = (game: 'full' | 'bare' | 'unknown', path: string) => (known: Games) => `/v1/events/${known[game]}${path}`;

const FIRST: Row[] = [
  ['400 bad_request', at('/v1/events/%ZZ')],
  ['400 bad_request', at('/v1/events/batch'), () => '{'],
  ['403 sport_scope_denied', at('/v1/events?sport=nfl')],
  ['403 sport_scope_denied', at('/v1/seasons?sport=nfl')],
  ['403 sport_scope_denied', at('/v1/teams?sport=nfl')],
  ['403 forbidden', at('/api/agent/keys'), () => ({ name: 'x', scopes: ['all'] })],
  ['422 validation_error', at('/v1/events/abc')],
  ['422 validation_error', at('/v1/events/abc/stream')],
  ['422 validation_error', at('/v1/events?limit=0')],
  ['422 validation_error', of('bare', '?include_odds=1')],
  ['422 validation_error', at('/v1/events/batch'), () => ({ event_ids: [] })],
  ['404 not_found', at('/v1/nothing')],
  ['405 method_not_allowed', at('/v1/sports'), () => ({})],
  ['415 unsupported_media_type', at('/v1/events/batch'), () => undefined],
  // What only the run finds out.
  ['400 bad_request', at('/v1/events?status=over')],
  ['400 bad_request', at('/v1/events?date=1-2-2026')],
  ['400 bad_request', at('/v1/events?date=2026-03-01&from=2026-03-01')],
  ['400 bad_request', at('/v1/events?from=2026-01-01&to=2026-04-02')],
  ['400 bad_request', at('/v1/events?sort=status&after_id=1')],
  ['400 bad_request', at('/v1/events?after_id=987654')],
  ['400 bad_request', at('/v1/teams?after_id=987654')],
  ['400 bad_request', at('/v1/players/1/events?status=over')],
  ['400 bad_request', of('bare', '?as_of=now')],
  ['400 bad_request', of('bare', '/score?as_of=2050-01-01T00:00:00Z')],
  ['400 bad_request', of('bare', '/odds?as_of=now')],
  ['400 bad_request', of('bare', '/injuries?exclude_status=sore')],
  ['400 bad_request', at('/v1/events/batch'), ({ bare }) => ({ event_ids: [bare], as_of: 'now' })],
  ['403 sport_scope_denied', of('full', '')],
  ['403 sport_scope_denied', of('full', '/score')],
  ['403 sport_scope_denied', of('full', '/odds/history')],
  ['403 sport_scope_denied', of('full', '/splits')],
  ['403 sport_scope_denied', of('full', '/stream')],
  ['403 sport_scope_denied', at('/v1/events/batch'), ({ full }) => ({ event_ids: [full] })],
  ['403 sport_scope_denied', ({ teamId }) => `/v1/teams/${teamId}`],
  ['403 sport_scope_denied', ({ playerId }) => `/v1/players/${playerId}`],
  ['403 sport_scope_denied', ({ teamId }) => `/v1/events?team_id=${teamId}`],
];

const LAST: Row[] = [
  ['402', at('/v1/sports')],
  ['402', of('bare', '')],
  ['402', of('bare', '/odds')],
  ['402', of('bare', '/stream')],
  ['402', of('unknown', '')],
  ['402', of('unknown', '/stream')],
  ['402', of('bare', '/odds/history')],
  ['402', at('/v1/events/batch'), ({ unknown }) => ({ event_ids: [unknown] })],
];

async function outcome(key: string, [wanted, path, body]: Row): Promise<string> {
  const url = path(games);
  if (!body) return outcomeOf(await server.ask(url, { key }));
  const text = wanted.startsWith('415') ? { headers: { 'content-type': 'text/plain' } } : {};
  return outcomeOf(await server.post(url, body(games) ?? 'x', { key, ...text }));
}

const named = (rows: Row[]) => rows.map((row) => [row[0], row[1](NAMES), row] as const);
const NAMES = { full: '{nfl}', bare: '{nba}', unknown: '{unknown}', teamId: '{nfl}', playerId: '{nfl}' } as never;

describe.each(Object.keys(POOR))('where the answer to what can be asked is 402 %s', (code) => {
  let key: string;
  beforeAll(async () => {
    key = await POOR[code]!();
  });

  it.each(named(FIRST))('%s comes first: %s', async (wanted, _, row) => {
    expect(await outcome(key, row)).toBe(wanted);
  });

  it.each(named(LAST))('%s comes first: %s', async (wanted, _, row) => {
    expect(await outcome(key, row)).toBe(`${wanted} ${code}`);
  });
});
