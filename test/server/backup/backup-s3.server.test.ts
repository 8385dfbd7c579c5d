import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPython } from '../../support/python-venv.ts';
import { type S3Server, startS3Server } from '../../support/s3/s3-server.ts';
import { run, startServer, teams } from '../cli/launching.ts';
import { ask, end, givenBucket, send } from './backup-world.ts';

describe.skipIf(!hasPython('backups in a bucket'))('a backup in a bucket', () => {
  let s3: S3Server;
  beforeAll(async () => {
    s3 = await startS3Server();
  });
  afterAll(() => s3?.stop());

  it('of an orderly stopped server becomes the same server, which goes on with a history of its own', async () => {
    const { env, folder, command } = givenBucket(s3);
    const first = await startServer(folder('first'), env);
    await send(first, teams(50));
    const before = await ask(first, first.key, '/v1/teams?limit=50');
    await end(first);

    expect(await command('restore', '--data-dir', folder('second'))).toMatchObject({ code: 0, stderr: '' });
    expect(await command('verify', '--data-dir', folder('second'))).toMatchObject({ code: 0 });
    const second = await startServer(folder('second'), env);
    const after = await ask(second, first.key, '/v1/teams?limit=50');
    await end(second);

    expect(before.status).toBe(200);
    expect(JSON.parse(after.body).data).toEqual(JSON.parse(before.body).data);
    const status = await command('backup', 'status');
    expect(status.stdout.trim().split('\n')).toHaveLength(2);
    expect(await command('backup', 'verify')).toMatchObject({ code: 0 });
  });

  it('needs credentials, and something to restore', async () => {
    const { env, folder, command } = givenBucket(s3);
    const refused = await run(['start', '--data-dir', folder('data')], { env: { ...env, AWS_ACCESS_KEY_ID: '' } });
    const missing = await command('restore', '--data-dir', folder('new'));

    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('AWS_ACCESS_KEY_ID: must be set, since BACKUP_URL is a bucket');
    expect(missing).toMatchObject({ code: 1, stderr: `there is no whole backup in ${env.BACKUP_URL}\n` });
  });
});
