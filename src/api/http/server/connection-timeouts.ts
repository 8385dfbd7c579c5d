import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** How often the event loop is checked, and from which delay on it counts as stalled. */
const BEAT_MS = 250;
const LATE_MS = 1000;

interface StallTracker {
  stalledMs(): number;
  stop(): void;
}

/**
 * Measures how long the event loop was recently stalled, because the machine slept or was overloaded. Bytes that
 * arrived meanwhile were not read yet, so the client was not late.
 * @param memoryMs how long a stall is remembered
 */
export function createStallTracker(memoryMs: number): StallTracker {
  let beat = performance.now();
  let losses: { readonly until: number; readonly milliseconds: number }[] = [];

  function check(): void {
    const now = performance.now();
    const late = now - beat - BEAT_MS;
    if (late > LATE_MS) losses.push({ until: now + memoryMs, milliseconds: late });
    if (losses.length > 0) losses = losses.filter(({ until }) => until > now);
    beat = now;
  }

  const timer = setInterval(check, BEAT_MS);
  timer.unref();
  return {
    stalledMs() {
      check();
      return Math.ceil(losses.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
    },
    stop: () => clearInterval(timer),
  };
}

/** Calls back if the body of a request is incomplete after so many milliseconds. */
export function enforceBodyTimeout(
  request: IncomingMessage,
  milliseconds: number,
  time: StallTracker,
  cut: () => void,
): void {
  let waited = 0;
  let timer = setTimeout(check, milliseconds).unref();
  request.once('close', () => clearTimeout(timer));

  function check(): void {
    const lost = time.stalledMs();
    if (request.complete) return;
    if (lost > waited) {
      // The client gets the stalled time in addition.
      timer = setTimeout(check, lost - waited).unref();
      waited = lost;
    } else cut();
  }
}

/** Checks in each timeout. */
const CHECKS_PER_TIMEOUT = 60;

/**
 * Closes connections with pending data of which nothing was sent for so long: they hold the answer in memory and occupy
 * a connection. Node's own timeout does not help, since it restarts with each read.
 * @param milliseconds how long an answer may make no progress; the time in which this process was stalled comes on top,
 * since then no client can be blamed
 */
export function closeStalledResponses(server: Server, milliseconds: number, time: StallTracker): void {
  const waiting = new Map<Socket, { readonly sent: number; readonly since: number } | undefined>();
  server.on('connection', (socket) => {
    waiting.set(socket, undefined);
    socket.once('close', () => waiting.delete(socket));
  });
  const timer = setInterval(() => {
    const now = performance.now();
    const longest = milliseconds + time.stalledMs();
    for (const [socket, before] of waiting) {
      const sent = sentBytesOf(socket);
      if (sent === undefined) {
        if (before) waiting.set(socket, undefined);
      } else if (before?.sent !== sent) waiting.set(socket, { sent, since: now });
      else if (now - before.since >= longest) socket.destroy();
    }
  }, milliseconds / CHECKS_PER_TIMEOUT);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/**
 * Bytes that the operating system has accepted for a connection; undefined if nothing is pending. Node's public API
 * only counts bytes written to the socket, so this reads the handle below it.
 */
function sentBytesOf(socket: Socket): number | undefined {
  const { _handle } = socket as Socket & { readonly _handle?: Handle | null };
  return _handle?.writeQueueSize ? _handle.bytesWritten - _handle.writeQueueSize : undefined;
}

interface Handle {
  /** Bytes written to the handle, and those of them it still queues. */
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}
