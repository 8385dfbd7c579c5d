import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentServer, serveAgent } from '../agent/serving.ts';
import { dayOfSport } from '../openapi/day-of-sport.ts';
import { cellText, EXPECTED_ROWS } from './expected-rows.ts';

let server: AgentServer;
const eventIds: Record<string, number> = {};

beforeAll(async () => {
  server = await serveAgent();
  await server.feed(...dayOfSport(server.clock.time));
  for (const ref of ['g1', 'g2', 'g3', 'g4', 'g5']) eventIds[ref] = await server.eventId('feed', ref);
});
afterAll(() => server.close());

async function ask(path: string, init: RequestInit & { headers?: Record<string, string> } = {}) {
  const response = await fetch(server.url + path, {
    ...init,
    headers: { authorization: `Bearer ${server.key}`, ...init.headers },
  });
  const { status, headers } = response;
  return { status, headers, text: await response.text(), header: (name: string) => headers.get(name) };
}

const rowsOf = (text: string): Record<string, string>[] => parse(text, { columns: true, record_delimiter: '\r\n' });

describe('a list as CSV has the rows of its JSON, at its price', () => {
  const paths = (): readonly (readonly [operation: string, path: string])[] => [
    ['list_seasons', '/v1/seasons?current_only=false'],
    ['get_standings', '/v1/leagues/nfl/standings?season=2025'],
    ['get_futures', '/v1/leagues/nfl/futures?season=2025'],
    ['get_futures_history', '/v1/leagues/nfl/futures/history?season=2025'],
    ['get_projections', '/v1/leagues/nfl/projections?season=2025'],
    ['list_events', '/v1/events?limit=100'],
    ['list_events', '/v1/events?limit=100&include_scores=true'],
    ['get_odds', `/v1/events/${eventIds['g1']}/odds?bookmaker=all`],
    ['get_odds_history', `/v1/events/${eventIds['g1']}/odds/history?bookmaker=all`],
    ['get_odds_summary', `/v1/events/${eventIds['g1']}/odds/summary?bookmaker=all`],
    ['get_period_odds', `/v1/events/${eventIds['g1']}/period-odds?include_alts=true&include_forecast=true`],
    ['get_team_props', `/v1/events/${eventIds['g1']}/team-props`],
    ['get_player_props', `/v1/events/${eventIds['g1']}/player-props`],
    ['get_splits', `/v1/events/${eventIds['g1']}/splits`],
    ['get_stats', `/v1/events/${eventIds['g1']}/stats`],
    ['get_stats', `/v1/events/${eventIds['g3']}/stats`],
    ['get_injuries', `/v1/events/${eventIds['g1']}/injuries`],
    ['list_corrections', '/v1/corrections'],
    ['scan_ev', '/v1/intelligence/ev?sport=soccer'],
    ['scan_arbitrage', '/v1/intelligence/arbitrage?sport=soccer&kind=all'],
    ['list_forecasts', '/v1/intelligence/forecasts?sport=tennis'],
    ['get_record', '/v1/intelligence/record?sport=nfl'],
    ['get_record', '/v1/intelligence/record?sport=nfl&by=month'],
    ['get_market_quality', '/v1/markets/quality?league=nfl'],
    ['list_changes', '/v1/changes?after=0&limit=500'],
    ['list_teams', '/v1/teams'],
    ['search_players', '/v1/players'],
    ['get_player_events', '/v1/players/1/events'],
    ['list_mappings', '/v1/mappings?source=feed&ref=g2'],
  ];

  it('for every operation', async () => {
    for (const [operation, path] of paths()) {
      const json = await ask(path);
      const csv = await ask(`${path}${path.includes('?') ? '&' : '?'}format=csv`);
      expect([path, json.status, csv.status]).toEqual([path, 200, 200]);
      expect(csv.header('content-type')).toBe('text/csv; charset=utf-8');
      expect(csv.text.endsWith('\r\n')).toBe(true);
      const expected = EXPECTED_ROWS[operation]!(JSON.parse(json.text));
      const rows = rowsOf(csv.text);
      const columns = csv.text.slice(0, csv.text.indexOf('\r\n')).split(',');
      expect(rows).toEqual(
        expected.map((row) => Object.fromEntries(columns.map((column) => [column, cellText(row[column])]))),
      );
      expect(csv.header('x-credits-used')).toBe(json.header('x-credits-used'));
      expect(json.header('x-next-after')).toBeNull();
    }
  });

  it('has the fair probability of each outcome of the summary', async () => {
    const rows = rowsOf((await ask(`/v1/events/${eventIds['g1']}/odds/summary?bookmaker=all&format=csv`)).text);
    const fair = rows.filter(({ market_key }) => market_key === 'h2h').map((row) => Number(row['consensus_open']));
    expect(fair.length).toBeGreaterThan(0);
    for (const probability of fair) expect(probability > 0 && probability < 1).toBe(true);
  });

  it('has scores of both sides, and of both players, in columns of their own', async () => {
    const rows = rowsOf((await ask('/v1/events?include_scores=true&format=csv&limit=100')).text);
    const of = (ref: string) => rows.find(({ id }) => id === String(eventIds[ref]))!;
    expect([of('g1')['home_score'], of('g1')['away_score'], of('g1')['home_team_name']]).toEqual([
      '24',
      '27',
      'Kansas City Chiefs',
    ]);
    expect([of('g3')['player_1_score'], of('g3')['player_2_player_name'], of('g3')['home_score']]).toEqual([
      '7 2',
      'Jannik Sinner',
      '',
    ]);
  });

  it('for what is sent by POST, too', async () => {
    const body = JSON.stringify({ event_ids: [eventIds['g1'], eventIds['g3']], include_odds: true });
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
    const json = await ask('/v1/events/batch', init);
    const csv = await ask('/v1/events/batch?format=csv', init);
    const rows = rowsOf(csv.text);
    expect(rows.map(({ id, home_score: score }) => [Number(id), score])).toEqual([
      [eventIds['g1'], '24'],
      [eventIds['g3'], ''],
    ]);
    expect(JSON.parse(rows[0]!['odds']!)).toEqual(JSON.parse(json.text).events[0].odds);
    expect([csv.header('x-credits-used'), csv.header('vary')]).toEqual([json.header('x-credits-used'), 'Accept']);
  });

  it('an empty answer has its header', async () => {
    const { status, text } = await ask('/v1/events?league=none&format=csv');
    expect([status, text.split('\r\n').length, text.startsWith('id,name,sport,league,')]).toEqual([200, 2, true]);
    const odds = await ask(`/v1/events/${eventIds['g5']}/odds?format=csv`);
    expect(odds.text).toBe(
      'event_id,bookmaker,bookmaker_captured_at,market_key,market_label,outcome,price,point,suspect,bids,asks,last,volume,market_fee\r\n',
    );
    expect(odds.header('x-credits-used')).toBe('0');
  });
});

