import { join } from 'node:path';
import type { Benchmark } from './benchmark.ts';
import { fillWithEvents, shuffled } from './event-detail-folder.ts';
import { eventMessages, postRequest } from './event-requests.ts';
import { type LoadClient, openLoad } from './http-load.ts';
import { median } from './runs.ts';
import { startServer } from './server.ts';

/** As many as may grade at once with one key. */
const CONNECTIONS = 3;
const LEGS = 8;

/** Eight legs on eight events, structured and as text, each slip with a receipt in the log, in turn with `batch`. */
export const slips: Benchmark = {
  name: 'slips',
  summary: 'POST /v1/grade/slip with 8 legs, structured and as text, against POST /v1/events/batch with 8 ids in turn',
  runs: 5,
  async run({ folder, quick, say }) {
    const [events, requests, passes] = quick ? [200, 60, 2] : [5000, 3000, 5];
    const data = join(folder, 'data');
    await fillWithEvents(data, events, (n) => eventMessages(n, [{ name: nameOf(2 * n) }, { name: nameOf(2 * n + 1) }]));
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
        texts: bodies((ids) => ({ text: ids.map(lineOf).join('\n') }), '/v1/grade/slip'),
      };
      await checkText(server.port, server.key, eight(0).map(lineOf).join('\n'));
      const rates: Record<keyof typeof sides, number[]> = { batch: [], slips: [], texts: [] };
      // The first turn warms up.
      for (let turn = 0; turn <= passes; turn++) {
        for (const name of ['batch', 'slips', 'texts'] as const) {
          const client: LoadClient = await openLoad({ port: server.port, connections: CONNECTIONS });
          const seconds = await client.run(requests, (n) => sides[name][n % requests]!);
          client.close();
          if (turn > 0) rates[name].push(requests / seconds);
        }
      }
      const rate = { batch: median(rates.batch), slips: median(rates.slips), texts: median(rates.texts) };
      say(`slips at ${(rate.slips / rate.batch).toFixed(2)} of batch, as text ${(rate.texts / rate.batch).toFixed(2)}`);
      const floor = { what: `batch with ${LEGS} ids`, value: rate.batch };
      return [
        {
          what: `a slip of ${LEGS} structured legs, with its receipt on disk`,
          value: rate.slips,
          unit: 'answers/s',
          floor,
        },
        {
          what: `the same as text: a team's name, a bet and a date in each line`,
          value: rate.texts,
          unit: 'answers/s',
          floor,
        },
      ];
    } finally {
      await server.stop();
    }
  },
};

/** Of a word that no other name has: `Bacedi Rovers`. */
function nameOf(n: number): string {
  const syllables = [n % 13, Math.floor(n / 13) % 13, Math.floor(n / 169) % 13, Math.floor(n / 2197) % 13];
  const word = syllables.map((k, place) => 'bcdfglmnprstv'[k]! + 'aeio'[place]!).join('');
  return `${word[0]!.toUpperCase()}${word.slice(1)} Rovers`;
}

/** The event is of the day on which its home side plays. */
const lineOf = (n: number): string => `${nameOf(2 * n)} ml 2026-02-08`;

/** @throws Error where a line of it is not understood */
async function checkText(port: number, key: string, text: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/grade/slip`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  });
  const body = (await response.json()) as { legs?: { result: string | null; message: string | null }[] };
  const lost = body.legs?.find(({ result }) => result === null);
  if (!body.legs || lost) throw new Error(`the slip is not understood: ${lost?.message ?? JSON.stringify(body)}`);
}
