import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type AskServer, askOver } from './ask.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { startChild } from './child.ts';
import { percentile } from './percentile.ts';
import { allArrived, now, score, startBoth } from './score-feed.ts';
import type { Measurable } from './server.ts';

const EVENTS = 100;
const READERS_OF_EACH = 10;
/** 500 changes a second, as a connector brings them: each request has one change of each of ten events. */
const REQUESTS_A_SECOND = 50;
const MESSAGES = 10;

/** Multiples of the fifth of a second in which each event has one change. */
interface Lengths {
  readonly warmUp: number;
  readonly seconds: number;
}

export const stream: Benchmark = {
  name: 'stream',
  summary: "from the feed's request to a reader, 500 changes of scores a second, 1,000 open streams",
  async run({ folder, quick, say }) {
    const lengths = quick ? { warmUp: 1, seconds: 2 } : { warmUp: 5, seconds: 20 };
    const { server, bare, stop } = await startBoth(join(folder, 'data'), EVENTS);
    try {
      say('the floor');
      const floor = await measure(bare, 'none', 'none', lengths);
      say('the server');
      const ours = await measure(server, server.key, server.ingestKey, lengths);
      const figures: Figure[] = [];
      for (const [what, of] of [
        ['sent by the feed to arrived', 'arrivals'],
        ['sent by the feed to acknowledged', 'acknowledgements'],
      ] as const) {
        for (const share of [0.5, 0.99, 0.999]) {
          figures.push({
            what: `${what}, p${share * 100}`,
            value: percentile(ours[of], share),
            unit: 'ms',
            floor: { what: 'bare Node server', value: percentile(floor[of], share) },
          });
        }
      }
      figures.push({
        what: 'acknowledged to arrived, p99 (below 0: the reader had it first)',
        value: percentile(ours.behind, 0.99),
        unit: 'ms',
        goal: { of: 'value', bound: 'at most', number: 20 },
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

/** All in milliseconds, of every sample after the warm-up. */
interface Measured {
  /** Of each delivery, from the moment at which the feed's request was due. */
  readonly arrivals: number[];
  /** Of each request, from the same moment. */
  readonly acknowledgements: number[];
  /** Of each delivery, from the acknowledgement of its change. */
  readonly behind: number[];
  /** Microseconds of the server's processor time for one change. */
  readonly cost: number;
}

/** @throws Error where a reader lacks a change, or got them out of order */
async function measure(server: Measurable, key: string, ingestKey: string, lengths: Lengths): Promise<Measured> {
  const { warmUp, seconds } = lengths;
  const eventIds = Array.from({ length: EVENTS }, (_, n) => n + 1);
  const begin = { port: server.port, key, eventIds, readersOfEach: READERS_OF_EACH };
  const readers = await startChild('stream-readers', begin);
  try {
    const ask = askOver(server.port, ingestKey);
    await feed(ask, 1, warmUp);
    const warm = changesIn(warmUp);
    const cpu = await server.cpu();
    const sent = await feed(ask, warm + 1, seconds);
    const changes = warm + changesIn(seconds);
    await allArrived(readers, EVENTS * READERS_OF_EACH * (changes + 1));
    const cost = ((await server.cpu()) - cpu) / (seconds * REQUESTS_A_SECOND * MESSAGES);
    const arrived: number[] = [];
    const behind: number[] = [];
    for (const { eventId, scores, arrivals } of await readers.ask('results')) {
      for (let n = 0; n <= changes; n++) {
        if (scores[n] !== n) throw new Error(`a reader of event ${eventId} got ${scores[n]} where ${n} was next`);
        const one = sent.get(`${eventId} ${n}`);
        if (one === undefined) continue;
        arrived.push(arrivals[n] - one.due);
        behind.push(arrivals[n] - one.acknowledged);
      }
    }
    const requests = new Set(sent.values());
    const acknowledgements = [...requests].map(({ due, acknowledged }) => acknowledged - due);
    return { arrivals: arrived, acknowledgements, behind, cost };
  } finally {
    await readers.stop();
  }
}

/** Changes of each event. */
const changesIn = (seconds: number): number => (seconds * REQUESTS_A_SECOND * MESSAGES) / EVENTS;

interface Sent {
  readonly due: number;
  readonly acknowledged: number;
}

/**
 * Sends changes at an even pace, the first of which are number `from` of each event.
 * @returns the request of each change, by `EVENTID NUMBER`
 */
async function feed(ask: AskServer, from: number, seconds: number): Promise<ReadonlyMap<string, Sent>> {
  const sent = new Map<string, Sent>();
  const sending: Promise<void>[] = [];
  const began = now();
  for (let request = 0; request < seconds * REQUESTS_A_SECOND; request++) {
    const due = began + (request * 1000) / REQUESTS_A_SECOND;
    if (due > now()) await delay(due - now());
    const group = request % (EVENTS / MESSAGES);
    const number = from + Math.floor((request * MESSAGES) / EVENTS);
    const eventIds = Array.from({ length: MESSAGES }, (_, n) => group * MESSAGES + n + 1);
    const batch = eventIds.map((eventId) => score(eventId, number));
    const send = async () => {
      const { json } = await ask('/ingest/v1/messages', batch);
      const one = { due, acknowledged: now() };
      if (json.accepted !== MESSAGES) throw new Error(`not all were accepted: ${JSON.stringify(json)}`);
      for (const eventId of eventIds) sent.set(`${eventId} ${number}`, one);
    };
    sending.push(send());
  }
  await Promise.all(sending);
  return sent;
}
