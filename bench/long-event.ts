import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { askOver } from './ask.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { type Child, startChild } from './child.ts';
import { bodyOf } from './event-requests.ts';
import { ingestFile } from './launched.ts';
import { longReads } from './long-reads.ts';
import { type Paced, runOpenLoop } from './open-loop.ts';
import { percentile } from './percentile.ts';
import { type Server, startServer } from './server.ts';
import { firstStreamMessage } from './stream-opening.ts';
import { checkTicked, messagesOf, type TickedEvents, tickOf, writeTicks } from './ticks.ts';

interface Sizes {
  readonly records: number;
  readonly rounds: number;
  /** Between rounds, so that no more histories are folded without a key than may be: two in each round. */
  readonly pauseMs: number;
}
const FULL: Sizes = { records: 100_000, rounds: 150, pauseMs: 1100 };
const QUICK: Sizes = { records: 2000, rounds: 8, pauseMs: 50 };
const HEALTH_A_SECOND = 100;

export const longEvent: Benchmark = {
  name: 'long-event',
  summary: 'one event with 100,000 odds records: its reads after each live tick, and how long the loop is held',
  runs: 1,
  async run({ folder, quick, say }) {
    const sizes = quick ? QUICK : FULL;
    const data = join(folder, 'data');
    const ticked: TickedEvents = { name: 'long', events: 1, rounds: sizes.records, now: Date.now() };
    const file = join(folder, 'long.ndjson');
    await writeTicks(file, ticked);
    const seconds = await ingestFile(data, file, messagesOf(ticked));
    say(`${messagesOf(ticked)} messages in the folder after ${seconds.toFixed(1)} s`);
    let server = await startServer({ folder: data });
    try {
      const warm = await withHealth(server, () => measure(server, ticked, sizes));
      const { times, bodies } = warm.result;
      // What was asked for the first time is asked again of a server that has nothing at hand.
      await server.stop();
      server = await startServer({ folder: data });
      const cold = await withHealth(server, () => askOnce(server, ticked, sizes.records + sizes.rounds));
      say('the floor');
      const floors = await measureFloors(bodies, sizes.rounds);
      const figures: Figure[] = [...times].map(([what, all]) => ({
        what: `${what}, p99 of ${all.length}, each after a tick`,
        value: percentile(all, 0.99),
        unit: 'ms',
        ...(floors.has(what) ? { floor: { what: 'node:http, ready bytes', value: floors.get(what)! } } : {}),
        goal: { of: 'value', bound: 'at most', number: 200 },
      }));
      for (const [what, ms] of cold.result) {
        const goal = { of: 'value', bound: 'at most', number: 200 } as const;
        figures.push({ what: `${what}, the first since the start`, value: ms, unit: 'ms', goal });
      }
      return [
        {
          what: 'taken in by ingest',
          value: seconds,
          unit: 's',
          goal: { of: 'value', bound: 'at most', number: 120 },
        },
        ...figures,
        { what: '/healthz beside all this, the longest', value: percentile(warm.health, 1), unit: 'ms' },
        { what: '/healthz beside the first reads, the longest', value: percentile(cold.health, 1), unit: 'ms' },
        { what: 'memory of the server after it', value: (await server.memory()) / 1e6, unit: 'MB' },
      ];
    } finally {
      await server.stop();
    }
  },
};

/** What `work` gives, and the milliseconds of every look at `/healthz` beside it. */
async function withHealth<Result>(server: Server, work: () => Promise<Result>) {
  const paced: Paced = { name: 'health', rate: HEALTH_A_SECOND, ask: () => ({ method: 'GET', path: '/healthz' }) };
  const working = work();
  const looking = { port: server.port, paced: [paced], warmUpSeconds: 0, seconds: 0.5, beside: () => working };
  const { health } = await runOpenLoop(looking);
  return { result: await working, health: health! };
}

/** A tick and each kind of read, round by round: every answer is made anew. */
async function measure(server: Server, ticked: TickedEvents, { rounds, pauseMs }: Sizes) {
  const reads = longReads(server, ticked);
  const times = new Map<string, number[]>();
  const bodies = new Map<string, Buffer>();
  const note = (what: string, ms: number) => void times.set(what, [...(times.get(what) ?? []), ms]);
  const feed = askOver(server.port, server.ingestKey);
  for (let round = 0; round < rounds; round++) {
    const tick = JSON.parse(tickOf(ticked, 0, ticked.rounds + round, Date.now()));
    const { ms, json } = await feed('/ingest/v1/messages?wait=projected', [tick]);
    if (json.accepted !== 1 || json.projected !== true) throw new Error(JSON.stringify(json));
    note('a live tick until it can be read', ms);
    for (const { what, read } of reads) {
      const answer = await read(round);
      note(what, answer.ms);
      bodies.set(what, answer.body);
      if (what === 'odds of all books') checkTicked(answer.json, 0, ticked.rounds + round + 1);
    }
    note('opening a stream', await firstStreamMessage(server.port, server.key, 1));
    await delay(pauseMs);
  }
  return { times, bodies };
}

/** Each kind of read once. */
async function askOnce(server: Server, ticked: TickedEvents, seed: number): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>();
  for (const { what, read } of longReads(server, ticked)) times.set(what, (await read(seed)).ms);
  return times;
}

async function measureFloors(
  bodies: ReadonlyMap<string, Buffer>,
  rounds: number,
): Promise<ReadonlyMap<string, number>> {
  const named = [...bodies].map(([what, body], index) => ({ what, path: `/${index}`, body }));
  const given = Object.fromEntries(named.map(({ path, body }) => [path, body]));
  const floor: Child = await startChild('bare-http', { bodies: given });
  try {
    await bodyOf(floor.port, 'none', '/0');
    const ask = askOver(floor.port, 'none');
    const floors = new Map<string, number>();
    for (const { what, path } of named) {
      const times: number[] = [];
      for (let n = 0; n < rounds; n++) times.push((await ask(path)).ms);
      floors.set(what, percentile(times, 0.99));
    }
    return floors;
  } finally {
    await floor.stop();
  }
}
