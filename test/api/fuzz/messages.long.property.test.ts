import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { operations } from '../../../src/api/operations/index.ts';
import type { OutcomeReport } from '../../../src/ingest/intake/intake.ts';
import type { Message } from '../../system/properties/small-server.ts';
import { type Draw, introductions, messageOf } from '../../system/properties/world.ts';
import { hostileJson, mutated } from './hostile.ts';
import { FUZZ_RUNS, FUZZ_SEED, type Random, randomOf } from './random.ts';
import { INGEST_KEY, type ServedAll, serveAll } from './serving.ts';

/** Servers are changed now and then: histories that only grow would make the later cases ever slower. */
const CASES_EACH = 2500;
const LONG = 60_000 + FUZZ_RUNS * 20;
const BASES = introductions();

function drawn(random: Random): Draw {
  const below = random.below;
  return {
    kind: below(20),
    event: below(6),
    source: below(5),
    at: below(14),
    variant: below(64),
    other: below(64),
    turned: random.chance(0.5),
  };
}

function oneMessage(random: Random): Message {
  const base = random.chance(0.4) ? random.pick(BASES) : messageOf(drawn(random));
  return random.chance(0.15) ? base : mutated(base, random);
}

/** Text of a message; now and then no JSON, or JSON that only text can be. */
function lineOf(random: Random): Buffer {
  const text = hostileJson(oneMessage(random));
  switch (random.below(14)) {
    case 0:
      return Buffer.from(text.slice(0, random.below(text.length)));
    case 1:
      return Buffer.from(text.replace(/\d+/, '1e999'));
    case 2:
      return Buffer.from(text.replace('{', `{"__proto__":{"kind":"score","status":"final"},`));
    case 3:
      return Buffer.from(text.replace('{', '{"kind":"odds","kind":"team",'));
    case 4: {
      const bytes = Buffer.from(text);
      bytes[random.below(bytes.length)] = random.below(256);
      return withoutLineFeeds(bytes);
    }
    case 5:
      return withoutLineFeeds(random.bytes(random.below(60)));
    case 6:
      return Buffer.concat([Buffer.from('\ufeff'), Buffer.from(text), Buffer.from('\r')]);
    default:
      return Buffer.from(text);
  }
}
const withoutLineFeeds = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => (byte === 10 ? 11 : byte)));

interface Sent {
  readonly lines: readonly Buffer[];
  readonly body: Buffer;
  readonly headers: Record<string, string>;
  /** Whether the body can be read; what its lines are is another question. */
  readonly sound: boolean;
}

function oneCase(random: Random): Sent {
  const lines = Array.from({ length: random.chance(0.7) ? 1 : 1 + random.below(6) }, () => lineOf(random));
  const asArray = random.chance(0.2);
  const plain = asArray
    ? Buffer.concat([
        Buffer.from('['),
        ...lines.flatMap((line, index) => (index > 0 ? [Buffer.from(','), line] : [line])),
        Buffer.from(']'),
      ])
    : Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
  const type = asArray ? 'application/json' : 'application/x-ndjson';
  if (!random.chance(0.15)) return { lines, body: plain, headers: { 'content-type': type }, sound: !asArray };
  const zipped = gzipSync(plain);
  const broken = random.chance(0.5);
  if (broken && random.chance(0.5)) zipped[random.below(zipped.length)]! ^= 1 + random.below(255);
  const body = broken ? zipped.subarray(0, random.below(zipped.length)) : zipped;
  return { lines, body, headers: { 'content-type': type, 'content-encoding': 'gzip' }, sound: !asArray && !broken };
}

const isBlank = (line: Buffer, index: number): boolean =>
  line
    .toString('utf8')
    .replace(index === 0 ? '\ufeff' : '', '')
    .trim() === '';

