import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import { type ChangeCursor, formatCursor } from '../../read-models/change-feed/change-cursor.ts';
import type { ChangeFeed } from '../../read-models/change-feed/change-feed.ts';
import type { ChangeFilter } from '../../read-models/change-feed/change-filter.ts';
import type { ChangeHub } from './change-hub.ts';
import { createOpenStream, MAX_SECONDS, type StreamTransport } from './open-stream.ts';
import { sseMessage } from './sse-messages.ts';

interface ChangeStreamParts extends StreamTransport {
  readonly hub: Pick<ChangeHub, 'join' | 'position'>;
  readonly changes: Pick<ChangeFeed, 'readPage'>;
  readonly filter: ChangeFilter;
  /** The stream starts with the first change after this cursor. */
  readonly after: ChangeCursor;
  /** The message for a failure of the hub. */
  readonly broken: Buffer;
  /** The log cannot be read: the stream ends. */
  readonly onError: (error: unknown) => void;
  /**
   * Bytes that may be unread by a slow reader. Beyond this it gets the rest from the log, once it has caught up.
   * Default 1 MiB.
   */
  readonly maxUnreadBytes?: number;
}

/** One open stream of one client. After its end all methods do nothing. */
export interface ChangeStream {
  /** Writes the first bytes. */
  begin(): void;
  /** The sink accepts bytes again. */
  drained(): void;
  /** Closes the stream after `message`, which gives the reason. */
  fail(message: Buffer): void;
  shutDown(): void;
  /** The client has disconnected, or everything was sent. */
  closed(): void;
}

const MAX_UNREAD_BYTES = 1024 * 1024;
/** Changes in one read from the log. */
const PAGE = 250;
/** Delay before a failed read is repeated. */
const RETRY_MS = 1000;

type ReconnectReason = 'max_stream_duration' | 'server_shutdown' | 'too_slow';

/**
 * Sends every change that passes the filter, once and in order: first those after the cursor from the log, then new
 * ones from the hub. A slow reader leaves the hub and continues from the log.
 */
export function createChangeStream(parts: ChangeStreamParts): ChangeStream {
  const { hub, changes, filter, after, broken, onError, maxUnreadBytes = MAX_UNREAD_BYTES, ...pacing } = parts;
  /** Everything up to this cursor was written. */
  let cursor = after;
  let leave: (() => void) | undefined;
  let isCatchingUp = false;
  let cancelRetry = () => {};
  const stream = createOpenStream({
    ...pacing,
    maxUnreadBytes,
    onDrained: catchUp,
    onMaximum: () => reconnect('max_stream_duration'),
    onStalled: () => reconnect('too_slow'),
    onEnd() {
      leave?.();
      leave = undefined;
      cancelRetry();
      pacing.onEnd();
    },
  });
  const reader = {
    filter,
    receive(messages: Buffer, next: ChangeCursor) {
      stream.write(messages);
      cursor = next;
      // A reader that is full leaves the hub and continues from the log.
      if (!stream.isFull) return;
      leave?.();
      leave = undefined;
    },
    skipTo(next: ChangeCursor) {
      cursor = next;
    },
    failed: () => stream.finish([broken]),
  };

  function catchUp(): void {
    if (isCatchingUp) return;
    isCatchingUp = true;
    readOn()
      .then(() => 0, failed)
      .then((pause) => {
        isCatchingUp = false;
        // The sink may have drained after the last check.
        const isBehind = stream.isOpen && !stream.isFull && !leave;
        if (isBehind && pause > 0) cancelRetry = pacing.setTimer(catchUp, pause);
        else if (isBehind) catchUp();
      });
  }

  /** @returns after how many milliseconds to try again */
  function failed(error: unknown): number {
    // The stream has ended, and the log may be closed: the error does not matter.
    if (!stream.isOpen) return 0;
    onError(error);
    if (error instanceof UnavailableError) return RETRY_MS;
    stream.finish([broken]);
    return 0;
  }

  async function readOn(): Promise<void> {
    while (stream.isOpen && !stream.isFull) {
      const left = hub.join(reader, cursor);
      if (left) {
        // The changes delivered by `join` may have filled or ended the stream.
        if (stream.isOpen && !stream.isFull) leave = left;
        else left();
        return;
      }
      const page = await changes.readPage({ after: cursor, filter, limit: PAGE, upTo: hub.position });
      if (!stream.isOpen) return;
      if (page.changes.length > 0) stream.write(Buffer.concat(page.changes.map((change) => change.message)));
      cursor = page.next;
    }
  }

  /**
   * The id is the cursor for the next stream. It may be later than the last change sent, if the filter has dropped
   * later ones.
   */
  function reconnect(reason: ReconnectReason): void {
    stream.finish([sseMessage('reconnect', { reason, max_seconds: MAX_SECONDS }, formatCursor(cursor))]);
  }

  return {
    begin() {
      if (!stream.isOpen) return;
      stream.begin();
      stream.write(sseMessage('ready', { id: formatCursor(cursor) }, formatCursor(cursor)));
      catchUp();
    },
    drained: stream.drained,
    fail: (last) => stream.finish([last]),
    shutDown: () => reconnect('server_shutdown'),
    closed: stream.closed,
  };
}