describe('the form of an answer', () => {
  const typeOf = async (path: string, accept?: string) =>
    (await ask(path, accept === undefined ? {} : { headers: { accept } })).header('content-type')!.split(';')[0];

  it('goes by `format`, and else by `Accept`', async () => {
    expect(await typeOf('/v1/teams')).toBe('application/json');
    expect(await typeOf('/v1/teams', 'text/csv')).toBe('text/csv');
    expect(await typeOf('/v1/teams', 'text/csv;q=0.5, application/json')).toBe('application/json');
    expect(await typeOf('/v1/teams', 'text/csv, application/json;q=0.5')).toBe('text/csv');
    expect(await typeOf('/v1/teams', 'text/html,application/xhtml+xml,*/*;q=0.8')).toBe('application/json');
    expect(await typeOf('/v1/teams', 'text/html')).toBe('application/json');
    expect(await typeOf('/v1/teams?format=json', 'text/csv')).toBe('application/json');
    expect(await typeOf('/v1/teams?format=csv', 'application/json')).toBe('text/csv');
  });

  it('is 422 if it is unknown or given twice, and errors are JSON always', async () => {
    for (const [query, reason] of [
      ['format=xml', 'must be one of json, csv'],
      ['format=', 'must be one of json, csv'],
      ['format=csv&format=csv', 'must not be given more than once'],
    ] as const) {
      const { status, text } = await ask(`/v1/teams?${query}`);
      const { errors, code } = JSON.parse(text).error;
      expect([query, status, code, errors[0].loc, errors[0].msg]).toEqual([
        query,
        422,
        'validation_error',
        ['query', 'format'],
        reason,
      ]);
    }
    const unknown = await ask('/v1/events/999/odds?format=csv', { headers: { accept: 'text/csv' } });
    expect([unknown.status, unknown.header('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
    const wrong = await ask('/v1/teams?format=csv&limit=0');
    expect([wrong.status, JSON.parse(wrong.text).error.errors[0].loc]).toEqual([422, ['query', 'limit']]);
  });

  it('has an entity tag of its own, which is free to ask by', async () => {
    const json = await ask('/v1/teams');
    const csv = await ask('/v1/teams?format=csv');
    const accepted = await ask('/v1/teams', { headers: { accept: 'text/csv' } });
    expect(csv.header('etag')).not.toBe(json.header('etag'));
    expect(accepted.header('etag')).toBe(csv.header('etag'));
    expect([json, csv, accepted].map(({ header }) => header('vary'))).toEqual(Array(3).fill('Accept, Authorization'));
    const held = { 'if-none-match': csv.header('etag')! };
    const again = await ask('/v1/teams?format=csv', { headers: held });
    expect([again.status, again.text, again.header('x-credits-used')]).toEqual([304, '', '0']);
    expect((await ask('/v1/teams', { headers: held })).status).toBe(200);
    const head = await ask('/v1/teams?format=csv', { method: 'HEAD' });
    expect([head.status, head.text, head.header('content-length')]).toEqual([
      200,
      '',
      String(Buffer.byteLength(csv.text)),
    ]);
  });
});

describe('pages', () => {
  it('are walked by `X-Next-After`, and by the link to the next', async () => {
    const all = rowsOf((await ask('/v1/events?limit=100&format=csv')).text);
    const walked: Record<string, string>[] = [];
    let path: string | undefined = '/v1/events?limit=4&format=csv';
    while (path !== undefined) {
      const page = await ask(path);
      walked.push(...rowsOf(page.text));
      const [, next] = /^<https:\/\/sports\.example(\/[^>]*)>; rel="next"$/.exec(page.header('link') ?? '') ?? [];
      expect(page.header('x-next-after')).toBe(next === undefined ? null : walked.at(-1)!['id']);
      path = next;
    }
    expect(walked).toEqual(all);
  });

  it('of changes tell the cursor to go on with, and link to what is there', async () => {
    const first = await ask('/v1/changes?after=0&limit=2&format=csv');
    expect(first.header('link')).toContain(`after=${encodeURIComponent(first.header('x-next-after')!)}`);
    const now = await ask('/v1/changes?format=csv');
    expect([Number(now.header('x-next-after')) > 0, now.header('link')]).toEqual([true, null]);
  });
});

it('the OpenAPI document and the reference tell the columns and the formats', async () => {
  const { paths } = JSON.parse((await ask('/openapi.json')).text);
  const { parameters, responses } = paths['/v1/events/{id}/odds'].get;
  expect(parameters.find(({ name }: { name: string }) => name === 'format').schema.enum).toEqual(['json', 'csv']);
  expect(responses['200'].content['text/csv']['x-columns'][1]).toEqual({
    name: 'bookmaker',
    type: 'text',
    description: expect.any(String),
  });
  expect(Object.keys(responses['200'].headers)).toEqual(expect.arrayContaining(['X-Next-After', 'Link']));
  expect((await ask('/docs')).text).toContain('<code class="name">bookmaker_captured_at</code>');
});
