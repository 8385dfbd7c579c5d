import type { AllStreamRecordedEvent, AllStreamResolvedEvent, StreamingRead } from '@eventstore/db-client';
import { EventLogUnavailable, errorTypeOf } from './event-log-unavailable.ts';
import type { AnswerWatch } from './eventstore-connection.ts';

/** Reads events from the engine only as fast as the caller asks for them. */
export interface EventReadStream {
  /**
   * The next events, at most `max`. Fewer only at the end of the stream; then every later call returns none.
   * @throws the errors of the client
   */
  next(max: number): Promise<AllStreamRecordedEvent[]>;
  /** Cancels the read. Call this whenever the stream was not read to its end. */
  close(): void;
}

type Stream = Pick<StreamingRead<AllStreamResolvedEvent>, 'on' | 'off' | 'read' | 'cancel'>;

/**
 * @param within milliseconds that the engine may be silent while the reader waits
 * @param watch begins a wait
 */
export function createEventReadStream(stream: Stream, within: number, watch: () => AnswerWatch): EventReadStream {
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;
  let wake = (): void => {};
  stream.on('readable', () => wake());
  const own = watch();
  stream.on('end', () => {
    // A read of a client that was let go is cancelled, and a cancelled read ends like a complete one.
    if (own.isLetGo()) failure ??= { error: new EventLogUnavailable('read', 'the connection was let go') };
    else isOver = true;
    wake();
  });
  stream.on('error', (error: unknown) => {
    // A stream that does not exist has no events.
    if (errorTypeOf(error) === 'stream-not-found') isOver = true;
    else failure ??= { error };
    wake();
  });

  function nextSignal(): Promise<void> {
    return new Promise((resolve, reject) => {
      const { heard, silent } = watch();
      const timer = setTimeout(() => {
        silent();
        reject(new EventLogUnavailable('read', `silent for ${within} ms`));
      }, within);
      wake = () => {
        heard();
        clearTimeout(timer);
        wake = () => {};
        resolve();
      };
    });
  }

  return {
    async next(max) {
      const events: AllStreamRecordedEvent[] = [];
      while (events.length < max) {
        const resolved = stream.read() as AllStreamResolvedEvent | null;
        // A link to a deleted event has no event.
        if (resolved?.event) events.push(resolved.event as AllStreamRecordedEvent);
        if (resolved) continue;
        if (failure) throw failure.error;
        if (isOver) break;
        await nextSignal();
      }
      return events;
    },
    close() {
      // The error of a cancelled read does not matter.
      if (!isOver && !failure) Promise.resolve(stream.cancel()).catch(() => {});
    },
  };
}
