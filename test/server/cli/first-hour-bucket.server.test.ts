import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createS3Client } from '../../../src/platform/s3/s3-client.ts';
import { hasPython } from '../../support/python-venv.ts';
import { type S3Server, startS3Server } from '../../support/s3/s3-server.ts';
import { startTroubledWay } from '../../support/s3/troubled-way.ts';
import { createVisitor } from '../../web/account/visitor.ts';
import { startServer, temporaryFolder } from './launching.ts';

const OWNER = { email: 'ann@a.example', name: 'Ann', password: 'a fine password of Ann' };

describe.skipIf(!hasPython('a bucket at the setup'))('the setup of a new folder', () => {
  let s3: S3Server;
  beforeAll(async () => {
    s3 = await startS3Server();
  }, 120_000);
  afterAll(() => s3?.stop());

  it('tries a bucket at once, says why it does not work, and leaves nothing of the try there', async () => {
    const { way, endpoint } = await startTroubledWay(s3);
    const folder = join(temporaryFolder(), 'data');
    const server = await startServer(folder);
    const ann = createVisitor(server.url);
    await ann.get('/setup');
    await ann.post('/setup', OWNER);
    const storage = {
      RETAIN_ODDS: '90d',
      where: 's3',
      bucket: `s3://${s3.bucket}/of/ann`,
      BACKUP_S3_ENDPOINT: endpoint,
      AWS_ACCESS_KEY_ID: s3.user.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.user.secretAccessKey,
      AWS_REGION: 'us-east-1',
    };
    way.trouble = 'forbidden';
    const refused = await ann.post('/setup/storage', storage);
    way.trouble = 'none';
    const missing = await ann.post('/setup/storage', { ...storage, bucket: 's3://no-such-bucket/of/ann' });
    const taken = await ann.post('/setup/storage', storage);

    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('403 AccessDenied')]);
    expect([missing.status, missing.text]).toEqual([422, expect.stringContaining('404 NoSuchBucket')]);
    expect(`${refused.text}${missing.text}`).not.toContain(s3.user.secretAccessKey);
    expect(taken.status).toBe(303);
    const kept = JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8'));
    expect(kept).toMatchObject({ BACKUP_URL: storage.bucket, BACKUP_S3_ENDPOINT: endpoint });
    const client = createS3Client({
      ...s3.user,
      bucket: s3.bucket,
      endpoint,
      region: 'us-east-1',
      sessionToken: undefined,
    });
    expect(await client.list('')).toEqual([]);
  });
});
