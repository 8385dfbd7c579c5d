import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { IN_FLIGHT } from '../src/limits/limit-numbers.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { type Child, startChild } from './child.ts';
import { bodyOf, getRequest, MESSAGES } from './event-requests.ts';
import { type LoadClient, openLoad } from './http-load.ts';
import { measureAtRate } from './paced-load.ts';
import { percentile } from './percentile.ts';

/** What the compiler makes of a program is a matter of luck, and differs by some percent from start to start. */
const SERVERS = 3;
/** In turn: what else the machine does at times falls on both alike. */
const ROUNDS = 10;
const REQUESTS = 10_240;
/** Until what is run often is compiled. */
const WARM_UP = 5;
/** Between rounds, in milliseconds: a machine that is lent takes back what was used for long. */
const REST = 200;
const KEYS = 16;
/** As many as the keys may have in flight. */
const CONNECTIONS = KEYS * IN_FLIGHT;
/** At the steady rate, in turn too. */
const PACED_ROUNDS = 4;
const PACED_SECONDS = 1.5;

/** Of each round of one side, over all servers. */
interface Measured {
  readonly what: string;
  /** Answers a second. */
  readonly rates: number[];
  /** Microseconds of processor time for an answer. */
  readonly costs: number[];
  /** At half the rate: milliseconds that half of the answers took at most, and 99 of 100. */
  readonly halves: number[];
  readonly p99s: number[];
}

export const metering: Benchmark = {
  name: 'metering',
  summary: 'GET /v1/events/{id} with authentication, limits and durable charges, against the same without them',
  async run({ folder, say }) {
    const open = newMeasured('the same operation without');
    // A commit holds a record for each account.
    const metered = [
      { ...newMeasured(`${KEYS} keys of one account`), floor: newMeasured(open.what) },
      { ...newMeasured(`${KEYS} keys of ${KEYS} accounts`), floor: newMeasured(open.what) },
    ];
    for (let n = 1; n <= SERVERS; n++) {
      const own = join(folder, String(n));
      mkdirSync(own);
      const child = await startChild('metering-server', { folder: own, messages: MESSAGES, keys: KEYS });
      try {
        const { ofOne, ofMany } = child.told as Readonly<Record<string, readonly string[]>>;
        const body = await bodyOf(child.port, ofOne![0]!);
        const sides = await Promise.all([
          connect(open, child, Number(child.told['open']), ofOne!, body),
          connect(metered[0]!, child, child.port, ofOne!, body),
          connect(metered[1]!, child, child.port, ofMany!, body),
        ]);
        await measureRates(sides);
        for (const [i, one] of metered.entries()) await measurePaced(one, sides[i + 1]!, one.floor, sides[0]!);
      } finally {
        await child.stop();
      }
      say(`${n} of ${SERVERS} servers`);
    }
    return metered.flatMap((one) => figuresOf(one, open));
  },
};

const newMeasured = (what: string): Measured => ({ what, rates: [], costs: [], halves: [], p99s: [] });

/** One side of one server. */
interface Side {
  readonly measured: Measured;
  readonly child: Child;
  readonly port: number;
  readonly body: Buffer;
  readonly request: (n: number, connection: number) => string;
  readonly client: LoadClient;
}

async function connect(
  measured: Measured,
  child: Child,
  port: number,
  keys: readonly string[],
  body: Buffer,
): Promise<Side> {
  const requests = keys.map((key) => getRequest('/v1/events/1', key));
  // A connection keeps its key, so that no key ever has more in flight than it may.
  const request = (_: number, connection: number) => requests[connection % KEYS]!;
  const client = await openLoad({ port, connections: CONNECTIONS, body });
  return { measured, child, port, body, request, client };
}

async function measureRates(sides: readonly Side[]): Promise<void> {
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const { measured, child, client, request } of sides) {
      await setTimeout(REST);
      const before = await child.cpu();
      const seconds = await client.run(REQUESTS, request);
      const cost = ((await child.cpu()) - before) / REQUESTS;
      if (round < 0) continue;
      measured.rates.push(REQUESTS / seconds);
      measured.costs.push(cost);
    }
  }
  for (const { client } of sides) client.close();
}

/** At half the rate that this side reached at most. */
async function measurePaced(measured: Measured, side: Side, floor: Measured, open: Side): Promise<void> {
  const paced = { connections: CONNECTIONS, rate: median(measured.rates) / 2, seconds: PACED_SECONDS };
  for (let round = 0; round < PACED_ROUNDS; round++) {
    for (const [to, from] of [
      [floor, open],
      [measured, side],
    ] as const) {
      await setTimeout(REST);
      const latencies = await measureAtRate({ ...from, ...paced });
      to.halves.push(percentile(latencies, 0.5));
      to.p99s.push(percentile(latencies, 0.99));
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
      value: median(metered.costs),
      unit: 'µs',
      floor: { what: 'without', value: median(open.costs) },
    },
    {
      what: `${what}: at half that rate, p99, the median of the rounds`,
      value: median(metered.p99s),
      unit: 'ms',
      floor: { what: 'without', value: median(floor.p99s) },
      goal: { of: 'value', bound: 'at most', number: 10 },
    },
    {
      what: `${what}: at half that rate, median`,
      value: median(metered.halves),
      unit: 'ms',
      floor: { what: 'without', value: median(floor.halves) },
    },
  ];
}

const median = (values: readonly number[]): number => percentile([...values], 0.5);
