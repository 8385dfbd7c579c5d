import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Cell } from '../../../src/api/calls/operation/table.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { reportOf, run, startServer, temporaryFolder } from '../../server/cli/launching.ts';
import { hasPython, makePythonVenv } from '../../support/python-venv.ts';
import { dayOfSport } from '../openapi/day-of-sport.ts';
import { type EveryCall, everyCall, type KnownIds, lastCalls } from './every-call.ts';

// Both clients are installed from a running server, by pip and by npm, and call every operation of it. What they answer
// is compared with what plain HTTP answers.

const INGEST_KEY = 'ingest';
const MINUTES = 60_000;
const PROGRAMS = join(import.meta.dirname, 'programs');
const exec = promisify(execFile);

/** What differs from moment to moment: the time, where the log is, how old something is, what was used. */
const MOVING =
  /^(?:time|position|lag_\w+|\w*age\w*|next_after|records_checked|last_used_at|\w*used\w*|request_id|.*_today)$/;

type Json = unknown;
function still(value: Json, moving: readonly string[] = []): Json {
  if (Array.isArray(value)) return value.map((item) => still(item, moving));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !MOVING.test(name) && !moving.includes(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, still(member, moving)]));
}

async function started() {
  const folder = temporaryFolder();
  // A plan without a limit.
  const made = await run(['keys', 'create', '--name', 'somebody', '--plan', 'enterprise', '--data-dir', folder]);
  const { key: apiKey } = reportOf(made) as { key: string };
  const env = { INGEST_KEY, WEBHOOK_ALLOW: '127.0.0.1/32', FEEDS: 'none' };
  const { url } = await startServer(folder, env);
  const messages = dayOfSport(Date.now());
  const fed = await fetch(`${url}/ingest/v1/messages?wait=projected`, {
    method: 'POST',
    headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(messages),
  });
  expect(await fed.json()).toMatchObject({ accepted: messages.length, errors: [] });

  /** The answer, or what refused it. */
  async function plain(request: string, body?: unknown, key?: string): Promise<any> {
    const [method, path] = request.split(' ');
    const response = await fetch(url + path, {
      method: method!,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.status === 204) return null;
    const answer = (await response.json()) as { error?: { code: string; message: string } };
    if (response.ok) return answer;
    return { refused: answer.error!.code, status: response.status, message: answer.error!.message };
  }

  /** Ids of what is there, and of what is made for each of the callers. */
  async function idsFor(callers: number): Promise<readonly KnownIds[]> {
    const idOf = async (request: string): Promise<number> => (await plain(request)).mappings[0].id;
    const nfl = await idOf('GET /v1/mappings?source=feed&ref=g1');
    const leg = { legs: [{ event_id: nfl, market_key: 'ml', side: 'away' }] };
    const hook = async () => (await plain('POST /v1/webhooks', { url: 'https://127.0.0.1/in' })).id as number;
    const experiment = async () => {
      const [from, to] = [1, 2].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
      const asserted = { name: 'one', policy: null, cohort: null, from, to, gates: null, seed: null };
      return (await plain('POST /v1/experiments', asserted)).id as string;
    };
    const common = {
      nfl,
      tennis: await idOf('GET /v1/mappings?source=feed&ref=g3'),
      team: (await plain('GET /v1/teams?sport=nfl')).data[0].id,
      player: (await plain('GET /v1/players?sport=tennis')).data[0].id,
      receipt: (await plain('POST /v1/grade/slip', leg)).receipt.id,
      webhook: await hook(),
      experiment: await experiment(),
    };
    const ids: KnownIds[] = [];
    for (let at = 0; at < callers; at++) {
      const key = (await plain('POST /api/agent/keys', { name: `key ${at}` })).id;
      const link = (await plain('POST /api/agent/links', { path: '/v1/sports', format: 'json' })).id;
      const taken = { price: 110, stake: 5, book: 'fanduel', placed_at: '2026-01-01T00:00:00Z' };
      const given = { bets: [{ event_id: nfl, market_key: 'ml', side: 'away', ...taken }] };
      const bet = (await plain('POST /v1/bets', given)).bets[0].id;
      ids.push({ ...common, ended: { webhook: await hook(), key, link, bet } });
    }
    return ids;
  }

  /** What plain HTTP answers to a call, in the form of the client: a list where that gives items. */
  async function expected({ request, body, key, group, most }: EveryCall): Promise<Json> {
    const answer = await plain(request, body, key);
    if (group === 'stream') return most === undefined ? [answer] : answer.changes;
    if (group !== 'each') return answer;
    expect(answer.next_after_id).toBe(null);
    return answer.events ?? answer.bets ?? answer.data;
  }

  return { url, apiKey, idsFor, expected };
}

/** A client for JavaScript as npm installs it. */
async function installedByNpm(url: string, apiKey: string) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'somebody', private: true, type: 'module' }));
  const flags = ['--no-audit', '--no-fund', '--prefer-offline'];
  const { stdout } = await exec('npm', ['install', ...flags, `${url}/client/ledgerline-client.tgz`], { cwd: folder });
  expect(stdout).toContain('added 1 package');
  await exec('cp', [join(PROGRAMS, 'call-all.mjs'), folder]);
  return (calls: readonly object[]) => output(process.execPath, [join(folder, 'call-all.mjs'), url, apiKey], { calls });
}

