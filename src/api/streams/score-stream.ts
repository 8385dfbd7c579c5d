import { createOpenStream, MAX_SECONDS, type StreamTransport } from './open-stream.ts';
import { sseMessage } from './sse-messages.ts';
import type { ScoreFrame } from './watched-event.ts';

export type { ByteSink } from './open-stream.ts';

interface ScoreStreamParts extends StreamTransport {
  readonly eventId: number;
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

export function createScoreStream({ eventId, ...pacing }: ScoreStreamParts): ScoreStream {
  let sentMark = '';
  /** The newest of the changes that a full sink did not take: one frame, however many there were. */
  let waiting: ScoreFrame | undefined;
  const stream = createOpenStream({
    ...pacing,
    onDrained() {
      const frame = waiting;
      waiting = undefined;
      // It may have changed and changed back meanwhile.
      if (frame && frame.fingerprint !== sentMark) send(frame);
    },
    onMaximum: () => finish(reconnect('max_stream_duration')),
  });

  function send(frame: ScoreFrame): void {
    stream.write(frame.bytes);
    sentMark = frame.fingerprint;
    if (frame.over) finish(sseMessage('done', { event_id: eventId }));
  }

  const reconnect = (reason: 'max_stream_duration' | 'server_shutdown') =>
    sseMessage('reconnect', { event_id: eventId, reason, max_seconds: MAX_SECONDS });

  /** The last message. A change that still waits goes before it, and if it is the end, `done` goes in its place. */
  function finish(last: Buffer): void {
    const final = waiting;
    waiting = undefined;
    stream.finish([
      ...(final && final.fingerprint !== sentMark ? [final.bytes] : []),
      final?.over ? sseMessage('done', { event_id: eventId }) : last,
    ]);
  }

  return {
    begin(current) {
      if (!stream.isOpen) return;
      stream.begin();
      send(current);
    },
    changed(frame) {
      if (!stream.isOpen) return;
      if (stream.isFull) waiting = frame;
      else send(frame);
    },
    drained: stream.drained,
    fail: finish,
    shutDown: () => finish(reconnect('server_shutdown')),
    closed: stream.closed,
  };
}
