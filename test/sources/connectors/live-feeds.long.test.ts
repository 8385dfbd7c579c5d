import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { openLiveFeeds } from '../../../src/server/composition/live-feeds.ts';
import { BOOTSTRAP_KEY } from '../../api/agent/serving.ts';
import { parseExposition } from '../../server/metrics/exposition.ts';
import { type Composed, composed } from '../../support/composed.ts';
import { fakeHost, json } from './fake-provider.ts';

const NOW = Date.parse('2026-03-01T20:00:00Z');
const side = (id: string, homeAway: string, name: string, score: string) => ({
  id,
  homeAway,
  score,
  order: homeAway === 'home' ? 0 : 1,
  linescores: [{ value: 20, period: 1 }],
  team: { id, abbreviation: name.slice(0, 3).toUpperCase(), displayName: name, name, location: name },
});
/** A game of tonight, as a scoreboard has it. */
const game = (points: string) => ({
  id: '401',
  uid: 's:40~l:46~e:401',
  date: '2026-03-01T19:00Z',
  name: 'Knicks at Celtics',
  season: { year: 2026, type: 2 },
  competitions: [
    {
      id: '401',
      date: '2026-03-01T19:00Z',
      timeValid: true,
      neutralSite: false,
      status: {
        clock: 100,
        displayClock: '1:40',
        period: 2,
        type: { id: '2', name: 'STATUS_IN_PROGRESS', state: 'in', completed: false },
      },
      competitors: [side('1', 'home', 'Celtics', points), side('2', 'away', 'Knicks', '38')],
    },
  ],
});

let host: Awaited<ReturnType<typeof fakeHost>>;
let server: Composed;
let points = '40';
beforeEach(async () => {
  points = '40';
  host = await fakeHost((request, response) => {
    const isToday = request.url?.includes('/nba/scoreboard?dates=20260301');
    const isScoreboard = request.url?.includes('/scoreboard');
    json(
      isScoreboard ? { leagues: [{}], events: isToday ? [game(points)] : [] } : {},
      {},
      isScoreboard ? 200 : 404,
    )(request, response);
  });
  server = await composed({ time: NOW, settings: { bootstrapKey: BOOTSTRAP_KEY }, feeds: env() });
  await server.core.runner.start();
});
afterEach(async () => {
  await server.close();
  await host.close();
  expect(server.failures).toEqual([]);
});

const env = () => ({ FEEDS: 'espn', FEED_LEAGUES: 'nba,nhl', ESPN_URL: host.address });
const ask = (path: string) => fetch(server.url + path, { headers: { authorization: `Bearer ${BOOTSTRAP_KEY}` } });
const health = async () => ((await (await ask('/v1/health')).json()) as any).feeds?.[0];

/** Time passes until this is so: what goes over sockets takes turns of the loop. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let turns = 0; !(await isSo()); turns++) {
    if (turns > 20_000) throw new Error('it never was');
    server.timers.advance(5);
    server.clock.time += 5;
    await setImmediate();
  }
}

it('given FEEDS, when the server runs, then real games are served, and health, metrics and the log know how', async () => {
  expect(await health()).toMatchObject({ name: 'espn', state: 'standby', requests: 0, budget: null });
  await server.connectors!.start();
  await until(async () => (await health()).messages >= 2);
  // The first round: today's scoreboard of every league before anything else.
  expect(host.asked.slice(0, 2).map(({ url }) => url)).toEqual([
    '/apis/site/v2/sports/basketball/nba/scoreboard?dates=20260301&limit=500',
    '/apis/site/v2/sports/hockey/nhl/scoreboard?dates=20260301&limit=500',
  ]);
  await server.core.projected();
  const { events } = (await (await ask('/v1/events?include_scores=true')).json()) as any;
  expect(events).toMatchObject([{ name: 'Knicks at Celtics', status: 'inprogress', league: 'nba' }]);
  // The log knows now that the league plays: its summary is asked for by the provider's own id.
  await until(() => host.asked.some(({ url }) => url.endsWith('/nba/summary?event=401')));
  const metrics = parseExposition(await (await ask('/metrics')).text());
  const samples = (name: string) => metrics.get(`ledgerline_feed_${name}`)!.samples;
  expect(samples('messages_total')).toContainEqual(
    expect.objectContaining({ labels: { feed: 'espn', kind: 'score', outcome: 'accepted' } }),
  );
  expect(samples('requests_total').some(({ labels }) => labels['outcome'] === 'ok')).toBe(true);
  expect(samples('state').map(({ labels }) => labels['state'])).toContain('standby');
});

it('given a new score, then it is there after the next round, 15 s later', async () => {
  await server.connectors!.start();
  await until(async () => (await health()).messages >= 2);
  await server.core.projected();
  points = '55';
  const before = server.timers.now();
  await until(async () => (await health()).messages >= 3);
  expect(server.timers.now() - before).toBeLessThan(20_000);
  await server.core.projected();
  const score = await (await ask('/v1/events/1/score')).json();
  expect(JSON.stringify(score)).toContain('"55"');
});

it('given a restart, when the same is told within a minute, then nothing is appended', async () => {
  await server.connectors!.start();
  await until(async () => (await health()).messages >= 2);
  await server.connectors!.close();
  await server.core.projected();
  const head = await server.ports.log.head();
  const parts = { config: readConfig(env()), ports: server.ports, core: server.core, environment: server.environment };
  const next = (await openLiveFeeds({ ...parts, owner: 'server' }))!;
  await next.start();
  await until(() => next.health()[0]!.messages >= 2);
  await next.close();
  expect([...next.figures.get('espn')!.messagesByOutcome.keys()].sort()).toEqual([
    'schedule unchanged',
    'score unchanged',
  ]);
  expect(await server.ports.log.head()).toBe(head);
});

it('given no FEEDS, health says nothing of feeds', async () => {
  const other = await composed({ settings: { bootstrapKey: BOOTSTRAP_KEY } });
  const answer = await fetch(`${other.url}/v1/health`, { headers: { authorization: `Bearer ${BOOTSTRAP_KEY}` } });
  expect(Object.keys((await answer.json()) as object)).not.toContain('feeds');
  await other.close();
});

it('given an archive that cannot be made, the start is refused by one line', async () => {
  const parts = { ports: server.ports, core: server.core, environment: server.environment, owner: 'x' };
  const config = readConfig({ ...env(), FEED_ARCHIVE: '/dev/null/x' });
  await expect(openLiveFeeds({ ...parts, config })).rejects.toThrow(
    'FEED_ARCHIVE: /dev/null/x cannot be made (ENOTDIR)',
  );
});
