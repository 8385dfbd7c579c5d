import type { AllStreamRecordedEvent, AllStreamResolvedEvent, StreamingRead } from '@eventstore/db-client';
import { EventLogUnavailable, errorTypeOf } from './event-log-unavailable.ts';

/** Events that the engine sends, as fast as they are asked for and no faster. */
export interface EventReadStream {
  /** The next ones, at most so many; fewer only at the end, where all later ones are empty. @throws as the client */
  next(most: number): Promise<AllStreamRecordedEvent[]>;
  /** Ends it; to be called wherever it has not come to its end. */
  close(): void;
}

type Stream = Pick<StreamingRead<AllStreamResolvedEvent>, 'on' | 'off' | 'read' | 'cancel'>;

/** @param within milliseconds that the engine may be silent while it is waited for */
export function createEventReadStream(stream: Stream, within: number): EventReadStream {
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;
  let wake = (): void => {};
  stream.on('readable', () => wake());
  stream.on('end', () => {
    isOver = true;
    wake();
  });
  stream.on('error', (error: unknown) => {
    // A stream that does not exist has no events.
    if (errorTypeOf(error) === 'stream-not-found') isOver = true;
    else failure ??= { error };
    wake();
  });

  function heard(): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new EventLogUnavailable('read', `silent for ${within} ms`)), within);
      wake = () => {
        clearTimeout(late);
        wake = () => {};
        resolve();
      };
    });
  }

  return {
    async next(most) {
      const events: AllStreamRecordedEvent[] = [];
      while (events.length < most) {
        const resolved = stream.read() as AllStreamResolvedEvent | null;
        // A link whose event is gone has none.
        if (resolved?.event) events.push(resolved.event as AllStreamRecordedEvent);
        if (resolved) continue;
        if (failure) throw failure.error;
        if (isOver) break;
        await heard();
      }
      return events;
    },
    close() {
      // What it says of being ended is nothing to anybody.
      if (!isOver && !failure) Promise.resolve(stream.cancel()).catch(() => {});
    },
  };
}
