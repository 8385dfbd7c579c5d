import type { Ambient } from './ambient.ts';
import { waitBeforeRetry } from './call-retries.ts';
import { failureOf, LedgerlineError, NETWORK_ERROR, UNEXPECTED_ANSWER } from './ledgerline-error.ts';

/** A request that is ready to be sent, as often as it takes. */
export interface ReadyRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body?: string;
  /** It can run twice without harm. */
  readonly isRepeatable: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface SenderParts extends Pick<Ambient, 'now' | 'sleep'> {
  /** As the platform's; whatever it throws is taken for a broken connection. */
  readonly fetch: typeof fetch;
  /** How often a request is made again. */
  readonly maxRetries: number;
  /** Called for every answer, before it is looked at. What it throws ends the call. */
  readonly onResponse: (response: Response) => void;
}

export interface Sender {
  /**
   * The JSON of a successful answer; undefined where it has no body.
   * @throws LedgerlineError, or the signal's reason
   */
  answer(request: ReadyRequest): Promise<unknown>;
  /** A successful answer whose body is still to be read. @throws LedgerlineError, or the signal's reason */
  open(request: ReadyRequest): Promise<Response>;
}

export function createSender({ fetch, maxRetries, onResponse, now, sleep }: SenderParts): Sender {
  /** @param read what of a successful answer's body is needed before it is one */
  async function send(request: ReadyRequest, read: (response: Response) => Promise<string>) {
    const { method, url, headers, body, signal, isRepeatable } = request;
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = body;
    if (signal) init.signal = signal;
    for (let retries = 0; ; retries++) {
      let response: Response | undefined;
      let text = '';
      let broken: LedgerlineError | undefined;
      try {
        response = await fetch(url, init);
        text = response.ok ? await read(response) : await response.text().catch(() => '');
      } catch (cause) {
        signal?.throwIfAborted();
        broken = noAnswer(request, cause);
      }
      if (response) onResponse(response);
      if (response?.ok && !broken) return { response, text };
      const failure = broken ?? failureOf(response!, text, now());
      const wait = retries < maxRetries ? waitBeforeRetry(failure, retries, isRepeatable) : undefined;
      if (wait === undefined) throw failure;
      await sleep(wait, signal);
    }
  }

  return {
    async answer(request) {
      const { response, text } = await send(request, (answered) => answered.text());
      return response.status === 204 ? undefined : parsed(text, response);
    },
    open: async (request) => (await send(request, async () => '')).response,
  };
}

function noAnswer({ method, url }: ReadyRequest, cause: unknown): LedgerlineError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `${method} ${new URL(url).pathname}: ${reason}`;
  return new LedgerlineError({ status: 0, code: NETWORK_ERROR, message, cause });
}

function parsed(text: string, { status, headers }: Response): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `the answer is HTTP ${status} without JSON`;
    const requestId = headers.get('x-request-id');
    throw new LedgerlineError({ status, code: UNEXPECTED_ANSWER, message, requestId, cause });
  }
}
