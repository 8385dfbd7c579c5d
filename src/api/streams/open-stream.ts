import type { SetTimer } from '../../platform/async/timer.ts';
import { KEEP_ALIVE, sseRetry } from './sse-messages.ts';

/** Where the bytes of one stream go. */
export interface ByteSink {
  /** False when it holds enough: it then says when it has drained. */
  write(bytes: Buffer): boolean;
  /** Ends behind what was written. */
  end(): void;
  /** Drops what was written and is not out yet. */
  cut(): void;
  /** Bytes that were written and that nobody has taken. */
  readonly unread: number;
}

/** What every open stream needs. */
export interface StreamTransport {
  readonly sink: ByteSink;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  /** When the client shall come back, in milliseconds. */
  readonly retryMs: number;
  /** Called once, as soon as the stream takes nothing more. Bytes may still be on their way out. */
  readonly onEnd: () => void;
}

interface OpenStreamParts extends StreamTransport {
  /** The sink takes more again. */
  readonly onDrained: () => void;
  /** It has been open for as long as a stream may be: `finish` is expected. */
  readonly onMaximum: () => void;
  /** So many bytes may wait for the reader before the sink is full; default: it is full as soon as it says so. */
  readonly maxUnreadBytes?: number;
  /** A full sink has not drained in time, or nothing was taken of what waits: `finish` is expected. Absent: it is cut. */
  readonly onStalled?: () => void;
}

/** An open stream of one client, whatever it tells: its keep-alives, its longest time, and a sink that may be slow.
 *  Whatever is called after its end does nothing. */
interface OpenStream {
  readonly isOpen: boolean;
  /** The sink holds enough: what is written now waits in memory. */
  readonly isFull: boolean;
  /** Its first bytes. */
  begin(): void;
  write(bytes: Buffer): void;
  drained(): void;
  /** Ends behind these. */
  finish(last: readonly Buffer[]): void;
  /** The client is gone, or everything is out. */
  closed(): void;
}

const KEEP_ALIVE_MS = 15_000;
export const MAX_SECONDS = 300;
/** A reader that takes nothing for this long is cut. */
const STALL_MS = 30_000;

export function createOpenStream(parts: OpenStreamParts): OpenStream {
  const { sink, now, setTimer, retryMs, onEnd, onDrained, onMaximum, maxUnreadBytes = 0, onStalled = cut } = parts;
  let state: 'open' | 'ending' | 'closed' = 'open';
  let lastBytesAt = 0;
  let isFull = false;
  /** Since the last bytes that the sink has kept back: all that was written, and what was not taken of it. */
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

  /** One timer, set again when it goes off: setting it at every write would cost more than the write. */
  function armKeepAlive(milliseconds: number): void {
    cancelKeepAlive = setTimer(() => {
      const left = lastBytesAt + KEEP_ALIVE_MS - now();
      if (left > 0) return armKeepAlive(left);
      // Into a full sink nothing goes: it has bytes on their way out.
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
      // A client that never reads these would keep its connection for ever.
      cancelStall = setTimer(cut, STALL_MS);
    },
    closed() {
      if (state !== 'closed') stopTaking('closed');
    },
  };
}
