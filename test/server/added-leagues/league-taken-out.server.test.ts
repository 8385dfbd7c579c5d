import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AgentServer } from '../../api/agent/serving.ts';
import { asking } from '../../api/compat/odds-api-client.ts';
import { EPL, market, odds, schedule, score } from '../../api/spec/messages.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { EXAMPLE_LEAGUES, serveWithLeagues } from './serve-with-leagues.ts';

const NOW = Date.parse('2026-08-10T12:00:00Z');
const BEFORE = 'as_of=2026-08-10T11:59:00Z&as_of_basis=observed';
const { championship } = EXAMPLE_LEAGUES;
const SECOND = { sport: 'soccer', league: 'championship' };
const folder = temporaryFolder();

const prices = (ref: string) =>
  odds(
    ref,
    'pinnacle',
    [
      market('h2h', [
        ['home', 120],
        ['away', 180],
        ['draw', 240],
      ]),
    ],
    {
      at: '2026-08-10T11:30:00Z',
    },
  );
const TOLD = { at: '2026-08-10T10:00:00Z' };
/** Two games of the league, of two seasons, and one of another league with a club of both. */
const MESSAGES = [
  schedule(SECOND, 'past', ['Hull City', 'Derby County'], '2026-03-10T15:00:00Z', TOLD),
  score('past', 'final', ['2', '1'], { at: '2026-08-10T10:30:00Z' }),
  schedule(SECOND, 'hidden', ['Derby County', 'Leeds United'], '2026-08-10T18:00:00Z', TOLD),
  schedule(SECOND, 'next', ['Leeds United', 'Hull City'], '2026-08-10T15:00:00Z', TOLD),
  prices('next'),
  schedule(EPL, 'other', ['Leeds United', 'Fulham'], '2026-08-10T16:00:00Z', TOLD),
  prices('other'),
];

/** It waits for its team. */
const DEDUCTION = {
  ...{ kind: 'deduction', source: 'feed', at: '2026-08-10T11:00:00Z', ...SECOND, season: 2026 },
  ...{ team: 'Nowhere', points: 4, reason: 'a trial' },
};
/** The facts that name an event, each by the id of its source. */
const about = (ref: string) => {
  const head = { source: 'feed', at: '2026-08-10T11:45:00Z', ref };
  const outcome = { outcome: 'home', bids: [], asks: [[0.5, 100]] };
  return [
    { ...head, kind: 'book', venue: 'kalshi', markets: [{ key: 'h2h', outcomes: [outcome] }] },
    {
      ...head,
      kind: 'contract',
      venue: 'kalshi',
      contract: 'K-1',
      series: 'K',
      market: 'h2h',
      outcome: 'home',
      by_name: true,
    },
    score(ref, 'final', ['1', '0'], { at: head.at }),
    prices(ref),
    { ...head, kind: 'injury', checked: true },
  ];
};

let server: AgentServer;
/** Of who made the webhook. */
let ownKey: string;
const ids: Record<string, number> = {};
const shown: Record<string, unknown> = {};
const paths = () => [`/v1/events/${ids['past']}`, `/v1/events/${ids['next']}`, `/v1/events/${ids['next']}/odds`];
const serve = (leagues: typeof EXAMPLE_LEAGUES) =>
  serveWithLeagues(leagues, { time: NOW, file: folder.path('data'), livePage: true, webhookAllow: ['127.0.0.1/32'] });

beforeAll(async () => {
  server = await serve({ championship: championship! });
  await server.feed(...MESSAGES);
  expect((await server.take([DEDUCTION])).outcomes).toMatchObject([{ status: 'quarantined' }]);
  for (const ref of ['past', 'next', 'other']) ids[ref] = await server.eventId('feed', ref);
  for (const path of paths()) shown[path] = await server.get(path);
  const wish = { url: 'https://127.0.0.1/in', event_id: ids['next'], filter: { leagues: ['championship'] } };
  expect((await server.post('/v1/webhooks', wish)).status).toBe(201);
  ownKey = server.key;
  shown['webhooks'] = await server.get('/v1/webhooks');
  await server.close();
});

