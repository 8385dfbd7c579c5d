import { expect, it } from 'vitest';
import { operations } from '../../../src/api/operations/index.ts';
import type { OutcomeReport } from '../../../src/ingest/intake/intake.ts';
import type { Message } from '../../system/properties/small-server.ts';
import { oneBody, type Sent } from './feed-bodies.ts';
import { FUZZ_RUNS, FUZZ_SEED, randomOf } from './random.ts';
import { INGEST_KEY, type ServedAll, serveAll } from './serving.ts';

/** Servers are changed now and then: histories that only grow would make the later cases ever slower. */
const CASES_EACH = 2500;
const LONG = 60_000 + FUZZ_RUNS * 20;
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
    const one = oneBody(randomOf(seed));
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
