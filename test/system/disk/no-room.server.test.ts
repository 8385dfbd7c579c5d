import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { freePort, launch, run, teams, temporaryFolder } from '../../server/cli/launching.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';
import { smallDisk } from '../../support/small-disk.ts';

const INGEST_KEY = 'an-ingest-key-of-the-tests';
const BOOTSTRAP_KEY = `llk_${'0'.repeat(12)}.${'x'.repeat(43)}`;

/** Teams with names as long as they may be: a disk fills soon. */
function wordyTeams(from: number, count: number): string {
  return Array.from({ length: count }, (_, n) => {
    const name = `Team ${from + n} ${'of a town with a long name '.repeat(3)}`.trim();
    return JSON.stringify({
      kind: 'team',
      source: 'test',
      at: '2025-01-01T00:00:00Z',
      sport: 'nfl',
      league: 'nfl',
      ref: `w${from + n}`,
      name,
      abbreviation: `W${from + n}`,
    });
  }).join('\n');
}

async function start(folder: string, through: readonly string[] = []) {
  const port = await freePort();
  const env = { PORT: String(port), LOG_LEVEL: 'warn', FEEDS: 'none', INGEST_KEY, BOOTSTRAP_KEY };
  const server = launch(['start', '--data-dir', folder], env, through);
  await server.has('\nready');
  const url = `http://127.0.0.1:${port}`;
  const get = (path: string, key = BOOTSTRAP_KEY) =>
    fetch(url + path, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(patientTimeout(10_000)),
    });
  return {
    ...server,
    get,
    health: async () => (await (await get('/v1/health')).json()) as { status: string; reasons?: string[] },
    post: (body: string, search = '') =>
      fetch(`${url}/ingest/v1/messages${search}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/x-ndjson' },
        body,
        signal: AbortSignal.timeout(patientTimeout(10_000)),
      }),
    create: (key: string) =>
      fetch(`${url}/api/agent/keys`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'another', scopes: ['all'] }),
      }),
  };
}
type Started = Awaited<ReturnType<typeof start>>;

/** Sends many at a time, then one at a time, until the server refuses even that. @returns what was taken */
async function fill(server: Started): Promise<number> {
  let taken = 0;
  for (const count of [50, 1]) {
    for (;;) {
      const response = await server.post(wordyTeams(taken, count));
      if (response.status === 200) {
        taken += count;
        continue;
      }
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('5');
      expect(response.headers.get('x-credits-used')).toBe('0');
      expect(await response.json()).toMatchObject({ error: { code: 'service_unavailable', retry_after: 5 } });
      break;
    }
  }
  return taken;
}

/** Within so many seconds. */
async function soon(what: string, seconds: number, holds: () => Promise<boolean>): Promise<void> {
  for (const until = Date.now() + patientTimeout(seconds * 1000); !(await holds()); await delay(200)) {
    if (Date.now() > until) throw new Error(`${what}: not within ${seconds} s`);
  }
}

async function expectRefusal(server: Started): Promise<void> {
  const { status, reasons } = await server.health();
  expect([status, reasons]).toEqual(['degraded', expect.arrayContaining(['disk'])]);
  expect((await server.get('/readyz')).status).toBe(200);
  expect((await server.get('/v1/sports')).status).toBe(200);
}

describe('fault 6: no room', () => {
  // As long as its parts may take.
  const timeout = patientTimeout(150_000);
  it('on the disk: 503 until there is, an answer in time, and all goes on by itself', { timeout }, async ({ skip }) => {
    const place = smallDisk(16);
    if (place === undefined) return skip('only root may mount a file system');
    const folder = join(place, 'data');
    const server = await start(folder);
    const created = await run(['keys', 'create', '--name', 'n', '--plan', 'growth', '--data-dir', folder]);
    const { key } = JSON.parse(created.stdout) as { key: string };
    // Most of it is gone at once; the rest by what the server writes.
    const ballast = join(place, 'ballast');
    writeFileSync(ballast, Buffer.alloc(6 * 1024 * 1024));
    const taken = await fill(server);
    // Where a little finds room yet, its read models may find none: the answer comes in time.
    const from = Date.now();
    const little = await server.post(wordyTeams(1_000_000, 1), '?wait=projected');
    expect([200, 503]).toContain(little.status);
    expect(Date.now() - from).toBeLessThan(patientTimeout(10_000));
    await expectRefusal(server);
    await soon(
      'a call is refused that could not be charged',
      20,
      async () => (await server.get('/v1/sports', key)).status === 503,
    );
    const refused = await server.get('/v1/sports', key);
    expect(refused.headers.get('x-credits-used')).toBe('0');
    expect((await server.get('/v1/health', key)).status).toBe(200);

    rmSync(ballast);
    await soon('messages are taken', 30, async () => (await server.post(wordyTeams(taken, 50))).status === 200);
    // What waits between its attempts waits for half a minute at most.
    await soon('health is ok', 60, async () => (await server.health()).status === 'ok');
    await soon('a call is charged', 30, async () => (await server.get('/v1/sports', key)).status === 200);
    expect((await server.create(key)).status).toBe(201);
    const again = await server.post(wordyTeams(0, taken), '?wait=projected');
    expect(await again.json()).toMatchObject({ unchanged: taken, projected: true });
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
    expect(await run(['verify', '--data-dir', folder])).toMatchObject({ code: 0 });
  });

  it('for a longer file: the same, and no process ends', async () => {
    const folder = join(temporaryFolder(), 'data');
    // The build comes first, whose files may be longer.
    await run(['start', '--help']);
    // In blocks of 512 bytes.
    const server = await start(folder, ['sh', '-c', 'ulimit -f 8000; exec "$@"', 'sh']);
    await fill(server);
    await expectRefusal(server);
    expect(server.child.exitCode).toBe(null);
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
    expect((await start(folder)).child.exitCode).toBe(null);
  });

  it('ends a command without a server with 1 and one line', async () => {
    const folder = join(temporaryFolder(), 'data');
    const file = join(temporaryFolder(), 'teams.ndjson');
    writeFileSync(file, teams(12_000));
    const through = ['sh', '-c', 'ulimit -f 4000; exec "$@"', 'sh'];
    const { code, stderr } = await launch(['ingest', '--data-dir', folder, file], {}, through).ended;
    expect([code, stderr.trim().split('\n')]).toEqual([1, [expect.stringMatching(/no room/)]]);
    expect(await run(['ingest', '--data-dir', folder, file])).toMatchObject({ code: 0 });
  });
});