describe('a league that was taken out of CONFIG', () => {
  beforeAll(async () => {
    server = await serve({});
  });
  afterAll(() => server.close());

  it('given ids of its events, then they are not found, as of any moment', async () => {
    for (const path of paths()) {
      expect((await server.ask(path)).status).toBe(404);
      expect((await server.ask(`${path}?${BEFORE}`)).status).toBe(404);
    }
    const { body } = await server.post('/v1/events/batch', { event_ids: [ids['next'], ids['other']] });
    expect(body.events.map(({ id }: any) => id)).toEqual([ids['other']]);
    expect(body.not_found).toEqual([ids['next']]);
    const headers = { authorization: `Bearer ${server.key}` };
    const stream = await fetch(`${server.url}/v1/events/${ids['next']}/stream`, { headers });
    expect(await stream.text()).toContain('not_found');
    expect((await server.ask(`/v1/changes?event_id=${ids['next']}`)).status).toBe(404);
    expect((await server.ask('/v1/leagues/championship/standings')).status).toBe(404);
  });

  it('given lists, then they leave it out, and have all else', async () => {
    const day = await server.get('/v1/events?date=2026-08-10&limit=1');
    expect(day.events.map(({ id }: any) => id)).toEqual([ids['other']]);
    expect((await server.get('/v1/events?league=championship')).events).toEqual([]);
    const { seasons } = await server.get('/v1/seasons?current_only=false');
    expect(seasons.map(({ league }: any) => league.slug)).toEqual(['epl']);
    const { sports } = await server.get('/v1/sports');
    expect(JSON.stringify(sports)).not.toContain('championship');
    const { body: listed } = await asking(server)('/sports/upcoming/odds', { regions: 'eu' });
    expect(listed.map(({ sport_key }: any) => sport_key)).toEqual(['soccer_epl']);
    const board: any = await (await fetch(`${server.url}/live/board?date=2026-08-10`)).json();
    expect(board.events.map(({ id }: any) => id)).toEqual([ids['other']]);
    const asked = await server.post('/v1/query', { query: 'Leeds United 2026-08-10' });
    expect(asked.body.events.map(({ id }: any) => id)).toEqual([ids['other']]);
  });

  it('given new facts of it, then they are rejected as of an unknown league', async () => {
    const { outcomes } = await server.take([{ ...MESSAGES[3]!, ref: 'new' }]);
    expect(outcomes).toMatchObject([{ status: 'rejected' }]);
    expect(JSON.stringify(outcomes)).toContain('unknown_league');
  });

  it('given facts on an event of it, then each is rejected so, and those beside it are taken', async () => {
    for (const fact of about('hidden')) {
      const [before, after] = ['2026-09-01T16:00:00Z', '2026-09-20T16:00:00Z'].map((start) =>
        schedule(EPL, `${fact['kind']} ${start}`, ['Leeds United', 'Fulham'], start, TOLD),
      );
      const { outcomes } = await server.take([before, fact, after]);
      expect(outcomes).toMatchObject([
        { status: 'accepted' },
        { status: 'rejected', code: 'unknown_league', path: 'ref' },
        { status: 'accepted' },
      ]);
    }
  });

  it('given that what a fact of it waits for becomes known, then the message that says so is taken', async () => {
    const { outcomes } = await server.take([
      schedule(EPL, 'named', ['Nowhere', 'Fulham'], '2026-08-24T16:00:00Z', TOLD),
    ]);
    expect(outcomes).toMatchObject([{ status: 'accepted' }]);
  });

  it('given a webhook of it, then it stands as it was', async () => {
    expect(await server.get('/v1/webhooks', ownKey)).toEqual(shown['webhooks']);
  });

  it('given a club of it, then the club plays on where its other league is', async () => {
    const event = await server.get(`/v1/events/${ids['other']}`);
    expect(JSON.stringify(event)).toContain('Leeds United');
  });
});

describe('a league that is put back', () => {
  afterEach(() => server.close());

  it('given the same file again, then answers are as they were', async () => {
    server = await serve({ championship: championship! });
    for (const path of paths()) expect(await server.get(path)).toEqual(shown[path]);
  });
});
