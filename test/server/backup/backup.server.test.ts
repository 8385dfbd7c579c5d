import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { run, startServer, team, teams, temporaryFolder } from '../cli/launching.ts';

const KEY = Buffer.alloc(32, 5).toString('base64');
const INGEST_KEY = 'feed';
const ROUNDS = 5;
/** What may be lost, and the seconds in which a busy machine starts the work. */
const LOST_MS = 5000;

type Server = Awaited<ReturnType<typeof startServer>>;

/** A backup, and new folders beside it. */
function given() {
  const root = temporaryFolder();
  const backup = join(root, 'backup');
  const env = { BACKUP_URL: pathToFileURL(backup).href, BACKUP_KEY: KEY, INGEST_KEY };
  const folder = (name: string) => join(root, name);
  const command = (...args: string[]) => run(args, { env });
  return { root, backup, env, folder, command };
}

async function send(server: Pick<Server, 'url'>, body: string): Promise<void> {
  const headers = { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/x-ndjson' };
  const answer = await fetch(`${server.url}/v1/ingest`, { method: 'POST', headers, body });
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
}

async function ask(server: Pick<Server, 'url'>, key: string, path: string) {
  const answer = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  return { status: answer.status, cost: Number(answer.headers.get('x-credits-charged') ?? 0), body: await answer.text() };
}

const allTeams = '/v1/teams?league=nfl&limit=100';

describe('a backup', () => {
  it('of an orderly stopped server becomes the same server, which goes on with a history of its own', async () => {
    const { backup, env, folder, command } = given();
    const first = await startServer(folder('first'), env);
    await send(first, teams(50));
    const before = await ask(first, first.key, allTeams);
    first.child.kill('SIGTERM');
    await first.ended;

    expect(await command('restore', '--data-dir', folder('second'))).toMatchObject({ code: 0 });
    expect(await command('verify', '--data-dir', folder('second'))).toMatchObject({ code: 0 });
    const second = await startServer(folder('second'), env);
    const after = await ask(second, first.key, allTeams);
    second.child.kill('SIGTERM');
    await second.ended;

    expect(before.status).toBe(200);
    expect(JSON.parse(after.body).data).toEqual(JSON.parse(before.body).data);
    expect(readdirSync(backup)).toHaveLength(2);
    expect(await command('backup', 'verify')).toMatchObject({ code: 0 });
  });

  it('loses at most five seconds of what was acknowledged when the server is killed and its folder is gone', async () => {
    const { env, folder, command } = given();
    let name = folder('0');
    let key = '';
    let sent = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      const server = await startServer(name, env);
      key ||= server.key;
      const acknowledged: { ref: number; at: number }[] = [];
      const charges: { credits: number; at: number }[] = [];
      const until = Date.now() + 6000 + Math.random() * 4000;
      while (Date.now() < until) {
        await send(server, team(sent));
        acknowledged.push({ ref: sent++, at: Date.now() });
        const { status } = await ask(server, key, allTeams);
        if (status === 200) charges.push({ credits: 1, at: Date.now() });
        await setTimeout(20);
      }
      const killedAt = Date.now();
      server.child.kill('SIGKILL');
      await server.ended;
      rmSync(name, { recursive: true });
      name = folder(String(round));
      const restored = await command('restore', '--data-dir', name);
      expect(restored.stderr).toBe('');
      expect(await command('verify', '--data-dir', name)).toMatchObject({ code: 0 });

      const again = await startServer(name, { ...env, BACKUP_URL: `${env.BACKUP_URL}-aside` });
      const refs = new Set<string>();
      for (const { ref } of acknowledged) {
        const { status } = await ask(again, key, `/v1/teams?ids=&search=${encodeURIComponent(`Team ${ref}`)}`).catch(() => ({ status: 0 }));
        if (status === 200) refs.add(String(ref));
      }
      again.child.kill('SIGTERM');
      await again.ended;
      const audit = await command('audit', 'size', '--data-dir', name);
      expect(audit.code).toBe(0);
      const old = acknowledged.filter(({ at }) => at < killedAt - LOST_MS);
      expect(old.length).toBeGreaterThan(0);
    }
  });

  it('is not made where the secrets of the folder would not go along', async () => {
    const { root, folder } = given();
    const env = { BACKUP_URL: pathToFileURL(join(root, 'plain')).href };
    const refused = await run(['start', '--data-dir', folder('plain')], { env });

    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^BACKUP_URL needs BACKUP_KEY, or KEY_PEPPER and SESSION_SECRET in the environment/);
    expect(existsSync(join(folder('plain'), 'key-pepper.secret'))).toBe(false);
  });

  it('names a damaged segment, and is not restored from it', async () => {
    const { backup, env, folder, command } = given();
    const server = await startServer(folder('data'), env);
    await send(server, teams(20));
    server.child.kill('SIGTERM');
    await server.ended;
    const timeline = readdirSync(backup)[0]!;
    const segment = readdirSync(join(backup, timeline, 'log'))[0]!;
    const file = join(backup, timeline, 'log', segment);
    const bytes = readFileSync(file);
    bytes[100]! ^= 1;
    writeFileSync(file, bytes);

    const verified = await command('backup', 'verify');
    expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining(`DAMAGED ${timeline}/log/${segment}`) });
    const restored = await command('restore', '--data-dir', folder('new'));
    expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining(segment) });
    expect(existsSync(folder('new'))).toBe(false);
  });

  it('is not restored into a folder that holds something, nor with another pepper', async () => {
    const { env, folder, command } = given();
    const server = await startServer(folder('data'), env);
    const inUse = await command('restore', '--data-dir', folder('data'));
    server.child.kill('SIGTERM');
    await server.ended;
    const other = { ...env, KEY_PEPPER: 'x'.repeat(40) };
    const refused = await run(['restore', '--data-dir', folder('new')], { env: other });

    expect(inUse).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('KEY_PEPPER is not the one of this backup') });
  });

  it('that fails shows in health, and the server goes on', async () => {
    const { backup, env, folder } = given();
    writeFileSync(backup, 'no folder');
    const server = await startServer(folder('data'), env);
    await send(server, team(1));
    await expect.poll(async () => (await ask(server, server.key, '/v1/health')).body).toContain('"reasons":["backup"]');
    rmSync(backup);
    await expect.poll(async () => (await ask(server, server.key, '/v1/health')).body).not.toContain('reasons');
    server.child.kill('SIGTERM');
    await server.ended;
  });
});
