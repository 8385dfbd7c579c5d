import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { clusterFile } from '../src/server/local-cluster/cluster-file.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { schedule, score, sendFacts, waitUntilReadable } from './game-facts.ts';
import { percentile } from './percentile.ts';
import { startServer } from './server.ts';

interface Sizes {
  readonly events: number;
  /** Facts a second, each in a request of its own. */
  readonly rate: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}
const FULL: Sizes = { events: 50, rate: 5, warmUpSeconds: 10, seconds: 60 };
const QUICK: Sizes = { events: 10, rate: 5, warmUpSeconds: 3, seconds: 10 };

/** What a score's document is like, in bytes of JSON. */
const DOCUMENT_BYTES = 2000;

/**
 * How long it takes on a whole cluster until what ingest has acknowledged can be read: a client sends back the position
 * that it was told, and takes the time until it is answered. Beside it bare upserts on the same read store, at the same
 * rate, under the same load.
 */
export const clusterLag: Benchmark = {
  name: 'cluster-lag',
  summary: 'from the acknowledgement of a fact to an answer that shows it, on a cluster of processes and engines',
  runs: 1,
  async run({ folder, quick, say }) {
    const sizes = quick ? QUICK : FULL;
    const data = join(folder, 'data');
    const engines = process.env['ENGINES_DIR'];
    const settings: Record<string, string> = engines === undefined ? {} : { ENGINES_DIR: engines };
    say('the cluster starts');
    const server = await startServer({ folder: data, settings }, 'cluster');
    try {
      const schedules = Array.from({ length: sizes.events }, (_, n) => schedule(n));
      await waitUntilReadable(server, await sendFacts(server, schedules));
      const store = await openStore(data);
      say(`${sizes.rate} facts a second for ${sizes.seconds} s`);
      const lags: number[] = [];
      const upserts: number[] = [];
      let failure: unknown;
      const total = sizes.rate * (sizes.warmUpSeconds + sizes.seconds);
      const begun = performance.now();
      const under: Promise<void>[] = [];
      for (let n = 0; n < total && failure === undefined; n++) {
        const due = begun + (n * 1000) / sizes.rate;
        await delay(Math.max(0, due - performance.now()));
        const counts = n >= sizes.rate * sizes.warmUpSeconds;
        const one = async () => {
          const position = await sendFacts(server, [score(n % sizes.events, n)]);
          const acknowledged = performance.now();
          await waitUntilReadable(server, position);
          if (counts) lags.push(performance.now() - acknowledged);
        };
        const floor = async () => {
          const sent = performance.now();
          await store.upsert(n % sizes.events, n);
          if (counts) upserts.push(performance.now() - sent);
        };
        const both = Promise.all([one(), floor()]).catch((error: unknown) => {
          failure ??= error;
        });
        under.push(both.then(() => {}));
      }
      await Promise.all(under);
      await store.close();
      if (failure !== undefined) throw failure;
      return [figure('p50', 0.5, lags, upserts), figure('p99', 0.99, lags, upserts)];
    } finally {
      await server.stop();
    }
  },
};

const figure = (what: string, share: number, lags: number[], upserts: number[]): Figure => ({
  what: `lag until a fact can be read, ${what}`,
  value: percentile(lags, share),
  unit: 'ms',
  floor: { what: 'a bare upsert on the same read store', value: percentile(upserts, share) },
  ...(share === 0.99 && { goal: { of: 'value', bound: 'at most', number: 250 } as const }),
});

/** Documents of another database of the read store, written as safely. */
async function openStore(data: string) {
  const { engines } = JSON.parse(readFileSync(clusterFile(data), 'utf8')) as {
    readonly engines: readonly { readonly name: string; readonly url: string }[];
  };
  const client = new MongoClient(engines.find(({ name }) => name === 'read-store')!.url);
  await client.connect();
  const documents = client
    .db('floor')
    .collection<{ _id: number; p: number; b: string }>('documents', { writeConcern: { w: 'majority' } });
  const b = 'x'.repeat(DOCUMENT_BYTES);
  return {
    upsert: (id: number, p: number) => documents.replaceOne({ _id: id }, { p, b }, { upsert: true }),
    close: () => client.close(),
  };
}
