import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { askOver } from './ask.ts';
import type { Benchmark } from './benchmark.ts';
import { startChild } from './child.ts';
import { percentile } from './percentile.ts';
import { allArrived, now, score, startBoth } from './score-feed.ts';
import type { Measurable } from './server.ts';

/** How many streams are open, and how many changes go to all of them. */
interface Sizes {
  readonly streams: number;
  readonly changes: number;
}
/** Between two changes: each is out before the next comes. */
const PAUSE_MS = 500;
const WARM_UP = 5;

export const fanOut: Benchmark = {
  name: 'fan-out',
  summary: 'one event with 10,000 open streams: until a change has reached them, and what a stream takes of memory',
  async run({ folder, quick, say }) {
    const sizes = quick ? { streams: 200, changes: 5 } : { streams: 10_000, changes: 40 };
    const { server, bare, stop } = await startBoth(join(folder, 'data'), 1);
    try {
      say('the floor');
      const floor = await measure(bare, 'none', 'none', sizes);
      say('the server');
      const ours = await measure(server, server.key, server.ingestKey, sizes);
      return [0.5, 0.99, 1]
        .map((share) => ({
          what: share === 1 ? 'sent by the feed to arrived, the last' : `sent by the feed to arrived, p${share * 100}`,
          value: percentile(ours.latencies, share),
          unit: 'ms',
          floor: { what: 'bare Node server', value: percentile(floor.latencies, share) },
          ...(share === 0.99 ? { goal: { of: 'value', bound: 'at most', number: 250 } as const } : {}),
        }))
        .concat([
          {
            what: 'memory of an open stream',
            value: ours.memory / 1000,
            unit: 'kB',
            floor: { what: 'bare Node server', value: floor.memory / 1000 },
            goal: { of: 'value', bound: 'at most', number: 25 } as never,
          },
          {
            what: 'processor time of a delivery',
            value: ours.cost,
            unit: 'µs',
            floor: { what: 'bare Node server', value: floor.cost },
          },
        ]);
    } finally {
      await stop();
    }
  },
};

/** Bytes of each stream, milliseconds of each delivery, microseconds of the server's processor time for one. */
async function measure(server: Measurable, key: string, ingestKey: string, { streams, changes }: Sizes) {
  const ask = askOver(server.port, ingestKey);
  // What the first requests need is taken before anything is counted.
  for (let n = 0; n < 200; n++) await ask('/ingest/v1/messages', [score(1, 0)]);
  const memoryBefore = await server.memory();
  const readers = await startChild('stream-readers', { port: server.port, key, eventIds: [1], readersOfEach: streams });
  try {
    await delay(1000);
    const memory = ((await server.memory()) - memoryBefore) / streams;
    const sentAt: number[] = [now()];
    let cost = 0;
    for (let change = 1; change <= WARM_UP + changes; change++) {
      if (change === WARM_UP + 1) cost = await server.cpu();
      sentAt.push(now());
      await ask('/ingest/v1/messages', [score(1, change)]);
      await allArrived(readers, streams * (change + 1));
      await delay(PAUSE_MS);
    }
    cost = ((await server.cpu()) - cost) / (changes * streams);
    const latencies: number[] = [];
    for (const { scores, arrivals } of await readers.ask('results')) {
      for (let n = 0; n <= WARM_UP + changes; n++) {
        if (scores[n] !== n) throw new Error(`a reader got ${scores[n]} where ${n} was next`);
        if (n > WARM_UP) latencies.push(arrivals[n] - sentAt[n]!);
      }
    }
    return { latencies, memory, cost };
  } finally {
    await readers.stop();
  }
}
