import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** How often the event loop is checked, and from which delay on it counts as stalled. */
const BEAT_MS = 250;
const LATE_MS = 1000;

interface StallTracker {
  stalledMs(): number;
}

/**
 * Measures how long the event loop was recently stalled, because the machine slept or was overloaded. Bytes that
 * arrived meanwhile were not read yet, so the client was not late. It measures only while there are connections.
 * @param memoryMs how long a stall is remembered
 */
export function createStallTracker(server: Server, memoryMs: number): StallTracker {
  let beat = 0;
  let isBeating = false;
  let losses: { readonly until: number; readonly milliseconds: number }[] = [];

  function check(): void {
    const now = performance.now();
    const late = now - beat - BEAT_MS;
    if (isBeating && late > LATE_MS) losses.push({ until: now + memoryMs, milliseconds: late });
    if (losses.length > 0) losses = losses.filter(({ until }) => until > now);
    beat = now;
  }

  repeatWhileConnected(server, check, BEAT_MS, (isConnected) => {
    check();
    isBeating = isConnected;
  });
  return {
    stalledMs() {
      check();
      return Math.ceil(losses.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
    },
  };
}

/**
 * Repeats work while the server has connections: a timer that fires for nobody would wake up an idle machine.
 * @param onSwitch called when the first connection opens, and when the last one has closed
 */
function repeatWhileConnected(
  server: Server,
  work: () => void,
  milliseconds: number,
  onSwitch: (isConnected: boolean) => void = () => {},
): void {
  let connections = 0;
  let timer: NodeJS.Timeout | undefined;
  server.on('connection', (socket) => {
    if (connections++ === 0) {
      onSwitch(true);
      timer = setInterval(work, milliseconds);
      timer.unref();
    }
    socket.once('close', () => {
      if (--connections > 0) return;
      clearInterval(timer);
      onSwitch(false);
    });
  });
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
  const closeStalled = () => {
    const now = performance.now();
    const longest = milliseconds + time.stalledMs();
    for (const [socket, before] of waiting) {
      const sent = sentBytesOf(socket);
      if (sent === undefined) {
        if (before) waiting.set(socket, undefined);
      } else if (before?.sent !== sent) waiting.set(socket, { sent, since: now });
      else if (now - before.since >= longest) socket.destroy();
    }
  };
  repeatWhileConnected(server, closeStalled, milliseconds / CHECKS_PER_TIMEOUT);
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
