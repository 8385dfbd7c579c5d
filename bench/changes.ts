import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type AskServer, askOver } from './ask.ts';
import type { Benchmark } from './benchmark.ts';
import { type Child, startChild } from './child.ts';
import { feedMessages } from './feed-messages.ts';
import { percentile } from './percentile.ts';
import { now, schedule } from './score-feed.ts';
import { type Measurable, type Server, startServer } from './server.ts';

const EVENTS = 100;
const STREAMS = 1000;
const READ = 50;
/** 500 changes a second, as a connector brings them: each request has one move of a line of each of ten events. */
const REQUESTS_A_SECOND = 50;
const MESSAGES = 10;
/** A long day of odds, for who reads it from the beginning. */
const DAY = { full: 100_000, quick: 4000 };

export const changes: Benchmark = {
  name: 'changes',
  summary:
    "from the feed's request to a reader, 500 changes a second, 1,000 open streams of all changes; a long day in pages",
  async run({ folder, quick, say }) {
    const lengths = quick ? { warmUp: 1, seconds: 2 } : { warmUp: 5, seconds: 20 };
    const server = await startServer({ folder: join(folder, 'data') });
    let bare: Child | undefined;
    try {
      await feedMessages(server, Array.from({ length: EVENTS }, (_, n) => [schedule(n + 1), price(n + 1, 0)]).flat());
      await feedMessages(server, [price(1, 1)]);
      bare = await startChild('bare-changes', { message: await anyMessage(server) });
      say('the floor');
      const floor = await measure(bare, 'none', 'none', lengths, 1);
      say('the server');
      const ours = await measure(server, server.key, server.ingestKey, lengths, 2);
      const figures = ([0.5, 0.99, 0.999] as const).map((share) => ({
        what: `sent by the feed to arrived, p${share * 100}`,
        value: percentile(ours.arrivals, share),
        unit: 'ms',
        floor: { what: 'bare Node server', value: percentile(floor.arrivals, share) },
      }));
      say('a long day in pages');
      const day = await readDay(server, quick ? DAY.quick : DAY.full);
      return [
        ...figures,
        {
          what: 'acknowledged to arrived, p99',
          value: percentile(ours.behind, 0.99),
          unit: 'ms',
          floor: { what: 'bare Node server', value: percentile(floor.behind, 0.99) },
          goal: { of: 'value', bound: 'at most', number: 50 },
        },
        {
          what: 'processor time of a delivery',
          value: ours.cost / STREAMS,
          unit: 'µs',
          floor: { what: 'bare Node server', value: floor.cost / STREAMS },
        },
        { what: `a page of 500 of ${day.records} prices, from the beginning, median`, value: day.median, unit: 'ms' },
        { what: 'the slowest such page', value: day.slowest, unit: 'ms' },
        { what: 'a page somewhere in it, when nothing of it is kept, p50', value: day.cold, unit: 'ms' },
        { what: 'the slowest of these', value: day.slowestCold, unit: 'ms' },
      ];
    } finally {
      await Promise.all([server.stop(), bare?.stop()]);
    }
  },
};

/** A price that is another one than that of the number before. */
const price = (eventId: number, number: number) => ({
  kind: 'odds',
  source: 'bench',
  at: new Date().toISOString(),
  ref: String(eventId),
  bookmaker: 'pinnacle',
  markets: [
    {
      key: 'h2h',
      outcomes: [
        { outcome: 'home', price: -101 - number },
        { outcome: 'away', price: -105 },
      ],
    },
  ],
});

/** One message as it goes over the wire. */
async function anyMessage(server: Server): Promise<string> {
  const ask = askOver(server.port, server.key);
  const { json } = await ask('/v1/changes?after=0');
  const [one] = json.changes;
  const text = JSON.stringify(one)
    .replaceAll(/"event_id":\d+/g, '"event_id":@EVENT@')
    .replace(/"price_to":-?\d+/, '"price_to":@PRICE@');
  return `event: line_move\nid: ${one.id}\ndata: ${text}\n\n`;
}

