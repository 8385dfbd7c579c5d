import type { SetTimer } from '../../platform/async/timer.ts';
import { KEEP_ALIVE, sseRetry } from './sse-messages.ts';

/** The destination of a stream's bytes. */
export interface ByteSink {
  /** False if the sink is full; it reports when it has drained. */
  write(bytes: Buffer): boolean;
  /** Ends the response after all written bytes. */
  end(): void;
  /** Closes the connection and discards unsent bytes. */
  cut(): void;
  /** Written bytes that the operating system has not accepted yet. */
  readonly unread: number;
}

/** What every open stream needs. */
export interface StreamTransport {
  readonly sink: ByteSink;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  /** Delay before the client reconnects, in milliseconds. */
  readonly retryMs: number;
  /** Called once, when the stream accepts no more bytes. Some may still have to be sent. */
  readonly onEnd: () => void;
}

interface OpenStreamParts extends StreamTransport {
  /** The sink accepts bytes again. */
  readonly onDrained: () => void;
  /** The maximum duration is reached: `finish` is expected. */
  readonly onMaximum: () => void;
  /** Bytes that may be unread before the stream counts as full; default: full as soon as the sink says so. */
  readonly maxUnreadBytes?: number;
  /** A full sink has not drained in time, or no byte was read: `finish` is expected. Absent: the connection is cut. */
  readonly onStalled?: () => void;
}

/**
 * An open stream of one client: handles keep-alives, the maximum duration, and slow readers. After its end all methods
 * do nothing.
 */
interface OpenStream {
  readonly isOpen: boolean;
  /** The sink is full: further bytes are buffered in memory. */
  readonly isFull: boolean;
  /** Writes the first bytes. */
  begin(): void;
  write(bytes: Buffer): void;
  drained(): void;
  /** Ends the stream after these messages. */
  finish(last: readonly Buffer[]): void;
  /** The client has disconnected, or everything was sent. */
  closed(): void;
}

const KEEP_ALIVE_MS = 15_000;
export const MAX_SECONDS = 300;
/** A reader that makes no progress for this long is cut. */
const STALL_MS = 30_000;

export function createOpenStream(parts: OpenStreamParts): OpenStream {
  const { sink, now, setTimer, retryMs, onEnd, onDrained, onMaximum, maxUnreadBytes = 0, onStalled = cut } = parts;
  let state: 'open' | 'ending' | 'closed' = 'open';
  let lastBytesAt = 0;
  let isFull = false;
  /** Bytes written to the sink, and those that were read when the stall timer was set. */
  let written = 0;
  let untaken = 0;
  let isHeldBack = false;
  let cancelKeepAlive = () => {};
  let cancelMaximum = () => {};
  let cancelStall = () => {};

  function write(bytes: Buffer): void {
    if (state !== 'open') return;
    lastBytesAt = now();
    written += bytes.length;
    if (sink.write(bytes) || isFull) return;
    isFull = sink.unread > maxUnreadBytes || maxUnreadBytes === 0;
    if (isFull || !isHeldBack) armStall();
    isHeldBack = true;
  }

  function armStall(): void {
    cancelStall();
    untaken = written - sink.unread;
    cancelStall = setTimer(() => {
      const takes = !isFull && written - sink.unread > untaken;
      if (takes) armStall();
      else onStalled();
    }, STALL_MS);
  }

  /** One timer that rearms itself: resetting it on every write would cost more than the write. */
  function armKeepAlive(milliseconds: number): void {
    cancelKeepAlive = setTimer(() => {
      const left = lastBytesAt + KEEP_ALIVE_MS - now();
      if (left > 0) return armKeepAlive(left);
      // A full sink needs no keep-alive: it has bytes to send.
      if (isFull) lastBytesAt = now();
      else write(KEEP_ALIVE);
      armKeepAlive(KEEP_ALIVE_MS);
    }, milliseconds);
  }

  function stopTaking(next: 'ending' | 'closed'): void {
    const wasOpen = state === 'open';
    state = next;
    cancelKeepAlive();
    cancelMaximum();
    cancelStall();
    if (wasOpen) onEnd();
  }

  function cut(): void {
    if (state === 'closed') return;
    stopTaking('closed');
    sink.cut();
  }

  return {
    get isOpen() {
      return state === 'open';
    },
    get isFull() {
      return isFull;
    },
    begin() {
      if (state !== 'open') return;
      armKeepAlive(KEEP_ALIVE_MS);
      cancelMaximum = setTimer(onMaximum, MAX_SECONDS * 1000);
      write(sseRetry(retryMs));
    },
    write,
    drained() {
      if (state !== 'open' || !isHeldBack) return;
      isHeldBack = false;
      cancelStall();
      if (!isFull) return;
      isFull = false;
      onDrained();
    },
    finish(last) {
      if (state !== 'open') return;
      stopTaking('ending');
      for (const bytes of last) sink.write(bytes);
      sink.end();
      // Without this a client that never reads would keep its connection for ever.
      cancelStall = setTimer(cut, STALL_MS);
    },
    closed() {
      if (state !== 'closed') stopTaking('closed');
    },
  };
}
