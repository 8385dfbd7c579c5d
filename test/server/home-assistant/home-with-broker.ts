import { EventEmitter } from 'node:events';
import { expect } from 'vitest';
import { normalizeName } from '../../../src/domain/primitives/name-normalization.ts';
import { openHomeAssistant } from '../../../src/server/home-assistant/home-assistant.ts';
import { type Composed, composed, START } from '../../support/composed.ts';

/** A client of MQTT whose broker is always there, with what it was given; nothing of it waits for a timer. */
function brokerClient() {
  /** What the broker retains. */
  const retained = new Map<string, string>();
  /** Everything in its order. */
  const published: { readonly topic: string; readonly text: string; readonly retain: boolean }[] = [];
  const client = Object.assign(new EventEmitter(), {
    connected: true,
    publish(topic: string, text: string, { retain }: { readonly retain: boolean }, done: () => void) {
      published.push({ topic, text, retain });
      if (retain && text === '') retained.delete(topic);
      else if (retain) retained.set(topic, text);
      done();
    },
    publishAsync: async () => {},
    endAsync: async () => {},
  });
  return { client, retained, published };
}

/** A server in memory, and what it publishes of these teams. Its timers stand still. */
export async function serveHome(...teams: readonly string[]) {
  const server = await composed();
  await server.core.runner.start();
  const warnings: string[] = [];
  const broker = brokerClient();
  const open = () =>
    openHomeAssistant({
      settings: {
        url: 'mqtt://broker',
        teams: teams.map((text) => ({ sport: text.split(':')[0]!, name: text.split(':')[1]! })),
      },
      connect: (() => broker.client) as never,
      store: server.ports.store,
      identities: server.ports.identities,
      replacements: server.ports.log.replacements,
      changes: server.core.runner.documentChanges,
      version: '1',
      url: 'http://localhost',
      now: () => server.clock.time,
      setTimer: server.timers.setTimer,
      warn: (text) => warnings.push(text),
    });
  let home = open();
  await home.start();
  broker.client.emit('connect');
  return {
    ...server,
    ...broker,
    warnings,
    feed: (...messages: readonly object[]) => feed(server, messages),
    act: async (act: object) => feed(server, [{ kind: 'identity', source: 'operator', at: iso(server), ...act }]),
    teamId: async (sport: string, name: string): Promise<number> => {
      const [id] = await server.ports.identities.findByName('team', sport, normalizeName(name));
      return id!;
    },
    eventId: async (source: string, ref: string) => (await server.ports.identities.findEvent(source, ref))!.id,
    /** What a device shows now. */
    state: (id: number) => JSON.parse(broker.retained.get(`ledgerline/team/${id}/state`) ?? 'null'),
    /** What it told of games. */
    happened: (id: number) =>
      broker.published
        .filter(({ topic }) => topic === `ledgerline/team/${id}/event`)
        .map(({ text }) => JSON.parse(text))
        .map(({ event_type, score }) => `${event_type} ${score}`),
    /** The ids of the devices that are announced. */
    announced: () =>
      [...broker.retained.keys()].flatMap(
        (topic) => /^homeassistant\/device\/ledgerline_team_(\d+)/.exec(topic)?.[1] ?? [],
      ),
    /** It stops; the server goes on. */
    pause: () => home.close(),
    /** Opens it anew on the same broker. */
    async restart() {
      await home.close();
      home = open();
      await home.start();
      broker.client.emit('connect');
    },
    async close() {
      await home.close();
      await server.close();
      expect(server.failures).toEqual([]);
    },
  };
}
export type Home = Awaited<ReturnType<typeof serveHome>>;

const iso = ({ clock }: Composed): string => new Date(clock.time).toISOString();

/** Takes in messages; resolves when they are projected. The clock goes on by a second. */
async function feed(server: Composed, messages: readonly object[]): Promise<void> {
  const { outcomes } = await server.core.intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
  expect(outcomes).toEqual(messages.map((_, index) => ({ line: index + 1, status: 'accepted' })));
  server.clock.time += 1000;
  await server.core.projected();
}

/** So many minutes after the start of the server's clock. */
export const minute = (n: number): string => new Date(START + n * 60_000).toISOString();

/** A game of two clubs as one source tells it, and its scores. */
export const gameOf = (source: string, home: string, away: string, more: object = {}) => ({
  kind: 'schedule',
  ...{ source, ref: `${source}-game`, sport: 'soccer', league: 'la_liga', at: minute(-600), starts_at: minute(-30) },
  participants: [
    { role: 'home', name: home, ref: `${source}-home` },
    { role: 'away', name: away, ref: `${source}-away` },
  ],
  ...more,
});

export const scoreOf = (source: string, at: number, status: string, score: string, ref = `${source}-game`) => ({
  kind: 'score',
  ...{ source, ref, at: minute(at), status },
  scores: [
    { role: 'home', score: score.split('-')[0] },
    { role: 'away', score: score.split('-')[1] },
  ],
});
