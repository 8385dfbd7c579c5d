import type { SetTimer } from '../log/subscription.ts';
import { KEEP_ALIVE, message, retryHint } from './messages.ts';
import type { ScoreFrame } from './watched-event.ts';

/** Where the bytes of one stream go. */
export interface ByteSink {
  /** False when it holds enough: it then says when it has drained. */
  write(bytes: Buffer): boolean;
  /** Ends behind what was written. */
  end(): void;
  /** Drops what was written and is not out yet. */
  cut(): void;
}

export interface ScoreStreamParts {
  readonly eventId: number;
  readonly sink: ByteSink;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  /** When the client shall come back, in milliseconds. */
  readonly retryMs: number;
  /** Called once, as soon as the stream takes no more changes. Bytes may still be on their way out. */
  readonly onEnd: () => void;
}

/** One open stream of one client. Whatever is called after its end does nothing. */
export interface ScoreStream {
  /** Its first bytes. */
  begin(current: ScoreFrame): void;
  changed(frame: ScoreFrame): void;
  /** The sink takes more again. */
  drained(): void;
  /** `message` says why; then it closes. */
  fail(message: Buffer): void;
  shutDown(): void;
  /** The client is gone, or everything is out. */
  closed(): void;
}

const KEEP_ALIVE_MS = 15_000;
const MAX_SECONDS = 300;
/** A reader that takes nothing for this long is cut. */
const STALL_MS = 30_000;

export function createScoreStream(parts: ScoreStreamParts): ScoreStream {
  const { eventId, sink, now, setTimer, retryMs, onEnd } = parts;
  let state: 'open' | 'ending' | 'closed' = 'open';
  let lastBytesAt = 0;
  let sentMark = '';
  let isFull = false;
  /** The newest of the changes that a full sink did not take: one frame, however many there were. */
  let waiting: ScoreFrame | undefined;
  let cancelKeepAlive = () => {};
  let cancelMaximum = () => {};
  let cancelStall = () => {};

  function write(bytes: Buffer): void {
    lastBytesAt = now();
    if (sink.write(bytes) || isFull) return;
    isFull = true;
    cancelStall = setTimer(cut, STALL_MS);
  }

  function send(frame: ScoreFrame): void {
    write(frame.bytes);
    sentMark = frame.mark;
    if (frame.over) finish(message('done', { event_id: eventId }));
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

  const reconnect = (reason: 'max_stream_duration' | 'server_shutdown') =>
    message('reconnect', { event_id: eventId, reason, max_seconds: MAX_SECONDS });

  function stopTaking(next: 'ending' | 'closed'): void {
    const wasOpen = state === 'open';
    state = next;
    waiting = undefined;
    cancelKeepAlive();
    cancelMaximum();
    cancelStall();
    if (wasOpen) onEnd();
  }

  /** The last message. A change that still waits goes before it, and if it is the end, `done` goes in its place. */
  function finish(last: Buffer): void {
    if (state !== 'open') return;
    const final = waiting;
    stopTaking('ending');
    if (final && final.mark !== sentMark) sink.write(final.bytes);
    sink.write(final?.over ? message('done', { event_id: eventId }) : last);
    sink.end();
    // A client that never reads these would keep its connection for ever.
    cancelStall = setTimer(cut, STALL_MS);
  }

  function cut(): void {
    if (state === 'closed') return;
    stopTaking('closed');
    sink.cut();
  }

  return {
    begin(current) {
      if (state !== 'open') return;
      armKeepAlive(KEEP_ALIVE_MS);
      cancelMaximum = setTimer(() => finish(reconnect('max_stream_duration')), MAX_SECONDS * 1000);
      write(retryHint(retryMs));
      send(current);
    },
    changed(frame) {
      if (state !== 'open') return;
      if (isFull) waiting = frame;
      else send(frame);
    },
    drained() {
      if (state !== 'open' || !isFull) return;
      isFull = false;
      cancelStall();
      const frame = waiting;
      waiting = undefined;
      // It may have changed and changed back meanwhile.
      if (frame && frame.mark !== sentMark) send(frame);
    },
    fail: finish,
    shutDown: () => finish(reconnect('server_shutdown')),
    closed() {
      if (state !== 'closed') stopTaking('closed');
    },
  };
}
