import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentServer, serveAgent } from '../agent/serving.ts';
import { dayOfSport } from '../openapi/day-of-sport.ts';
import { NFL, schedule } from '../spec/messages.ts';
import { readCalendar } from './read-calendar.ts';

let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent();
  await server.feed(...dayOfSport(server.clock.time));
});
afterEach(() => server.close());

const make = (body: object, key?: string) => server.post('/api/agent/links', body, key === undefined ? {} : { key });

/** Opens a link as a spreadsheet does: without a key, by its address alone. */
async function open(url: string, init: RequestInit = {}) {
  const response = await fetch(url.replace('https://sports.example', server.url), init);
  const { status, headers } = response;
  return { status, text: await response.text(), header: (name: string) => headers.get(name) };
}

async function made(path: string, format: string, key?: string): Promise<string> {
  const { status, body } = await make({ path, format }, key);
  expect([path, status]).toEqual([path, 201]);
  return body.url;
}

const pass = (seconds: number) => {
  server.clock.time += seconds * 1000;
  server.timers.advance(seconds * 1000);
};
const remaining = async () => (await server.get('/api/agent/credits')).total_remaining;

describe('a link', () => {
  it('is made for one read, and answers without a key as that read does, at the account’s cost', async () => {
    const { status, body, credits } = await make({ path: '/v1/teams?sport=nfl', format: 'csv', name: 'my sheet' });
    expect([status, credits]).toEqual([201, 0]);
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'my sheet',
      url: expect.stringMatching(/^https:\/\/sports\.example\/x\/[A-Za-z0-9_-]{43}\.csv$/),
      path: '/v1/teams?sport=nfl',
      format: 'csv',
      created_at: '2026-03-01T12:00:00Z',
      expires_at: null,
      last_used_at: null,
      uses: 0,
    });
    const before = await remaining();
    const { status: opened, text, header } = await open(body.url);
    expect([opened, header('content-type'), header('x-credits-used')]).toEqual([200, 'text/csv; charset=utf-8', '1']);
    expect([header('x-credits-remaining'), header('x-ratelimit-limit')]).toEqual([null, null]);
    const teams = (await server.get('/v1/teams?sport=nfl')).data;
    expect(parse(text, { columns: true }).map(({ name }: any) => name)).toEqual(teams.map(({ name }: any) => name));
    expect(await remaining()).toBe(before - 2);
    const { links, total } = await server.get('/api/agent/links');
    expect([total, links]).toEqual([1, [{ ...body, url: null, uses: 1, last_used_at: '2026-03-01T12:00:00Z' }]]);
  });

  it('gives the answer before, free and with its age, to who asks again within 10 seconds', async () => {
    const url = await made('/v1/events?league=nfl&limit=1', 'json');
    const first = await open(url);
    expect([first.header('x-credits-used'), first.header('age')]).toEqual(['1', null]);
    // Null: no feed is meant to come here.
    expect(first.header('x-feed-stale-seconds')).toBe('null');
    pass(4);
    const sooner = await open(url);
    expect([sooner.text, sooner.header('x-credits-used'), sooner.header('age')]).toEqual([first.text, '0', '4']);
    const held = await open(url, { headers: { 'if-none-match': first.header('etag')! } });
    expect([held.status, held.text]).toEqual([304, '']);
    pass(6);
    const later = await open(url);
    expect([later.header('x-credits-used'), later.header('age')]).toEqual(['1', null]);
  });

  it('is run once for all who ask at the same moment', async () => {
    const url = await made('/v1/teams', 'csv');
    const answers = await Promise.all(Array.from({ length: 5 }, () => open(url)));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(answers.map(({ header }) => Number(header('x-credits-used'))).reduce((sum, one) => sum + one)).toBe(1);
  });

  it('may be a calendar', async () => {
    const { text, header } = await open(await made('/v1/events?league=epl', 'ics'));
    expect(header('content-type')).toBe('text/calendar; charset=utf-8');
    expect(readCalendar(text)[0]!.properties['SUMMARY']).toBe('Arsenal v. Chelsea');
  });

  it('keeps the scopes of its key, and goes on after that key', async () => {
    const narrow = await server.newKey({ scopes: ['nfl'], account: { id: server.record.accountId } });
    const url = await made('/v1/events?limit=100', 'csv', narrow.key);
    await server.ask(`/api/agent/keys/${narrow.record.id}`, { method: 'DELETE' });
    const sports = parse((await open(url)).text, { columns: true }).map(({ sport }: any) => sport);
    expect([...new Set(sports)]).toEqual(['nfl']);
  });
});

