import type { Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { realTimer, type SetTimer } from '../../platform/async/timer.ts';
import type { EventLog } from '../port/event-log.ts';
import { createLiveBuffer } from './live-buffer.ts';
import { createWakeSignal, type WakeSignalOptions } from './wake-signal.ts';

export type LogSubscriptionMessage =
  /**
   * The reader has seen all `count` records after `previous` and up to `position`. `records` are those of the wanted
   * `types`.
   */
  | {
      readonly kind: 'records';
      readonly records: readonly LogRecord[];
      readonly position: Position;
      readonly previous: Position | null;
      readonly count: number;
    }
  /** There were no more records. `position` is null if the log is empty. Sent at first and after each `fell-behind`. */
  | { readonly kind: 'caught-up'; readonly position: Position | null }
  /** The reader had caught up and can no longer keep up. It reads from the log until it has caught up again. */
  | { readonly kind: 'fell-behind'; readonly position: Position | null };

export interface LogSubscriptionOptions extends Pick<WakeSignalOptions, 'isUrgent' | 'enough' | 'patience'> {
  /** Records after this position (exclusive); null: from the start of the log. */
  readonly after: Position | null;
  /** Maximum number of records in one message and in one read. */
  readonly batchSize: number;
  /**
   * Maximum number of live records that are buffered for a slow consumer. A commit with more records causes a
   * `fell-behind`.
   */
  readonly bufferLimit: number;
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Only records of these types; absent: all. */
  readonly types?: ReadonlySet<string> | undefined;
  /**
   * How long to wait for an announcement before polling for unannounced records, in milliseconds; default 1000. Without
   * effect on a log that tells when there may be some.
   */
  readonly pollInterval?: number | undefined;
  readonly setTimer?: SetTimer | undefined;
}

export interface LogSubscription extends AsyncIterableIterator<LogSubscriptionMessage> {
  /**
   * Ends the subscription, even while a `next` is waiting. When this resolves, the subscription no longer uses the log.
   */
  return(): Promise<IteratorResult<LogSubscriptionMessage, undefined>>;
}

/** A page that was read but not delivered, and the pages after it. */
interface Reading {
  readonly page: readonly LogRecord[];
  readonly rest: AsyncIterator<readonly LogRecord[]>;
}

/**
 * Every record of the log, once and in order: first the existing records, then the new ones. Reads only as fast as the
 * consumer pulls. Announcements of commits are hints that save reads; only the log itself decides. An error of the log
 * ends the subscription: subscribe again after the last position.
 */
export function subscribeToLog(
  log: Pick<EventLog, 'readAllFrom' | 'onCommitted' | 'onUnannounced'>,
  options: LogSubscriptionOptions,
): LogSubscription {
  const { batchSize, bufferLimit, signal, types, pollInterval = 1000, setTimer = realTimer } = options;
  const { isUrgent, enough, patience } = options;
  if (!(batchSize >= 1 && bufferLimit >= 1)) throw new RangeError('batchSize and bufferLimit must be at least 1');

  const maxSleepMs = log.onUnannounced ? undefined : pollInterval;
  const wakeSignal = createWakeSignal({ isUrgent, enough, patience, maxSleepMs, setTimer });
  const buffer = createLiveBuffer(bufferLimit);
  let position = options.after;
  let ended = false;
  /** Since the last read began: whether records were announced, and whether the buffer overflowed. */
  let announced = false;
  let overflowed = false;
  /** Since the last read began: there may be records that nobody has announced. */
  let mustPoll = false;
  let stopListening = () => {};

  function onCommitted(records: readonly LogRecord[], previous?: Position | null): void {
    if (ended) return;
    const before = buffer.size;
    if (!buffer.push(records, previous)) overflowed = true;
    // Nothing new. This must not delay the poll: otherwise repeated announcements would hide unannounced records for
    // ever.
    else if (buffer.size === before) return;
    announced = true;
    if (overflowed) wakeSignal.wake();
    else wakeSignal.notifyRecords(records, buffer.size);
  }

  function onUnannounced(): void {
    mustPoll = true;
    wakeSignal.wake();
  }

  function end(): void {
    if (ended) return;
    ended = true;
    signal?.removeEventListener('abort', end);
    stopListening();
    buffer.clear();
    wakeSignal.wake();
  }

  function deliver(records: readonly LogRecord[]): LogSubscriptionMessage {
    const previous = position;
    position = records.at(-1)!.position;
    const wanted = types === undefined ? records : records.filter(({ type }) => types.has(type));
    return { kind: 'records', records: wanted, position, previous, count: records.length };
  }

  function read(): AsyncIterator<readonly LogRecord[]> {
    announced = false;
    overflowed = false;
    mustPoll = false;
    return log.readAllFrom(position, { batch: batchSize })[Symbol.asyncIterator]();
  }

  /** Delivers the buffered records that follow the position without a gap. */
  function* drain(): Generator<LogSubscriptionMessage> {
    for (;;) {
      const next = ended || overflowed ? [] : buffer.takeNext(position, batchSize);
      if (next.length === 0) return;
      yield deliver(next);
    }
  }

  /** Whether records were announced, but not the records before them. Then the log must be read. */
  const hasGap = () => announced && buffer.size > 0;

  /** Reads to the end of the log, and again until no announced record is left. */
  async function* catchUp(begun?: Reading): AsyncGenerator<LogSubscriptionMessage, void> {
    let reading = begun;
    do {
      const pages = reading?.rest ?? read();
      let page: readonly LogRecord[] | undefined;
      try {
        page = reading ? reading.page : (await pages.next()).value;
        for (; page !== undefined && !ended; page = (await pages.next()).value) {
          yield deliver(page);
          buffer.takeNext(position, 0);
        }
      } finally {
        if (page !== undefined) await pages.return?.();
      }
      reading = undefined;
      for (const message of drain()) yield message;
    } while (!ended && (overflowed || hasGap()));
  }

  /** Delivers announced records until the reader no longer keeps up. Returns the reading that it has begun. */
  async function* live(): AsyncGenerator<LogSubscriptionMessage, Reading | undefined> {
    for (;;) {
      for (const message of drain()) yield message;
      if (ended || overflowed) return undefined;
      if (!hasGap()) {
        announced = false;
        if (!mustPoll) await wakeSignal.waitForWake();
        if (ended) return undefined;
        if (announced) continue;
      }
      const reading = yield* poll();
      if (reading) return reading;
    }
  }

  /** Polls the log for unannounced records. If they fill a page, returns the reading that it has begun. */
  async function* poll(): AsyncGenerator<LogSubscriptionMessage, Reading | undefined> {
    const pages = read();
    let found = 0;
    for (;;) {
      const { value: page } = await pages.next();
      if (page === undefined) return undefined;
      if (ended) break;
      found += page.length;
      if (found >= batchSize) return { page, rest: pages };
      yield deliver(page);
    }
    await pages.return?.();
    return undefined;
  }

  async function* messages(): AsyncGenerator<LogSubscriptionMessage, undefined> {
    const stops = [log.onCommitted(onCommitted), log.onUnannounced?.(onUnannounced)];
    stopListening = () => {
      for (const stop of stops) stop?.();
    };
    let begun: Reading | undefined;
    while (!ended) {
      yield* catchUp(begun);
      if (ended) break;
      yield { kind: 'caught-up', position };
      begun = yield* live();
      if (ended) break;
      yield { kind: 'fell-behind', position };
    }
    await begun?.rest.return?.();
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
      // Do not rely on the generator: its `return` would wait for a pending `next`, perhaps for ever.
      end();
      await generator.return(undefined).catch(() => {});
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
