import { afterAll, beforeAll, describe } from 'vitest';
import { hasPython } from '../../support/python-venv.ts';
import { type S3Server, startS3Server } from '../../support/s3/s3-server.ts';
import { givenBucket } from '../backup/backup-world.ts';
import { describeTakeover } from './takeover.contract.ts';

describe.skipIf(!hasPython('standbys of a bucket'))('a standby of a bucket', { timeout: 300_000 }, () => {
  let s3: S3Server;
  beforeAll(async () => {
    s3 = await startS3Server();
  }, 120_000);
  afterAll(() => s3?.stop());

  describeTakeover(() => givenBucket(s3));
});
