import type { Sleep } from './ambient.ts';
import { backoff } from './call-retries.ts';
import type { ScoreSnapshot } from './generated/api-types.ts';
import { envelopeError, LedgerlineError, NETWORK_ERROR, UNEXPECTED_ANSWER } from './ledgerline-error.ts';
import { type SentEvent, sentEvents } from './sent-events.ts';

export interface SnapshotsParts {
  /** Opens the stream after this event of it. */
  readonly open: (lastEventId: string | undefined) => Promise<Response>;
  readonly sleep: Sleep;
  /** How often in a row it is opened again without a snapshot having come. */
  readonly maxRetries: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The snapshots of one event's stream, over as many connections as it takes.
 * @throws LedgerlineError where the server says that it cannot be followed, or it cannot be opened; the signal's reason
 */
export async function* scoreSnapshots(parts: SnapshotsParts): AsyncGenerator<ScoreSnapshot, void, undefined> {
  const { open, sleep, maxRetries, signal } = parts;
  let lastEventId: string | undefined;
  let wait = 0;
  for (let fruitless = 0; ; fruitless++) {
    let cause: unknown;
    const { body } = await open(lastEventId);
    try {
      for await (const sent of sentEvents(body!, sleep)) {
        if (sent.event === 'done') return;
        if (sent.event === 'error') throw refusal(sent);
        if (sent.event === 'retry') wait = Number(sent.data);
        if (sent.event === 'reconnect') break;
        if (sent.event !== 'score') continue;
        const snapshot = JSON.parse(sent.data) as ScoreSnapshot;
        fruitless = -1;
        // A stream that is opened again begins with how things stand.
        if (sent.id !== undefined && sent.id === lastEventId) continue;
        lastEventId = sent.id;
        yield snapshot;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof LedgerlineError) throw error;
      cause = error;
    }
    if (fruitless >= maxRetries) {
      const message = 'the stream ends again and again without a snapshot';
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
