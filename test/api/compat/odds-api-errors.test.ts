import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ODDS_API_ERRORS } from '../../../src/api/compat/odds-api-errors.ts';
import { BASE_URL } from '../../support/composed.ts';
import { chargesOf, declineInvoices } from '../agent/metering.ts';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../agent/serving.ts';
import { type AskCompat, asking, BASE, hexOf } from './odds-api-client.ts';
import { at, NOW, STORY } from './story.ts';

let server: AgentServer;
let ask: AskCompat;
let soon: string;
const NFL = '/sports/americanfootball_nfl';
const US = { regions: 'us' };
const DATE = { date: at(0) };

beforeAll(async () => {
  server = await serveAgent({ time: NOW, plans: { trial: { requests_per_minute: 1 } } });
  await server.feed(...STORY);
  ask = asking(server);
  soon = hexOf(await server.eventId('feed', 'soon'));
});
afterAll(() => server.close());

/** All paths, with what they need. */
const paths = (): readonly (readonly [name: string, path: string, needs: Record<string, string>])[] => [
  ['sports', '/sports', {}],
  ['odds', `${NFL}/odds`, US],
  ['scores', `${NFL}/scores`, {}],
  ['events', `${NFL}/events`, {}],
  ['event odds', `${NFL}/events/${soon}/odds`, US],
  ['event markets', `${NFL}/events/${soon}/markets`, US],
  ['participants', `${NFL}/participants`, {}],
  ['historical odds', `/historical${NFL}/odds`, { ...US, ...DATE }],
  ['historical events', `/historical${NFL}/events`, DATE],
  ['historical event odds', `/historical${NFL}/events/${soon}/odds`, { ...US, ...DATE }],
];
const NAMES = [
  ...['sports', 'odds', 'scores', 'events', 'event odds', 'event markets', 'participants'],
  ...['historical odds', 'historical events', 'historical event odds'],
];
const pathOf = (name: string) => paths().find(([one]) => one === name)!;

const ODDS = ['odds', 'event odds', 'historical odds', 'historical event odds'];
const BOOKS = [...ODDS, 'event markets'];
const LISTS = ['odds', 'events', 'historical odds', 'historical events'];
const HISTORICAL = ['historical odds', 'historical events', 'historical event odds'];
const DATED = NAMES.filter((name) => name !== 'sports' && name !== 'participants');
const ROTATED = [...ODDS, 'events', 'historical events'];

