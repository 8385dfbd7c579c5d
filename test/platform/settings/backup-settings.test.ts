import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/platform/settings/config.ts';

const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
const backupOf = (env: Record<string, string>) => readConfig({ ...KEYS, ...env }).backup;

describe('the address of a backup', () => {
  it('is a folder', () => {
    expect(backupOf({ BACKUP_URL: 'file:///mnt/a%20b' })?.address).toEqual({
      kind: 'folder',
      url: 'file:///mnt/a%20b',
      root: '/mnt/a b',
    });
  });

  it('is a bucket, of AWS or elsewhere', () => {
    const s3 = { bucket: 'one.two', accessKeyId: 'id', secretAccessKey: 'secret' };
    const own = { BACKUP_S3_ENDPOINT: 'http://10.0.0.1:9000/', AWS_REGION: 'garage', AWS_SESSION_TOKEN: 'token' };

    expect(backupOf({ BACKUP_URL: 's3://one.two/a/b_c' })?.address).toEqual({
      kind: 's3',
      url: 's3://one.two/a/b_c',
      prefix: 'a/b_c',
      s3: { ...s3, endpoint: undefined, region: 'us-east-1', sessionToken: undefined },
    });
    expect(backupOf({ BACKUP_URL: 's3://one.two', ...own })?.address).toMatchObject({
      prefix: '',
      s3: { ...s3, endpoint: 'http://10.0.0.1:9000', region: 'garage', sessionToken: 'token' },
    });
  });

  it.each([
    's3://',
    's3://B/one',
    's3://a:b@one/two',
    's3://one/../two',
    's3://one/./two',
    's3://one/a?b',
    's3://one/a b',
    'file://host/path',
    'file:///',
    'ftp://one',
    'nothing',
  ])('is refused as %j', (BACKUP_URL) => {
    expect(() => backupOf({ BACKUP_URL })).toThrow('BACKUP_URL: must be a folder, as file:///path, or a bucket');
  });

  it('needs credentials for a bucket, a region that is one, and an endpoint that is one', () => {
    const bucket = { BACKUP_URL: 's3://one/two' };

    expect(() => readConfig(bucket)).toThrow('AWS_ACCESS_KEY_ID: must be set');
    expect(() => readConfig({ ...bucket, AWS_ACCESS_KEY_ID: 'id' })).toThrow('AWS_SECRET_ACCESS_KEY: must be set');
    expect(() => backupOf({ ...bucket, AWS_REGION: 'evil.example/' })).toThrow('AWS_REGION: must be a region');
    expect(() => backupOf({ ...bucket, BACKUP_S3_ENDPOINT: 'http://a:b@c' })).toThrow('BACKUP_S3_ENDPOINT: must be');
    expect(readConfig({ AWS_REGION: 'of another program!' }).backup).toBeUndefined();
  });
});
