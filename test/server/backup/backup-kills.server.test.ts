import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPython } from '../../support/python-venv.ts';
import { type S3Server, startS3Server } from '../../support/s3/s3-server.ts';
import { startTroubledWay } from '../../support/s3/troubled-way.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { seeded } from '../../system/kill/generated-feed.ts';
import { pricesOf, refOf, scheduleOf, startOf } from '../../system/load/season.ts';
import { startServer, team } from '../cli/launching.ts';
import { ask, end, givenBackup, givenBucket, send } from './backup-world.ts';

/** Of each kind of target. */
const KILLS = Number(process.env['KILL_BACKUPS'] ?? 3);
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9));
/** A file to which each round adds a line, so that a run of hours tells how it stands. */
const ROUNDS_FILE = process.env['KILL_ROUNDS_FILE'];
/** What may be lost. */
const LOST_MS = 5000;
const MINUTE = 60_000;
const EVENT = refOf(400, 0);

type World = ReturnType<typeof givenBackup>;
type Server = Awaited<ReturnType<typeof startServer>>;

/** A target that can be full for a while; undefined: this user cannot make such a disk. */
interface Fill {
  begin(): void;
  end(): void;
}

interface Told {
  readonly message: string;
  /** When it was acknowledged. */
  readonly at: number;
}

interface Charged {
  readonly requestId: string;
  readonly used: number;
  readonly at: number;
}

/** What became of one round. */
interface Round {
  /** How the server ended, and whether its target was full then, or had been. */
  readonly kind: string;
  /** From the acknowledgement of the oldest thing that is missing to the end; 0: nothing is missing. */
  readonly lostMs: number;
  readonly missingMessages: number;
  readonly missingCharges: number;
  readonly uptimeMs: number;
  readonly load: number;
}

/** One of two kinds, so that each message writes several records or none: a team, or the prices of an event. */
const messageOf = (n: number): string =>
  n % 2 === 0
    ? team(n / 2)
    : JSON.stringify(pricesOf(EVENT, 'pinnacle', startOf(400, 0) - 9_000_000 + 1000 * n, ((n >> 1) % 30) / 2, 101 + n));

/** Everything that the messages have made, as text. When the server learnt of it is not what it was told. */
async function answersOf(server: Pick<Server, 'url'>, key: string): Promise<string> {
  const bodies: string[] = [];
  const read = async (path: string) => {
    const { status, body } = await ask(server, key, path);
    // A refusal names its request and the server.
    const told = status === 200 ? body.replace(/"updated_at":"[^"]*"/g, '"updated_at":""') : '';
    bodies.push(`${path} ${status} ${told}`);
    return JSON.parse(body) as { readonly next_after_id?: unknown };
  };
  for (const path of ['/v1/events/1', '/v1/events/1/odds', '/v1/events/1/odds/history']) await read(path);
  for (let after: unknown = ''; after !== null && after !== undefined; )
    after = (await read(`/v1/teams?limit=100${after === '' ? '' : `&after_id=${after}`}`)).next_after_id;
  return bodies.join('\n');
}

/** Teams that a server has: those of the messages have numbers from 0 on. */
async function teamsOf(server: Pick<Server, 'url'>, key: string): Promise<readonly number[]> {
  const text = await answersOf(server, key);
  return [...new Set([...text.matchAll(/"name":"Team (\d+)"/g)].map(([, n]) => Number(n)))].sort((a, b) => a - b);
}

async function newKey({ command, folder }: World, name: string) {
  const made = await command('keys', 'create', '--name', 'many', '--plan', 'enterprise', '--data-dir', folder(name));
  return JSON.parse(made.stdout) as { readonly key: string; readonly account_id: number };
}