/** Parameters of which one is wrong; an empty one takes the place of what the path needs. */
const WRONG: readonly (readonly [code: string, parameters: Record<string, string>, names: readonly string[]])[] = [
  ['INVALID_ALL_SPORTS_PARAM', { all: 'maybe' }, ['sports']],
  ['MISSING_REGION', { regions: '' }, BOOKS],
  ['INVALID_REGION', { regions: 'us,mars' }, BOOKS],
  ['INVALID_BOOKMAKERS', { bookmakers: 'fanduel,Fan-Duel' }, BOOKS],
  ['INVALID_MARKET', { markets: 'h2h,nothing' }, ODDS],
  ['INVALID_MARKET', { markets: 'alternate_spreads' }, ['odds', 'historical odds']],
  ['INVALID_MARKET', { markets: 'player_points' }, ['odds', 'historical odds']],
  ['INVALID_MARKET_COMBO', { markets: 'outrights,h2h' }, ODDS],
  ['INVALID_MARKET_COMBO', { markets: 'outrights_lay,h2h' }, ODDS],
  ['INVALID_DATE_FORMAT', { dateFormat: 'rfc' }, DATED],
  ['INVALID_ODDS_FORMAT', { oddsFormat: 'fractional' }, ODDS],
  ['INVALID_EVENT_IDS', { eventIds: 'a,b' }, [...LISTS, 'scores']],
  ['INVALID_EVENT_IDS', { eventIds: 'g'.repeat(32) }, [...LISTS, 'scores']],
  ['INVALID_COMMENCE_TIME_FROM', { commenceTimeFrom: '2026-10-10' }, LISTS],
  ['INVALID_COMMENCE_TIME_FROM', { commenceTimeFrom: '2026-10-10T12:00:00+01:00' }, LISTS],
  ['INVALID_COMMENCE_TIME_FROM', { commenceTimeFrom: '2026-10-10T12:00Z' }, LISTS],
  ['INVALID_COMMENCE_TIME_TO', { commenceTimeTo: '2026-02-30T12:00:00Z' }, LISTS],
  ['INVALID_COMMENCE_TIME_RANGE', { commenceTimeFrom: at(1), commenceTimeTo: at(0) }, LISTS],
  ['INVALID_SCORES_DAYS_FROM', { daysFrom: '0' }, ['scores']],
  ['INVALID_SCORES_DAYS_FROM', { daysFrom: '4' }, ['scores']],
  ['INVALID_SCORES_DAYS_FROM', { daysFrom: '1.5' }, ['scores']],
  ['MISSING_HISTORICAL_TIMESTAMP', { date: '' }, HISTORICAL],
  ['INVALID_HISTORICAL_TIMESTAMP', { date: 'yesterday' }, HISTORICAL],
  ['INVALID_HISTORICAL_TIMESTAMP', { date: at(0, 1) }, HISTORICAL],
  ['INVALID_AS_OF_BASIS', { as_of_basis: 'guessed' }, HISTORICAL],
  ['INVALID_INCLUDE_LINKS', { includeLinks: '1' }, ODDS],
  ['INVALID_INCLUDE_SIDS', { includeSids: 'yes' }, ODDS],
  ['INVALID_INCLUDE_BET_LIMITS', { includeBetLimits: 'yes' }, ODDS],
  ['INVALID_INCLUDE_MULTIPLIERS', { includeMultipliers: 'yes' }, ODDS],
  ['INVALID_INCLUDE_ROTATION_NUMBERS', { includeRotationNumbers: 'yes' }, ROTATED],
];

describe('a wrong parameter', () => {
  it.each(WRONG)('%s %o', async (code, parameters, names) => {
    for (const name of NAMES) {
      const [, path, needs] = pathOf(name);
      const { status, body, headers } = await ask(path, { ...needs, ...parameters });
      // A path that does not know it looks past it.
      expect([name, status, body.error_code]).toEqual(
        names.includes(name) ? [name, 422, code] : [name, 200, undefined],
      );
      if (status === 200) continue;
      expect(body).toEqual({
        message: expect.stringMatching(/./),
        error_code: code,
        details_url: `${BASE_URL}/docs/errors/${code.toLowerCase()}`,
      });
      expect(headers.get('x-credits-used')).toBe('0');
      expect(headers.get('x-requests-last')).toBe('0');
    }
  });

  it('an id in the path that is none', async () => {
    for (const path of [`${NFL}/events/12/odds`, `${NFL}/events/${soon}0/markets`]) {
      expect((await ask(path, US)).body.error_code).toBe('INVALID_EVENT_ID');
    }
    expect((await ask(`/historical${NFL}/events/%E0%A4%A/odds`, { ...US, ...DATE })).body.error_code).toBe(
      'INVALID_EVENT_ID',
    );
  });

  it('the first error in the order of the table is reported', async () => {
    const wrong = {
      includeLinks: '1',
      date: 'x',
      commenceTimeFrom: 'x',
      eventIds: 'x',
      oddsFormat: 'x',
      dateFormat: 'x',
      markets: 'x',
      bookmakers: '-',
      regions: 'x',
    };
    const order = [
      ...['INVALID_REGION', 'INVALID_BOOKMAKERS', 'INVALID_MARKET', 'INVALID_DATE_FORMAT', 'INVALID_ODDS_FORMAT'],
      ...['INVALID_EVENT_IDS', 'INVALID_COMMENCE_TIME_FROM', 'INVALID_HISTORICAL_TIMESTAMP', 'INVALID_INCLUDE_LINKS'],
    ];
    const names = [
      'regions',
      'bookmakers',
      'markets',
      'dateFormat',
      'oddsFormat',
      'eventIds',
      'commenceTimeFrom',
      'date',
    ];
    const right: Record<string, string> = { regions: 'us', ...DATE };
    let given: Record<string, string> = wrong;
    for (const [index, code] of order.entries()) {
      expect((await ask(`/historical${NFL}/odds`, given)).body.error_code).toBe(code);
      const name = names[index]!;
      given = { ...given, [name]: right[name] ?? '' };
    }
  });

  it('is checked after the sport, and before the event', async () => {
    const wrong = { regions: 'mars' };
    expect((await ask(`/sports/curling/events/${soon}/odds`, wrong)).body.error_code).toBe('UNKNOWN_SPORT');
    expect((await ask(`${NFL}/events/${'0'.repeat(32)}/odds`, wrong)).body.error_code).toBe('INVALID_REGION');
    expect((await ask(`${NFL}/events/${'0'.repeat(32)}/odds`, US)).body.error_code).toBe('EVENT_NOT_FOUND');
  });

  it('given twice where there may be one, it is wrong; a list goes on', async () => {
    const twice = async (query: string) =>
      (await fetch(`${server.url}${BASE}${NFL}/odds?apiKey=${server.key}&${query}`)).json() as Promise<any>;
    expect((await twice('regions=us&dateFormat=iso&dateFormat=iso')).error_code).toBe('INVALID_DATE_FORMAT');
    const [, event] = await twice('regions=us&regions=eu&markets=h2h');
    expect(event.bookmakers.map(({ key }: any) => key)).toEqual(['fanduel', 'pinnacle']);
  });
});

