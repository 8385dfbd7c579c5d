import { createServer, type Server as TcpServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Aedes } from 'aedes';
import mqtt from 'mqtt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort, startServer, temporaryFolder } from '../cli/launching.ts';
import { checkDiscovery } from './discovery-rules.ts';

// The broker is a real one: aedes, in this process. Home Assistant itself is not run. What it demands of a discovery
// message is checked by the rules of its documentation (`discovery-rules.ts`).

const INGEST_KEY = 'feed';
const MINUTE = 60_000;

let broker: Awaited<ReturnType<typeof startBroker>>;
let closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  broker = await startBroker();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startBroker(given?: number) {
  const port = given ?? (await freePort());
  const aedes = await Aedes.createBroker();
  const tcp: TcpServer = createServer(aedes.handle);
  await new Promise<void>((resolve) => tcp.listen(port, '127.0.0.1', resolve));
  const close = async () => {
    await new Promise<void>((resolve) => aedes.close(resolve));
    await new Promise((resolve) => tcp.close(resolve));
  };
  closing.push(close);
  return { port, url: `mqtt://127.0.0.1:${port}`, close };
}

/** Somebody who reads all topics. */
async function listener() {
  const client = await mqtt.connectAsync(broker.url);
  closing.push(() => client.endAsync(true));
  const heard: { topic: string; text: string; retain: boolean }[] = [];
  client.on('message', (topic, payload, { retain }) => heard.push({ topic, text: payload.toString(), retain }));
  await client.subscribeAsync('#');
  const of = (topic: RegExp) => heard.filter((one) => topic.test(one.topic)).map(({ text }) => text);
  return {
    heard,
    of,
    json: (topic: RegExp) => of(topic).map((text) => JSON.parse(text)),
    async until<Value>(what: () => Value | undefined | false): Promise<Value> {
      for (const end = Date.now() + 20_000; ; ) {
        const found = what();
        if (found) return found;
        if (Date.now() > end) throw new Error(`not heard; there was ${JSON.stringify(heard, null, 1)}`);
        await setTimeout(20);
      }
    },
  };
}

async function started(folder = temporaryFolder()) {
  const server = await startServer(folder, {
    INGEST_KEY,
    MQTT_URL: broker.url,
    MQTT_TEAMS: 'nfl:Kansas City Chiefs, nfl:Buffalo Bills',
  });
  closing.push(async () => {
    server.child.kill('SIGTERM');
    await server.ended;
  });
  const feed = async (...messages: object[]) => {
    const response = await fetch(`${server.url}/ingest/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(messages),
    });
    expect(response.status).toBe(200);
  };
  return { ...server, feed };
}

const iso = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString();
const common = { source: 'feed', ref: 'g1', sport: 'nfl', league: 'nfl' };
const game = () => ({
  ...common,
  kind: 'schedule',
  at: iso(-60),
  starts_at: iso(60),
  participants: [
    { role: 'home', name: 'Kansas City Chiefs' },
    { role: 'away', name: 'Buffalo Bills' },
  ],
});
const score = (minutesAgo: number, status: string, home: number, away: number) => ({
  ...common,
  kind: 'score',
  at: iso(-minutesAgo),
  status,
  period: '2',
  clock: '2:00',
  scores: [
    { role: 'home', score: String(home) },
    { role: 'away', score: String(away) },
  ],
});
const prices = () => ({
  ...common,
  kind: 'odds',
  at: iso(-50),
  bookmaker: 'pinnacle',
  markets: [
    {
      key: 'h2h',
      outcomes: [
        { outcome: 'home', price: -130 },
        { outcome: 'away', price: 110 },
      ],
    },
  ],
});

describe('favourite teams on a broker', () => {
  it('given a game, then each team is a device with retained states, and what happens is published once', async () => {
    const someone = await listener();
    const { feed } = await started();
    await someone.until(() => someone.of(/^ledgerline\/availability$/).includes('online'));
    await feed(game(), prices());
    // Teams that were not known at the start are followed once they are.
    const chiefs = await someone.until(() =>
      someone.json(/^homeassistant\//).find(({ device }) => device.name === 'Kansas City Chiefs'),
    );
    checkDiscovery(chiefs);
    const topics = { state: chiefs.components.score.state_topic, event: chiefs.components.game.state_topic };
    const state = () => someone.json(new RegExp(`^${topics.state}$`)).at(-1);
    await someone.until(() => state()?.odds === -130);
    expect(state()).toMatchObject({ state: 'scheduled', score: null, opponent: 'Buffalo Bills', clock: null });
    expect(Date.parse(state().next_game)).toBeGreaterThan(Date.now());

    await feed(score(3, 'inprogress', 0, 0));
    await someone.until(() => state().state === 'inprogress');
    expect(state()).toMatchObject({ score: '0-0', clock: '2nd Quarter 2:00' });
    await feed(score(2, 'inprogress', 7, 0));
    await someone.until(() => state().score === '7-0');
    await feed(score(1, 'final', 7, 3));
    await someone.until(() => state().state === 'final');
    const happened = () => someone.json(new RegExp(`^${topics.event}$`)).map((one) => `${one.event_type} ${one.score}`);
    await someone.until(() => happened().length === 4);
    expect(happened()).toEqual(['game_start 0-0', 'score_change 7-0', 'score_change 7-3', 'game_final 7-3']);

    // Who comes later has the states, and nothing of what happened.
    const later = await listener();
    await later.until(() => later.of(new RegExp(`^${topics.state}$`)).length > 0);
    expect(later.json(new RegExp(`^${topics.state}$`))).toEqual([state()]);
    expect(later.of(new RegExp(`^${topics.event}$`))).toEqual([]);
    expect(later.json(/^homeassistant\//)).toHaveLength(2);
  });

  it('given a server that stops, or dies, then it is offline; started again, what is known is no news', async () => {
    const someone = await listener();
    const folder = temporaryFolder();
    const { child, feed, ended } = await started(folder);
    await feed(game(), score(3, 'inprogress', 7, 0));
    await someone.until(() => someone.json(/\/state$/).some(({ score: shown }) => shown === '7-0'));
    const happened = someone.of(/\/event$/).length;
    child.kill('SIGKILL');
    await ended;
    await someone.until(() => someone.of(/availability$/).at(-1) === 'offline');
    const again = await started(folder);
    await someone.until(() => someone.of(/availability$/).at(-1) === 'online');
    await again.feed(score(2, 'inprogress', 10, 0));
    await someone.until(() => someone.json(/\/event$/).length > happened);
    expect(someone.json(/\/event$/).slice(happened)).toMatchObject([
      { event_type: 'score_change', score: '10-0' },
      { event_type: 'score_change', score: '0-10' },
    ]);
    again.child.kill('SIGTERM');
    await again.ended;
    await someone.until(() => someone.of(/availability$/).at(-1) === 'offline');
  });

  it('given a broker that goes and comes back, then the server serves on, and the states are sent anew', async () => {
    const { url, feed } = await started();
    await feed(game());
    const { port } = broker;
    await broker.close();
    closing = closing.filter((close) => close !== broker.close);
    await feed(score(3, 'inprogress', 14, 0));
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    broker = await startBroker(port);
    const someone = await listener();
    await someone.until(() => someone.json(/\/state$/).some(({ score: shown }) => shown === '14-0'));
    expect(someone.of(/availability$/)).toEqual(['online']);
  });
});
