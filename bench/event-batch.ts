import { join } from 'node:path';
import { askOver } from './ask.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { startChild } from './child.ts';
import { fillWithEvents, shuffled } from './event-detail-folder.ts';
import { postRequest } from './event-requests.ts';
import { openLoad } from './http-load.ts';
import { type Paced, runOpenLoop } from './open-loop.ts';
import { percentile } from './percentile.ts';
import { median, spreadOf } from './runs.ts';
import { startServer } from './server.ts';
import { takenIn } from './ticked-folder.ts';

interface Sizes {
  readonly events: number;
  readonly requests: number;
  readonly passes: number;
  /** Of the batch as of a moment. */
  readonly long: { readonly events: number; readonly records: number };
}
const FULL: Sizes = { events: 5000, requests: 2000, passes: 5, long: { events: 25, records: 4000 } };
const QUICK: Sizes = { events: 200, requests: 50, passes: 2, long: { events: 25, records: 50 } };

const OF_ONE = 10;
const CONNECTIONS = 16;
const PATH = '/v1/events/batch';
const HEALTH_A_SECOND = 200;

export const eventBatch: Benchmark = {
  name: 'event-batch',
  summary:
    'POST /v1/events/batch of 10 events with odds, against bare Express with its bytes; one of 25 as of a moment',
  runs: 1,
  async run({ folder, quick, say }) {
    const sizes = quick ? QUICK : FULL;
    const data = join(folder, 'data');
    await fillWithEvents(data, sizes.events);
    const rates = await measureRates(data, sizes);
    say('batches as of a moment');
    return [rates, ...(await measureAsOf(join(folder, 'long'), sizes))];
  },
};

async function measureRates(data: string, { events, requests, passes }: Sizes): Promise<Figure> {
  const server = await startServer({ folder: data });
  const order = shuffled(events);
  const idsOf = (n: number) => Array.from({ length: OF_ONE }, (_, i) => order[(n * OF_ONE + i) % events]!);
  const all = Array.from({ length: requests }, (_, n) =>
    postRequest(PATH, server.key, { event_ids: idsOf(n), include_odds: true }),
  );
  const { body } = await askOver(server.port, server.key)(PATH, { event_ids: idsOf(0), include_odds: true });
  const floor = await startChild('bare-express', { body, way: 'send' });
  try {
    const [rates, floors] = [[] as number[], [] as number[]];
    // The first turn warms up.
    for (let turn = 0; turn <= passes; turn++) {
      for (const [port, into] of [
        [server.port, rates],
        [floor.port, floors],
      ] as const) {
        const client = await openLoad({ port, connections: CONNECTIONS });
        const seconds = await client.run(requests, (n) => all[n % requests]!);
        client.close();
        if (turn > 0) into.push(requests / seconds);
      }
    }
    return {
      what: `${OF_ONE} events with odds, ${body.length} bytes`,
      value: median(rates),
      unit: 'answers/s',
      spread: spreadOf(rates),
      floor: { what: 'bare Express, ready bytes', value: median(floors) },
      goal: { of: 'ratio', bound: 'at least', number: 0.4 },
    };
  } finally {
    await Promise.all([server.stop(), floor.stop()]);
  }
}

/** On a server that was just started, so that nothing of it is at hand. */
async function measureAsOf(data: string, { long }: Sizes): Promise<Figure[]> {
  const now = Date.now();
  await takenIn(data, { name: 'long', events: long.events, rounds: long.records, now });
  const server = await startServer({ folder: data });
  try {
    const body = {
      event_ids: Array.from({ length: long.events }, (_, n) => n + 1),
      include_odds: true,
      as_of: new Date(now - (long.records * 60_000) / 2).toISOString(),
      as_of_basis: 'observed',
    };
    let ms = 0;
    const health: Paced = { name: 'health', rate: HEALTH_A_SECOND, ask: () => ({ method: 'GET', path: '/healthz' }) };
    const times = await runOpenLoop({
      port: server.port,
      paced: [health],
      warmUpSeconds: 1,
      seconds: 1,
      beside: async () => {
        ({ ms } = await askOver(server.port, server.key)(PATH, body));
      },
    });
    return [
      { what: `${long.events} events of ${long.records} odds records as of a moment, cold`, value: ms, unit: 'ms' },
      {
        what: '/healthz beside it, the longest',
        value: percentile(times['health']!, 1),
        unit: 'ms',
        goal: { of: 'value', bound: 'at most', number: 50 },
      },
    ];
  } finally {
    await server.stop();
  }
}