describe('a sport', () => {
  it.each(['curling', 'nfl', 'tennis_atp_roland_garros', 'tennis_atp_wimbledon', 'tennis_wta_french_open', 'toString'])(
    '%s is unknown',
    async (sport) => {
      for (const path of ['odds', 'scores', 'events', `events/${soon}/odds`, 'participants']) {
        const { status, body } = await ask(`/sports/${sport}/${path}`, US);
        expect([path, status, body.error_code]).toEqual([path, 404, 'UNKNOWN_SPORT']);
      }
    },
  );

  it('upcoming stands for all of them in lists alone', async () => {
    for (const path of ['odds', 'scores', 'events'])
      expect((await ask(`/sports/upcoming/${path}`, US)).status).toBe(200);
    for (const path of [`events/${soon}/odds`, `events/${soon}/markets`, 'participants'])
      expect((await ask(`/sports/upcoming/${path}`, US)).body.error_code).toBe('UNKNOWN_SPORT');
  });

  it('outside the scopes of the key is unknown too', async () => {
    const { key } = await server.newKey({ scopes: ['soccer'] });
    expect((await ask('/sports', {}, { key })).body.map(({ key: one }: any) => one)).toEqual(['soccer_epl']);
    expect((await ask(`${NFL}/odds`, US, { key })).body.error_code).toBe('UNKNOWN_SPORT');
    const upcoming = await ask('/sports/upcoming/events', {}, { key });
    expect(upcoming.body.map(({ sport_key }: any) => sport_key)).toEqual(['soccer_epl']);
  });
});

