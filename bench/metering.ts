import { setTimeout } from 'node:timers/promises';
import { IN_FLIGHT } from '../src/limits/limits-in-force.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { type Child, startChild } from './child.ts';
import { bodyOf, getRequest, MESSAGES } from './event-requests.ts';
import { type LoadClient, openLoad } from './http-load.ts';
import { measureAtRate } from './paced-load.ts';
import { percentile } from './percentile.ts';

/** Short rounds in turn: what else the machine does at times falls on both alike. */
const ROUNDS = 60;
const REQUESTS = 2560;
/** Until what is run often is compiled for it. */
const WARM_UP = 15;
/** Between rounds, in milliseconds: a machine that is lent takes back what was used for long. */
const REST = 200;
const KEYS = 16;
/** As many as the keys may have in flight. */
const CONNECTIONS = KEYS * IN_FLIGHT;
/** At the steady rate, in turn too. */
const PACED_ROUNDS = 10;
const PACED_SECONDS = 1.5;

export const metering: Benchmark = {
  name: 'metering',
  summary: 'GET /v1/events/{id} with authentication, limits and durable charges, against the same without them',
  async run({ folder, say }) {
    const child = await startChild('metering-server', { folder, messages: MESSAGES, keys: KEYS });
    try {
      const { ofOne, ofMany } = child.told as Readonly<Record<string, readonly string[]>>;
      const body = await bodyOf(child.port, ofOne![0]!);
      const side = async (what: string, port: number, keys: readonly string[]): Promise<Side> => {
        const requests = keys.map((key) => getRequest('/v1/events/1', key));
        // A connection keeps its key, so that no key ever has more in flight than it may.
        const request = (_: number, connection: number) => requests[connection % KEYS]!;
        const client = await openLoad({ port, connections: CONNECTIONS, body });
        return { what, child, port, body, request, client, rates: [], costs: [] };
      };
      const open = await side('the same operation without', Number(child.told['open']), ofOne!);
      // A commit holds a record for each account.
      const metered = [
        await side(`${KEYS} keys of one account`, child.port, ofOne!),
        await side(`${KEYS} keys of ${KEYS} accounts`, child.port, ofMany!),
      ];
      for (let round = -WARM_UP; round < ROUNDS; round++) {
        for (const one of [open, ...metered]) {
          await setTimeout(REST);
          await measure(one, round >= 0);
        }
        if (round > 0 && round % 15 === 0) say(`${round} of ${ROUNDS} rounds`);
      }
      for (const { client } of [open, ...metered]) client.close();
      const figures: Figure[] = [];
      for (const one of metered) figures.push(...(await figuresOf(open, one)));
      return figures;
    } finally {
      await child.stop();
    }
  },
};

async function figuresOf(open: Side, metered: Side): Promise<readonly Figure[]> {
  const { what } = metered;
  const half = median(metered.rates) / 2;
  const paced = { connections: CONNECTIONS, rate: half, seconds: PACED_SECONDS };
  const floors: number[][] = [];
  const latencies: number[][] = [];
  for (let round = 0; round < PACED_ROUNDS; round++) {
    await setTimeout(REST);
    floors.push(await measureAtRate({ ...open, ...paced }));
    latencies.push(await measureAtRate({ ...metered, ...paced }));
  }
  const medianOf = (rounds: readonly number[][], share: number) =>
    median(rounds.map((round) => percentile(round, share)));
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
      value: medianOf(latencies, 0.99),
      unit: 'ms',
      floor: { what: 'without', value: medianOf(floors, 0.99) },
      goal: { of: 'value', bound: 'at most', number: 10 },
    },
    {
      what: `${what}: at half that rate, median`,
      value: medianOf(latencies, 0.5),
      unit: 'ms',
      floor: { what: 'without', value: medianOf(floors, 0.5) },
    },
  ];
}

interface Side {
  readonly what: string;
  readonly child: Child;
  readonly port: number;
  readonly body: Buffer;
  readonly request: (n: number, connection: number) => string;
  readonly client: LoadClient;
  /** Of each round: answers a second, and microseconds of processor time for one. */
  readonly rates: number[];
  readonly costs: number[];
}

async function measure({ child, client, request, rates, costs }: Side, counts: boolean): Promise<void> {
  const before = await child.cpu();
  const seconds = await client.run(REQUESTS, request);
  const cost = ((await child.cpu()) - before) / REQUESTS;
  if (!counts) return;
  rates.push(REQUESTS / seconds);
  costs.push(cost);
}

const median = (values: readonly number[]): number => percentile([...values], 0.5);
