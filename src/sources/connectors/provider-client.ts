import type { SetTimer } from '../../platform/async/timer.ts';
import { tooLarge } from '../../platform/json/bounded-json.ts';
import { ANSWER_BOUNDS } from '../parsing/json-bounds.ts';

type RequestFailure = 'timeout' | 'connection' | 'too_large';

/** Result of a request. Times in milliseconds of the wall clock. */
export interface HttpExchange {
  /** Undefined if no response head came. */
  readonly status: number | undefined;
  /** By lower-case name; empty if no response head came. */
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body; null if none came, or only a part of it. */
  readonly body: string | null;
  readonly bytes: number;
  /** When the response head arrived, or the failure. */
  readonly arrivedAt: number;
  /** Duration in milliseconds. */
  readonly durationMs: number;
  /** Why there is no whole answer. */
  readonly failure?: {
    readonly code: RequestFailure;
    readonly message: string;
    /** The request never left: the host was not reached. */
    readonly notSent?: true;
  };
}

interface ProviderClientParts {
  /** Sends the requests; replaceable for tests. */
  readonly fetch: typeof fetch;
  /** Time limit for a whole answer, connecting included; milliseconds. */
  readonly timeoutMs: number;
  readonly now: () => number;
  readonly steadyNow: () => number;
  readonly setTimer: SetTimer;
  readonly userAgent: string;
}

/** Sends one GET and follows no redirect. Resolves to undefined when the signal ends it; never rejects. */
export type ProviderClient = (
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<HttpExchange | undefined>;

export function createProviderClient(parts: ProviderClientParts): ProviderClient {
  const { fetch, timeoutMs, now, steadyNow, setTimer, userAgent } = parts;

  return async (url, headers, signal) => {
    const begun = steadyNow();
    const ending = new AbortController();
    let timedOut = false;
    const cancelTimer = setTimer(() => {
      timedOut = true;
      ending.abort();
    }, timeoutMs);
    const stop = () => ending.abort();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    let head: Pick<HttpExchange, 'status' | 'headers' | 'arrivedAt'> | undefined;
    const end = (rest: Pick<HttpExchange, 'body' | 'bytes' | 'failure'>): HttpExchange => ({
      ...(head ?? { status: undefined, headers: {}, arrivedAt: now() }),
      ...rest,
      durationMs: steadyNow() - begun,
    });
    const failed = (failure: NonNullable<HttpExchange['failure']>, bytes = 0) => end({ body: null, bytes, failure });
    try {
      const response = await fetch(url, {
        redirect: 'manual',
        signal: ending.signal,
        headers: { accept: 'application/json', 'user-agent': userAgent, ...headers },
      });
      head = { status: response.status, headers: Object.fromEntries(response.headers), arrivedAt: now() };
      const read = await readBody(response);
      if (read.text === undefined) {
        return failed({ code: 'too_large', message: `the answer ${tooLarge(ANSWER_BOUNDS).message}` }, read.bytes);
      }
      return end({ body: read.text, bytes: read.bytes });
    } catch (error) {
      if (signal.aborted) return undefined;
      if (timedOut) {
        return failed({ code: 'timeout', message: `no whole answer within ${timeoutMs / 1000} s` });
      }
      return failed(connectionFailure(error));
    } finally {
      cancelTimer();
      signal.removeEventListener('abort', stop);
    }
  };
}

/** `text` is undefined if the body is too large. */
async function readBody(response: Response): Promise<{ readonly text: string | undefined; readonly bytes: number }> {
  const reader = response.body?.getReader();
  if (!reader) return { text: '', bytes: 0 };
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > ANSWER_BOUNDS.maxBytes) {
      // Do not wait for the rest; its errors do not matter.
      reader.cancel().catch(() => {});
      return { text: undefined, bytes };
    }
    pieces.push(value);
  }
  return { text: new TextDecoder().decode(Buffer.concat(pieces)), bytes };
}

/** Errors with which the host was not reached at all. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
const CONNECT_TIMEOUT = 'UND_ERR_CONNECT_TIMEOUT';

/** Never includes the URL, which may hold a key. */
function connectionFailure(error: unknown): NonNullable<HttpExchange['failure']> {
  const { code } = ((error as Error).cause ?? error) as { readonly code?: unknown };
  if (code === CONNECT_TIMEOUT) return { code: 'timeout', message: 'the host cannot be connected to', notSent: true };
  const known = typeof code === 'string' && /^\w+$/.test(code) ? code : undefined;
  const message = known === undefined ? 'the connection has failed' : `the connection has failed (${known})`;
  return { code: 'connection', message, ...(known !== undefined && NOT_SENT.has(known) && { notSent: true }) };
}
