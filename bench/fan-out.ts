import { setTimeout as delay } from 'node:timers/promises';
import { askOver } from './ask.ts';
import type { Benchmark } from './benchmark.ts';
import { type Child, startChild } from './child.ts';
import { percentile } from './percentile.ts';
import { allArrived, INGEST_KEY, now, score, startBoth } from './score-feed.ts';

const STREAMS = 10_000;
const CHANGES = 40;
/** Between two changes: each is out before the next comes. */
const PAUSE_MS = 500;
const WARM_UP = 5;

export const fanOut: Benchmark = {
  name: 'fan-out',
  summary: 'one event with 10,000 open streams: until a change has reached them, and what a stream takes of memory',
  async run({ folder, say }) {
    const { server, key, bare, stop } = await startBoth(folder, 1);
    try {
      say('the floor');
      const floor = await measure(bare, 'none', 'none');
      say('the server');
      const ours = await measure(server, key, INGEST_KEY);
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
async function measure(server: Child, key: string, ingestKey: string) {
  const ask = askOver(server.port, ingestKey);
  // What the first requests need is taken before anything is counted.
  for (let n = 0; n < 200; n++) await ask('/ingest/v1/messages', [score(1, 0)]);
  const memoryBefore = Number(await server.ask('memory'));
  const readers = await startChild('stream-readers', { port: server.port, key, eventIds: [1], readersOfEach: STREAMS });
  try {
    await delay(1000);
    const memory = (Number(await server.ask('memory')) - memoryBefore) / STREAMS;
    const sentAt: number[] = [now()];
    let cost = 0;
    for (let change = 1; change <= WARM_UP + CHANGES; change++) {
      if (change === WARM_UP + 1) cost = await server.cpu();
      sentAt.push(now());
      await ask('/ingest/v1/messages', [score(1, change)]);
      await allArrived(readers, STREAMS * (change + 1));
      await delay(PAUSE_MS);
    }
    cost = ((await server.cpu()) - cost) / (CHANGES * STREAMS);
    const latencies: number[] = [];
    for (const { scores, arrivals } of await readers.ask('results')) {
      for (let n = 0; n <= WARM_UP + CHANGES; n++) {
        if (scores[n] !== n) throw new Error(`a reader got ${scores[n]} where ${n} was next`);
        if (n > WARM_UP) latencies.push(arrivals[n] - sentAt[n]!);
      }
    }
    return { latencies, memory, cost };
  } finally {
    await readers.stop();
  }
}
