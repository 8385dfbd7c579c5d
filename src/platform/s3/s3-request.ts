import { createHash } from 'node:crypto';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { shortText } from './short-text.ts';

/** Where objects are kept, and as whom. Plain data. */
export interface S3Settings {
  readonly bucket: string;
  /** Undefined: AWS itself. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** The server has refused, or it was not reached. The message has no secret. */
export class S3Error extends Error {
  readonly code = 's3';
  /** Undefined: there was no answer. */
  readonly status: number | undefined;
  constructor(what: string, problem: string, status?: number) {
    super(`${what}: ${problem}`);
    this.status = status;
  }
}

export interface Waits {
  /** Milliseconds without any byte after which a request has failed. */
  readonly idle: number;
  /** Milliseconds before each further try. */
  readonly beforeTries: readonly number[];
}

/** Each try of a request may take so long, also if bytes come at times. */
const LONGEST_MS = 15 * 60_000;
const EMPTY_SUM = createHash('sha256').digest('hex');

export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** Of the object; empty: the bucket. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: S3Body;
}

export interface S3Body {
  /** SHA-256 in hexadecimal: the server keeps nothing else. */
  readonly sum: string;
  readonly length: number;
  readonly write: (to: ClientRequest) => Promise<void>;
}

interface SendOptions {
  /** What is not an error beside 2xx. */
  readonly accepted?: readonly number[];
  /** A request that may not be sent twice. */
  readonly isOnlyOnce?: boolean;
}

/** Sends signed requests. It follows no redirects, and tries again what may go well in a moment. */
export function createS3Sender(settings: S3Settings, waits: Waits) {
  const base = bucketUrl(settings);

  async function once<T>(sent: S3Request, use: (answer: IncomingMessage) => Promise<T>): Promise<T> {
    const url = new URL(base + sent.key.split('/').map(encodeURIComponent).join('/'));
    for (const [name, value] of Object.entries(sent.query ?? {})) url.searchParams.set(name, value);
    const sum = sent.body?.sum ?? EMPTY_SUM;
    const headers = { ...sent.headers, 'x-amz-content-sha256': sum };
    const { sessionToken, ...identity } = settings;
    const signer = new AwsV4Signer({
      ...identity,
      ...(sessionToken !== undefined && { sessionToken }),
      service: 's3',
      method: sent.method,
      url: url.href,
      headers,
    });
    const signed = Object.fromEntries((await signer.sign()).headers);
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: sent.method,
      headers: { ...signed, 'content-length': sent.body?.length ?? 0 },
      timeout: waits.idle,
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    request.on('timeout', () => request.destroy(new Error('the server does not answer')));
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve).on('error', reject);
    });
    // A server may refuse before it has read everything: what counts is its answer.
    if (sent.body) sent.body.write(request).catch(() => {});
    else request.end();
    const answer = await answered;
    try {
      return await use(answer);
    } finally {
      if (!answer.complete) request.destroy();
    }
  }

  /** @param use reads the answer whole */
  return async function send<T>(
    sent: S3Request,
    use: (answer: IncomingMessage) => Promise<T>,
    { accepted = [], isOnlyOnce = false }: SendOptions = {},
  ): Promise<T> {
    const name = `${sent.method} s3://${settings.bucket}/${sent.key}`;
    const pauses = isOnlyOnce ? [] : waits.beforeTries;
    for (let n = 0; ; n++) {
      try {
        return await once(sent, async (answer) => {
          const { statusCode: status = 0 } = answer;
          if ((status >= 200 && status < 300) || accepted.includes(status)) return use(answer);
          throw new S3Error(name, `${status} ${errorCodeOf(await shortText(answer))}`.trimEnd(), status);
        });
      } catch (error) {
        const failure = error instanceof S3Error ? error : new S3Error(name, problemOf(error));
        if (n >= pauses.length || !mayPass(failure)) throw failure;
        await sleep(pauses[n]);
      }
    }
  };
}

/** AWS itself goes by the bucket in the name of the host, as far as a certificate covers it; other servers by the path. */
export function bucketUrl({ bucket, endpoint, region }: S3Settings): string {
  if (endpoint !== undefined) return `${endpoint}/${bucket}/`;
  const host = `s3.${region}.amazonaws.com`;
  return bucket.includes('.') ? `https://${host}/${bucket}/` : `https://${bucket}.${host}/`;
}

/** Whether it may go well in a moment. */
const mayPass = ({ status }: S3Error): boolean => status === undefined || status >= 500 || status === 429;

/** The name of an error. Its message may repeat what was signed. */
export const errorCodeOf = (body: string): string => /<Code>(\w{1,100})<\/Code>/.exec(body)?.[1] ?? '';

function problemOf(error: unknown): string {
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || name === 'TimeoutError') return 'it takes too long';
  return code === undefined ? message : `the server is not reached (${code})`;
}
