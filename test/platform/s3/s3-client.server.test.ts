import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createS3Client } from '../../../src/platform/s3/s3-client.ts';
import { freePort } from '../../server/cli/launching.ts';
import { hasPython } from '../../support/python-venv.ts';
import { type S3Server, startS3Server } from '../../support/s3/s3-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'll-s3-client-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const clientOf = (server: S3Server, identity = server.user, bucket = server.bucket) =>
  createS3Client({ ...identity, bucket, endpoint: server.endpoint, region: 'us-east-1', sessionToken: undefined });

describe.skipIf(!hasPython('the S3 client against a server'))('the S3 client', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3Server();
  });
  afterAll(() => server?.stop());

  const file = (name: string) => join(folder, name);

  it('keeps a file, lists it, gives it back and removes it', async () => {
    const client = clientOf(server);
    const content = Buffer.alloc(3_000_000, 'x');
    writeFileSync(file('sent'), content);
    const key = 'some-folder/a_b.c/one.seg';
    await client.putFile(key, file('sent'));

    expect(await client.list('some-folder/')).toEqual([key]);
    expect(await client.listFolders('some-folder/')).toEqual(['a_b.c']);
    expect(await client.has(key)).toBe(true);
    expect(await client.getFile(key, file('received'))).toBe(true);
    expect(readFileSync(file('received')).equals(content)).toBe(true);
    await client.remove(key);
    await client.remove(key);
    expect(await client.has(key)).toBe(false);
    expect(await client.getFile(key, file('received'))).toBe(false);
    expect(await client.list('some-folder/')).toEqual([]);
  });

  it('lists more than a page of keys', async () => {
    const client = clientOf(server);
    writeFileSync(file('small'), 'x');
    const keys = Array.from({ length: 1005 }, (_, n) => `many/${String(n).padStart(5, '0')}`);
    for (const key of keys) await client.putFile(key, file('small'));

    expect(await client.list('many/')).toEqual(keys);
  });

  it('makes an object only where there is none', async () => {
    const client = clientOf(server);

    expect(await client.create('lease/1', 'first')).toBe(true);
    expect(await client.create('lease/1', 'second')).toBe(false);
    expect(await client.read('lease/1')).toBe('first');
    expect(await client.read('lease/2')).toBeUndefined();
  });

  it('makes an object once, however many try at the same moment, and its content is the one that succeeded', async () => {
    const clients = Array.from({ length: 4 }, () => clientOf(server));
    for (let round = 0; round < 50; round++) {
      const key = `race/${round}`;
      const made = await Promise.all(clients.map((client, index) => client.create(key, `of ${index}`)));

      expect(made.filter(Boolean), key).toHaveLength(1);
      expect(await clients[0]!.read(key)).toBe(`of ${made.indexOf(true)}`);
    }
  });

  it('says why it may not', async () => {
    const checking = await startS3Server({ checks: true });
    onTestFinished(checking.stop);
    const wrong = { ...checking.user, secretAccessKey: 'n0t-the-secret' };

    expect(await clientOf(checking).list('')).toEqual([]);
    await expect(clientOf(checking, checking.stranger).list('')).rejects.toThrow('GET s3://backups/: 403 AccessDenied');
    await expect(clientOf(checking, wrong).list('')).rejects.toThrow('403 SignatureDoesNotMatch');
    const nowhere = clientOf(server, server.user, 'no-such-bucket');
    await expect(nowhere.list('')).rejects.toThrow('404 NoSuchBucket');
    await expect(nowhere.getFile('one', file('none'))).rejects.toThrow('404 NoSuchBucket');
  });

  it('signs as AWS does', async () => {
    const seen: { method: string; path: string; headers: Record<string, string> }[] = [];
    const double = createServer((request, response) => {
      const { method = '', url: path = '', headers } = request;
      seen.push({ method, path, headers: headers as Record<string, string> });
      request.resume().on('end', () => response.end('<ListBucketResult/>'));
    });
    const port = await freePort();
    await new Promise<void>((resolve) => void double.listen(port, '127.0.0.1', resolve));
    onTestFinished(() => void double.close());
    const endpoint = `http://127.0.0.1:${port}`;
    const secrets = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret/with+signs=' };
    const client = createS3Client({
      ...secrets,
      sessionToken: 'token/+=',
      bucket: 'b',
      endpoint,
      region: 'eu-central-1',
    });
    writeFileSync(file('signed'), 'content');
    await client.listFolders('pre-fix/of_it/');
    await client.putFile('pre-fix/of_it/0001-base.seg', file('signed'));
    await client.create('pre-fix/lease', '{}');
    await client.remove('pre-fix/lease');

    expect(seen).toHaveLength(4);
    for (const { method, path, headers } of seen) {
      const [, names, own] = /SignedHeaders=([^,]+), Signature=(\w+)/.exec(headers['authorization']!)!;
      const signed = Object.fromEntries(names!.split(';').map((name) => [name, headers[name]!]));
      expect(Object.keys(signed)).toContain('x-amz-security-token');
      const given = { method, url: `${endpoint}${path}`, headers: signed, ...secrets };
      expect((await server.python('signature.py', given)).trim(), `${method} ${path}`).toBe(own);
    }
  });
});
