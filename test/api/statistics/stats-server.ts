import { expect } from 'vitest';
import { type ComposedOptions, composed } from '../../support/composed.ts';
import { type Ids, knownGames, type Message } from './known-games.ts';
import type { Game } from './oracle/game.ts';
import { statsAnswer } from './oracle/stats-answer.ts';
import { SOURCE } from './seasons.ts';

const BEFORE_ALL = Date.parse('2023-12-01T00:00:00Z');
/** After everything that is told. */
export const NOW = Date.parse('2026-12-01T00:00:00Z');
const KEY = `llk_${'S'.repeat(12)}.${'s'.repeat(43)}`;

/** The server that ships, its stores in memory, told of games by one source. */
export async function statsServer(options: Pick<ComposedOptions, 'around'> = {}) {
  const opened = await composed({ ...options, time: BEFORE_ALL, settings: { bootstrapKey: KEY } });
  const { clock, core, ports, url } = opened;
  const heard: Message[] = [];
  await core.runner.start();

  async function take(messages: readonly Message[]): Promise<void> {
    const { outcomes } = await core.intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    heard.push(...messages);
  }

  async function idsOf(messages: readonly Message[]): Promise<Ids> {
    const events = new Map<string, number>();
    const entries = new Map<string, number | null>();
    for (const message of messages.filter(({ kind }) => kind === 'schedule')) {
      const { ref, sport, participants } = message as any;
      events.set(ref, (await ports.identities.findEvent(SOURCE, ref))!.id);
      for (const { ref: own } of participants) {
        if (own === undefined) continue;
        const kind = sport === 'tennis' ? 'player' : 'team';
        entries.set(`${kind} ${own}`, (await ports.identities.findEntity(kind, sport, SOURCE, own)) ?? null);
      }
    }
    for (const { sport, ref } of messages.filter(({ kind }) => kind === 'player') as any[]) {
      entries.set(`player ${ref}`, (await ports.identities.findEntity('player', sport, SOURCE, ref)) ?? null);
    }
    const entry = (kind: string) => (ref: string) => entries.get(`${kind} ${ref}`) ?? null;
    return { event: (ref) => events.get(ref)!, team: entry('team'), player: entry('player') };
  }

  async function ask(eventId: number, query: Readonly<Record<string, string>> = {}) {
    const path = `/v1/events/${eventId}/stats?${new URLSearchParams(query)}`;
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${KEY}` } });
    const body: any = await response.json();
    expect([path, response.status, body.error?.message]).toEqual([path, 200, undefined]);
    expect(Number(response.headers.get('x-credits-used'))).toBe(body.available ? 1 : 0);
    return body;
  }

  return {
    clock,
    ask,
    /** Each message is recorded at its own `at`. */
    async hearInTime(messages: readonly Message[]): Promise<void> {
      for (let from = 0; from < messages.length; ) {
        const { at } = messages[from]!;
        const until = messages.findIndex((message, index) => index > from && message.at !== at);
        const batch = messages.slice(from, until === -1 ? undefined : until);
        clock.time = Math.max(clock.time, Date.parse(at));
        await take(batch);
        from += batch.length;
      }
      clock.time = NOW;
      await core.projected();
    },
    /** All of it is recorded now, in this order. */
    async hear(messages: readonly Message[]): Promise<void> {
      clock.time = NOW;
      for (let from = 0; from < messages.length; from += 50) await take(messages.slice(from, from + 50));
      await core.projected();
    },
    /** The games as the messages that were observed up to a moment tell of them. */
    async games(until = NOW): Promise<readonly Game[]> {
      return knownGames(
        heard.filter(({ at }) => Date.parse(at) <= until),
        await idsOf(heard),
      );
    },
    async close() {
      await opened.close();
      expect(opened.failures).toEqual([]);
    },
  };
}
export type StatsServer = Awaited<ReturnType<typeof statsServer>>;

export async function withStatsServer<Result>(use: (server: StatsServer) => Promise<Result>): Promise<Result> {
  const server = await statsServer();
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

/** Every event's answer is what the independent calculation says, member by member. */
export async function expectAsCalculated(server: StatsServer, query: Readonly<Record<string, string>> = {}) {
  const games = await server.games(query['as_of'] === undefined ? NOW : Date.parse(query['as_of']));
  for (const { eventId } of games) {
    expect(await server.ask(eventId, query), `event ${eventId}`).toEqual(statsAnswer(games, eventId));
  }
  return games;
}
