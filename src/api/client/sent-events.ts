import { createParser } from 'eventsource-parser';
import type { Sleep } from './ambient.ts';

/** The server writes at least every 15 seconds: after three silences the connection is dead. */
const LONGEST_SILENCE_MS = 45_000;

/** A server-sent event; `retry` for how long the server asks to wait before coming back, in milliseconds. */
export interface SentEvent {
  readonly event: string;
  readonly id?: string | undefined;
  readonly data: string;
}

/**
 * The events of one answer, until it ends.
 * @throws when the connection breaks, or nothing comes for too long
 */
export async function* sentEvents(body: ReadableStream<Uint8Array>, sleep: Sleep): AsyncGenerator<SentEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parsed: SentEvent[] = [];
  const parser = createParser({
    onEvent: ({ event = 'message', id, data }) => void parsed.push({ event, id, data }),
    onRetry: (milliseconds) => void parsed.push({ event: 'retry', data: String(milliseconds) }),
  });
  try {
    for (;;) {
      const { done, value } = await beforeSilence(reader.read(), sleep);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* parsed.splice(0);
    }
  } finally {
    // So that the connection closes where the reader goes before its end. A broken one has nothing to cancel.
    reader.cancel().catch(() => {});
  }
}

async function beforeSilence<T>(read: Promise<T>, sleep: Sleep): Promise<T> {
  const heard = new AbortController();
  const silence = sleep(LONGEST_SILENCE_MS, heard.signal).then(() => {
    throw new Error(`nothing came for ${LONGEST_SILENCE_MS / 1000} seconds`);
  });
  // It is aborted where the race is over.
  silence.catch(() => {});
  try {
    return await Promise.race([read, silence]);
  } finally {
    heard.abort();
  }
}
