import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { MAX_IN_FLIGHT } from '../src/api/limits/limit-rules.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { bodyOf, getRequest } from './event-requests.ts';
import { type LoadClient, openLoad } from './http-load.ts';
import { startMeteringServers } from './metering-servers.ts';
import { measureAtRate } from './paced-load.ts';
import { percentile } from './percentile.ts';
import { median } from './runs.ts';
import type { Measurable } from './server.ts';

/** In turn: what else the machine does at times falls on both alike. */
interface Sizes {
  readonly rounds: number;
  readonly requests: number;
  /** Rounds until what is run often is compiled. */
  readonly warmUp: number;
  /** At the steady rate, in turn too. */
  readonly pacedRounds: number;
  readonly pacedSeconds: number;
}
const FULL: Sizes = { rounds: 10, requests: 10_240, warmUp: 5, pacedRounds: 4, pacedSeconds: 1.5 };
const QUICK: Sizes = { rounds: 2, requests: 1024, warmUp: 1, pacedRounds: 1, pacedSeconds: 0.5 };
/** Between rounds, in milliseconds: a machine that is lent takes back what was used for long. */
const REST = 200;
const KEYS = 16;
/** As many as the keys may have in flight. */
const CONNECTIONS = KEYS * MAX_IN_FLIGHT;

/** Of one side. */
interface Measured {
  readonly what: string;
  /** Answers a second, of each round. */
  readonly rates: number[];
  /** Microseconds of processor time for an answer, of each round. */
  readonly costs: number[];
  /** At half the rate: milliseconds of every answer of all rounds. */
  readonly latencies: number[];
}

export const metering: Benchmark = {
  name: 'metering',
  summary: 'GET /v1/events/{id} with authentication, limits and durable charges, against the same without them',
  // Each with servers of its own: what the compiler makes of a program differs by some percent from start to start.
  runs: 5,
  async run({ folder, quick, say }) {
    const sizes = quick ? QUICK : FULL;
    const open = newMeasured('the same operation without');
    // A commit holds a record for each account.
    const metered = [
      { ...newMeasured(`${KEYS} keys of one account`), floor: newMeasured(open.what) },
      { ...newMeasured(`${KEYS} keys of ${KEYS} accounts`), floor: newMeasured(open.what) },
    ];
    const servers = await startMeteringServers(join(folder, 'servers'), KEYS);
    try {
      const sides = await Promise.all([
        connect(open, servers.unmetered, servers.ofOne),
        connect(metered[0]!, servers.metered, servers.ofOne),
        connect(metered[1]!, servers.metered, servers.ofMany),
      ]);
      await measureRates(sides, sizes);
      say('at half the rate');
      for (const [i, one] of metered.entries()) await measurePaced(one, sides[i + 1]!, one.floor, sides[0]!, sizes);
    } finally {
      await servers.stop();
    }
    return metered.flatMap((one) => figuresOf(one, open));
  },
};

const newMeasured = (what: string): Measured => ({ what, rates: [], costs: [], latencies: [] });

/** One side of one server. */
interface Side {
  readonly measured: Measured;
  readonly server: Measurable;
  readonly port: number;
  readonly body: Buffer;
  readonly request: (n: number, connection: number) => string;
  readonly client: LoadClient;
}

async function connect(measured: Measured, server: Measurable, keys: readonly string[]): Promise<Side> {
  const requests = keys.map((key) => getRequest('/v1/events/1', key));
  // A connection keeps its key, so that no key ever has more in flight than it may.
  const request = (_: number, connection: number) => requests[connection % KEYS]!;
  const { port } = server;
  // Each has recorded the event at a moment of its own.
  const body = await bodyOf(port, keys[0]!);
  const client = await openLoad({ port, connections: CONNECTIONS, body });
  return { measured, server, port, body, request, client };
}

async function measureRates(sides: readonly Side[], { rounds, requests, warmUp }: Sizes): Promise<void> {
  for (let round = -warmUp; round < rounds; round++) {
    for (const { measured, server, client, request } of sides) {
      await setTimeout(REST);
      const before = await server.cpu();
      const seconds = await client.run(requests, request);
      const cost = ((await server.cpu()) - before) / requests;
      if (round < 0) continue;
      measured.rates.push(requests / seconds);
      measured.costs.push(cost);
    }
  }
  for (const { client } of sides) client.close();
}

/** At half the rate that this side reached at most. */
async function measurePaced(
  measured: Measured,
  side: Side,
  floor: Measured,
  open: Side,
  { pacedRounds, pacedSeconds }: Sizes,
): Promise<void> {
  const paced = { connections: CONNECTIONS, rate: median(measured.rates) / 2, seconds: pacedSeconds };
  for (let round = 0; round < pacedRounds; round++) {
    for (const [to, from] of [
      [floor, open],
      [measured, side],
    ] as const) {
      await setTimeout(REST);
      for (const latency of await measureAtRate({ ...from, ...paced })) to.latencies.push(latency);
    }
  }
}

function figuresOf(metered: Measured & { readonly floor: Measured }, open: Measured): readonly Figure[] {
  const { what, floor } = metered;
  return [
    {
      what: `${what}: authenticated, limited and charged durably`,
      value: median(metered.rates),
      unit: 'answers/s',
      floor: { what: open.what, value: median(open.rates) },
      goal: { of: 'ratio', bound: 'at least', number: 0.85 },
    },
    {
      what: `${what}: processor time of an answer`,
      value: mean(metered.costs),
      unit: 'µs',
      floor: { what: 'without', value: mean(open.costs) },
    },
    {
      what: `${what}: at half that rate, p99 of all answers`,
      value: percentile(metered.latencies, 0.99),
      unit: 'ms',
      floor: { what: 'without', value: percentile(floor.latencies, 0.99) },
      goal: { of: 'value', bound: 'at most', number: 10 },
    },
    {
      what: `${what}: at half that rate, median`,
      value: percentile(metered.latencies, 0.5),
      unit: 'ms',
      floor: { what: 'without', value: percentile(floor.latencies, 0.5) },
    },
  ];
}

/** Of figures that come in steps, whose median would be a step. */
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
