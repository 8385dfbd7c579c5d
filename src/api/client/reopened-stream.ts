import type { Sleep } from './ambient.ts';
import { backoff } from './call-retries.ts';
import { envelopeError, LedgerlineError, NETWORK_ERROR, UNEXPECTED_ANSWER } from './ledgerline-error.ts';
import { type SentEvent, sentEvents } from './sent-events.ts';

export interface ReopenedParts {
  /** Opens the stream after this event of it. */
  readonly open: (lastEventId: string | undefined) => Promise<Response>;
  readonly sleep: Sleep;
  /** How often in a row it is opened again without anything having come. */
  readonly maxRetries: number;
  readonly signal?: AbortSignal | undefined;
}

/** What an event of a stream is for its reader: the last one, one of the things that it is read for, a sign that it has
 *  begun well, or a remark. */
export type Meaning = 'end' | 'item' | 'begun' | 'remark';

/**
 * The events that a stream is read for, over as many connections as it takes. What the last one has told already does not
 * come again.
 * @throws LedgerlineError where the server says that it cannot be followed, or it cannot be opened; the signal's reason
 */
export async function* reopenedStream(
  parts: ReopenedParts,
  meaningOf: (sent: SentEvent) => Meaning,
): AsyncGenerator<SentEvent, void, undefined> {
  const { open, sleep, maxRetries, signal } = parts;
  let lastEventId: string | undefined;
  let wait = 0;
  for (let fruitless = 0; ; fruitless++) {
    let cause: unknown;
    const { body } = await open(lastEventId);
    try {
      for await (const sent of sentEvents(body!, sleep)) {
        if (sent.event === 'error') throw refusal(sent);
        if (sent.event === 'retry') {
          wait = Number(sent.data);
          continue;
        }
        const meaning = meaningOf(sent);
        if (meaning === 'end') return;
        const isRepeated = sent.id !== undefined && sent.id === lastEventId;
        if (meaning === 'item' || meaning === 'begun') fruitless = -1;
        lastEventId = sent.id ?? (meaning === 'item' ? undefined : lastEventId);
        if (sent.event === 'reconnect') break;
        if (meaning === 'item' && !isRepeated) yield sent;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof LedgerlineError) throw error;
      cause = error;
    }
    if (fruitless >= maxRetries) {
      const message = 'the stream ends again and again without anything having come';
      throw new LedgerlineError({ status: 0, code: NETWORK_ERROR, message, cause });
    }
    await sleep(Math.max(wait, backoff(Math.max(fruitless, 0))), signal);
  }
}

function refusal({ data }: SentEvent): LedgerlineError {
  const error = envelopeError(data);
  if (!error)
    return new LedgerlineError({ status: 0, code: UNEXPECTED_ANSWER, message: 'the stream ended in an error' });
  const { status, code, message, request_id: requestId, retry_after: retryAfter } = error;
  return new LedgerlineError({ status, code, message, requestId, retryAfter: retryAfter ?? null, error });
}
