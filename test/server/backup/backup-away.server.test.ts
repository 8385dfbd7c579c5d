import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { startServer, teams } from '../cli/launching.ts';
import { ask, end, givenBackup, send } from './backup-world.ts';

/** Health is asked as often as a key of the free plan may. */
const PATIENT = { interval: 4000, timeout: 40_000 };

it('given a backup disk that is away for seconds, then health says so and what to do, and after it a restore has everything', async () => {
  const { root, env, folder, command } = givenBackup();
  const disk = join(root, 'disk');
  mkdirSync(disk);
  const BACKUP_URL = pathToFileURL(join(disk, 'backup')).href;
  const from = ['--from', BACKUP_URL];
  const server = await startServer(folder('data'), { ...env, BACKUP_URL });
  const health = async () => JSON.parse((await ask(server, server.key, '/v1/health')).body);
  const now = () => command('backup', 'now', '--data-dir', folder('data'));
  await send(server, teams(10));
  expect(await now()).toMatchObject({ code: 0 });

  renameSync(disk, `${disk}.away`);
  mkdirSync(disk);
  await send(server, teams(20));
  await expect.poll(health, PATIENT).toMatchObject({
    status: 'degraded',
    reasons: ['backup'],
    backup: { problem: expect.stringContaining('see that its disk') },
  });
  expect(await now()).toMatchObject({ code: 1, stderr: expect.stringContaining('is its disk mounted?') });
  expect(readdirSync(disk)).toEqual([]);

  rmSync(disk, { recursive: true });
  renameSync(`${disk}.away`, disk);
  await send(server, teams(30));
  await expect.poll(health, PATIENT).toMatchObject({ status: 'ok', backup: { problem: null } });
  expect(await now()).toMatchObject({ code: 0 });
  server.child.kill('SIGKILL');
  await server.ended;
  expect(await command('backup', 'verify', ...from)).toMatchObject({ code: 0 });
  expect(await command('restore', ...from, '--data-dir', folder('new'))).toMatchObject({ code: 0 });
  const restored = await startServer(folder('new'), { ...env, BACKUP_URL });
  expect((await ask(restored, server.key, '/v1/teams?limit=50')).body).toContain('"Team 29"');
  await end(restored);
});
