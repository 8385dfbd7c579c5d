import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort, lastLine, launch, run, team, temporaryFolder } from '../../server/cli/launching.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';
import { generatedFeed } from '../kill/generated-feed.ts';
import { compileLibrary, type Fault, failingDisk } from './failing-calls.ts';

const INGEST_KEY = 'an-ingest-key-of-the-tests';
const BOOTSTRAP_KEY = `llk_${'0'.repeat(12)}.${'x'.repeat(43)}`;
const ENV = { FEEDS: 'none', LOG_LEVEL: 'warn', INGEST_KEY, BOOTSTRAP_KEY };
const FILES = ['ledgerline.db', 'ledgerline.db-wal', 'ledgerline.db-shm', '.journal', 'clock.json'] as const;
const CALLS = {
  read: ['EIO'],
  write: ['EIO', 'ENOSPC', 'EDQUOT'],
  flush: ['EIO', 'ENOSPC'],
  open: ['EIO', 'EMFILE'],
  truncate: ['EIO', 'ENOSPC'],
} as const satisfies Record<Fault['call'], readonly Fault['errno'][]>;

const FAULTS: readonly Fault[] = (Object.keys(CALLS) as Fault['call'][]).flatMap((call) =>
  FILES.flatMap((file) => CALLS[call].map((errno) => ({ call, file, errno }))),
);
/** With CASES=1 all of them, else a fifth: other ones each day. */
const SHARE = Number(process.env['CASES'] ?? 0) >= 1 ? 1 : 5;
const today = Math.floor(Date.now() / 86_400_000);
const tried = FAULTS.filter((_, index) => index % SHARE === today % SHARE);

const shared = mkdtempSync(join(tmpdir(), 'll-calls-'));
afterAll(() => rmSync(shared, { recursive: true, force: true }));
let prepared: Promise<{ readonly library: string; readonly reference: string }> | undefined;

/** The compiled library, and a folder with games. Made by the first test that asks. */
const prepare = () => (prepared ??= makeAll());

async function makeAll() {
  const library = compileLibrary(shared);
  if (!library) throw new Error('the test needs a C compiler: apt-get install gcc libc6-dev');
  const reference = join(shared, 'data');
  mkdirSync(reference, { mode: 0o700 });
  const input = generatedFeed(7).join('\n');
  expect((await run(['ingest', '--data-dir', reference, '-'], { input })).code).toBe(0);
  return { library, reference };
}

const fatalLines = (stderr: string) =>
  stderr
    .split('\n')
    .filter((line) => line.includes('"level":60'))
    .map((line) => JSON.parse(line) as { file: string; err: { message: string }; msg: string });

describe.runIf(process.platform === 'linux')('one call of the system that fails', () => {
  it.each(tried)('$call of $file with $errno ends the server with a reason, or costs nothing', async (fault) => {
    const { library, reference } = await prepare();
    const disk = failingDisk(library, fault);
    const folder = join(temporaryFolder(), 'data');
    cpSync(reference, folder, { recursive: true });
    const port = String(await freePort());
    const server = launch(['start', '--data-dir', folder], { ...ENV, ...disk.env, PORT: port });
    await server.has('\nready');
    const isAlive = () => server.child.exitCode === null && server.child.signalCode === null;
    const taken: number[] = [];
    const statuses: [what: string, status: number][] = [];
    async function ask(what: string, path: string, init: RequestInit = {}, key = BOOTSTRAP_KEY): Promise<number> {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' };
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers });
      await response.arrayBuffer();
      statuses.push([what, response.status]);
      if (response.status === 503) expect(response.headers.get('retry-after')).not.toBeNull();
      return response.status;
    }
    async function load(from: number): Promise<void> {
      for (let n = from; n < from + 12; n++) {
        await ask('read', `/v1/events/${n + 1}/odds?bookmaker=all`);
        await ask('read', `/v1/events/${n + 1}?as_of=2025-01-20T00:00:00Z`);
        const body = team(1000 + n);
        if ((await ask('ingest', '/ingest/v1/messages', { method: 'POST', body }, INGEST_KEY)) === 200)
          taken.push(1000 + n);
        await delay(20);
      }
    }
    await load(0);
    disk.fail();
    // Whoever is ended gives no answer.
    await load(20).catch(() => {});
    if (isAlive()) await delay(1200);
    if (isAlive()) await load(40).catch(() => {});
    const hits = disk.hits();
    if (isAlive()) {
      // The fault was one call, and is over: everything works.
      expect(await ask('ready', '/readyz')).toBe(200);
      server.child.kill('SIGTERM');
    }
    const { code, stderr } = await server.ended;
    const fatal = fatalLines(stderr);
    if (code === 0) expect(fatal).toEqual([]);
    else {
      expect([code, fatal.length], stderr).toEqual([1, 1]);
      expect(fatal[0]!.file).toContain(folder);
      expect(fatal[0]!.err.message).not.toBe('');
    }
    if (hits > 1 && fault.call === 'read' && !fault.file.endsWith('.json')) expect(code).toBe(1);
    if (hits === 0) expect(code).toBe(0);
    expect(statuses.filter(([, status]) => status !== 200 && status !== 503 && status !== 404)).toEqual([]);

    // What was acknowledged is there, and the folder is whole.
    const again = await run(['ingest', '--data-dir', folder, '-'], {
      input: taken.map((n) => `${team(n)}\n`).join(''),
    });
    expect(JSON.parse(lastLine(again.stdout))).toMatchObject({ received: taken.length, unchanged: taken.length });
    expect(await run(['verify', '--data-dir', folder])).toMatchObject({ code: 0 });
  });
});

describe.runIf(process.platform === 'linux')('a start on a disk that fails', () => {
  const AT_START: readonly Fault[] = [
    ...(['ledgerline.db', 'key-pepper.secret', 'clock.json', '.journal'] as const).flatMap((file): Fault[] => [
      { call: 'read', file, errno: 'EIO' },
      { call: 'open', file, errno: 'EIO' },
    ]),
    { call: 'write', file: '.journal', errno: 'EIO' },
    { call: 'open', file: 'ledgerline.db', errno: 'EMFILE' },
  ];
  it.each(AT_START)('$call of $file with $errno: it is ready, or ends with the name of a file', async (fault) => {
    const { library, reference } = await prepare();
    const disk = failingDisk(library, fault);
    const folder = join(temporaryFolder(), 'data');
    cpSync(reference, folder, { recursive: true });
    disk.fail();
    const env = { ...ENV, ...disk.env, PORT: String(await freePort()) };
    const server = launch(['start', '--data-dir', folder], env);
    onTestFinished(() => void server.child.kill('SIGKILL'));
    const isReady = await Promise.race([
      server.has('\nready').then(
        () => true,
        () => false,
      ),
      delay(patientTimeout(30_000), 'late'),
    ]);
    expect(isReady).not.toBe('late');
    server.child.kill('SIGTERM');
    const { code, stderr } = await server.ended;
    if (isReady === true) expect(code).toBe(0);
    else {
      expect(code).toBe(1);
      expect(stderr).toContain(folder);
      expect(existsSync(join(folder, 'ledgerline.db'))).toBe(true);
    }
    expect(await run(['verify', '--data-dir', folder])).toMatchObject({ code: 0 });
  });
});
