import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Position } from '../../../src/domain/event-sourcing/position.ts';
import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/domain/primitives/time.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { openLiveFeeds } from '../../../src/server/composition/live-feeds.ts';
import type { Connectors } from '../../../src/sources/connectors/connectors.ts';
import type { ProviderTransport } from '../../../src/sources/connectors/provider-transport.ts';
import { BOOTSTRAP_KEY } from '../../api/agent/serving.ts';
import { composed } from '../../support/composed.ts';
import type { Trouble } from '../simulated-provider/faults.ts';
import {
  actionNetworkTimelines,
  espnTimelines,
  oddsApiTimelines,
  plainGame,
} from '../simulated-provider/game-story.ts';
import { createSimulatedProvider, simulatedTransport } from '../simulated-provider/simulated-provider.ts';

const START = Date.parse('2026-11-23T18:00:00Z');
const KEY = 'key';
const BUDGET = 60;
const team = (id: string, name: string) => ({ id, name, abbreviation: name.slice(0, 3).toUpperCase() });
const GAMES = [
  plainGame({
    league: 'nba',
    id: '401',
    startsAt: START + HOUR,
    home: team('1', 'Celtics'),
    away: team('2', 'Knicks'),
  }),
  plainGame({
    league: 'nfl',
    id: '501',
    startsAt: START + 1.5 * HOUR,
    home: team('11', 'Bills'),
    away: team('12', 'Jets'),
  }),
];

/** Plays the hours of two games from all three providers; `restarts`: the connectors are opened anew, on the same log. */
async function play({ troubles = [], restarts = 0 }: { troubles?: readonly Trouble[]; restarts?: number }) {
  const server = await composed({ time: START, settings: { bootstrapKey: BOOTSTRAP_KEY } });
  await server.core.runner.start();
  const now = () => server.clock.time;
  const of = (timelines: ReturnType<typeof espnTimelines>, credits?: { key: string; credits: number }) =>
    createSimulatedProvider({ timelines, troubles, now, ...(credits ? { credits } : {}) });
  const espn = of(espnTimelines(GAMES));
  const odds = of(oddsApiTimelines(GAMES), { key: KEY, credits: 500 });
  const action = of(actionNetworkTimelines(GAMES));
  const hosts: Record<string, ProviderTransport> = {
    'espn.test': simulatedTransport(espn),
    'odds.test': simulatedTransport(odds),
    'action.test': simulatedTransport(action),
  };
  const config = readConfig({
    FEEDS: 'espn,the-odds-api,action-network',
    FEED_LEAGUES: 'nba,nfl',
    THE_ODDS_API_KEY: KEY,
    ESPN_URL: 'http://espn.test',
    THE_ODDS_API_URL: 'http://odds.test',
    ACTION_NETWORK_URL: 'http://action.test',
    THE_ODDS_API_BUDGET: String(BUDGET),
  });
  const open = async (): Promise<Connectors> => {
    const parts = { config, ports: server.ports, core: server.core, environment: server.environment, owner: 'server' };
    const opened = (await openLiveFeeds({
      ...parts,
      transport: (url, init) => hosts[new URL(url).host]!(url, init),
    }))!;
    await opened.start();
    return opened;
  };
  let connectors = await open();
  const [end, part] = [5.5 * HOUR, (5.5 * HOUR) / (restarts + 1)];
  let nextRestart = part;
  for (let passed = 0; passed < end; passed += SECOND) {
    server.clock.time += SECOND;
    server.timers.advance(SECOND);
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    if (passed < nextRestart || passed + MINUTE > end) continue;
    nextRestart += part;
    await connectors.close();
    connectors = await open();
  }
  await connectors.close();
  await server.core.projected();
  const ask = async (path: string): Promise<any> =>
    (await fetch(server.url + path, { headers: { authorization: `Bearer ${BOOTSTRAP_KEY}` } })).json();
  const records: LogRecord[] = [];
  for (let after: Position | null = null; ; ) {
    const page: readonly LogRecord[] = await server.ports.log.readAll(after, 1000);
    if (page.length === 0) break;
    records.push(...page);
    after = page.at(-1)!.position;
  }
  const { events } = await ask('/v1/events?include_scores=true');
  const prices = await ask(`/v1/events/${events[0].id}/odds?bookmaker=all`);
  const health = connectors.health();
  const { failures } = server;
  await server.close();
  return { espn, odds, action, records, events: events as any[], prices, health, failures };
}