/** The clients for Python as pip installs them: that of threads, and that of asyncio. */
async function installedByPip(url: string, apiKey: string, wanted = (wheel: string) => wheel) {
  const page = await (await fetch(`${url}/client`)).text();
  const [, wheel] = /pip install (\S+\.whl)/.exec(page)!;
  const venv = join(temporaryFolder(), 'venv');
  await makePythonVenv(venv, [wanted(wheel!)]);
  return (kind: 'sync' | 'async' | 'frame') => (calls: readonly object[]) =>
    output(join(venv, 'bin/python'), [join(PROGRAMS, 'call_all.py'), url, apiKey], { kind, calls });
}

function output(program: string, args: readonly string[], input: object): Promise<Json[]> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1' };
    const child = execFile(program, args, { env, maxBuffer: 64 * MINUTES }, (error, stdout, stderr) => {
      if (error) reject(new Error(stderr));
      else resolve(JSON.parse(stdout));
    });
    child.stdin!.end(JSON.stringify(input));
  });
}

/** A cell as the program that reads frames prints it: a time in milliseconds, and what is empty as null. */
function printedCell(cell: Cell, type: string): unknown {
  if (cell === null || cell === '') return null;
  return type === 'time' ? Date.parse(String(cell)) : cell;
}

const STREAMS: Readonly<Record<string, string>> = { stream_scores: 'score', stream_changes: 'changes' };

/** How the clients name the method of a call. */
function named({ name, group, ...call }: EveryCall) {
  const camelCase = name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const python = STREAMS[name] ?? name;
  return { ...call, group, python, javascript: camelCase };
}

describe.skipIf(!hasPython('the installed clients'))('clients installed from a running server', () => {
  it(
    'give the rows of the tables as data frames',
    async () => {
      const { url, apiKey, idsFor, expected } = await started();
      const byPip = await installedByPip(url, apiKey, (wheel) => `ledgerline[pandas] @ ${wheel}`);
      const [ids] = await idsFor(1);
      const all = everyCall(ids!, '2026-01-01T00:00:00Z', '2026-01-01');
      const tables = new Map(operations.flatMap(({ name, table }) => (table ? [[name, table] as const] : [])));
      // Whoever counts what was called counts these calls too.
      const calls = all.filter(({ name, group, moving }) => tables.has(name) && !group && !moving);
      const framed = calls.filter(({ name, arguments: given }) => name !== 'query_events' && given['id'] !== 999_999);
      expect(new Set(framed.map(({ name }) => name)).size).toBe(tables.size - 2);

      const frames = (await byPip('frame')(framed.map(named))) as { columns: string[]; rows: unknown[][] }[];
      expect(frames.filter(({ rows }) => rows.length > 0).length).toBeGreaterThan(frames.length / 2);
      for (const [at, call] of framed.entries()) {
        const { columns, rows } = tables.get(call.name)!;
        const told = `${call.name} ${JSON.stringify(call.arguments)}`;
        expect(frames[at]!.columns, told).toEqual(columns.map(({ name }) => name));
        const answer = await expected(call);
        const cells = [...rows(answer)].map((row) =>
          row.map((cell, column) => printedCell(cell, columns[column]!.type)),
        );
        expect(frames[at]!.rows, told).toEqual(cells);
      }
    },
    5 * MINUTES,
  );

  it(
    'answer every operation as plain HTTP does',
    async () => {
      const { url, apiKey, idsFor, expected } = await started();
      const byPip = await installedByPip(url, apiKey);
      const callers = [
        ['npm', await installedByNpm(url, apiKey)],
        ['pip, threads', byPip('sync')],
        ['pip, asyncio', byPip('async')],
      ] as const;
      const [own, ...theirs] = await idsFor(callers.length + 1);
      const now = Date.now();
      const times = [`${new Date(now).toISOString().slice(0, 19)}Z`, new Date(now).toISOString().slice(0, 10)] as const;
      const calls = everyCall(own!, ...times);
      // The first time makes what is made; from then on the same keys have the same answers.
      const refused: string[] = [];
      for (const call of calls) {
        const answer = (await expected(call)) as { refused?: string };
        if (answer.refused !== undefined) refused.push(`${call.name} ${answer.refused}`);
      }
      expect(refused.toSorted()).toEqual([
        'finish_trial expired_token',
        'get_event not_found',
        'top_up_credits bad_request',
      ]);

      const wanted: Json[] = [];
      for (const call of calls) wanted.push(still(await expected(call), call.moving));

      for (const [caller, runAll] of callers) {
        const answers = await runAll(calls.map(named));
        for (const [at, call] of calls.entries()) {
          const told = `${caller}: ${call.name} ${JSON.stringify(call.arguments)}`;
          expect(still(answers[at], call.moving), told).toEqual(wanted[at]);
        }
      }
      for (const [at, [caller, runAll]] of callers.entries()) {
        const last = lastCalls(theirs[at]!);
        expect(await runAll(last.map(named)), caller).toEqual(last.map(() => null));
        const again = await Promise.all(lastCalls(theirs[at]!).map(expected));
        expect(again[0]).toMatchObject({ refused: 'not_found' });
      }

      const called = new Set([...calls, ...lastCalls(own!)].map(({ name }) => name));
      const missing = operations.map(({ name }) => name).filter((name) => !called.has(name));
      expect(missing, 'test/api/client-packages/every-call.ts must call them').toEqual([]);
    },
    5 * MINUTES,
  );
});
