import type { SetTimer } from '../../platform/async/timer.ts';
import { tooLarge } from '../../platform/json/bounded-json.ts';
import { ANSWER_BOUNDS } from '../parsing/json-bounds.ts';
import { ACCEPTED_ENCODINGS, type ProviderTransport, type TransportAnswer } from './provider-transport.ts';

type RequestFailure = 'timeout' | 'connection' | 'too_large';

/** Result of a request. Times in milliseconds of the wall clock. */
export interface HttpExchange {
  /** The headers of the request, by lower-case name. */
  readonly sentHeaders: Readonly<Record<string, string>>;
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
  readonly transport: ProviderTransport;
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
  const { transport, timeoutMs, now, steadyNow, setTimer, userAgent } = parts;

  return async (url, headers, signal) => {
    const begun = steadyNow();
    const sent = {
      accept: 'application/json',
      'accept-encoding': ACCEPTED_ENCODINGS,
      connection: 'keep-alive',
      'user-agent': userAgent,
      ...headers,
    };
    const sentHeaders = { host: new URL(url).host, ...sent };
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
      sentHeaders,
      ...(head ?? { status: undefined, headers: {}, arrivedAt: now() }),
      ...rest,
      durationMs: steadyNow() - begun,
    });
    const failed = (failure: NonNullable<HttpExchange['failure']>, bytes = 0) => end({ body: null, bytes, failure });
    try {
      const response = await transport(url, { signal: ending.signal, headers: sent });
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
async function readBody({
  body,
}: TransportAnswer): Promise<{ readonly text: string | undefined; readonly bytes: number }> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.byteLength;
    // Leaving the loop gives up the rest of the body.
    if (bytes > ANSWER_BOUNDS.maxBytes) return { text: undefined, bytes };
    pieces.push(piece);
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

/** Never includes the URL, which may hold a key. */
function connectionFailure(error: unknown): NonNullable<HttpExchange['failure']> {
  const { code } = ((error as Error).cause ?? error) as { readonly code?: unknown };
  if (code === 'ETIMEDOUT' && isOfConnecting(error)) {
    return { code: 'timeout', message: 'the host cannot be connected to', notSent: true };
  }
  const known = typeof code === 'string' && /^\w+$/.test(code) ? code : undefined;
  const message = known === undefined ? 'the connection has failed' : `the connection has failed (${known})`;
  return { code: 'connection', message, ...(known !== undefined && NOT_SENT.has(known) && { notSent: true }) };
}

/** Node's HTTP client names the system call that failed; of several addresses, those of each attempt. */
function isOfConnecting(error: unknown): boolean {
  const { syscall, errors } = error as { readonly syscall?: unknown; readonly errors?: readonly unknown[] };
  return syscall === 'connect' || (errors ?? []).some(isOfConnecting);
}
