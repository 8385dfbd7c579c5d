import { createOpenStream, type Pacing } from '../../api/streams/open-stream.ts';
import { message } from '../../api/streams/stream-messages.ts';

export interface PageStreamParts extends Pacing {
  /** The newest message about an event. */
  readonly messageOf: (id: number) => Buffer | undefined;
}

/** One open page. Whatever is called after its end does nothing. */
export interface PageStream {
  /** Its first bytes. */
  begin(hello: { readonly generated_at: string; readonly date: string }): void;
  /** There are newer messages about these events. */
  changed(ids: Iterable<number>): void;
  /** The sink takes more again. */
  drained(): void;
  shutDown(): void;
  /** The client is gone, or everything is out. */
  closed(): void;
}

/** A reader that is too slow holds the ids of what it missed, and gets the newest of each. */
export function createPageStream({ messageOf, ...pacing }: PageStreamParts): PageStream {
  const waiting = new Set<number>();
  const stream = createOpenStream({ ...pacing, onDrained: send, onMaximum: () => reconnect('max_stream_duration') });

  function send(): void {
    for (const id of waiting) {
      if (stream.isFull || !stream.isOpen) return;
      waiting.delete(id);
      const bytes = messageOf(id);
      if (bytes) stream.write(bytes);
    }
  }

  const reconnect = (reason: 'max_stream_duration' | 'server_shutdown') =>
    stream.finish([message('reconnect', { reason })]);

  return {
    begin(hello) {
      stream.begin();
      stream.write(message('hello', hello));
    },
    changed(ids) {
      if (!stream.isOpen) return;
      for (const id of ids) waiting.add(id);
      send();
    },
    drained: stream.drained,
    shutDown: () => reconnect('server_shutdown'),
    closed: stream.closed,
  };
}
