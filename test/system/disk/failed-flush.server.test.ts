import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { lastLine, run, team, temporaryFolder } from '../../server/cli/launching.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';
import { type Answer, callUntilGone, isPaid } from '../kill/charges-load.ts';
import { readAccounts } from '../kill/charges-log.ts';
import { command, createWorld, eventsThatAreOver, INGEST_KEY, kill, listening } from '../kill/charges-world.ts';

const PRELOAD = fileURLToPath(new URL('./preload-broken-disk.mjs', import.meta.url));

/** A flush of a file with `only` in its name fails once `trigger` is there. */
function brokenDisk(only: string) {
  const trigger = join(temporaryFolder(), 'trigger');
  return {
    env: { NODE_OPTIONS: `--import=${PRELOAD}`, TRIGGER: trigger, ONLY: only },
    fail: () => writeFileSync(trigger, ''),
    /** When the flush failed, in milliseconds. */
    failedAt: () => Number(readdirSync(dirname(trigger))[0]!.split('.')[1]),
  };
}

const fatalLines = (stderr: string) =>
  stderr
    .trim()
    .split('\n')
    .filter((line) => line.includes('"level":60'))
    .map((line) => JSON.parse(line) as { file: string; err: { message: string } });

// Only Linux tells which file a descriptor is of.
describe.runIf(process.platform === 'linux')('fault 1: a flush that fails once', () => {
  it.each([
    ['the log', 'ledgerline.db-wal'],
    ['the journal of charges', '.journal'],
  ])('of %s ends the server, and nothing is lost that was acknowledged', async (_, only) => {
    const world = await createWorld(7, 1000);
    const disk = brokenDisk(only);
    const server = await listening({ ...world, env: { ...world.env, ...disk.env } });
    const events = await eventsThatAreOver(server);
    const answers = new Map<string, Answer>();
    const taken = new Set<number>();
    const feed = async () => {
      for (let ref = 0; ; ref++) {
        const headers = { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/x-ndjson' };
        const response = await fetch(`${server.url}/ingest/v1/messages`, { method: 'POST', headers, body: team(ref) });
        if (response.status !== 503) expect(await response.json()).toMatchObject({ accepted: 1 });
        if (response.status === 200) taken.add(ref);
      }
    };
    let breaksAt = Number.POSITIVE_INFINITY;
    await Promise.all([
      callUntilGone(server.url, world.callers, events, {
        seed: 7,
        name: 'call',
        onAnswer(answer) {
          answers.set(answer.requestId, answer);
          if (answers.size === 200) {
            breaksAt = Date.now();
            disk.fail();
          }
        },
      }),
      feed().catch(() => {}),
    ]);
    const { code, stderr } = await server.ended;
    const endedAt = Date.now();

    // The process has ended by itself, and told why in one line.
    expect(code).toBe(1);
    expect(fatalLines(stderr)).toMatchObject([{ err: { message: 'EIO: i/o error, fdatasync' } }]);
    expect(fatalLines(stderr)[0]!.file).toContain(only);
    expect(breaksAt).toBeLessThanOrEqual(endedAt);
    expect(endedAt - disk.failedAt()).toBeLessThan(patientTimeout(1000));

    // The next start has what was acknowledged: each charge once, and none of a call that was answered as failed.
    const next = await listening(world);
    await next.has('\nready');
    const accounts = await readAccounts(world.folder, [...world.granted.keys()]);
    const charged = [...accounts.values()].flatMap(({ charges }) => charges);
    const ids = charged.map(({ requestId }) => requestId);
    expect(new Set(ids).size).toBe(ids.length);
    const wrong = [...answers.values()].filter((answer) => isPaid(answer) !== ids.includes(answer.requestId));
    expect(wrong).toEqual([]);
    expect(answers.size).toBeGreaterThanOrEqual(200);
    await kill(next);
    const again = await run(['ingest', '--data-dir', world.folder, '-'], {
      input: [...taken].map((ref) => `${team(ref)}\n`).join(''),
    });
    expect(JSON.parse(lastLine(again.stdout))).toMatchObject({ received: taken.size, unchanged: taken.size });
    await command('verify', '--data-dir', world.folder);
  });

  it('ends a command without a server as well, with one line', async () => {
    const folder = join(temporaryFolder(), 'data');
    const disk = brokenDisk('ledgerline.db-wal');
    disk.fail();
    const ended = await run(['ingest', '--data-dir', folder, '-'], { env: disk.env, input: team(1) });
    expect(ended.code).toBe(1);
    expect(ended.stderr.trim().split('\n')).toEqual([expect.stringMatching(/ledgerline\.db-wal.*EIO/)]);
    expect(await run(['ingest', '--data-dir', folder, '-'], { input: team(1) })).toMatchObject({ code: 0, stderr: '' });
  });
});