function checkReport(report: OutcomeReport, { lines, sound }: Sent): void {
  const { received, accepted, unchanged, quarantined, rejected, errors } = report;
  expect(accepted + unchanged + quarantined + rejected).toBe(received);
  if (sound) expect(received).toBe(lines.filter((line, index) => !isBlank(line, index)).length);
  expect(errors).toHaveLength(Math.min(rejected, 100));
  for (const { line, code, message, path } of errors) {
    expect(line >= 1 && line <= Math.max(lines.length, received)).toBe(true);
    expect(code).toMatch(/^[a-z0-9_]+$/);
    expect(typeof message === 'string' && message !== '' && typeof path === 'string').toBe(true);
  }
}

async function tryCases(served: ServedAll, first: number, count: number): Promise<void> {
  let after = await served.server.log.head();
  for (let seed = first; seed < first + count; seed++) {
    const one = oneCase(randomOf(seed));
    const response = await fetch(`${served.url}/ingest/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${INGEST_KEY}`, ...one.headers },
      body: one.body as unknown as string,
    });
    const answer = (await response.json()) as OutcomeReport & { error?: { code: string; status: number } };
    const before = after;
    after = await served.server.log.head();
    try {
      expect([200, 400]).toContain(response.status);
      if (answer.error) {
        expect(answer.error).toMatchObject({ code: 'bad_request', status: 400 });
        expect(one.sound).toBe(false);
      } else {
        checkReport(answer, one);
        expect(response.status).toBe(answer.received > 0 && answer.rejected === answer.received ? 400 : 200);
      }
      if (answer.error || answer.rejected === answer.received) expect(after).toBe(before);
      if (answer.accepted > 0) expect(after! > before!).toBe(true);
      if (seed % 250 === 0) expect(await served.known()).toBe(true);
    } catch (error) {
      const body = one.body.subarray(0, 2000).toString('latin1');
      throw new Error(`FUZZ_SEED=${seed}, first of its server ${first}: ${body}`, { cause: error });
    }
  }
  expect(await served.known()).toBe(true);
  expect(served.logged).toEqual([]);
}

it(
  'accepts, refuses or quarantines every message, whole, and goes on; what it accepted can be read',
  async () => {
    for (let done = 0; done < FUZZ_RUNS; done += CASES_EACH) {
      const served = await serveAll();
      try {
        await tryCases(served, FUZZ_SEED + done, Math.min(CASES_EACH, FUZZ_RUNS - done));
        await readEverything(served);
      } finally {
        await served.close();
      }
    }
  },
  LONG,
);

const READS = [
  'get_event',
  'get_live_score',
  'get_odds',
  'get_odds_history',
  'get_odds_summary',
  'get_intelligence',
  'get_splits',
  'get_injuries',
];
const LISTS = ['list_events', 'list_teams', 'search_players', 'list_seasons', 'list_sports'];

async function readEverything({ server }: ServedAll): Promise<void> {
  await server.projected();
  for (const { name, state } of server.status()) expect({ name, state }).toEqual({ name, state: 'live' });
  const ids = Object.keys((await server.documents())['events']!).map(Number);
  for (const id of ids.slice(0, 200)) {
    for (const asOf of [{}, { as_of: '2026-09-05T00:00:00Z', as_of_basis: 'observed' }]) {
      for (const name of READS) await checkAnswer(server, name, { id, ...addOns(name), ...asOf });
    }
  }
  for (const name of LISTS) await checkAnswer(server, name, name === 'list_events' ? { include_scores: true } : {});
}

/** An answer is what its definition says; an event that only has been spoken of is not found. */
async function checkAnswer(server: ServedAll['server'], name: string, input: Message): Promise<void> {
  const answer = await server.ask(name, input);
  if (typeof answer === 'object' && answer !== null && 'error' in answer) {
    expect(answer).toEqual({ error: 'not_found' });
    return;
  }
  const checked = operations.find((operation) => operation.name === name)!.output.safeParse(answer);
  expect(checked.success ? [] : checked.error.issues, `${name} ${JSON.stringify(input)}`).toEqual([]);
}

const addOns = (name: string): Message =>
  name === 'get_event'
    ? { include_odds: true, include_alts: true, include_intelligence: true, bookmaker: 'all' }
    : name.startsWith('get_odds')
      ? { bookmaker: 'all' }
      : {};
