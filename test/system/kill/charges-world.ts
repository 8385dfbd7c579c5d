import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { freePort, type Launched, launch, run, temporaryFolder } from '../../server/cli/launching.ts';
import { ask, type Caller } from './charges-load.ts';
import { generatedFeed } from './generated-feed.ts';

export const INGEST_KEY = 'an-ingest-key-of-the-tests';
const BOOTSTRAP_KEY = `llk_${'0'.repeat(12)}.${'x'.repeat(43)}`;

const PLAN = {
  name: 'Busy',
  requests_per_minute: 1_000_000,
  max_api_keys: null,
  initial_credits: 0,
  monthly_credits: 0,
  credits_expire_hours: null,
  daily_credit_cap: null,
};
const RICH = 1_000_000;
/** Keys with the same e-mail share an account, and what the first of them is granted. Without a limit: null.
 *  @param poor credits that run out on the way */
const keysWith = (poor: number) => [
  { email: 'rich@example.test', plan: 'busy', credits: RICH },
  { email: 'rich@example.test', plan: 'busy', credits: null },
  { email: 'poor@example.test', plan: 'busy', credits: poor },
  { email: 'poor@example.test', plan: 'busy', credits: null },
  { email: 'alone@example.test', plan: 'busy', credits: RICH },
  { email: 'boundless@example.test', plan: 'enterprise', credits: null },
];

/** A folder with sports events that are over, and the keys of several accounts. */
export interface World {
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly callers: readonly Caller[];
  /** By account; null: its credits have no limit. */
  readonly granted: ReadonlyMap<number, number | null>;
}

export async function command(...args: string[]) {
  const ended = await run(args);
  expect(ended, args.join(' ')).toMatchObject({ code: 0 });
  // Some of what the feed says is of events that it never tells of.
  expect(ended.stderr.replace(/^\S+: \d+ of \S+ wait for .+\n/gm, ''), args.join(' ')).toBe('');
  return ended.stdout;
}

export async function createWorld(seed: number, poor: number): Promise<World> {
  const folder = join(temporaryFolder(), 'data');
  const config = join(temporaryFolder(), 'config.json');
  writeFileSync(config, JSON.stringify({ plans: { busy: PLAN } }));
  const env = { CONFIG: config, FEEDS: 'none', LOG_LEVEL: 'warn', BOOTSTRAP_KEY, INGEST_KEY };
  const feed = join(temporaryFolder(), 'feed.ndjson');
  writeFileSync(feed, generatedFeed(seed).join('\n'));
  await command('ingest', '--data-dir', folder, feed);
  const callers: Caller[] = [];
  const granted = new Map<number, number | null>();
  for (const { email, plan, credits } of keysWith(poor)) {
    const grant = credits === null ? [] : ['--credits', String(credits)];
    const args = ['keys', 'create', '--name', email, '--email', email, '--plan', plan, ...grant, '--data-dir', folder];
    const { code, stdout } = await run(args, { env });
    expect(code).toBe(0);
    const { id, key, account_id: account } = JSON.parse(stdout) as { id: number; key: string; account_id: number };
    callers.push({ account, keyId: id, key });
    if (!granted.has(account)) granted.set(account, credits);
  }
  return { folder, env, callers, granted };
}

export interface Server extends Launched {
  readonly url: string;
}

/** From the first moment at which it takes requests: what it had not projected before the kill is not projected yet. */
export async function listening({ folder, env }: World): Promise<Server> {
  const port = await freePort();
  const server = launch(['start', '--data-dir', folder], { ...env, PORT: String(port) });
  while (!(await accepts(port))) {
    if (server.child.exitCode !== null) throw new Error(`ended at its start:\n${(await server.ended).stderr}`);
    await delay(1);
  }
  return { ...server, url: `http://127.0.0.1:${port}` };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Ends it without a chance to finish anything. */
export async function kill({ child, ended }: Launched): Promise<void> {
  child.kill('SIGKILL');
  const { stderr } = await ended;
  expect(stderr, 'errors in the log').not.toMatch(/"level":(50|60)/);
}

const bootstrap: Caller = { account: 0, keyId: 0, key: BOOTSTRAP_KEY };

export async function eventsThatAreOver(server: Server): Promise<readonly number[]> {
  await server.has('\nready');
  const path = '/v1/events?status=final&from=2025-01-06&to=2025-03-01&limit=100';
  const { body } = await ask(server.url, bootstrap, 'events', { path });
  const { events } = JSON.parse(body) as { events: { id: number; sport: string }[] };
  expect(new Set(events.map(({ sport }) => sport))).toEqual(new Set(['nba', 'tennis']));
  return events.map(({ id }) => id);
}