/** When each path and query was asked. */
function askedAt(log: readonly { readonly at: number; readonly path: string; readonly query: object }[]) {
  const times = new Map<string, number[]>();
  for (const { at, path, query } of log) {
    const key = `${path} ${JSON.stringify(query)}`;
    times.set(key, [...(times.get(key) ?? []), at]);
  }
  return times;
}

const finals = (events: readonly any[]) =>
  events.map(({ name, status, participants }) => [name, status, participants.map(({ score }: any) => score)]).sort();

it('given a day of two games from three providers, all of it is there at the end, asked for at its pace', async () => {
  const day = await play({});
  expect(finals(day.events)).toEqual([
    ['Jets at Bills', 'final', ['18', '15']],
    ['Knicks at Celtics', 'final', ['18', '15']],
  ]);
  expect(JSON.stringify(day.prices)).toContain('fanduel');
  expect(day.health.map(({ name, failures, rejected }) => [name, failures, rejected])).toEqual([
    ['action-network', 0, 0],
    ['espn', 0, 0],
    ['the-odds-api', 0, 0],
  ]);
  // Today's scoreboard every 15 s while games are on, times 0.9 at least; nothing is asked more often. But a game that has
  // ended is asked for once more, however short before it was.
  for (const [path, times] of askedAt(day.espn.log)) {
    const soon = times.filter((at, index) => index > 0 && at - times[index - 1]! < 13 * SECOND);
    expect([path, soon.length]).toEqual([path, path.includes('/summary') ? expect.toBeOneOf([0, 1]) : 0]);
  }
  expect(day.odds.creditsUsed).toBeGreaterThan(9);
  expect(day.odds.creditsUsed).toBeLessThanOrEqual(BUDGET);
  expect(day.failures).toEqual([]);
  // The same again is recorded once a minute at most.
  const last = new Map<string, number>();
  for (const { type, stream, data } of day.records as readonly any[]) {
    if (!/Reconfirmed$|^InjuriesChecked$/.test(type)) continue;
    const key = `${stream} ${type} ${data.bookmaker ?? data.player ?? data.source}`;
    const at = Date.parse(data.at);
    expect([key, at - (last.get(key) ?? 0) >= MINUTE]).toEqual([key, true]);
    last.set(key, at);
  }
}, 120_000);

it('given outages and restarts in between, the same is there at the end, within the same budget', async () => {
  const fault = (from: number, minutes: number, kind: Trouble['fault']): Trouble => ({
    from: START + from,
    to: START + from + minutes * MINUTE,
    fault: kind,
  });
  const troubles = [
    fault(1.2 * HOUR, 5, { kind: 'status', status: 503 }),
    fault(2 * HOUR, 3, { kind: 'silence' }),
    fault(2.5 * HOUR, 3, { kind: 'truncated' }),
    fault(3 * HOUR, 2, { kind: 'status', status: 429, retryAfter: 60 }),
  ];
  const day = await play({ troubles, restarts: 3 });
  expect(finals(day.events)).toEqual([
    ['Jets at Bills', 'final', ['18', '15']],
    ['Knicks at Celtics', 'final', ['18', '15']],
  ]);
  expect(day.odds.creditsUsed).toBeLessThanOrEqual(BUDGET);
  expect(day.failures).toEqual([]);
}, 120_000);