describe('a key', () => {
  it('is apiKey, else api_key, else the Bearer header', async () => {
    const { key } = await server.newKey();
    const wrong = `llk_${'x'.repeat(12)}.${'y'.repeat(43)}`;
    const statusOf = async (query: string, bearer?: string) =>
      (
        await fetch(`${server.url}${BASE}/sports?${query}`, {
          headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
        })
      ).status;
    expect(await statusOf(`apiKey=${key}&api_key=${wrong}`, wrong)).toBe(200);
    expect(await statusOf(`api_key=${key}`, wrong)).toBe(200);
    expect(await statusOf('apiKey=', key)).toBe(200);
    expect(await statusOf(`apiKey=${wrong}`, key)).toBe(401);
    expect(await statusOf(`apiKey=${key}&apiKey=${key}`)).toBe(401);
  });

  it('missing, unknown, revoked or expired have different codes', async () => {
    const told = async (key: string | null) => {
      const { status, body, headers } = await ask('/sports', {}, { key });
      expect([status, headers.get('x-requests-used'), headers.get('x-ratelimit-limit')]).toEqual([401, null, null]);
      expect(body.details_url).toBe(`${BASE_URL}/docs/errors/${body.error_code.toLowerCase()}`);
      return body.error_code;
    };
    const revoked = await server.newKey();
    await server.keyRegistry.revoke(revoked.record.id, at(0));
    const expired = await server.newKey({ expiresAt: at(-1) });
    expect(await told(null)).toBe('MISSING_KEY');
    expect(await told('nonsense')).toBe('INVALID_KEY');
    expect(await told(`${server.key.slice(0, -1)}${server.key.endsWith('A') ? 'B' : 'A'}`)).toBe('INVALID_KEY');
    expect(await told(revoked.key)).toBe('DEACTIVATED_KEY');
    expect(await told(expired.key)).toBe('DEACTIVATED_KEY');
    // Who has the first part of a revoked key has no key.
    expect(await told(`${revoked.key.split('.')[0]}.${'y'.repeat(43)}`)).toBe('INVALID_KEY');
  });

  it('is checked before anything else', async () => {
    expect((await ask('/sports/curling/odds', { regions: 'mars' }, { key: null })).body.error_code).toBe('MISSING_KEY');
    expect((await ask('/nowhere', {}, { key: null })).body.error_code).toBe('MISSING_KEY');
    expect((await ask('/nowhere')).body.error_code).toBe('NOT_FOUND');
    const posted = await ask('/sports', {}, { method: 'POST' });
    expect([posted.status, posted.body.error_code, posted.headers.get('allow')]).toEqual([
      ...[405, 'METHOD_NOT_ALLOWED', 'GET, HEAD'],
    ]);
  });

  it('that is too frequent must wait, before the sport is checked', async () => {
    const { key } = await server.newKey({ plan: 'trial' });
    expect((await ask('/sports', {}, { key })).status).toBe(200);
    const { status, body, headers } = await ask('/sports/curling/odds', {}, { key });
    expect([status, body.error_code]).toEqual([429, 'EXCEEDED_FREQ_LIMIT']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('x-requests-last')).toBe('0');
    expect(Number(headers.get('x-requests-remaining'))).toBe(50);
  });
});

