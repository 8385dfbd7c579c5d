import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createS3Client } from '../../../src/platform/s3/s3-client.ts';
import { bucketUrl } from '../../../src/platform/s3/s3-request.ts';
import { freePort } from '../../server/cli/launching.ts';

const folder = mkdtempSync(join(tmpdir(), 'll-s3-failures-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'file');
writeFileSync(file, 'content');

const SECRETS = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'the-secret', sessionToken: 'the-token' };
const error = (code: string) => `<Error><Code>${code}</Code><Message>the-secret the-token</Message></Error>`;

/** A client of a double that answers so. */
async function given(answer: RequestListener) {
  let requests = 0;
  const double = createServer((request, response) => {
    requests++;
    request.resume();
    answer(request, response);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => void double.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    double.closeAllConnections();
    double.close();
  });
  const settings = { ...SECRETS, bucket: 'b', endpoint: `http://127.0.0.1:${port}`, region: 'eu-central-1' };
  const client = createS3Client(settings, { idle: 200, beforeTries: [1, 1] });
  return { client, settings, requests: () => requests };
}

describe('the S3 client', () => {
  it('tries again what may pass, with the same content', async () => {
    const answers = [503, 500, 200];
    const bodies: string[] = [];
    const world = await given((request, response) => {
      let body = '';
      request
        .on('data', (part) => (body += part))
        .on('end', () => {
          bodies.push(body);
          response.writeHead(answers.shift()!).end();
        });
    });
    await world.client.putFile('one', file);

    expect(bodies).toEqual(['content', 'content', 'content']);
  });

  it('gives up in the end, and says what the server said but its message', async () => {
    const world = await given((_, response) => void response.writeHead(503).end(error('SlowDown')));

    await expect(world.client.putFile('one', file)).rejects.toThrow(/^PUT s3:\/\/b\/one: 503 SlowDown$/);
    expect(world.requests()).toBe(3);
  });

  it('does not try again what was refused, nor what may have taken effect', async () => {
    const refused = await given((_, response) => void response.writeHead(403).end(error('AccessDenied')));
    await expect(refused.client.putFile('one', file)).rejects.toThrow('403 AccessDenied');
    const unsure = await given((_, response) => void response.writeHead(500).end());
    await expect(unsure.client.create('one', '{}')).rejects.toThrow('500');

    expect([refused.requests(), unsure.requests()]).toEqual([1, 1]);
  });

  it('does not wait for a server that does not answer, or that stops in between', async () => {
    const silent = await given(() => {});
    await expect(silent.client.list('')).rejects.toThrow('the server does not answer');
    const halting = await given((_, response) => void response.writeHead(200, { 'content-length': 100 }).write('x'));
    await expect(halting.client.getFile('one', join(folder, 'received'))).rejects.toThrow('GET s3://b/one: ');

    expect(existsSync(join(folder, 'received'))).toBe(false);
  });

  it('takes no part of an object for the whole', async () => {
    const world = await given((_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('x', () => response.destroy());
    });

    await expect(world.client.getFile('one', join(folder, 'received'))).rejects.toThrow('GET s3://b/one: ');
    expect(existsSync(join(folder, 'received'))).toBe(false);
  });

  it('says that a server is not reached', async () => {
    const world = await given((request) => void request.socket.destroy());

    await expect(world.client.list('')).rejects.toThrow(/^GET s3:\/\/b\/: the server is not reached \(\w+\)$/);
  });

  it('follows no redirect, and takes no page for a list', async () => {
    const location = { location: 'http://127.0.0.1:1/' };
    const moved = await given((_, response) => void response.writeHead(301, location).end(error('PermanentRedirect')));
    await expect(moved.client.list('')).rejects.toThrow('301 PermanentRedirect');
    const page = await given((_, response) => void response.end('<html>'));

    await expect(page.client.list('')).rejects.toThrow('the answer is not a list');
  });

  it('goes to AWS by the name of the bucket, where its certificate covers that', () => {
    const settings = { ...SECRETS, endpoint: undefined, region: 'eu-central-1' };

    expect(bucketUrl({ ...settings, bucket: 'one' })).toBe('https://one.s3.eu-central-1.amazonaws.com/');
    expect(bucketUrl({ ...settings, bucket: 'o.ne' })).toBe('https://s3.eu-central-1.amazonaws.com/o.ne/');
  });
});
