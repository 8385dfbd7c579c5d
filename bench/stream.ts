import { setTimeout as delay } from 'node:timers/promises';
import { type AskServer, askOver } from './ask.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { type Child, startChild } from './child.ts';
import { percentile } from './percentile.ts';
import { allArrived, INGEST_KEY, now, score, startBoth } from './score-feed.ts';

const EVENTS = 100;
const READERS_OF_EACH = 10;
/** 500 changes a second, as a connector brings them: each request has one change of each of ten events. */
const REQUESTS_A_SECOND = 50;
const MESSAGES = 10;
const WARM_UP_SECONDS = 5;
const SECONDS = 20;

export const stream: Benchmark = {
  name: 'stream',
  summary: 'from the acknowledgement of a score to its arrival, 500 changes a second, 1,000 open streams',
  async run({ folder, say }) {
    const { server, key, bare, stop } = await startBoth(folder, EVENTS);
    try {
      say('the floor');
      const floor = await measure(bare, 'none', 'none');
      say('the server');
      const ours = await measure(server, key, INGEST_KEY);
      const figures: Figure[] = [0.5, 0.99, 0.999].map((share) => ({
        what: `acknowledged to arrived, p${share * 100}`,
        value: percentile(ours.latencies, share),
        unit: 'ms',
        floor: { what: 'bare Node server', value: percentile(floor.latencies, share) },
        ...(share === 0.99 ? { goal: { of: 'value', bound: 'at most', number: 20 } as const } : {}),
      }));
      figures.push({
        what: 'sent by the feed to acknowledged, p99',
        value: percentile(ours.acknowledgements, 0.99),
        unit: 'ms',
        floor: { what: 'bare Node server', value: percentile(floor.acknowledgements, 0.99) },
      });
      figures.push({
        what: `processor time of a change and its ${READERS_OF_EACH} deliveries`,
        value: ours.cost,
        unit: 'µs',
        floor: { what: 'bare Node server', value: floor.cost },
      });
      return figures;
    } finally {
      await stop();
    }
  },
};

interface Measured {
  /** Of each delivery, from the acknowledgement that its change was taken to its arrival, in milliseconds; 0 where it
   *  arrived before. */
  readonly latencies: number[];
  readonly acknowledgements: number[];
  /** Microseconds of the server's processor time for one change. */
  readonly cost: number;
}

/** @throws Error where a reader lacks a change, or got them out of order */
async function measure(server: Child, key: string, ingestKey: string): Promise<Measured> {
  const eventIds = Array.from({ length: EVENTS }, (_, n) => n + 1);
  const begin = { port: server.port, key, eventIds, readersOfEach: READERS_OF_EACH };
  const readers = await startChild('stream-readers', begin);
  try {
    const ask = askOver(server.port, ingestKey);
    await feed(ask, 1, WARM_UP_SECONDS);
    const warm = (WARM_UP_SECONDS * REQUESTS_A_SECOND * MESSAGES) / EVENTS;
    const cpu = await server.cpu();
    const { acknowledged, acknowledgements } = await feed(ask, warm + 1, SECONDS);
    const changes = warm + (SECONDS * REQUESTS_A_SECOND * MESSAGES) / EVENTS;
    await allArrived(readers, EVENTS * READERS_OF_EACH * (changes + 1));
    const cost = ((await server.cpu()) - cpu) / (SECONDS * REQUESTS_A_SECOND * MESSAGES);
    const latencies: number[] = [];
    for (const { eventId, scores, arrivals } of await readers.ask('results')) {
      for (let n = 0; n <= changes; n++) {
        if (scores[n] !== n) throw new Error(`a reader of event ${eventId} got ${scores[n]} where ${n} was next`);
        const at = acknowledged.get(`${eventId} ${n}`);
        if (at !== undefined) latencies.push(Math.max(0, arrivals[n] - at));
      }
    }
    return { latencies, acknowledgements, cost };
  } finally {
    await readers.stop();
  }
}

/** Sends changes at an even pace, the first of which are number `from` of each event. */
async function feed(ask: AskServer, from: number, seconds: number) {
  const acknowledged = new Map<string, number>();
  const acknowledgements: number[] = [];
  const sent: Promise<void>[] = [];
  const began = now();
  for (let request = 0; request < seconds * REQUESTS_A_SECOND; request++) {
    const wait = began + (request * 1000) / REQUESTS_A_SECOND - now();
    if (wait > 0) await delay(wait);
    const group = request % (EVENTS / MESSAGES);
    const number = from + Math.floor((request * MESSAGES) / EVENTS);
    const eventIds = Array.from({ length: MESSAGES }, (_, n) => group * MESSAGES + n + 1);
    const batch = eventIds.map((eventId) => score(eventId, number));
    const send = async () => {
      const { json, ms } = await ask('/ingest/v1/messages', batch);
      const at = now();
      if (json.accepted !== MESSAGES) throw new Error(`not all were accepted: ${JSON.stringify(json)}`);
      acknowledgements.push(ms);
      for (const eventId of eventIds) acknowledged.set(`${eventId} ${number}`, at);
    };
    sent.push(send());
  }
  await Promise.all(sent);
  return { acknowledged, acknowledgements };
}
