import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Benchmark, Figure } from './benchmark.ts';
import { startChild } from './child.ts';
import { type PartUsage, usageOfParts, usedDuring } from './cluster-usage.ts';
import { bodyOf, getRequest } from './event-requests.ts';
import { refusalsSoFar, schedule, score, sendFacts, waitUntilReadable } from './game-facts.ts';
import { openLoad } from './http-load.ts';
import { percentile } from './percentile.ts';
import { type Server, startServer } from './server.ts';

const MIB = 1024 * 1024;

interface Sizes {
  readonly events: number;
  readonly settlingSeconds: number;
  readonly restSeconds: number;
  /** Of each kind of load. */
  readonly seconds: number;
  readonly reads: number;
  /** Of the largest request: that of ingest, less a little. */
  readonly largeBytes: number;
}
const FULL: Sizes = {
  events: 200,
  settlingSeconds: 40,
  restSeconds: 60,
  seconds: 20,
  reads: 20_000,
  largeBytes: 16 * MIB - 4096,
};
const QUICK: Sizes = { events: 20, settlingSeconds: 3, restSeconds: 3, seconds: 2, reads: 500, largeBytes: MIB / 4 };

const CALLERS = 64;
const BATCH = 100;
const READERS = 32;
/** Between two single facts, of which each is waited for. */
const PAUSE_MS = 100;

/** Clients have no core of their own: all figures are of two cores that do everything. */
export const cluster: Benchmark = {
  name: 'cluster',
  summary: 'a cluster of processes and engines on this machine: at rest, facts, reads, and what a fact costs',
  runs: 1,
  async run({ folder, quick, say }) {
    const sizes = quick ? QUICK : FULL;
    say('one process with its own stores');
    const alone = await startServer({ folder: join(folder, 'alone') });
    const measureOwn = async () => {
      await waitUntilReadable(alone, await sendFacts(alone, schedules(sizes)));
      return measureFacts(alone, sizes, async () => [{ name: 'server', isEngine: false, cpu: await alone.cpu() }]);
    };
    const own = await measureOwn().finally(alone.stop);
    say('the cluster starts');
    const data = join(folder, 'data');
    const engines = process.env['ENGINES_DIR'];
    const settings: Record<string, string> = engines === undefined ? {} : { ENGINES_DIR: engines };
    const server = await startServer({ folder: data, settings }, 'cluster');
    try {
      await waitUntilReadable(server, await sendFacts(server, schedules(sizes)));
      say(`at rest, after ${sizes.settlingSeconds} s`);
      await delay(sizes.settlingSeconds * 1000);
      const rest = await usedDuring(
        async () => usageOfParts(data),
        () => delay(sizes.restSeconds * 1000),
      );
      say(rest.map(({ name, cpu }) => `${name} ${(cpu / sizes.restSeconds / 1e4).toFixed(1)} %`).join(', '));
      say('facts');
      const refusedBefore = refusalsSoFar();
      const facts = await measureFacts(server, sizes, async () => usageOfParts(data));
      say('reads');
      return [
        ...restFigures(rest, sizes),
        ...factFigures(facts, own),
        ...facts.costs.map(({ name, cpu }) => ({
          what: `processor time of a single fact: ${name}`,
          value: cpu,
          unit: 'µs',
        })),
        {
          what: 'requests of facts that were refused at first (503)',
          value: refusalsSoFar() - refusedBefore,
          unit: 'requests',
        },
        await readFigure(server, sizes),
      ] satisfies Figure[];
    } finally {
      await server.stop();
    }
  },
};

const cpuOf = (parts: readonly PartUsage[]): number => parts.reduce((sum, { cpu }) => sum + cpu, 0);

function restFigures(parts: readonly PartUsage[], { restSeconds }: Sizes): Figure[] {
  const share = (microseconds: number) => microseconds / (restSeconds * 10_000);
  const ours = parts.filter(({ isEngine }) => !isEngine).map(({ cpu }) => cpu);
  return [
    {
      what: 'at rest, all processes and engines',
      value: share(cpuOf(parts)),
      unit: '% of a core',
      goal: { of: 'value', bound: 'at most', number: 25 },
    },
    {
      what: 'at rest, the busiest process of ours',
      value: share(Math.max(...ours)),
      unit: '% of a core',
      goal: { of: 'value', bound: 'at most', number: 1 },
    },
    ...parts
      .filter(({ isEngine }) => isEngine)
      .map(({ name, cpu }) => ({ what: `at rest, ${name}`, value: share(cpu), unit: '% of a core' })),
  ];
}

interface Facts {
  /** Milliseconds to the acknowledgement, and from there to an answer that shows it, of one caller. */
  readonly acknowledged: readonly number[];
  readonly readable: readonly number[];
  /** Facts a second of all callers, and milliseconds to the acknowledgement at half of that. */
  readonly single: Taking;
  readonly batches: Taking;
  /** Milliseconds to the acknowledgement. */
  readonly thousand: number;
  readonly large: number;
  /** Microseconds of processor time of a single fact by part, until all can be read. */
  readonly costs: readonly PartUsage[];
}

interface Taking {
  readonly rate: number;
  readonly half: readonly number[];
}

