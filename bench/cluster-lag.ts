import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { clusterFile } from '../src/server/local-cluster/cluster-file.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { percentile } from './percentile.ts';
import { type Server, startServer } from './server.ts';

interface Sizes {
  readonly events: number;
  /** Facts a second, each in a request of its own. */
  readonly rate: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}
const FULL: Sizes = { events: 50, rate: 5, warmUpSeconds: 10, seconds: 60 };
const QUICK: Sizes = { events: 10, rate: 5, warmUpSeconds: 3, seconds: 10 };

/** Beyond it something is wrong, not slow. */
const PATIENCE_MS = 60_000;
/** Between two questions whether a position is shown. */
const LOOK_AGAIN_MS = 20;
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
      await shown(server, await told(server, schedules), PATIENCE_MS);
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
          const position = await told(server, [score(n % sizes.events, n)]);
          const acknowledged = performance.now();
          await shown(server, position, PATIENCE_MS);
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

const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();

const schedule = (n: number) => ({
  kind: 'schedule',
  source: 'bench',
  at: at(0),
  ref: `game-${n}`,
  sport: 'nba',
  league: 'nba',
  starts_at: new Date(Date.UTC(2026, 5, 1) + n * 86_400_000).toISOString(),
  participants: [
    { role: 'home', name: `Home ${n}` },
    { role: 'away', name: `Away ${n}` },
  ],
});

const score = (event: number, n: number) => ({
  kind: 'score',
  source: 'bench',
  at: at(n + 1),
  ref: `game-${event}`,
  status: 'inprogress',
  scores: [{ role: 'home', score: String(n) }],
});

/** Again where no process was there to take it, as feeds do. @returns the position up to which it was taken */
async function told({ port, ingestKey }: Server, messages: readonly object[]): Promise<string> {
  for (const until = performance.now() + PATIENCE_MS; ; ) {
    const answer = await fetch(`http://127.0.0.1:${port}/ingest/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ingestKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(messages),
    });
    const text = await answer.text();
    if (answer.status === 503 && performance.now() < until) {
      await delay(1000 * Number(answer.headers.get('retry-after') ?? 1));
      continue;
    }
    const { accepted } = JSON.parse(text) as { readonly accepted?: number };
    const position = answer.headers.get('ledgerline-position');
    if (accepted !== messages.length || position === null) throw new Error(`not all were accepted: ${text}`);
    return position;
  }
}

/** Resolves when answers show the position. @throws Error after so many milliseconds */
async function shown({ port, key }: Server, position: string, patience: number): Promise<void> {
  const until = performance.now() + patience;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/events/1`, {
      headers: { authorization: `Bearer ${key}`, 'ledgerline-position': position },
    });
    await answer.arrayBuffer();
    if (answer.ok) return;
    if (answer.status !== 503 || performance.now() > until) throw new Error(`not shown: ${answer.status}`);
    // An answer waits for the position by itself; one that comes at once says that nobody is there.
    await delay(LOOK_AGAIN_MS);
  }
}

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
