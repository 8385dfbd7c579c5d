import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ByteSink } from './open-stream.ts';

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
