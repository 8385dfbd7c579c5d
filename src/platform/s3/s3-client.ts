import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, openSync, rmSync, statSync } from 'node:fs';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createS3Sender, errorCodeOf, S3Error, type S3Settings, type Waits } from './s3-request.ts';
import { shortText } from './short-text.ts';

export interface S3Client {
  /** Keys that begin so, in order. */
  list(prefix: string): Promise<readonly string[]>;
  /** What follows the prefix up to the next slash, in order. */
  listFolders(prefix: string): Promise<readonly string[]>;
  /** Whether there is an object of that key. */
  has(key: string): Promise<boolean>;
  /** The object is whole and kept when this resolves. */
  putFile(key: string, file: string): Promise<void>;
  /**
   * Makes an object, unless there is one of that key.
   * @returns whether it has
   * @throws S3Error, after which it may have been made
   */
  create(key: string, content: string): Promise<boolean>;
  /** @returns undefined if there is none */
  read(key: string): Promise<string | undefined>;
  /** @returns false if there is none */
  getFile(key: string, file: string): Promise<boolean>;
  /** Nothing happens if there is none. */
  remove(key: string): Promise<void>;
}

const WAITS: Waits = { idle: 20_000, beforeTries: [200, 1000] };

/** A client of S3, or of a server that speaks as it does. */
export function createS3Client(settings: S3Settings, waits: Waits = WAITS): S3Client {
  const send = createS3Sender(settings, waits);

  async function* pagesOf(prefix: string, delimiter: string): AsyncGenerator<string> {
    let next: string | undefined;
    do {
      const query = {
        'list-type': '2',
        'encoding-type': 'url',
        prefix,
        ...(delimiter && { delimiter }),
        ...(next !== undefined && { 'continuation-token': next }),
      };
      const page = await send({ method: 'GET', key: '', query }, shortText);
      if (!page.includes('<ListBucketResult'))
        throw new S3Error(`GET s3://${settings.bucket}/${prefix}`, 'the answer is not a list');
      yield page;
      next = valuesOf(page, 'NextContinuationToken').map(unescaped)[0];
    } while (next !== undefined);
  }

  return {
    async list(prefix) {
      const found: string[] = [];
      for await (const page of pagesOf(prefix, '')) found.push(...valuesOf(page, 'Key').map(decoded));
      return found.sort();
    },
    async listFolders(prefix) {
      const found: string[] = [];
      for await (const page of pagesOf(prefix, '/'))
        for (const part of valuesOf(page, 'CommonPrefixes')) found.push(...valuesOf(part, 'Prefix').map(decoded));
      return found.map((folder) => folder.slice(prefix.length, -1)).sort();
    },
    async has(key) {
      const isThere = async (answer: IncomingMessage) => {
        if (await isMissing(answer, key)) return false;
        await discard(answer);
        return true;
      };
      // Its first byte: an answer to HEAD would not say what went wrong.
      return send({ method: 'GET', key, headers: { range: 'bytes=0-0' } }, isThere, { accepted: [404] });
    },
    async putFile(key, file) {
      const length = statSync(file).size;
      const sum = createHash('sha256');
      await pipeline(createReadStream(file), sum);
      const write = (to: ClientRequest) => pipeline(createReadStream(file), to);
      await send({ method: 'PUT', key, body: { sum: sum.digest('hex'), length, write } }, discard);
    },
    create(key, content) {
      const sum = createHash('sha256').update(content).digest('hex');
      const write = async (to: ClientRequest) => void to.end(content);
      const body = { sum, length: Buffer.byteLength(content), write };
      const hasMade = async (answer: IncomingMessage) => {
        await discard(answer);
        return answer.statusCode! < 300;
      };
      const request = { method: 'PUT', key, headers: { 'if-none-match': '*' }, body } as const;
      // 409: another such request is under way.
      return send(request, hasMade, { isOnlyOnce: true, accepted: [412, 409] });
    },
    read: (key) =>
      send({ method: 'GET', key }, async (answer) => ((await isMissing(answer, key)) ? undefined : shortText(answer)), {
        accepted: [404],
      }),
    async getFile(key, file) {
      const write = async (answer: IncomingMessage) => {
        if (await isMissing(answer, key)) return false;
        // Opened at once: a stream that opens its file later may make it when all has failed.
        await pipeline(answer, createWriteStream(file, { fd: openSync(file, 'w', 0o600) }));
        return true;
      };
      try {
        return await send({ method: 'GET', key }, write, { accepted: [404] });
      } catch (error) {
        rmSync(file, { force: true });
        throw error;
      }
    },
    remove: (key) => send({ method: 'DELETE', key }, discard, { accepted: [404] }),
  };
}

async function discard(answer: IncomingMessage): Promise<void> {
  for await (const _ of answer);
}

/** A missing bucket is an error, and no missing object. */
async function isMissing(answer: IncomingMessage, key: string): Promise<boolean> {
  if (answer.statusCode !== 404) return false;
  const code = errorCodeOf(await shortText(answer));
  if (code === 'NoSuchBucket') throw new S3Error(`GET ${key}`, `404 ${code}`, 404);
  return true;
}

const valuesOf = (xml: string, tag: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))].map(([, value]) => value!);

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescaped = (value: string): string =>
  value.replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);

/** Other programs' keys may be anything. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
