import { createOpenStream, MAX_SECONDS, type StreamTransport } from './open-stream.ts';
import { sseMessage } from './sse-messages.ts';
import type { ScoreFrame } from './watched-event.ts';

interface ScoreStreamParts extends StreamTransport {
  readonly eventId: number;
}

/** One open stream of one client. After its end all methods do nothing. */
export interface ScoreStream {
  /** Writes the first bytes. */
  begin(current: ScoreFrame): void;
  changed(frame: ScoreFrame): void;
  /** The sink accepts bytes again. */
  drained(): void;
  /** Closes the stream after `message`, which gives the reason. */
  fail(message: Buffer): void;
  shutDown(): void;
  /** The client has disconnected, or everything was sent. */
  closed(): void;
}

export function createScoreStream({ eventId, ...pacing }: ScoreStreamParts): ScoreStream {
  let sentMark = '';
  /** The newest frame while the sink is full; older ones are skipped. */
  let waiting: ScoreFrame | undefined;
  const stream = createOpenStream({
    ...pacing,
    onDrained() {
      const frame = waiting;
      waiting = undefined;
      // The score may have changed back meanwhile.
      if (frame && frame.fingerprint !== sentMark) send(frame);
    },
    onMaximum: () => finish(reconnect('max_stream_duration')),
  });

  function send(frame: ScoreFrame): void {
    stream.write(frame.bytes);
    sentMark = frame.fingerprint;
    if (frame.over) finish(doneMessage(frame));
  }

  const reconnect = (reason: 'max_stream_duration' | 'server_shutdown') =>
    sseMessage('reconnect', { event_id: eventId, reason, max_seconds: MAX_SECONDS });

  /**
   * Sends the last message. A waiting change goes before it; if that change ends the event, `done` replaces the
   * message.
   */
  function finish(last: Buffer): void {
    const final = waiting;
    waiting = undefined;
    stream.finish([
      ...(final && final.fingerprint !== sentMark ? [final.bytes] : []),
      final?.over ? doneMessage(final) : last,
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

const doneMessage = ({ eventId }: ScoreFrame): Buffer => sseMessage('done', { event_id: eventId });