describe('credits', () => {
  const two = { regions: 'us,eu' };
  const single = { bookmakers: 'fanduel' };
  /** What a path costs, with parameters. */
  const PRICES: readonly (readonly [name: string, parameters: Record<string, string>, credits: number])[] = [
    ['sports', {}, 0],
    ['events', {}, 0],
    ['historical events', {}, 0],
    ['scores', {}, 1],
    ['event markets', two, 1],
    ['participants', {}, 1],
    ['odds', two, 2],
    ['odds', single, 1],
    ['odds', { bookmakers: 'fanduel,fanduel,' }, 1],
    ['odds', { bookmakers: 'fanduel,pinnacle' }, 2],
    ['event odds', two, 2],
    ['event odds', single, 1],
    // Nothing that costs.
    ['odds', { regions: 'se' }, 0],
    ['odds', { markets: 'outrights' }, 0],
    ['scores', { eventIds: '0'.repeat(32) }, 0],
    ['event odds', { bookmakers: 'nobody' }, 0],
    ['event markets', { regions: 'se' }, 0],
  ];

  it.each(PRICES)('%s %o costs %d', async (name, parameters, credits) => {
    const { key, record } = await server.newKey();
    const [, path, needs] = pathOf(name);
    const answer = await ask(path, { ...needs, ...parameters }, { key, headers: { 'x-request-id': 'the-call' } });
    expect(answer.status).toBe(200);
    expect(metersOf(answer.headers)).toEqual({ credits, last: credits, used: credits, remaining: 1000 - credits });
    expect(await chargesOf(server, record.accountId, 'the-call')).toEqual(credits > 0 ? [credits] : []);
  });

  it('the past costs as the present does', async () => {
    server.clock.time = NOW + 60_000;
    const now = { date: at(0), bookmakers: 'fanduel' };
    expect(metersOf((await ask(`/historical${NFL}/odds`, now)).headers).last).toBe(1);
    expect(
      metersOf((await ask(`/historical${NFL}/odds`, { ...now, bookmakers: '', regions: 'us' })).headers).last,
    ).toBe(2);
    expect(metersOf((await ask(`/historical${NFL}/events/${soon}/odds`, now)).headers).last).toBe(1);
    expect(metersOf((await ask(`/historical${NFL}/events`, now)).headers).last).toBe(0);
    server.clock.time = NOW;
  });

  it('an answer that the client already has costs nothing', async () => {
    const first = await ask(`${NFL}/odds`, US);
    const again = await ask(`${NFL}/odds`, US, { headers: { 'if-none-match': first.headers.get('etag')! } });
    expect([again.status, again.text, metersOf(again.headers).last]).toEqual([304, '', 0]);
    expect(again.headers.get('x-requests-remaining')).toBe(first.headers.get('x-requests-remaining'));
  });

  it('that are used up are reported after the event, and free paths go on', async () => {
    const { key } = await server.newKey({ plan: 'payg' });
    const told = async (path: string, parameters: Record<string, string> = US) => {
      const { status, body, headers } = await ask(path, parameters, { key });
      return [status, body.error_code, headers.get('x-requests-remaining')];
    };
    expect(await told(`${NFL}/odds`)).toEqual([401, 'OUT_OF_USAGE_CREDITS', '0']);
    expect(await told('/sports/curling/odds')).toEqual([404, 'UNKNOWN_SPORT', '0']);
    expect(await told(`${NFL}/odds`, { regions: 'mars' })).toEqual([422, 'INVALID_REGION', '0']);
    expect(await told(`${NFL}/events/${'0'.repeat(32)}/odds`)).toEqual([404, 'EVENT_NOT_FOUND', '0']);
    expect(await told(`${NFL}/events`)).toEqual([200, undefined, '0']);
  });

  it('every refusal for want of payment is one', async () => {
    const { key, record } = await server.newKey({ plan: 'growth' });
    await declineInvoices(server, record.accountId);
    const { status, body } = await ask(`${NFL}/odds`, US, { key });
    expect([status, body.error_code]).toEqual([401, 'OUT_OF_USAGE_CREDITS']);
  });

  it('without a limit are a number too', async () => {
    const unlimited = { used: 0, remaining: 1_000_000_000 };
    expect(metersOf((await ask(`${NFL}/odds`, US, { key: BOOTSTRAP_KEY })).headers)).toEqual({
      credits: 2,
      last: 2,
      ...unlimited,
    });
    const { key } = await server.newKey({ plan: 'enterprise' });
    expect(metersOf((await ask(`${NFL}/odds`, US, { key })).headers)).toMatchObject(unlimited);
  });
});

describe('every path', () => {
  it.each(NAMES)('%s takes a trailing slash, HEAD, and unknown and empty parameters', async (name) => {
    const [, path, needs] = pathOf(name);
    const plain = await ask(path, needs);
    const slashed = await ask(`${path}/`, { ...needs, more: 'x', markets: '', eventIds: '', daysFrom: '', all: '' });
    expect(slashed.text).toBe(plain.text);
    expect(plain.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const head = await ask(path, needs, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(Buffer.byteLength(plain.text))]);
  });

  it('is none of the own API', async () => {
    const document = await (await fetch(`${server.url}/openapi.json`)).text();
    expect(document).not.toContain('/compat');
  });

  it('shows in the metrics under its name', async () => {
    await ask(`${NFL}/odds`, { regions: 'mars' });
    const metrics = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${BOOTSTRAP_KEY}` } });
    const text = await metrics.text();
    expect(text).toMatch(/operation="odds_api_odds"[^\n]*4xx|4xx[^\n]*operation="odds_api_odds"/);
    expect(text).not.toMatch(/code="internal_error"[^\n]* [1-9]/);
  });
});

it('each error has its page', async () => {
  for (const [code, { status }] of Object.entries(ODDS_API_ERRORS)) {
    const page = await fetch(`${server.url}/docs/errors/${code.toLowerCase()}`);
    expect([code, page.status]).toEqual([code, 200]);
    expect(await page.text()).toContain(`HTTP status ${status}`);
  }
});

const metersOf = (headers: Headers) => ({
  credits: Number(headers.get('x-credits-used')),
  last: Number(headers.get('x-requests-last')),
  used: Number(headers.get('x-requests-used')),
  remaining: Number(headers.get('x-requests-remaining')),
});
