import type { ServerResponse } from 'node:http';
import type { SetTimer } from '../../platform/async/timer.ts';

/** Headers of every stream of server-sent events, names and values in turn. */
export const STREAM_HEADERS = [
  ...['Content-Type', 'text/event-stream'],
  ...['Cache-Control', 'no-cache, no-store'],
  // Stops proxies from buffering the messages.
  ...['X-Accel-Buffering', 'no'],
];

/** A random spread, so that after a restart not all clients reconnect at the same moment. */
const RETRY_MS = { min: 2000, spread: 2000 };
/**
 * Delay before a client reconnects, in milliseconds.
 * @param random at least 0, less than 1
 */
export const randomRetryMs = (random: () => number): number => RETRY_MS.min + random() * RETRY_MS.spread;

export { sinkOf } from './response-sink.ts';

/** Time for clients to receive the last bytes on shutdown. */
const LAST_BYTES_MS = 3000;

/** The open responses of streams. */
interface OpenResponses {
  readonly size: number;
  /** Unread bytes of all responses. */
  readonly bytes: number;
  add(response: ServerResponse): void;
  delete(response: ServerResponse): void;
  /** Resolves when all have ended; slow ones are cut. */
  ended(): Promise<void>;
}

export function createOpenResponses(setTimer: SetTimer): OpenResponses {
  const responses = new Set<ServerResponse>();
  let onEmpty = () => {};
  return {
    get size() {
      return responses.size;
    },
    get bytes() {
      let bytes = 0;
      for (const { socket, writableLength } of responses)
        bytes += Math.max(writableLength, socket?.writableLength ?? 0);
      return bytes;
    },
    add: (response) => void responses.add(response),
    delete(response) {
      responses.delete(response);
      if (responses.size === 0) onEmpty();
    },
    async ended() {
      if (responses.size === 0) return;
      await new Promise<void>((resolve) => {
        const cancel = setTimer(() => {
          for (const response of responses) response.destroy();
          resolve();
        }, LAST_BYTES_MS);
        onEmpty = () => {
          cancel();
          resolve();
        };
      });
    },
  };
}
