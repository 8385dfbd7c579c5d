import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** The head of an answer, and its decompressed body. */
export interface TransportAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Iterable<readonly [name: string, value: string]>;
  readonly body: AsyncIterable<Uint8Array> | null;
}

/**
 * Sends one GET with exactly these headers and `host`, and follows no redirect. Rejects if no head of an answer comes;
 * the body fails if it ends early.
 */
export type ProviderTransport = (
  url: string,
  options: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
) => Promise<TransportAnswer>;

/** What `openTransport` can decompress. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/** An idle connection is kept for so long. Hosts close theirs after five seconds or more. */
const IDLE_MS = 4000;
/** The time of each address of a host but the last to connect: Node's 250 ms is too short for distant hosts. */
const ATTEMPT_MS = 2000;

/**
 * The transport over Node's own HTTP client. `fetch` is not used: it adds the headers of a browser (`sec-fetch-mode`,
 * `accept-language`), and there are providers that refuse who looks like one.
 */
export function openTransport(): ProviderTransport {
  const options = { keepAlive: true, timeout: IDLE_MS, autoSelectFamilyAttemptTimeout: ATTEMPT_MS };
  const [plain, secure] = [new HttpAgent(options), new HttpsAgent(options)];
  return (address, { headers, signal }) =>
    new Promise((resolve, reject) => {
      const url = new URL(address);
      const isSecure = url.protocol === 'https:';
      const asked = (isSecure ? httpsRequest : httpRequest)(url, {
        agent: isSecure ? secure : plain,
        headers,
        signal,
      });
      asked.once('error', reject);
      asked.once('response', (response) => {
        asked.off('error', reject);
        // The body's own stream tells of errors from here on.
        asked.on('error', () => {});
        resolve({ status: response.statusCode ?? 0, headers: headersOf(response), body: decompressed(response) });
      });
      asked.end();
    });
}

function headersOf({ headers }: IncomingMessage): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as [string, string]],
  );
}

function decompressed(response: IncomingMessage): Readable {
  const decoder = decoderOf(response.headers['content-encoding']?.trim().toLowerCase());
  // A failure of either stream ends the other, and whoever reads the decoder meets it.
  return decoder ? pipeline(response, decoder, () => {}) : response;
}

function decoderOf(encoding: string | undefined) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'deflate') return createInflate();
  return encoding === 'br' ? createBrotliDecompress() : undefined;
}
