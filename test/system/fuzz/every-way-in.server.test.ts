import { readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { exchange, requestOf } from '../../api/fuzz/http-requests.ts';
import { FUZZ_SEED, randomOf } from '../../api/fuzz/random.ts';
import { startServer, temporaryFolder } from '../../server/cli/launching.ts';
import { longestBlocking, MAX_BLOCKING_MS } from '../../support/longest-blocking.ts';
import { smallServer } from '../properties/small-server.ts';
import { introductions, NOW } from '../properties/world.ts';
import { type HttpInput, httpInput } from './http-inputs.ts';
import { openReaders } from './readers.ts';

/** `FUZZ_RUNS=1000000` tries a million. */
const INPUTS = Number(process.env['FUZZ_RUNS'] ?? 20_000);
const BY_HTTP = Math.ceil(0.7 * INPUTS);
const LONG = 120_000 + INPUTS * 20;
/** A turn of the loop takes all that has arrived, so the sum of many requests would count as one hold. */
const AT_ONCE = 8;
/** So often the watch of the loop is asked: later nobody would know which requests were under way. */
const REQUESTS_EACH = 20_000;
/** The server that takes the messages of the topic is a new one now and then: its log stands in memory. */
const INPUTS_EACH = 5000;
/** Of a hundred requests, those whose bytes are broken too: they are written to a socket of their own. */
const BROKEN_IN_A_HUNDRED = 10;

const API_KEY = `llk_${'a'.repeat(12)}.${'b'.repeat(43)}`;
const INGEST_KEY = 'ingest-key';
const WATCH = fileURLToPath(new URL('loop-watch.mjs', import.meta.url));

const MIB = 1024 * 1024;
/** What the server may grow by, from the first tenth of the requests on: its caches fill, and its log grows. */
const MAX_GROWTH = 350 * MIB;
const MAX_HEAP = 800 * MIB;
/** Longer holds of the loop fail the test; collections of garbage are told apart. */
const MAX_HOLD_MS = 50;

interface Hold {
  readonly from: number;
  readonly held: number;
  readonly withoutGc: number;
}

async function watchedServer() {
  const folder = temporaryFolder();
  const report = join(folder, 'loop.json');
  const server = await startServer(join(folder, 'data'), {
    BOOTSTRAP_KEY: API_KEY,
    INGEST_KEY,
    TRUST_PROXY: '127.0.0.0/8',
    NODE_OPTIONS: `--import=${WATCH}`,
    LOOP_WATCH_FILE: report,
  });
  const memory = (): number => {
    const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) * 1024;
  };
  /** What held its event loop since the last time. */
  async function holds() {
    rmSync(report, { force: true });
    server.child.kill('SIGUSR2');
    for (;;) {
      await setTimeout(100);
      try {
        const told = JSON.parse(readFileSync(report, 'utf8'));
        return told as { origin: number; longest: number; holds: readonly Hold[] };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }
  return { ...server, memory, holds };
}
type Watched = Awaited<ReturnType<typeof watchedServer>>;

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

/** The status; undefined if the connection was closed instead, which a refusal of a large body may do. */
function send(port: string, { method, path, headers, body }: HttpInput): Promise<number | undefined> {
  return new Promise((resolve) => {
    const sent = request({ agent, port, host: '127.0.0.1', method, path, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
      response.on('error', () => resolve(undefined));
      // A stream goes on for ever.
      if (/event-stream/.test(response.headers['content-type'] ?? '')) {
        resolve(response.statusCode);
        sent.destroy();
      }
    });
    sent.on('error', () => resolve(undefined));
    sent.end(body);
  });
}

/** Answers that no fuzzing may change. */
async function answers(server: Watched) {
  const headers = { authorization: `Bearer ${API_KEY}` };
  const get = async (path: string) => {
    const response = await fetch(`${server.url}${path}`, { headers });
    return {
      status: response.status,
      body: (await response.json()) as { readonly events?: readonly { readonly id: number }[] },
    };
  };
  const { body } = await get('/v1/events?league=nhl&limit=1');
  const { id } = body.events![0]!;
  return { score: await get(`/v1/events/${id}/score`), event: await get(`/v1/events/${id}`) };
}

const UNTOUCHED = [
  {
    kind: 'schedule',
    source: 'untouched',
    at: '2026-09-01T00:00:00Z',
    sport: 'nhl',
    league: 'nhl',
    ref: 'untouched-1',
    starts_at: '2026-11-01T00:00:00Z',
    participants: [
      { role: 'home', name: 'Untouched Home', abbreviation: 'UTH' },
      { role: 'away', name: 'Untouched Away', abbreviation: 'UTA' },
    ],
  },
];

it(
  'refuses or takes each malformed request, holds nobody up, keeps its memory bounded, and answers as before',
  async () => {
    const server = await watchedServer();
    const body = Buffer.from(JSON.stringify([...UNTOUCHED, ...introductions()]));
    const ingest = { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/json' };
    expect(await send(server.port, { method: 'POST', path: '/ingest/v1/messages', headers: ingest, body })).toBe(200);
    const before = await answers(server);
    await server.holds();
    let warm: number | undefined;
    let highest = 0;
    let next = 0;
    const failed: string[] = [];
    /** When each slow request of this round was under way, to tell which one held the loop. */
    let slow: { readonly at: number; readonly until: number; readonly what: string }[] = [];

    async function sendOne(seed: number): Promise<void> {
      const random = randomOf(FUZZ_SEED + seed);
      const at = Date.now();
      let what: string;
      let status: number | undefined;
      if (random.below(100) < BROKEN_IN_A_HUNDRED) {
        const { bytes } = requestOf(random, API_KEY);
        what = bytes.subarray(0, 300).toString('latin1');
        status = Number(
          /^HTTP\/1\.1 (\d{3}) /.exec((await exchange(Number(server.port), bytes)).toString('latin1'))?.[1] ?? 0,
        );
      } else {
        const input = httpInput({ api: API_KEY, ingest: INGEST_KEY }, random);
        const address = `10.${random.below(256)}.${random.below(256)}.${random.below(256)}`;
        what = `${input.method} ${input.path.slice(0, 200)} ${input.body?.subarray(0, 300).toString('latin1') ?? ''}`;
        status = await send(server.port, { ...input, headers: { ...input.headers, 'x-forwarded-for': address } });
      }
      const until = Date.now();
      if (until - at > 20) slow.push({ at, until, what: `FUZZ_SEED=${FUZZ_SEED + seed} ${what}` });
      if (status !== undefined && status >= 500) failed.push(`${status}: FUZZ_SEED=${FUZZ_SEED + seed} ${what}`);
    }

    async function sendUpTo(end: number): Promise<void> {
      while (next < end && failed.length < 20) {
        const seed = next++;
        await sendOne(seed);
        if (seed % 500 === 0) highest = Math.max(highest, server.memory());
        if (seed >= BY_HTTP / 10) warm ??= server.memory();
      }
    }

    const began = performance.now();
    let longest = 0;
    const holds: { readonly held: number; readonly withoutGc: number; readonly underWay: readonly string[] }[] = [];
    while (next < BY_HTTP && failed.length < 20) {
      slow = [];
      const end = Math.min(next + REQUESTS_EACH, BY_HTTP);
      await Promise.all(Array.from({ length: AT_ONCE }, () => sendUpTo(end)));
      const told = await server.holds();
      longest = Math.max(longest, told.longest);
      for (const { from, held, withoutGc } of told.holds) {
        const since = told.origin + from;
        const underWay = slow.filter(({ at, until }) => at <= since + held && until >= since).map(({ what }) => what);
        if (withoutGc >= MAX_HOLD_MS / 2) holds.push({ held, withoutGc, underWay });
      }
    }
    const seconds = (performance.now() - began) / 1000;
    const longestWithoutGc = Math.max(0, ...holds.map(({ withoutGc }) => withoutGc));
    console.log(
      `${next} requests in ${seconds.toFixed(0)} s; memory ${Math.round(warm! / MIB)} MiB after a tenth, ${Math.round(highest / MIB)} at most; ` +
        `the loop was held for ${longest.toFixed(0)} ms at most; without collections of garbage it was held for ` +
        `${MAX_HOLD_MS / 2} ms and longer ${holds.length} times, ${longestWithoutGc.toFixed(0)} ms at most`,
    );
    expect(failed).toEqual([]);
    expect(await answers(server)).toEqual(before);
    expect(highest).toBeLessThan(MAX_HEAP);
    expect(server.memory() - warm!).toBeLessThan(MAX_GROWTH);
    expect(holds.filter(({ withoutGc }) => withoutGc >= MAX_HOLD_MS)).toEqual([]);
  },
  LONG,
);

it(
  'refuses or reads each malformed answer, file and message of the topic, and holds nobody up',
  async () => {
    let highest = 0;
    let seed = 0;
    const began = performance.now();
    const { longest } = await longestBlocking(async () => {
      while (seed < INPUTS - BY_HTTP) {
        const last = Math.min(seed + INPUTS_EACH, INPUTS - BY_HTTP);
        const server = await smallServer({ time: NOW });
        const { readers, close } = openReaders(server);
        for (; seed < last; seed++) {
          const random = randomOf(FUZZ_SEED + seed);
          const [name, read] = random.pick(readers);
          try {
            await read(random);
          } catch (error) {
            throw new Error(`FUZZ_SEED=${FUZZ_SEED + seed}: ${name}`, { cause: error });
          }
          if (seed % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
          if (seed % 1000 === 0) highest = Math.max(highest, process.memoryUsage.rss());
        }
        await close();
        await server.close();
      }
    });
    console.log(
      `${seed} inputs in ${((performance.now() - began) / 1000).toFixed(0)} s; memory ${Math.round(highest / MIB)} MiB at most; ` +
        `the loop was held for ${longest.toFixed(0)} ms at most`,
    );
    expect(highest).toBeLessThan(2 * MAX_HEAP);
    expect(longest).toBeLessThan(MAX_BLOCKING_MS);
  },
  LONG,
);
