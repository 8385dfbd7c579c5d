import { join } from 'node:path';
import type { Benchmark } from './benchmark.ts';
import { fillWithEvents, shuffled } from './event-detail-folder.ts';
import { type LoadClient, openLoad } from './http-load.ts';
import { median } from './runs.ts';
import { startServer } from './server.ts';

/** As many as may grade at once with one key. */
const CONNECTIONS = 3;
const LEGS = 8;

/** Eight legs on eight events, each slip with a receipt in the log, in turn with the same eight events by `batch`. */
export const slips: Benchmark = {
  name: 'slips',
  summary: 'POST /v1/grade/slip with 8 structured legs, against POST /v1/events/batch with 8 ids in turn',
  runs: 5,
  async run({ folder, quick, say }) {
    const [events, requests, passes] = quick ? [200, 60, 2] : [5000, 3000, 5];
    const data = join(folder, 'data');
    await fillWithEvents(data, events);
    const server = await startServer({ folder: data });
    try {
      const order = shuffled(events);
      const eight = (n: number) => Array.from({ length: LEGS }, (_, leg) => order[(n * LEGS + leg) % events]!);
      const bodies = (bodyOf: (ids: readonly number[]) => object, path: string) =>
        Array.from({ length: requests }, (_, n) => postRequest(path, server.key, bodyOf(eight(n))));
      const legOf = (event_id: number, leg: number) =>
        leg % 2 === 0
          ? { event_id, market_key: 'spreads', side: 'home', line: -3.5 }
          : { event_id, market_key: 'totals', side: 'over', line: 47.5 };
      const sides = {
        batch: bodies((ids) => ({ event_ids: ids }), '/v1/events/batch'),
        slips: bodies((ids) => ({ legs: ids.map(legOf) }), '/v1/grade/slip'),
      };
      const rates: Record<keyof typeof sides, number[]> = { batch: [], slips: [] };
      // The first turn warms up.
      for (let turn = 0; turn <= passes; turn++) {
        for (const name of ['batch', 'slips'] as const) {
          const client: LoadClient = await openLoad({ port: server.port, connections: CONNECTIONS });
          const seconds = await client.run(requests, (n) => sides[name][n % requests]!);
          client.close();
          if (turn > 0) rates[name].push(requests / seconds);
        }
      }
      const rate = { batch: median(rates.batch), slips: median(rates.slips) };
      say(`slips at ${(rate.slips / rate.batch).toFixed(2)} of batch`);
      return [
        {
          what: `a slip of ${LEGS} structured legs, with its receipt on disk`,
          value: rate.slips,
          unit: 'answers/s',
          floor: { what: `batch with ${LEGS} ids`, value: rate.batch },
        },
      ];
    } finally {
      await server.stop();
    }
  },
};

function postRequest(path: string, key: string, body: object): string {
  const text = JSON.stringify(body);
  return (
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  );
}
