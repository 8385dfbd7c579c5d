import { expect } from 'vitest';
import { ask, type givenBackup, INGEST_KEY, send } from '../backup/backup-world.ts';
import { freePort, launch, startServer, teams } from '../cli/launching.ts';

type Env = Readonly<Record<string, string>>;
type Server = { readonly url: string };
type Backup = ReturnType<typeof givenBackup>;

/** A standby that answers. */
export async function startStandby(folder: string, env: Env) {
  const port = String(await freePort());
  const args = ['start', '--follow', env['BACKUP_URL']!, '--data-dir', folder];
  const server = launch(args, { ...env, PORT: port, LOG_LEVEL: 'warn', FEEDS: 'none' });
  await server.has('\nready');
  return { ...server, port, url: `http://127.0.0.1:${port}`, key: '' };
}

export const healthOf = async (server: Server, key: string) =>
  JSON.parse((await ask(server, key, '/v1/health')).body) as {
    readonly log: { readonly position: string };
    readonly standby?: { readonly role: string; readonly lease_seconds: number | null };
  };

/** A call that costs nothing, with a key. */
export const balanceAt = (server: Server, key: string) => ask(server, key, '/api/agent/credits');

export async function ingest(server: Server, body: string) {
  const headers = { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/x-ndjson' };
  const answer = await fetch(`${server.url}/ingest/v1/messages`, { method: 'POST', headers, body });
  return { status: answer.status, body: await answer.text() };
}

/** A first with 20 teams. Its key is of a plan whose calls are not counted by the minute: tests look often. */
export async function givenFirst(world: Backup) {
  const { env, folder, command } = world;
  const started = await startServer(folder('first'), env);
  const make = ['keys', 'create', '--name', 'x', '--plan', 'enterprise', '--data-dir', folder('first')];
  const first = { ...started, key: (JSON.parse((await command(...make)).stdout) as { key: string }).key };
  await send(first, teams(20));
  await command('backup', 'now', '--data-dir', folder('first'));
  return first;
}

/** A first, and a standby that it knows of. */
export async function givenPair(world: Backup) {
  const { env, folder } = world;
  const first = await givenFirst(world);
  const standby = await startStandby(folder('standby'), env);
  await expect
    .poll(async () => (await healthOf(first, first.key)).standby?.lease_seconds ?? 0, {
      timeout: 30_000,
      interval: 500,
    })
    .toBeGreaterThan(0);
  return { ...world, first, standby };
}
