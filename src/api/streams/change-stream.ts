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
  /** It begins with the first change behind it. */
  readonly after: ChangeCursor;
  /** Of the message that says that nothing more can be told. */
  readonly broken: Buffer;
  /** The log cannot be read: the stream ends. */
  readonly onError: (error: unknown) => void;
  /** So many bytes may wait for a reader who is slow: then it gets the rest from the log, when it has taken them. Default
   *  1 MiB. */
  readonly maxUnreadBytes?: number;
}

/** One open stream of one client. Whatever is called after its end does nothing. */
export interface ChangeStream {
  /** Its first bytes. */
  begin(): void;
  /** The sink takes more again. */
  drained(): void;
  /** `message` says why; then it closes. */
  fail(message: Buffer): void;
  shutDown(): void;
  /** The client is gone, or everything is out. */
  closed(): void;
}

const MAX_UNREAD_BYTES = 1024 * 1024;
/** Changes that are read together for one who is behind. */
const PAGE = 250;
/** When what could not be read is read again. */
const RETRY_MS = 1000;

type ReconnectReason = 'max_stream_duration' | 'server_shutdown' | 'too_slow';

/**
 * Every change that passes the filter, once and in order: those behind the cursor from the log, then those to come from
 * the hub. Where the reader is slow it leaves the hub, and is behind again.
 */
export function createChangeStream(parts: ChangeStreamParts): ChangeStream {
  const { hub, changes, filter, after, broken, onError, maxUnreadBytes = MAX_UNREAD_BYTES, ...pacing } = parts;
  /** Behind all that was written. */
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
    receive(messages: Buffer, behind: ChangeCursor) {
      stream.write(messages);
      cursor = behind;
      // What is told while it is full it reads from the log.
      if (!stream.isFull) return;
      leave?.();
      leave = undefined;
    },
    skipTo(behind: ChangeCursor) {
      cursor = behind;
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
        // It has drained after the last look.
        const isBehind = stream.isOpen && !stream.isFull && !leave;
        if (isBehind && pause > 0) cancelRetry = pacing.setTimer(catchUp, pause);
        else if (isBehind) catchUp();
      });
  }

  /** @returns after how many milliseconds to try again */
  function failed(error: unknown): number {
    // Nobody waits for it any more, and the log may be closed.
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
        // What it got at once may have filled it, or ended it.
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

  /** Its id is where the next stream goes on, further than the last change where the filter has held others back. */
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