/** Kills the server, or takes its disk, again and again, while its target is full at times. */
async function playKills(target: string, world: World, fill: Fill | undefined): Promise<void> {
  const { env, folder, command } = world;
  const random = seeded(SEED);
  const control = await startServer(folder('control'), { INGEST_KEY: env['INGEST_KEY']! });
  const controlKey = (await newKey(world, 'control')).key;
  let server: Server = await startServer(folder('0'), env);
  const { key, account_id: account } = await newKey(world, '0');
  const schedule = `${JSON.stringify(scheduleOf(400, 0))}\n`;
  await send(control, schedule);
  await send(server, schedule);
  await command('backup', 'now', '--data-dir', folder('0'));
  /** All that the server has. */
  let kept = 0;
  const rounds: Round[] = [];

  for (let round = 1; round <= KILLS; round++) {
    const about = `round ${round} (SEED ${SEED})`;
    const isFilled = fill !== undefined && round % 3 === 2;
    const staysFull = random() < 0.5;
    const takesDisk = random() < 0.5;
    const told: Told[] = [];
    const charged: Charged[] = [];
    let sent = kept;
    const work = async (milliseconds: number) => {
      for (const until = Date.now() + milliseconds; Date.now() < until; ) {
        const message = messageOf(sent);
        await send(server, `${message}\n`);
        sent++;
        told.push({ message, at: Date.now() });
        const { status, used, requestId } = await ask(server, key, '/v1/teams?limit=1');
        expect({ status, used: used > 0 }, about).toEqual({ status: 200, used: true });
        charged.push({ requestId, used, at: Date.now() });
        await setTimeout(30);
      }
    };

    const begunAt = Date.now();
    // From the first moment on: in the beginning the backup copies the whole folder.
    await work(random() * 9000);
    let endedAt = Number.POSITIVE_INFINITY;
    if (isFilled) {
      endedAt = Date.now();
      fill.begin();
      await work(1000 + random() * 5000);
      if (!staysFull) {
        fill.end();
        // It tries again every five seconds.
        await command('backup', 'now', '--data-dir', folder(String(round - 1)));
        endedAt = Number.POSITIVE_INFINITY;
        await work(1000 + random() * 4000);
      }
    }
    const killedAt = Date.now();
    // The server may make a file in it meanwhile.
    if (takesDisk) rmSync(folder(String(round - 1)), { recursive: true, force: true, maxRetries: 50, retryDelay: 10 });
    server.child.kill('SIGKILL');
    await server.ended;
    rmSync(folder(String(round - 1)), { recursive: true, force: true });
    if (isFilled && staysFull) fill.end();

    const next = folder(String(round));
    expect(await command('restore', '--data-dir', next), about).toMatchObject({ code: 0 });
    expect(await command('verify', '--data-dir', next), about).toMatchObject({ code: 0 });
    server = await startServer(next, env);

    // What it has is a beginning of what it was told, message by message.
    const found = await teamsOf(server, key);
    expect(found, about).toEqual(found.map((_, n) => n));
    for (const n of Array.from({ length: Math.max(0, 2 * found.length - 1 - kept) }, (_, i) => kept + i))
      await send(control, `${messageOf(n)}\n`);
    let own = Math.max(kept, 2 * found.length - 1);
    const answers = await answersOf(server, key);
    if ((await answersOf(control, controlKey)) !== answers) await send(control, `${messageOf(own++)}\n`);
    expect(await answersOf(control, controlKey), about).toBe(answers);

    const since = Math.min(killedAt, endedAt);
    const missing = told.slice(own - (sent - told.length));
    const audit = await command('audit', 'account', String(account), '--json', '--data-dir', next);
    const places = charged.map((charge) => ({
      ...charge,
      places: audit.stdout.split(`"${charge.requestId}"`).length - 1,
    }));
    const uncharged = places.filter((charge) => charge.places === 0);
    const outcome: Round = {
      kind: `${takesDisk ? 'lost disk' : 'killed'}${isFilled ? `, target ${staysFull ? 'full' : 'full before'}` : ''}`,
      lostMs: Math.max(0, ...[...missing, ...uncharged].map(({ at }) => since - at)),
      missingMessages: missing.length,
      missingCharges: uncharged.length,
      uptimeMs: killedAt - begunAt,
      load: Math.round(10 * loadavg()[0]!) / 10,
    };
    rounds.push(outcome);
    if (ROUNDS_FILE) appendFileSync(ROUNDS_FILE, `${JSON.stringify({ target, seed: SEED, round, ...outcome })}\n`);
    for (const { at } of missing) expect(since - at, `${about}: a message acknowledged before`).toBeLessThan(LOST_MS);
    for (const { requestId, used, at, places: found } of places) {
      expect(found, `${about}: ${requestId}`).toBeLessThanOrEqual(1);
      if (at < since - LOST_MS) expect(found, `${about}: ${requestId} of ${used} credits`).toBe(1);
    }
    kept = own;
  }
  await end(server);
  await end(control);
  console.log([`${target}: SEED ${SEED}, ${kept} messages kept`, ...summaryOf(rounds)].join('\n'));
}

/** How much each kind of end has cost. */
function summaryOf(rounds: readonly Round[]): readonly string[] {
  const kinds = [...new Set(rounds.map(({ kind }) => kind))].sort();
  return kinds.map((kind) => {
    const losses = rounds.filter((one) => one.kind === kind).map(({ lostMs }) => lostMs);
    losses.sort((a, b) => a - b);
    return `${kind}: ${losses.length} times, lost ${losses[losses.length >> 1]} ms (median), ${losses.at(-1)} ms (worst)`;
  });
}

/** On a machine that does much else. */
const timeout = (5 + 5 * KILLS) * MINUTE;

describe(`a server that is killed, or whose disk is lost, ${KILLS} times (SEED ${SEED})`, () => {
  it(
    'is restored from a folder without more than five seconds, half a message or a part of a charge',
    async () => {
      const disk = smallDisk(64);
      const world = givenBackup(disk === undefined ? {} : { BACKUP_URL: pathToFileURL(join(disk, 'backup')).href });
      const filler = join(disk ?? world.root, 'filler');
      const fill: Fill | undefined =
        disk === undefined ? undefined : { begin: () => fillUp(filler), end: () => rmSync(filler) };
      await playKills('folder', world, fill);
    },
    timeout,
  );

  describe.skipIf(!hasPython('kills of servers with a bucket'))('with a bucket', () => {
    let s3: S3Server;
    beforeAll(async () => {
      s3 = await startS3Server();
    }, 2 * MINUTE);
    afterAll(() => s3?.stop());

    it(
      'is restored from it without more than five seconds, half a message or a part of a charge',
      async () => {
        const { way, endpoint } = await startTroubledWay(s3);
        const fill: Fill = {
          begin: () => {
            way.trouble = 'full';
          },
          end: () => {
            way.trouble = 'none';
          },
        };
        await playKills('bucket', givenBucket(s3, endpoint), fill);
      },
      timeout,
    );
  });
});

/** Until the disk has no room. */
function fillUp(file: string): void {
  for (const size of [1024 * 1024, 4096, 1])
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // Full for pieces of this size.
    }
}
