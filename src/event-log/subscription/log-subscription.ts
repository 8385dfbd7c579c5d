import type { Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { realTimer, type SetTimer } from '../../platform/async/timer.ts';
import type { EventLog } from '../port/event-log.ts';
import { createLiveBuffer } from './live-buffer.ts';
import { createWakeSignal, type WakeSignalOptions } from './wake-signal.ts';

export type LogSubscriptionMessage =
  /** Everything after `previous` and up to `position` has been seen, `count` records. `records` are those of `types`. */
  | {
      readonly kind: 'records';
      readonly records: readonly LogRecord[];
      readonly position: Position;
      readonly previous: Position | null;
      readonly count: number;
    }
  /** There was nothing more. `position` is null when the log is empty. Said at first and after each `fell-behind`. */
  | { readonly kind: 'caught-up'; readonly position: Position | null }
  /** Had caught up, and no longer keeps up: reads from the log until it has caught up again. */
  | { readonly kind: 'fell-behind'; readonly position: Position | null };

export interface LogSubscriptionOptions extends Pick<WakeSignalOptions, 'isUrgent' | 'enough' | 'patience'> {
  /** Records after this position (exclusive); null: from the start of the log. */
  readonly after: Position | null;
  /** Most records of one message, and of one read. */
  readonly batchSize: number;
  /** Most live records kept for a slow consumer. Below the size of one commit, each such commit is a `fell-behind`. */
  readonly bufferLimit: number;
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Only records of these types; absent: all. */
  readonly types?: ReadonlySet<string> | undefined;
  /** How long to wait for an announcement before looking whether there are records without one, in milliseconds;
   *  default 1000. */
  readonly pollInterval?: number | undefined;
  readonly setTimer?: SetTimer | undefined;
}

export interface LogSubscription extends AsyncIterableIterator<LogSubscriptionMessage> {
  /** Ends it, also while a `next` is waiting. When it resolves the subscription no longer uses the log. */
  return(): Promise<IteratorResult<LogSubscriptionMessage, undefined>>;
}

/** Pages of the log that a phase has begun to read, and the page that it has not delivered. */
interface Reading {
  readonly page: readonly LogRecord[];
  readonly rest: AsyncIterator<readonly LogRecord[]>;
}

/**
 * Every record of the log once and in order: those there are, then those to come. It reads only as fast as its
 * consumer pulls. Announcements of commits are hints that spare a read; what decides is the log itself. An error of
 * the log ends it: start again after the last position held.
 */
export function subscribeToLog(
  log: Pick<EventLog, 'readAllFrom' | 'onCommitted'>,
  options: LogSubscriptionOptions,
): LogSubscription {
  const { batchSize, bufferLimit, signal, types, pollInterval = 1000, setTimer = realTimer } = options;
  const { isUrgent, enough, patience } = options;
  if (!(batchSize >= 1 && bufferLimit >= 1)) throw new RangeError('batchSize and bufferLimit must be at least 1');

  const alarm = createWakeSignal({ isUrgent, enough, patience, maxSleepMs: pollInterval, setTimer });
  const buffer = createLiveBuffer(bufferLimit);
  let position = options.after;
  let ended = false;
  /** Since the last read began: something was announced, or more than the buffer holds. */
  let announced = false;
  let overflowed = false;
  let stopListening = () => {};

  function onCommitted(records: readonly LogRecord[], previous?: Position | null): void {
    if (ended) return;
    const before = buffer.size;
    if (!buffer.push(records, previous)) overflowed = true;
    // Nothing new: must not put off the poll, or repeated announcements would hide for ever what was never announced.
    else if (buffer.size === before) return;
    announced = true;
    if (overflowed) alarm.wake();
    else alarm.notifyRecords(records, buffer.size);
  }

  function end(): void {
    if (ended) return;
    ended = true;
    signal?.removeEventListener('abort', end);
    stopListening();
    buffer.clear();
    alarm.wake();
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
    return log.readAllFrom(position, { batch: batchSize })[Symbol.asyncIterator]();
  }

  /** What is in the buffer and follows on. */
  function* drain(): Generator<LogSubscriptionMessage> {
    for (;;) {
      const next = ended || overflowed ? [] : buffer.takeNext(position, batchSize);
      if (next.length === 0) return;
      yield deliver(next);
    }
  }

  /** Some records were announced, and what lies before them was not: the log has to be read. */
  const hasGap = () => announced && buffer.size > 0;

  /** Reads up to the end of the log, and on until nothing is left that was announced meanwhile. */
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

  /** Passes on what is announced, until it no longer keeps up. Returns what it has begun to read. */
  async function* live(): AsyncGenerator<LogSubscriptionMessage, Reading | undefined> {
    for (;;) {
      for (const message of drain()) yield message;
      if (ended || overflowed) return undefined;
      if (!hasGap()) {
        announced = false;
        await alarm.waitForWake();
        if (ended) return undefined;
        if (announced) continue;
      }
      const behind = yield* look();
      if (behind) return behind;
    }
  }

  /** Looks for what was not announced. Returns what it has begun to read when that is more than comes at once. */
  async function* look(): AsyncGenerator<LogSubscriptionMessage, Reading | undefined> {
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
    stopListening = log.onCommitted(onCommitted);
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