describe('a link that asks for more than its path alone', () => {
  const games = (count: number, firstDay: string) =>
    Array.from({ length: count }, (_, index) =>
      schedule(NFL, `many-${index}`, ['Chiefs', 'Eagles'], addHours(firstDay, index)),
    );
  const addHours = (day: string, hours: number) =>
    `${new Date(Date.parse(`${day}T00:00:00Z`) + hours * 3_600_000).toISOString().slice(0, 19)}Z`;
  const idsOf = (text: string) => parse(text, { columns: true }).map(({ id }: any) => Number(id));

  it('has the rows of several pages with one header, and costs what the pages cost', async () => {
    await server.feed(...games(230, '2026-04-01'));
    const url = await made('/v1/events?league=nfl&from=2026-04-01&limit=1000', 'csv');
    const before = await remaining();
    const { status, text, header } = await open(url);
    const rows = idsOf(text);
    expect([status, rows.length, new Set(rows).size]).toEqual([200, 230, 230]);
    expect([header('x-credits-used'), header('x-next-after')]).toEqual(['3', null]);
    expect(await remaining()).toBe(before - 3);
    const page = await server.get('/v1/events?league=nfl&from=2026-04-01&limit=100');
    expect(rows.slice(0, 100)).toEqual(page.events.map(({ id }: any) => id));
  });

  it('ends at its limit within a page, and says where the list goes on', async () => {
    await server.feed(...games(230, '2026-04-01'));
    const { text, header } = await open(await made('/v1/events?league=nfl&from=2026-04-01&limit=150', 'csv'));
    const rows = idsOf(text);
    expect([rows.length, header('x-next-after')]).toEqual([150, String(rows.at(-1))]);
  });

  it('is one calendar of all pages', async () => {
    await server.feed(...games(230, '2026-04-01'));
    const { text } = await open(await made('/v1/events?league=nfl&from=2026-04-01&limit=2500', 'ics'));
    expect(readCalendar(text)).toHaveLength(230);
    expect(text.match(/BEGIN:VCALENDAR/g)).toHaveLength(1);
  });

  it('follows the days on which it is read', async () => {
    // It is noon of 2026-03-01.
    await server.feed(...games(24 * 12, '2026-02-27'));
    const daysOf = async (url: string) => {
      const days = parse((await open(url)).text, { columns: true }).map(({ starts_at }: any) => starts_at.slice(0, 10));
      return [...new Set(days)];
    };
    const week = await made('/v1/events?league=nfl&from=today&to=+2d&limit=500', 'csv');
    const yesterday = await made('/v1/events?league=nfl&date=yesterday', 'csv');
    const past = await made('/v1/events?league=nfl&from=-1d&to=today%2B1d&limit=500', 'csv');
    expect(await daysOf(week)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
    expect(await daysOf(yesterday)).toEqual(['2026-02-28']);
    expect(await daysOf(past)).toEqual(['2026-02-28', '2026-03-01', '2026-03-02']);
    pass(24 * 3600);
    expect(await daysOf(week)).toEqual(['2026-03-02', '2026-03-03', '2026-03-04']);
    expect(await daysOf(yesterday)).toEqual(['2026-03-01']);
  });

  it('is refused with the reason beyond its bounds', async () => {
    for (const [path, format, reason] of [
      ['/v1/events?limit=2501', 'csv', 'limit: must be at most 2500'],
      ['/v1/events?limit=101', 'json', 'limit: must be at most 100 in JSON'],
      ['/v1/events?limit=101&sort=status', 'csv', 'limit: must be at most 100 with sort=status, which has one page'],
      ['/v1/events?limit=1000&league=%00', 'csv', undefined],
    ] as const) {
      const { status, body } = await make({ path, format });
      expect([path, status]).toEqual([path, 422]);
      if (reason) expect(body.error.message).toContain(reason);
    }
    for (const path of [
      '/v1/events?from=today&to=%2B91d',
      '/v1/events?date=someday',
      '/v1/events?date=today&from=today',
    ])
      expect([path, (await make({ path, format: 'csv' })).status]).toEqual([path, 400]);
  });
});

describe('a link opens nothing', () => {
  it('once it is removed or has expired, and tells no difference', async () => {
    const first = await make({ path: '/v1/teams', format: 'csv' });
    const second = await make({ path: '/v1/teams', format: 'csv', expires_at: '2026-03-01T12:00:05Z' });
    expect([(await open(first.body.url)).status, (await open(second.body.url)).status]).toEqual([200, 200]);
    expect((await server.ask(`/api/agent/links/${first.body.id}`, { method: 'DELETE' })).status).toBe(204);
    pass(5);
    const [token] = /[^/]{43}(?=\.csv$)/.exec(first.body.url)!;
    const addresses = [
      first.body.url,
      second.body.url,
      `${server.url}/x/${'a'.repeat(43)}.csv`,
      `${server.url}/x/${token}.json`,
      `${server.url}/x/short.csv`,
    ];
    const answers = await Promise.all(addresses.map((url) => open(url)));
    const shown = answers.map(({ status, text }) => {
      const { message, code } = JSON.parse(text).error;
      return [status, code, message];
    });
    expect(new Set(shown.map(String)).size).toBe(1);
    expect(shown[0]).toEqual([404, 'not_found', 'There is nothing at this link.']);
    expect((await server.ask(`/api/agent/links/${first.body.id}`, { method: 'DELETE' })).status).toBe(404);
  });

  it('under an extension that is not its own', async () => {
    const url = await made('/v1/events', 'csv');
    expect((await open(url.replace(/csv$/, 'ics'))).status).toBe(404);
    expect((await open(url, { method: 'POST' })).status).toBe(405);
  });

  it('to another account: it neither lists nor removes it', async () => {
    const { body } = await make({ path: '/v1/teams', format: 'csv' });
    const other = await server.newKey();
    expect((await server.get('/api/agent/links', other.key)).links).toEqual([]);
    const removal = await server.ask(`/api/agent/links/${body.id}`, { method: 'DELETE', key: other.key });
    expect(removal.status).toBe(404);
    const narrow = await server.newKey({ scopes: ['nfl'], account: { id: server.record.accountId } });
    expect((await server.get('/api/agent/links', narrow.key)).links).toEqual([]);
  });
});

describe('making a link is refused', () => {
  it('for what is no read below /v1, for a form that it has not, and for a wrong query', async () => {
    for (const [body, field] of [
      [{ path: '/v1/nothing', format: 'csv' }, 'path'],
      [{ path: '/api/agent/ledger', format: 'csv' }, 'path'],
      [{ path: '/v1/stream', format: 'json' }, 'path'],
      [{ path: '/v1/query', format: 'csv' }, 'path'],
      [{ path: 'https://evil.example/v1/teams', format: 'csv' }, 'path'],
      [{ path: '/v1/teams?limit=0', format: 'csv' }, 'path'],
      [{ path: '/v1/teams?format=csv', format: 'json' }, 'path'],
      [{ path: '/v1/teams', format: 'ics' }, 'format'],
      [{ path: '/v1/sports', format: 'csv' }, 'format'],
      [{ path: '/v1/teams', format: 'xml' }, 'format'],
      [{ path: '/v1/teams', format: 'csv', expires_at: '2026-03-01T11:00:00Z' }, 'expires_at'],
      [{ path: '/v1/teams', format: 'csv', expires_at: 'soon' }, 'expires_at'],
    ] as const) {
      const { status, body: answered } = await make(body);
      expect([body, status, answered.error.errors?.[0].loc]).toEqual([body, 422, ['body', field]]);
    }
  });

  it('for an unknown event, for a sport outside the scopes, and beyond fifty', async () => {
    expect((await make({ path: '/v1/events/999/odds', format: 'csv' })).status).toBe(404);
    const narrow = await server.newKey({ scopes: ['nfl'] });
    const denied = await make({ path: '/v1/teams?sport=nba', format: 'csv' }, narrow.key);
    expect([denied.status, denied.body.error.code]).toEqual([403, 'sport_scope_denied']);
    for (let index = 0; index < 50; index++) await made('/v1/teams', 'csv');
    const { status, body } = await make({ path: '/v1/teams', format: 'csv' });
    expect([status, body.error.code]).toEqual([403, 'forbidden']);
  });
});

it('the secret of a link stands in no table and in no log', async () => {
  const url = await made('/v1/teams', 'csv');
  const [token] = /[^/]{43}(?=\.csv$)/.exec(url)!;
  await open(url);
  const rows = await server.registry.selectFrom('read_links').selectAll().execute();
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(token);
});
