import type { ServerResponse } from 'node:http';
import type { SetTimer } from '../../platform/async/timer.ts';

/** Headers of every stream of server-sent events, names and values in turn. */
export const STREAM_HEADERS = [
  ...['Content-Type', 'text/event-stream'],
  ...['Cache-Control', 'no-cache, no-store'],
  // Proxies would gather the messages to larger pieces.
  ...['X-Accel-Buffering', 'no'],
];

/** Spread, so that not all clients of a server that restarts come back in the same moment. */
const RETRY_MS = { least: 2000, spread: 2000 };
/** When a client shall come back, in milliseconds. @param random from 0 to 1, without 1 */
export const randomRetryMs = (random: () => number): number => RETRY_MS.least + random() * RETRY_MS.spread;

export { sinkOf } from './response-sink.ts';

/** On shutdown a client has this long to take its last bytes. */
const LAST_BYTES_MS = 3000;

/** The answers that streams go out on. */
interface OpenResponses {
  readonly size: number;
  /** What readers have not taken yet. */
  readonly bytes: number;
  add(response: ServerResponse): void;
  delete(response: ServerResponse): void;
  /** Resolves when all have ended; those that take too long are cut. */
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
