import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { SECOND } from '../../../src/domain/primitives/time.ts';
import type { ProviderTransport } from '../../../src/sources/connectors/provider-transport.ts';
import { listenBelow32768 } from '../../api/http/listening.ts';
import { doubled, type Fault, faultAt, type Trouble } from './faults.ts';
import { type CreditSettings, createProviderCredits } from './provider-credits.ts';
import { lastChange, type Timeline, timelineOf } from './timelines.ts';

/**
 * A protocol double of live providers, and no provider: it answers on loopback, in their shapes and with their headers,
 * what a test has written beforehand, in a time that the test moves. Nothing of theirs is in it but the shapes.
 */
export interface SimulatedParts {
  readonly timelines: readonly Timeline[];
  readonly troubles?: readonly Trouble[];
  /** Of a provider that counts what is asked. */
  readonly credits?: CreditSettings;
  /** Milliseconds. */
  readonly now: () => number;
}

/** A request as it came, and what was answered. */
export interface LoggedRequest {
  readonly at: number;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Undefined where nothing was. */
  readonly status: number | undefined;
  readonly fault: Fault['kind'] | undefined;
  /** It came with a condition. */
  readonly conditional: boolean;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
type Given = Readonly<Record<string, string | undefined>>;

export type SimulatedProvider = ReturnType<typeof createSimulatedProvider>;

export function createSimulatedProvider({ timelines, troubles = [], credits, now }: SimulatedParts) {
  const log: LoggedRequest[] = [];
  const counted = credits && createProviderCredits(credits);

  function judge(
    path: string,
    query: Readonly<Record<string, string>>,
    headers: Given,
    fault: Fault | undefined,
  ): Answer {
    if (fault?.kind === 'status') {
      const retry: Record<string, string> =
        fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
      return { status: fault.status, headers: retry, body: JSON.stringify(fault.body ?? { message: 'no' }) };
    }
    if (fault?.kind === 'redirect') return { status: 302, headers: { location: fault.to }, body: '' };
    if (fault?.kind === 'text') return { status: 200, headers: {}, body: fault.text };
    const found = timelineOf(timelines, path, query);
    if (!found) return { status: 404, headers: {}, body: JSON.stringify({ code: 404, message: 'none' }) };

    const seconds = fault?.kind === 'cache' ? fault.seconds : 0;
    const time = now() - seconds * SECOND;
    const newest = found.bodyAt(time, query);
    const body =
      fault?.kind === 'drift'
        ? fault.change(structuredClone(newest))
        : fault?.kind === 'doubled'
          ? doubled(found.bodyAt(time - fault.seconds * SECOND, query), newest)
          : newest;
    const charged = counted?.charge(path, query, body);
    if (charged?.refusal) {
      const { status, body: refusal } = charged.refusal;
      return { status, headers: charged.headers, body: JSON.stringify(refusal) };
    }
    const text = JSON.stringify(body);
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 20)}"`;
    const changed = lastChange(found, time);
    const skew = fault?.kind === 'skew' ? fault.seconds : 0;
    const said = {
      'content-type': 'application/json',
      date: new Date(now() + skew * SECOND).toUTCString(),
      etag,
      ...(changed === undefined ? {} : { 'last-modified': new Date(changed).toUTCString() }),
      ...(fault?.kind === 'cache' && fault.told ? { age: String(fault.seconds) } : {}),
      ...charged?.headers,
    };
    return headers['if-none-match'] === etag
      ? { status: 304, headers: said, body: '' }
      : { status: 200, headers: said, body: text };
  }

  return {
    log: log as readonly LoggedRequest[],
    get creditsUsed() {
      return counted?.used ?? 0;
    },
    /** What becomes of a GET; undefined where nothing is answered. */
    answer(url: URL, headers: Given): { readonly answer: Answer | undefined; readonly fault: Fault | undefined } {
      const query = Object.fromEntries(url.searchParams);
      const fault = faultAt(troubles, url.pathname, now());
      const isMute = fault?.kind === 'silence' || fault?.kind === 'reset';
      const answer = isMute ? undefined : judge(url.pathname, query, headers, fault);
      const conditional = headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;
      log.push({ at: now(), path: url.pathname, query, status: answer?.status, fault: fault?.kind, conditional });
      return { answer, fault };
    },
  };
}

/** The double on a port of this machine. */
export async function serveSimulated(simulated: SimulatedProvider) {
  const server = createServer((request, response) => {
    const { answer, fault } = simulated.answer(
      new URL(request.url ?? '/', 'http://simulated'),
      request.headers as Given,
    );
    if (answer) write(response, answer, fault?.kind === 'truncated');
    else if (fault?.kind === 'reset') request.socket.destroy();
  });
  const port = await listenBelow32768(server);
  return {
    address: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function write(response: ServerResponse, { status, headers, body }: Answer, isTruncated: boolean): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, ...(status === 304 ? {} : { 'content-length': bytes.length }) });
  if (!isTruncated) {
    response.end(bytes);
    return;
  }
  // The head and half of the body are on their way before the connection ends.
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
}

/** The double without a network, for days that pass in a moment. */
export const simulatedTransport =
  (simulated: SimulatedProvider): ProviderTransport =>
  async (input, { headers, signal }) => {
    const { answer, fault } = simulated.answer(new URL(input), headers);
    if (answer) {
      const { status, headers: said, body } = answer;
      const text = status === 304 ? null : fault?.kind === 'truncated' ? tornBody(body) : body;
      return new Response(text, { status, headers: said });
    }
    if (fault?.kind === 'reset') throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } });
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
  };

const tornBody = (body: string): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull(controller) {
      controller.enqueue(Buffer.from(body.slice(0, body.length / 2)));
      controller.error(Object.assign(new TypeError('terminated'), { cause: { code: 'ECONNRESET' } }));
    },
  });
