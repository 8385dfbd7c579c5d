import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ask, end, givenBackup, INGEST_KEY, send } from '../backup/backup-world.ts';
import { freePort, lastLine, launch, startServer, team, teams } from '../cli/launching.ts';

type Env = Readonly<Record<string, string>>;

/** A standby that answers. */
async function startStandby(folder: string, env: Env) {
  const port = String(await freePort());
  const args = ['start', '--follow', env['BACKUP_URL']!, '--data-dir', folder];
  const server = launch(args, { ...env, PORT: port, LOG_LEVEL: 'warn', FEEDS: 'none' });
  await server.has('\nready');
  return { ...server, port, url: `http://127.0.0.1:${port}`, key: '' };
}

const healthOf = async (server: { readonly url: string }, key: string) =>
  JSON.parse((await ask(server, key, '/v1/health')).body) as {
    readonly log: { readonly position: string };
    readonly standby?: { readonly role: string; readonly lease_seconds: number | null };
  };

/** A call that costs nothing, with a key. */
const balanceAt = (server: { readonly url: string }, key: string) => ask(server, key, '/api/agent/credits');

async function ingest(server: { readonly url: string }, body: string) {
  const headers = { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/x-ndjson' };
  const answer = await fetch(`${server.url}/ingest/v1/messages`, { method: 'POST', headers, body });
  return { status: answer.status, body: await answer.text() };
}

/** A first, and a standby that it knows of. */
async function givenPair() {
  const world = givenBackup();
  const { env, folder } = world;
  const started = await startServer(folder('first'), env);
  // Of a plan whose calls are not counted by the minute: tests look often.
  const made = await world.command(
    'keys',
    'create',
    '--name',
    'x',
    '--plan',
    'enterprise',
    '--data-dir',
    folder('first'),
  );
  const first = { ...started, key: (JSON.parse(made.stdout) as { key: string }).key };
  await send(first, teams(20));
  await world.command('backup', 'now', '--data-dir', folder('first'));
  const standby = await startStandby(folder('standby'), env);
  await expect
    .poll(async () => (await healthOf(first, first.key)).standby?.lease_seconds ?? 0, {
      timeout: 30_000,
      interval: 500,
    })
    .toBeGreaterThan(0);
  return { ...world, first, standby };
}

describe('a standby', { timeout: 300_000 }, () => {
  it('follows the first, answers what is free, marks it, and refuses what writes or charges', async () => {
    const { first, standby, command, folder } = await givenPair();
    await send(first, team(100));
    const sentAt = Date.now();
    const positionOf = async (server: { readonly url: string }) =>
      Number((await healthOf(server, first.key)).log.position);
    const position = await positionOf(first);
    // The calls of the test are records of the first too, and follow.
    await expect.poll(() => positionOf(standby), { timeout: 20_000, interval: 300 }).toBeGreaterThanOrEqual(position);
    expect(Date.now() - sentAt).toBeLessThan(15_000);

    const ready = await fetch(`${standby.url}/readyz`);
    expect({ status: ready.status, mark: ready.headers.get('x-standby') }).toEqual({ status: 200, mark: 'true' });
    expect(await healthOf(standby, first.key)).toMatchObject({ standby: { role: 'standby' } });
    expect(await balanceAt(standby, first.key)).toMatchObject({ status: 200 });
    const charged = await ask(standby, first.key, '/v1/teams?limit=1');
    expect(charged).toMatchObject({ status: 503, body: expect.stringContaining('standby') });
    expect(await ingest(standby, team(200))).toMatchObject({ status: 503, body: expect.stringContaining('promote') });
    const keys = await command('keys', 'create', '--name', 'no', '--plan', 'free', '--data-dir', folder('standby'));
    expect(keys).toMatchObject({ code: 1, stderr: expect.stringContaining('standby') });
    expect((await ask(first, first.key, '/v1/teams?limit=1')).status).toBe(200);
    await end(standby);
    await end(first);
    expect(await command('verify', '--data-dir', folder('standby'))).toMatchObject({ code: 0 });
    const alone = await command('start', '--data-dir', folder('standby'));
    expect(alone).toMatchObject({ code: 1, stderr: expect.stringContaining('standby') });
  });

  it('takes over within 60 seconds of the death of the first, and goes on with its history', async () => {
    const { first, standby, command, folder } = await givenPair();
    await send(first, team(100));
    await setTimeout(5000);
    const killedAt = Date.now();
    first.child.kill('SIGKILL');
    await first.ended;
    const promoted = await command('restore', '--promote', '--data-dir', folder('standby'));
    expect(promoted).toMatchObject({ code: 0, stderr: expect.stringContaining('runs out in') });
    await expect
      .poll(async () => (await ingest(standby, team(300)).catch(() => ({ status: 0 }))).status, { timeout: 30_000 })
      .toBe(200);
    expect(Date.now() - killedAt).toBeLessThan(60_000);
    const found = await ask(standby, first.key, `/v1/teams?q=${encodeURIComponent('Team 100')}`);
    expect(found).toMatchObject({ status: 200, body: expect.stringContaining('"Team 100"') });

    // The old first has learnt of it, and refuses to start.
    const again = await command('start', '--data-dir', folder('first'));
    expect(again.code).toBe(1);
    expect(lastLine(again.stderr)).toContain('a standby was promoted');
    await end(standby);
    expect(await command('restore', '--data-dir', folder('third'))).toMatchObject({ code: 0 });
    expect(await command('verify', '--data-dir', folder('third'))).toMatchObject({ code: 0 });
    rmSync(folder('third'), { recursive: true });
  });

  it('is promoted while the first sleeps, and what that one writes when it wakes is not believed', async () => {
    const { first, standby, command, folder, env } = await givenPair();
    first.child.kill('SIGSTOP');
    const promoted = await command('restore', '--promote', '--data-dir', folder('standby'));
    expect(promoted).toMatchObject({ code: 0 });
    await expect
      .poll(async () => (await ingest(standby, team(300)).catch(() => ({ status: 0 }))).status, { timeout: 30_000 })
      .toBe(200);
    first.child.kill('SIGCONT');
    const late = await ingest(first, team(400)).catch(() => ({ status: 0 }));
    expect(late.status).not.toBe(200);
    const ended = await first.ended;
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('a standby was promoted') });
    await end(standby);

    expect(await command('restore', '--data-dir', folder('third'))).toMatchObject({ code: 0 });
    const third = await startServer(folder('third'), { INGEST_KEY: env['INGEST_KEY']! });
    const names = (await ask(third, first.key, '/v1/teams?limit=50')).body;
    expect(names).toContain('"Team 300"');
    expect(names).not.toContain('"Team 400"');
    await end(third);
  });
});