async function measureFacts(server: Server, sizes: Sizes, usage: () => Promise<readonly PartUsage[]>): Promise<Facts> {
  const [acknowledged, readable] = [[] as number[], [] as number[]];
  for (const end = performance.now() + sizes.seconds * 1000; performance.now() < end; ) {
    const begun = performance.now();
    const position = await sendFacts(server, someScores(sizes, 1));
    const answered = performance.now();
    await waitUntilReadable(server, position);
    acknowledged.push(answered - begun);
    readable.push(performance.now() - answered);
    await delay(PAUSE_MS);
  }
  let taken = { rate: 0, count: 0 };
  const used = await usedDuring(usage, async () => {
    const { position, ...found } = await takeFacts(server, sizes, 1);
    taken = found;
    await waitUntilReadable(server, position);
  });
  const { rate, count } = taken;
  const costs = used.map((part) => ({ ...part, cpu: part.cpu / count }));
  const single = { rate, half: await atHalf(server, sizes, 1, rate) };
  const batches = await takeFacts(server, sizes, BATCH);
  await waitUntilReadable(server, batches.position);
  const halfOfBatches = await atHalf(server, sizes, BATCH, batches.rate);
  const thousand = await milliseconds(() => sendFacts(server, someScores(sizes, 1000)));
  const largest = largeRequest(sizes);
  const large = await milliseconds(async () => waitUntilReadable(server, await sendFacts(server, largest)));
  return {
    ...{ acknowledged, readable, single, costs, thousand, large },
    batches: { rate: batches.rate, half: halfOfBatches },
  };
}

const schedules = ({ events }: Sizes) => Array.from({ length: events }, (_, n) => schedule(n));

let points = 0;
/** Each of the next event, none like one before. */
const someScores = ({ events }: Sizes, count: number) =>
  Array.from({ length: count }, () => score(points % events, points++));

function largeRequest(sizes: Sizes): object[] {
  const messages: object[] = [];
  for (let bytes = 2; ; ) {
    const [message] = someScores(sizes, 1);
    bytes += JSON.stringify(message).length + 1;
    if (bytes > sizes.largeBytes) return messages;
    messages.push(message!);
  }
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** As many as are taken of so many callers, each of which sends its next request when it has the answer to the last. */
async function takeFacts(server: Server, sizes: Sizes, batch: number) {
  let count = 0;
  let position = '';
  const begun = performance.now();
  const end = begun + sizes.seconds * 1000;
  const call = async () => {
    while (performance.now() < end) {
      position = await sendFacts(server, someScores(sizes, batch));
      count += batch;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  return { count, position, rate: (count * 1000) / (performance.now() - begun) };
}

/** Half of a rate, whether it is kept up with or not. @returns milliseconds from the moment at which each was due */
async function atHalf(server: Server, sizes: Sizes, batch: number, rate: number): Promise<number[]> {
  const times: number[] = [];
  const asking: Promise<void>[] = [];
  const everyMs = (2000 * batch) / rate;
  const begun = performance.now();
  for (let n = 0; n * everyMs < sizes.seconds * 1000; n++) {
    const due = begun + n * everyMs;
    await delay(Math.max(0, due - performance.now()));
    const one = async () => {
      await sendFacts(server, someScores(sizes, batch));
      times.push(performance.now() - due);
    };
    asking.push(one());
  }
  await Promise.all(asking);
  return times;
}

function factFigures(facts: Facts, own: Facts): Figure[] {
  const alone = 'one process';
  const atMost = (number: number) => ({ of: 'value', bound: 'at most', number }) as const;
  const atLeast = (number: number) => ({ of: 'value', bound: 'at least', number }) as const;
  const times = (what: string, share: number, of: (facts: Facts) => readonly number[], most: number): Figure => ({
    what: `${what}, p${share * 100}`,
    value: percentile([...of(facts)], share),
    unit: 'ms',
    floor: { what: alone, value: percentile([...of(own)], share) },
    goal: atMost(most),
  });
  return [
    times('a single fact, acknowledged', 0.5, ({ acknowledged }) => acknowledged, 30),
    times('from there until it can be read', 0.5, ({ readable }) => readable, 300),
    times('from there until it can be read', 0.99, ({ readable }) => readable, 1000),
    {
      what: `single facts of ${CALLERS} callers`,
      value: facts.single.rate,
      unit: 'facts/s',
      floor: { what: alone, value: own.single.rate },
      goal: atLeast(150),
    },
    times('at half of it, acknowledged', 0.99, ({ single }) => single.half, 2000),
    {
      what: `requests of ${BATCH} of ${CALLERS} callers`,
      value: facts.batches.rate,
      unit: 'facts/s',
      floor: { what: alone, value: own.batches.rate },
      goal: atLeast(400),
    },
    times('at half of it, acknowledged', 0.99, ({ batches }) => batches.half, 2000),
    { what: 'a request of 1,000', value: facts.thousand, unit: 'ms', floor: { what: alone, value: own.thousand } },
    {
      what: 'a request of 16 MiB, until it can be read',
      value: facts.large,
      unit: 'ms',
      floor: { what: alone, value: own.large },
    },
    {
      what: 'processor time of a single fact',
      value: cpuOf(facts.costs),
      unit: 'µs',
      floor: { what: alone, value: cpuOf(own.costs) },
      goal: { of: 'ratio', bound: 'at most', number: 4 },
    },
  ];
}

/** Event detail of all events, again and again, beside bare Express with its bytes. */
async function readFigure({ port, key }: Server, { events, reads }: Sizes): Promise<Figure> {
  const paths = Array.from({ length: events }, (_, n) => `/v1/events/${n + 1}`);
  const floor = await startChild('bare-express', { body: await bodyOf(port, key), way: 'send' });
  const rate = async (to: number) => {
    const load = await openLoad({ port: to, connections: READERS });
    const request = (n: number) => getRequest(paths[n % events]!, key);
    await load.run(events, request);
    const seconds = await load.run(reads, request);
    load.close();
    return reads / seconds;
  };
  try {
    return {
      what: 'event detail, asked for again',
      value: await rate(port),
      unit: 'answers/s',
      floor: { what: 'bare Express, ready bytes', value: await rate(floor.port) },
      goal: { of: 'ratio', bound: 'at least', number: 0.3 },
    };
  } finally {
    await floor.stop();
  }
}
