import type { LogRecord } from '../domain/record.ts';
import { realTimer, type SetTimer } from '../time/timer.ts';
import type { EventLog } from './event-log.ts';
import { createLiveBuffer } from './live-buffer.ts';

export type SubscriptionMessage =
  /** `position`: everything up to it has been seen. `records` is empty when none in this stretch was of `types`. */
  | { readonly kind: 'records'; readonly records: readonly LogRecord[]; readonly position: bigint }
  /** There was nothing more. `position` is null when the log is empty. Said at first and after each `fell-behind`. */
  | { readonly kind: 'caught-up'; readonly position: bigint | null }
  /** Had caught up, and no longer keeps up: reads from the log until it has caught up again. */
  | { readonly kind: 'fell-behind'; readonly position: bigint | null };

export interface SubscribeOptions {
  /** Records after this position (exclusive); null: from the start of the log. */
  readonly after: bigint | null;
  /** Most records of one message, and of one read. */
  readonly batchSize: number;
  /** Most live records kept for a slow consumer. Below the size of one commit, each such commit is a `fell-behind`. */
  readonly bufferLimit: number;
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal;
  /** Only records of these types; absent: all. */
  readonly types?: ReadonlySet<string>;
  /** How long to wait for an announcement before looking whether there are records without one, in milliseconds;
   *  default 1000. */
  readonly pollInterval?: number;
  /** Whether a record is to be delivered as soon as it is announced; others wait up to `patience` for company, or until
   *  there are `enough` of them. Absent: all are. */
  readonly isUrgent?: (record: LogRecord) => boolean;
  /** Default 64: so many are folded and committed within some milliseconds, in which nothing else runs. */
  readonly enough?: number;
  /** Milliseconds; default 25. */
  readonly patience?: number;
  readonly setTimer?: SetTimer;
}

export interface Subscription extends AsyncIterableIterator<SubscriptionMessage> {
  /** Ends it, also while a `next` is waiting. When it resolves the subscription no longer uses the log. */
  return(): Promise<IteratorResult<SubscriptionMessage, undefined>>;
}

/**
 * Every record of the log once and in order: those there are, then those to come. It reads only as fast as its
 * consumer pulls. Announcements of commits are hints that spare a read; what decides is the log itself. An error of
 * the log ends it: start again after the last position held.
 */
export function subscribe(log: EventLog, options: SubscribeOptions): Subscription {
  const { batchSize, bufferLimit, signal, types, pollInterval = 1000, setTimer = realTimer } = options;
  const { isUrgent = () => true, patience = 25, enough = 64 } = options;
  if (!(batchSize >= 1 && bufferLimit >= 1)) throw new RangeError('batchSize and bufferLimit must be at least 1');

  const buffer = createLiveBuffer(bufferLimit);
  let position = options.after;
  let ended = false;
  /** Something was announced that no read has covered yet. */
  let announced = false;
  let overflowed = false;
  let wake = () => {};
  let wakeInTime = () => {};
  let stopListening = () => {};

  function onCommitted(records: readonly LogRecord[]): void {
    if (ended) return;
    const before = buffer.size;
    if (!buffer.push(records)) overflowed = true;
    // Nothing new: must not put off the poll, or repeated announcements would hide for ever what was never announced.
    else if (buffer.size === before) return;
    announced = true;
    if (overflowed || buffer.size >= enough || records.some(isUrgent)) wake();
    else wakeInTime();
  }

  function end(): void {
    if (ended) return;
    ended = true;
    signal?.removeEventListener('abort', end);
    stopListening();
    buffer.clear();
    wake();
  }

  /** Until something is announced, the poll is due, or it ends. */
  function waitForMore(): Promise<void> {
    return new Promise((resolve) => {
      const cancelPoll = setTimer(() => wake(), pollInterval);
      let cancelTimer: (() => void) | undefined;
      wakeInTime = () => {
        cancelTimer ??= setTimer(() => wake(), patience);
      };
      wake = () => {
        wake = () => {};
        wakeInTime = () => {};
        cancelPoll();
        cancelTimer?.();
        resolve();
      };
    });
  }

  function deliver(records: readonly LogRecord[]): SubscriptionMessage {
    position = records.at(-1)!.position;
    return {
      kind: 'records',
      records: types === undefined ? records : records.filter(({ type }) => types.has(type)),
      position,
    };
  }

  async function* messages(): AsyncGenerator<SubscriptionMessage, undefined> {
    /** Has said so, and has not said otherwise since. */
    let caughtUp = false;
    /** The last read found the end of the log. */
    let atEnd = false;
    stopListening = log.onCommitted(onCommitted);
    while (!ended) {
      if (overflowed) {
        overflowed = false;
        atEnd = false;
        if (caughtUp) {
          caughtUp = false;
          yield { kind: 'fell-behind', position };
          continue;
        }
      }
      const next = buffer.takeNext(position, batchSize);
      if (next.length > 0) {
        yield deliver(next);
        continue;
      }
      // Records remain in the buffer when some before them are missing: those have to be read.
      if (atEnd && !(announced && buffer.size > 0)) {
        announced = false;
        if (!caughtUp) {
          caughtUp = true;
          yield { kind: 'caught-up', position };
          continue;
        }
        await waitForMore();
        // Nothing announced: the poll was due.
        if (!announced) atEnd = false;
        continue;
      }
      announced = false;
      const page = await log.readAll(position, batchSize);
      if (ended) break;
      atEnd = page.length < batchSize;
      if (!atEnd && caughtUp) {
        caughtUp = false;
        yield { kind: 'fell-behind', position };
        if (ended) break;
      }
      if (page.length > 0) yield deliver(page);
    }
    return undefined;
  }

  const generator = messages();
  if (signal?.aborted) end();
  else signal?.addEventListener('abort', end);

  return {
    async next() {
      if (ended) return { done: true, value: undefined };
      try {
        const result = await generator.next();
        if (result.done || ended) {
          end();
          return { done: true, value: undefined };
        }
        return result;
      } catch (error) {
        end();
        throw error;
      }
    },
    async return() {
      // Not by the generator alone: its `return` would wait for a `next` that may wait for ever.
      end();
      await generator.return(undefined).catch(() => {});
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
