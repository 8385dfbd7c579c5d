import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { ByteSink } from './open-stream.ts';

/** Headers of every stream of server-sent events, names and values in turn. */
export const STREAM_HEADERS = [
  ...['Content-Type', 'text/event-stream'],
  ...['Cache-Control', 'no-cache, no-store'],
  // Stops proxies from buffering the messages.
  ...['X-Accel-Buffering', 'no'],
];

/** A random spread, so that after a restart not all clients reconnect at the same moment. */
const RETRY_MS = { min: 2000, spread: 2000 };
/** Delay before a client reconnects, in milliseconds. @param random at least 0, less than 1 */
export const randomRetryMs = (random: () => number): number => RETRY_MS.min + random() * RETRY_MS.spread;

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
    add(response) {
      responses.add(response);
      closeWithClient(response);
    },
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

/** Nobody reads a stream to its end: a client that ends its side of the connection has left. */
function closeWithClient(response: ServerResponse): void {
  const { socket } = response.req;
  const close = () => void response.destroy();
  if (socket.readableEnded) close();
  socket.once('end', close);
  response.once('close', () => socket.off('end', close));
}

const CRLF = Buffer.from('\r\n');
const chunks = new WeakMap<Buffer, Buffer>();

/** The bytes as a chunk of an HTTP/1.1 body, made once for all streams. */
function chunkOf(bytes: Buffer): Buffer {
  let chunk = chunks.get(bytes);
  if (!chunk) {
    chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, CRLF]);
    chunks.set(bytes, chunk);
  }
  return chunk;
}

/**
 * Writes the body of a response whose headers are written. Node's own `write` encodes the chunk for each response, and
 * delays it until all work triggered by the change is done, even a commit of the read models. So chunks are written
 * directly to the connection.
 */
export function sinkOf(response: ServerResponse): ByteSink {
  let socket: Socket | undefined;
  const drained = () => void response.emit('drain');
  // If a previous response on this connection is still being sent, Node must keep the order.
  const isDirect = response.socket !== null && response.writableLength === 0;

  function begin(): Socket {
    response.flushHeaders();
    const own = response.socket!;
    own.on('drain', drained);
    response.once('close', () => own.off('drain', drained));
    return own;
  }

  return {
    write(bytes) {
      if (!isDirect || !response.chunkedEncoding) return response.write(bytes);
      if (response.destroyed || response.writableEnded) return true;
      socket ??= begin();
      return socket.write(chunkOf(bytes));
    },
    end: () => void response.end(),
    cut: () => void response.destroy(),
    get unread() {
      return Math.max(response.writableLength, response.socket?.writableLength ?? 0);
    },
  };
}