interface Measured {
  /** Of each delivery that was looked at, from the moment at which the feed's request was due. Milliseconds. */
  readonly arrivals: number[];
  /** The same from the acknowledgement of its change. */
  readonly behind: number[];
  /** Microseconds of the server's processor time for one change. */
  readonly cost: number;
}

interface Lengths {
  readonly warmUp: number;
  readonly seconds: number;
}

/** @throws Error where a reader lacks a change, or got another one */
async function measure(
  server: Measurable,
  key: string,
  ingestKey: string,
  lengths: Lengths,
  first: number,
): Promise<Measured> {
  const { warmUp, seconds } = lengths;
  const readers = await startChild('change-readers', {
    port: server.port,
    key,
    streams: STREAMS,
    oneOf: STREAMS / READ,
  });
  try {
    const ask = askOver(server.port, ingestKey);
    const warm = await feed(ask, first, warmUp);
    const cpu = await server.cpu();
    const sent = await feed(ask, first + changesIn(warmUp), seconds);
    const cost = ((await server.cpu()) - cpu) / sent.size;
    const all = warm.size + sent.size;
    for (const until = now() + 30_000; Number(await readers.ask('received')) < all * READ; await delay(50)) {
      if (now() > until) throw new Error(`${await readers.ask('received')} changes arrived instead of ${all * READ}`);
    }
    const arrivals: number[] = [];
    const behind: number[] = [];
    for (const { names, arrivals: times } of await readers.ask('results')) {
      if (names.length !== all || new Set(names).size !== all) throw new Error('a reader got other changes');
      for (const [n, name] of names.entries()) {
        const one = sent.get(name);
        if (!one) continue;
        arrivals.push(times[n] - one.due);
        behind.push(times[n] - one.acknowledged);
      }
    }
    for (const until = now() + 10_000; ; await delay(50)) {
      const { least, most } = await readers.ask('bytes');
      if (least > 0 && most - least < 1024) break;
      if (now() > until) throw new Error(`streams brought from ${least} to ${most} bytes`);
    }
    return { arrivals, behind, cost };
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

/** Sends changes at an even pace, the first of which are number `from` of each event. By `EVENTID PRICE`. */
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
    const batch = eventIds.map((eventId) => price(eventId, number));
    const send = async () => {
      const { json } = await ask('/ingest/v1/messages', batch);
      const one = { due, acknowledged: now() };
      if (json.accepted !== MESSAGES) throw new Error(`not all were accepted: ${JSON.stringify(json)}`);
      for (const eventId of eventIds) sent.set(`${eventId} ${-101 - number}`, one);
    };
    sending.push(send());
  }
  await Promise.all(sending);
  return sent;
}

/** Adds prices of four books of all events, and reads them in pages: from the beginning, then here and there. */
async function readDay(server: Server, records: number) {
  const books = ['fanduel', 'draftkings', 'betmgm', 'caesars'];
  const of = (n: number) => ({
    ...price((n % EVENTS) + 1, 500 + Math.floor(n / EVENTS / books.length)),
    bookmaker: books[Math.floor(n / EVENTS) % books.length],
  });
  const ask = askOver(server.port, server.key);
  const { json } = await ask('/v1/changes');
  for (let n = 0; n < records; n += 1000)
    await feedMessages(
      server,
      Array.from({ length: 1000 }, (_, m) => of(n + m)),
    );
  const cold: number[] = [];
  const places: string[] = [];
  const end = Number((await ask('/v1/changes')).json.next_after);
  const begin = Number(json.next_after);
  // Backwards, so that nothing of what was folded for one serves the next.
  for (let n = 9; n >= 1; n--) places.push(String(begin + Math.floor(((end - begin) * n) / 10)));
  for (const place of places) cold.push((await ask(`/v1/changes?limit=500&after=${place}`)).ms);
  const pages: number[] = [];
  for (let after = json.next_after, more = true; more; ) {
    const { ms, json: page } = await ask(`/v1/changes?limit=500&after=${after}`);
    pages.push(ms);
    after = page.next_after;
    more = page.has_more;
  }
  return {
    records,
    median: percentile(pages, 0.5),
    slowest: Math.max(...pages),
    cold: percentile(cold, 0.5),
    slowestCold: Math.max(...cold),
  };
}
