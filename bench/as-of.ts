import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Random, randomFor } from '../src/sources/demo/simulation/random.ts';
import { type AskServer, askOver } from './ask.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { startChild } from './child.ts';
import { checkPrices, expectedPrices, oddsHistory, type PriceMessage, schedule } from './odds-history.ts';
import { percentile } from './percentile.ts';
import { startServer } from './server.ts';

interface Sizes {
  readonly records: number;
  readonly events: number;
  readonly reads: number;
}
const FULL: Sizes = { records: 10_000, events: 6, reads: 400 };
const QUICK: Sizes = { records: 300, events: 3, reads: 20 };
/** Messages of one event that one request of the feed brings: moments that can be asked for lie between these. */
const BATCH = 100;
const BASES = ['recorded', 'observed'] as const;

/** One event and what the feed told of it. */
interface Told {
  readonly id: number;
  readonly messages: readonly PriceMessage[];
  /** Milliseconds; until this one, the first BATCH messages were recorded, until the next one twice as many, ... */
  readonly moments: readonly number[];
}

export const asOf: Benchmark = {
  name: 'as-of',
  summary: `odds and event detail as of any moment, of events with ${FULL.records} odds records`,
  async run({ folder, quick, say }) {
    const { records, events, reads } = quick ? QUICK : FULL;
    const draw = randomFor('bench', 'as-of');
    const data = join(folder, 'data');
    let server = await startServer({ folder: data });
    try {
      const told: Told[] = [];
      for (let n = 0; n < events; n++) {
        told.push(await feed(askOver(server.port, server.ingestKey), `e${n}`, draw, records));
        say(`${told.length} of ${events} events with ${records} messages each`);
      }
      // Nothing is at hand then but what the operating system keeps of the file.
      await server.stop();
      server = await startServer({ folder: data });
      const ask = askOver(server.port, server.key);
      const warm = told[0]!;
      for (let n = 0; n < 300; n++) await read(ask, warm, draw);
      const cold: number[] = [];
      for (const [index, event] of told.slice(1).entries()) {
        cold.push((await read(ask, event, draw, { basis: BASES[index % 2]! })).ms);
      }
      const figures: Figure[] = [];
      for (const path of ['/odds', ''] as const) {
        for (const basis of BASES) {
          const what = `${path === '' ? 'detail with odds' : 'odds of all books'}, ${basis}`;
          say(`${reads} reads of ${what}`);
          const times: number[] = [];
          let body: Buffer = Buffer.alloc(0);
          const before = await server.cpu();
          for (let n = 0; n < reads; n++) {
            const answer = await read(ask, warm, draw, { path, basis });
            times.push(answer.ms);
            body = answer.body;
          }
          const cpu = ((await server.cpu()) - before) / 1000 / reads;
          figures.push({
            what: `${what}, p99`,
            value: percentile(times, 0.99),
            unit: 'ms',
            floor: { what: 'bare Express, p99', value: await bare(body, reads) },
            goal: { of: 'value', bound: 'at most', number: 20 },
          });
          figures.push({ what: `${what}, median`, value: percentile(times, 0.5), unit: 'ms' });
          figures.push({ what: `${what}, processor time of one`, value: cpu, unit: 'ms' });
        }
      }
      figures.push({ what: 'first read of an event, median', value: percentile(cold, 0.5), unit: 'ms' });
      figures.push({ what: 'first read of an event, worst', value: percentile(cold, 1), unit: 'ms' });
      return figures;
    } finally {
      await server.stop();
    }
  },
};

/** Feeds an event's whole history, and waits until it can be read. */
async function feed(ask: AskServer, ref: string, draw: Random, records: number): Promise<Told> {
  const messages = oddsHistory(ref, records, draw.next);
  const send = async (batch: readonly unknown[], wait = '') => {
    const { json } = await ask(`/ingest/v1/messages${wait}`, batch);
    if (json.accepted !== batch.length) throw new Error(`not all were accepted: ${JSON.stringify(json)}`);
  };
  await send([schedule(ref)]);
  const moments: number[] = [];
  for (let from = 0; from < messages.length; from += BATCH) {
    const isLast = from + BATCH >= messages.length;
    const batch = messages.slice(from, from + BATCH).map(({ message }) => message);
    await send(batch, isLast ? '?wait=projected' : '');
    // The next batch is recorded later than this moment.
    moments.push(Date.now());
    while (Date.now() <= moments.at(-1)!) await delay(1);
  }
  return { id: Number(ref.slice(1)) + 1, messages, moments };
}

/** Asks as of a random moment of the event's history, and looks at all prices of the answer. */
async function read(
  ask: AskServer,
  { id, messages, moments }: Told,
  draw: Random,
  { path = '/odds', basis = 'recorded' }: { path?: '/odds' | ''; basis?: (typeof BASES)[number] } = {},
) {
  const batch = draw.index(moments.length);
  const known = messages.slice(0, (batch + 1) * BATCH);
  const at = basis === 'recorded' ? moments[batch]! : draw.pick(known).at;
  const query = `bookmaker=all&as_of=${new Date(at).toISOString()}&as_of_basis=${basis}`;
  const answer = await ask(`/v1/events/${id}${path}?${path === '' ? 'include_odds=true&' : ''}${query}`);
  const { json } = answer;
  checkPrices(
    path === '' ? json.odds : json,
    expectedPrices(basis === 'recorded' ? known : messages.filter((one) => one.at <= at)),
  );
  return answer;
}

/** The floor: a bare server that sends the same bytes, to the same client. In milliseconds. */
async function bare(body: Buffer, reads: number): Promise<number> {
  const server = await startChild('bare-express', { body, way: 'end' });
  try {
    const ask = askOver(server.port, 'none');
    const times: number[] = [];
    for (let n = 0; n < reads; n++) times.push((await ask('/v1/events/1')).ms);
    return percentile(times, 0.99);
  } finally {
    await server.stop();
  }
}
