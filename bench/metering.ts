import type { Benchmark, Figure } from './benchmark.ts';
import { type Child, startChild } from './child.ts';
import { bodyOf, getRequest, MESSAGES } from './event-requests.ts';
import { openLoad } from './http-load.ts';
import { measureAtRate } from './paced-load.ts';
import { percentile } from './percentile.ts';

/** Short rounds in turn: what else the machine does at times falls on both alike. */
const ROUNDS = 20;
const REQUESTS = 4000;
const CONNECTIONS = 128;
const WARM_UP = 3;
/** Each of an account of its own, so that a commit holds a record for each. */
const KEYS = 16;
/** At the steady rate, in turn too. */
const PACED_ROUNDS = 10;
const PACED_SECONDS = 1.5;

export const metering: Benchmark = {
  name: 'metering',
  summary: 'GET /v1/events/{id} with authentication, limits and durable charges, against the same without them',
  async run({ folder, say }) {
    const child = await startChild('metering-server', { folder, messages: MESSAGES, keys: KEYS });
    try {
      const keys = child.told['keys'] as string[];
      const body = await bodyOf(child.port, keys[0]!);
      const requests = keys.map((key) => getRequest('/v1/events/1', key));
      const metered = (n: number) => requests[n % KEYS]!;
      const open = { child, port: Number(child.told['open']), body, request: () => requests[0]! };
      const ours = { child, port: child.port, body, request: metered };
      const rates = { open: [] as number[], metered: [] as number[] };
      const costs = { open: [] as number[], metered: [] as number[] };
      for (let round = -WARM_UP; round < ROUNDS; round++) {
        const without = await measure(open);
        const withAll = await measure(ours);
        if (round < 0) continue;
        rates.open.push(without.rate);
        rates.metered.push(withAll.rate);
        costs.open.push(without.cost);
        costs.metered.push(withAll.cost);
        if (round > 0 && round % 5 === 0) say(`${round} of ${ROUNDS} rounds`);
      }
      const [without, withAll] = [median(rates.open), median(rates.metered)];
      const half = withAll / 2;
      say(`${Math.round(half)} requests a second, ${PACED_ROUNDS} times ${PACED_SECONDS} s`);
      const paced = { connections: CONNECTIONS, rate: half, seconds: PACED_SECONDS };
      const floors: number[][] = [];
      const latencies: number[][] = [];
      for (let round = 0; round < PACED_ROUNDS; round++) {
        floors.push(await measureAtRate({ ...open, ...paced }));
        latencies.push(await measureAtRate({ ...ours, ...paced }));
      }
      const medianOf = (rounds: readonly number[][], share: number) =>
        median(rounds.map((round) => percentile(round, share)));
      const figures: readonly Figure[] = [
        {
          what: 'event detail, authenticated, limited and charged durably',
          value: withAll,
          unit: 'answers/s',
          floor: { what: 'the same operation without', value: without },
          goal: { of: 'ratio', bound: 'at least', number: 0.85 },
        },
        {
          what: 'processor time of an answer',
          value: median(costs.metered),
          unit: 'µs',
          floor: { what: 'without', value: median(costs.open) },
        },
        {
          what: 'at half that rate, p99, the median of the rounds',
          value: medianOf(latencies, 0.99),
          unit: 'ms',
          floor: { what: 'without', value: medianOf(floors, 0.99) },
          goal: { of: 'value', bound: 'at most', number: 10 },
        },
        {
          what: 'at half that rate, median',
          value: medianOf(latencies, 0.5),
          unit: 'ms',
          floor: { what: 'without', value: medianOf(floors, 0.5) },
        },
      ];
      return figures;
    } finally {
      await child.stop();
    }
  },
};

interface Side {
  readonly child: Child;
  readonly port: number;
  readonly body: Buffer;
  readonly request: (n: number) => string;
}

async function measure({ child, port, body, request }: Side) {
  const client = await openLoad({ port, connections: CONNECTIONS, body });
  const before = await child.cpu();
  const seconds = await client.run(REQUESTS, request);
  const cost = ((await child.cpu()) - before) / REQUESTS;
  client.close();
  return { rate: REQUESTS / seconds, cost };
}

const median = (values: readonly number[]): number => percentile([...values], 0.5);
