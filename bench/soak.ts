import { statSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFile } from '../src/platform/data-folder/folder-paths.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { type Child, startChild } from './child.ts';
import { ingestFile, runLaunched } from './launched.ts';
import { type LiveTimes, liveLoad } from './live-load.ts';
import { percentile } from './percentile.ts';
import { median } from './runs.ts';
import { startServer } from './server.ts';
import { takenIn } from './ticked-folder.ts';
import { messagesOf, writeTicks } from './ticks.ts';
import { subscribeWebhooks } from './webhook-subscriptions.ts';

interface Sizes {
  readonly events: number;
  /** Odds records of each event that are there before. */
  readonly records: number;
  readonly ticksASecond: number;
  readonly scoresASecond: number;
  readonly streamsOfEach: number;
  readonly webhooks: number;
  /** Odds records of each event of the file that is imported in every second window; it has as many events again. */
  readonly imported: number;
  /** Before the windows: each event is read, so that its history is folded. */
  readonly readSeconds: number;
  readonly windows: number;
  /** Of each window. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
}
/** Two hours. */
const FULL: Sizes = {
  events: 200,
  records: 5000,
  ticksASecond: 500,
  scoresASecond: 20,
  streamsOfEach: 5,
  webhooks: 100,
  imported: 100,
  readSeconds: 60,
  windows: 12,
  warmUpSeconds: 10,
  seconds: 590,
};
const QUICK: Sizes = {
  ...FULL,
  events: 20,
  records: 50,
  ticksASecond: 50,
  webhooks: 4,
  imported: 5,
  readSeconds: 2,
  windows: 4,
  warmUpSeconds: 1,
  seconds: 3,
};

const MB = 1_000_000;
/** A median of the last half over that of the first: chance brings less, and a leak more. */
const FLAT = { of: 'ratio', bound: 'at most', number: 1.25 } as const;

interface Window extends LiveTimes {
  /** Processor time, as a share of one core. */
  readonly cores: number;
}

/** An answer that is not 200 ends it, so its figures are of two hours without one. */
export const soak: Benchmark = {
  name: 'soak',
  summary: "two hours of a Saturday's load on one server: whether memory and latencies stay as they were",
  runs: 1,
  isLong: true,
  async run({ folder, quick, say }) {
    const sizes = quick ? QUICK : FULL;
    const now = Date.now();
    const data = join(folder, 'data');
    const ticked = await takenIn(data, { name: 'live', events: sizes.events, rounds: sizes.records, now });
    const server = await startServer({ folder: data, settings: { WEBHOOK_ALLOW: '127.0.0.0/8' } });
    const receivers = await startChild('webhook-endpoints', {});
    const children: Child[] = [receivers];
    const stopAll = () => Promise.all([server, ...children].map((one) => one.stop()));
    try {
      const eventIds = Array.from({ length: sizes.events }, (_, n) => n + 1);
      const load = liveLoad(server, ticked);
      const feeds = { feed: sizes.ticksASecond, scores: sizes.scoresASecond };
      // What the first readers of a long history wait for is measured by `as-of`, `long-reads` and `start`.
      await load.run({ feed: 0, warmUpSeconds: 0, seconds: sizes.readSeconds });
      // Each event has a score, with which its streams begin.
      await load.run({ ...feeds, warmUpSeconds: 0, seconds: sizes.events / sizes.scoresASecond });
      const subscriptions = Array.from({ length: sizes.webhooks }, (_, n) => ({ event_id: 1 + (n % sizes.events) }));
      const ofScores = subscriptions.map((one) => ({ ...one, event_types: ['score'] }));
      await subscribeWebhooks(server, receivers.port, ofScores);
      const { port, key } = server;
      children.push(await startChild('stream-readers', { port, key, eventIds, readersOfEach: sizes.streamsOfEach }));
      const sizeBefore = statSync(databaseFile(data)).size;
      const windows: Window[] = [];
      for (let n = 0; n < sizes.windows; n++) {
        const file = join(folder, `${n}.ndjson`);
        const imported = { name: `file${n}-`, events: sizes.events, rounds: sizes.imported, now };
        const hasImport = n % 2 === 1;
        if (hasImport) await writeTicks(file, imported);
        const cpu = await server.cpu();
        const begun = performance.now();
        const { warmUpSeconds, seconds } = sizes;
        const beside = hasImport ? { beside: () => ingestFile(data, file, messagesOf(imported)) } : {};
        const times = await load.run({ ...feeds, warmUpSeconds, seconds, ...beside });
        const cores = ((await server.cpu()) - cpu) / ((performance.now() - begun) * 1000);
        windows.push({ ...times, cores });
        say(
          `window ${n + 1} of ${sizes.windows}${hasImport ? ', with an import' : ''}: ${windowText(windows.at(-1)!)}`,
        );
      }
      await load.check();
      const ticks = sizes.windows * (sizes.warmUpSeconds + sizes.seconds) * sizes.ticksASecond;
      const grown = statSync(databaseFile(data)).size - sizeBefore;
      const deliveries = Number(await receivers.ask('arrived'));
      const messages = Number(await children[1]!.ask('received'));
      await stopAll();
      say('verify');
      const { output, seconds } = await runLaunched('verify', [], { folder: data });
      say(output.trim().split('\n').at(-1)!);
      return [
        ...figuresOf(windows),
        { what: 'deliveries of webhooks', value: deliveries, unit: 'deliveries' },
        { what: 'messages to streams', value: messages, unit: 'messages' },
        { what: 'the database grew for each tick, imports included', value: grown / ticks, unit: 'bytes' },
        { what: '`verify` afterwards, without a finding', value: seconds, unit: 's' },
      ] satisfies Figure[];
    } finally {
      await stopAll();
    }
  },
};

const p99 = (times: readonly number[]): number => percentile([...times], 0.99);

const windowText = ({ acknowledgements, reads, health, memory, cores }: Window): string =>
  [
    `ticks p99 ${p99(acknowledgements).toFixed(1)} ms`,
    `reads p99 ${p99(reads).toFixed(1)} ms`,
    `/healthz at most ${percentile(health, 1).toFixed(0)} ms`,
    `${(memory / MB).toFixed(0)} MB at most`,
    `${cores.toFixed(2)} cores`,
  ].join(', ');

/** Each of the second half of the windows beside the first half; as many of both halves have an import. */
function figuresOf(windows: readonly Window[]): Figure[] {
  const middle = windows.length / 2;
  const figure = (what: string, unit: string, of: (window: Window) => number, isFlat = true): Figure => ({
    what: `${what}, median of the second hour's windows`,
    value: median(windows.slice(middle).map(of)),
    unit,
    floor: { what: 'of the first hour', value: median(windows.slice(0, middle).map(of)) },
    ...(isFlat && { goal: FLAT }),
  });
  return [
    figure('ticks, due to acknowledged, p50', 'ms', ({ acknowledgements }) => percentile(acknowledgements, 0.5)),
    figure('ticks, due to acknowledged, p99', 'ms', ({ acknowledgements }) => p99(acknowledgements)),
    figure('reads of six kinds, p99', 'ms', ({ reads }) => p99(reads)),
    figure('`/healthz`, the longest', 'ms', ({ health }) => percentile(health, 1), false),
    figure('memory, at most', 'MB', ({ memory }) => memory / MB),
    figure('processor time of one core', 'cores', ({ cores }) => cores),
  ];
}
