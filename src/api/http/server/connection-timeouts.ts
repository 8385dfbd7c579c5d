import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** How often it is looked whether the process still looks, and how late that must be to count. */
const BEAT_MS = 250;
const LATE_MS = 1000;

interface StallTracker {
  stalledMs(): number;
  stop(): void;
}

/**
 * Milliseconds of late in which this process did not get to its connections: a machine that slept or was overloaded.
 * What a client sent meanwhile has come, and nobody has read it: it is not the client that was late.
 * @param memoryMs how long a loss is remembered
 */
export function createStallTracker(memoryMs: number): StallTracker {
  let beat = performance.now();
  let losses: { readonly until: number; readonly milliseconds: number }[] = [];

  function look(): void {
    const now = performance.now();
    const late = now - beat - BEAT_MS;
    if (late > LATE_MS) losses.push({ until: now + memoryMs, milliseconds: late });
    if (losses.length > 0) losses = losses.filter(({ until }) => until > now);
    beat = now;
  }

  const timer = setInterval(look, BEAT_MS);
  timer.unref();
  return {
    stalledMs() {
      look();
      return Math.ceil(losses.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
    },
    stop: () => clearInterval(timer),
  };
}

/** Calls back when the body of a request is not there, whole, after so many milliseconds. */
export function enforceBodyTimeout(
  request: IncomingMessage,
  milliseconds: number,
  time: StallTracker,
  cut: () => void,
): void {
  let waited = 0;
  let timer = setTimeout(look, milliseconds).unref();
  request.once('close', () => clearTimeout(timer));

  function look(): void {
    const lost = time.stalledMs();
    if (request.complete) return;
    if (lost > waited) {
      // For as long as nobody has read what came.
      timer = setTimeout(look, lost - waited).unref();
      waited = lost;
    } else cut();
  }
}

/** How often the connections are looked through, in each time that an answer has. They are counted, and not the time:
 *  while this process does nothing, nothing can be taken from it. */
const CHECKS_PER_TIMEOUT = 30;

/**
 * Cuts connections on which something waits to be sent and nothing has been taken for so long: they hold the answer in
 * memory, and a place among the connections. Node's own timeout is no measure: it begins anew with whatever is read.
 * @param milliseconds that an answer may wait without a byte of it being taken
 */
export function closeStalledResponses(server: Server, milliseconds: number): void {
  const waiting = new Map<Socket, { readonly taken: number; readonly looks: number } | undefined>();
  server.on('connection', (socket) => {
    waiting.set(socket, undefined);
    socket.once('close', () => waiting.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, before] of waiting) {
      const taken = sentBytesOf(socket);
      if (taken === undefined) {
        if (before) waiting.set(socket, undefined);
      } else if (before?.taken !== taken) waiting.set(socket, { taken, looks: 0 });
      else if (before.looks + 1 < CHECKS_PER_TIMEOUT) waiting.set(socket, { taken, looks: before.looks + 1 });
      else socket.destroy();
    }
  }, milliseconds / CHECKS_PER_TIMEOUT);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/** How many bytes the system has taken from a connection; undefined while nothing waits. Node tells only of what it was
 *  given, so this asks what it stands on. */
function sentBytesOf(socket: Socket): number | undefined {
  const { _handle } = socket as Socket & { readonly _handle?: Handle | null };
  return _handle?.writeQueueSize ? _handle.bytesWritten - _handle.writeQueueSize : undefined;
}

interface Handle {
  /** What has been given to it in all, and what of this it still has. */
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}
