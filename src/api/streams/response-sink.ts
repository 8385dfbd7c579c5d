import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ByteSink } from './open-stream.ts';

const CRLF = Buffer.from('\r\n');
const chunks = new WeakMap<Buffer, Buffer>();

/** Bytes as a chunk of an HTTP/1.1 body, made once for all streams that they go to. */
function chunkOf(bytes: Buffer): Buffer {
  let chunk = chunks.get(bytes);
  if (!chunk) {
    chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, CRLF]);
    chunks.set(bytes, chunk);
  }
  return chunk;
}

/**
 * The body of an answer whose head is written. Node's own `write` makes the chunk anew for each answer, and holds it
 * back until all that the change has set off elsewhere is done, a commit of the read models included. So chunks go to
 * the connection as they are.
 */
export function sinkOf(response: ServerResponse): ByteSink {
  let socket: Socket | undefined;
  const drained = () => void response.emit('drain');
  // Another answer on the same connection may still be on its way before this one: then Node has to keep the order.
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
