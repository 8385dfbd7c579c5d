import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How often the connections are looked through, in each time that an answer has. They are counted, and not the time:
 *  while this process does nothing, nothing can be taken from it. */
const LOOKS = 30;

/**
 * Cuts connections on which something waits to be sent and nothing has been taken for so long: they hold the answer in
 * memory, and a place among the connections. Node's own timeout is no measure: it begins anew with whatever is read.
 * @param milliseconds that an answer may wait without a byte of it being taken
 */
export function cutStuckAnswers(server: Server, milliseconds: number): void {
  const waiting = new Map<Socket, { readonly taken: number; readonly looks: number } | undefined>();
  server.on('connection', (socket) => {
    waiting.set(socket, undefined);
    socket.once('close', () => waiting.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, before] of waiting) {
      const taken = takenOf(socket);
      if (taken === undefined) {
        if (before) waiting.set(socket, undefined);
      } else if (before?.taken !== taken) waiting.set(socket, { taken, looks: 0 });
      else if (before.looks + 1 < LOOKS) waiting.set(socket, { taken, looks: before.looks + 1 });
      else socket.destroy();
    }
  }, milliseconds / LOOKS);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/** How many bytes the system has taken from a connection; undefined while nothing waits. Node tells only of what it was
 *  given, so this asks what it stands on. */
function takenOf(socket: Socket): number | undefined {
  const { _handle } = socket as Socket & { readonly _handle?: Handle | null };
  return _handle?.writeQueueSize ? _handle.bytesWritten - _handle.writeQueueSize : undefined;
}

interface Handle {
  /** What has been given to it in all, and what of this it still has. */
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}
