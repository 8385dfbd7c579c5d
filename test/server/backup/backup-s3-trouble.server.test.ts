import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPython } from '../../support/python-venv.ts';
import { type S3Server, startS3Server } from '../../support/s3/s3-server.ts';
import { startTroubledWay, type Trouble } from '../../support/s3/troubled-way.ts';
import { startServer, team } from '../cli/launching.ts';
import { ask, end, givenBucket, send } from './backup-world.ts';

/** How the server's log names each. */
const PROBLEMS: readonly (readonly [Trouble, string])[] = [
  ['busy', '503 SlowDown'],
  ['cut', 'is not reached'],
  ['full', '507 XMinioStorageFull'],
  ['forbidden', '403 AccessDenied'],
];

describe.skipIf(!hasPython('backups in a bucket with troubles'))('a backup in a bucket with troubles', () => {
  let s3: S3Server;
  beforeAll(async () => {
    s3 = await startS3Server();
  });
  afterAll(() => s3?.stop());

  it('loses nothing by any trouble of the bucket that has passed, and the server goes on meanwhile', async () => {
    const { way, endpoint } = await startTroubledWay(s3);
    const { env, folder, command } = givenBucket(s3, endpoint);
    const server = await startServer(folder('0'), { ...env, LOG_LEVEL: 'error' });
    const keys = ['keys', 'create', '--name', 'many', '--plan', 'enterprise', '--data-dir', folder('0')];
    const { key } = JSON.parse((await command(...keys)).stdout);
    const health = async () => (await ask(server, key, '/v1/health')).body;
    await command('backup', 'now', '--data-dir', folder('0'));
    let sent = 0;
    for (const [trouble, problem] of PROBLEMS) {
      way.trouble = trouble;
      await send(server, team(sent++));
      await server.has(problem);
    }
    expect(await health()).toContain('"reasons":["backup"]');
    way.trouble = 'slow';
    await expect.poll(health).not.toContain('reasons');
    way.trouble = 'none';
    await send(server, team(sent++));
    expect(await command('backup', 'now', '--data-dir', folder('0'))).toMatchObject({ code: 0 });
    server.child.kill('SIGKILL');
    const { stderr } = await server.ended;
    rmSync(folder('0'), { recursive: true });

    expect(await command('restore', '--data-dir', folder('1'))).toMatchObject({ code: 0 });
    expect(await command('verify', '--data-dir', folder('1'))).toMatchObject({ code: 0 });
    const restored = await startServer(folder('1'), env);
    const { body } = await ask(restored, server.key, '/v1/teams?limit=50');
    for (let n = 0; n < sent; n++) expect(body).toContain(`"Team ${n}"`);
    await end(restored);
    expect(stderr).not.toMatch(/the-secret|AKIA/);
  });

  it('that does not answer holds up neither the server nor its stop', async () => {
    const { way, endpoint } = await startTroubledWay(s3);
    const { env, folder, command } = givenBucket(s3, endpoint);
    const server = await startServer(folder('data'), env);
    await command('backup', 'now', '--data-dir', folder('data'));
    way.trouble = 'silent';
    await send(server, team(1));
    await expect.poll(() => way.refused).toBeGreaterThan(0);
    expect(await ask(server, server.key, '/v1/teams?limit=1')).toMatchObject({ status: 200 });
    await end(server);
    expect((await server.ended).code).toBe(0);
    way.trouble = 'none';

    // It was acknowledged, and is in the folder: the next start sends it.
    const again = await startServer(folder('data'), env);
    expect(await command('backup', 'now', '--data-dir', folder('data'))).toMatchObject({ code: 0 });
    await end(again);
    expect(await command('restore', '--data-dir', folder('new'))).toMatchObject({ code: 0 });
    expect((await command('backup', 'status')).stdout.trim().split('\n')).toHaveLength(1);
    const restored = await startServer(folder('new'), env);
    expect((await ask(restored, server.key, '/v1/teams?limit=50')).body).toContain('"Team 1"');
    await end(restored);
  });
});
