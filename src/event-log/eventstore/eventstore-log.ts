import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AllStreamRecordedEvent } from '@eventstore/db-client';
import type { Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import { createConcurrencySlots } from '../../platform/async/concurrency.ts';
import { createAppendStats } from '../port/append-stats.ts';
import {
  type AppendOutcome,
  type AppendResult,
  type EventLog,
  type ExpectedRevision,
  type ReadPagesOptions,
  requireAppended,
  type StreamAppend,
} from '../port/event-log.ts';
import { encodeAppends } from '../storage/append-request.ts';
import { parseTimeOption, parseUntilOption, type Upcast } from '../storage/stored-record.ts';
import { createAppendTimes } from './append-times.ts';
import { createEngineClock } from './engine-clock.ts';
import { EventLogUnavailable, toUnavailable } from './event-log-unavailable.ts';
import { createEventStoreAppender, type EventStoreAppendRequest } from './eventstore-appender.ts';
import {
  DeadlineExceeded,
  type EventStoreConnectionOptions,
  openEventStoreConnection,
  withDeadline,
} from './eventstore-connection.ts';
import { MAX_APPEND_BYTES, positionOfEvent, recordedTimeOf, toLogRecord } from './eventstore-events.ts';
import { createEventStoreNotifications } from './eventstore-notifications.ts';
import { createEventStoreReader } from './eventstore-reader.ts';
import { createMoveMarkers } from './moved-positions.ts';

export interface EventStoreLogOptions extends EventStoreConnectionOptions {
  readonly upcast?: Upcast;
  /** Milliseconds since 1970, of this process. Records are recorded by the engine's clock, whatever this one shows. */
  readonly now?: () => number;
  readonly newId?: () => string;
  /** From 0 to 1, without 1. */
  readonly random?: () => number;
}

export interface EventStoreLog extends EventLog {
  /**
   * Appends records of another log, which keep the time at which they were recorded there, and their positions. They come
   * one after another, in the order of that log, before anything else is appended.
   * @throws ConflictError
   */
  move(stream: string, records: readonly LogRecord[], expected: ExpectedRevision): Promise<AppendResult>;
  /** Before the first record is moved, and after the last one: between them nothing else is appended, by anybody. */
  beginMove(): Promise<void>;
  endMove(): Promise<void>;
  /** What it keeps in memory of the streams that it has seen lately. */
  readonly knownStreams: CacheSize;
  /** Resolves where the engine answers. @throws EventLogAway */
  ping(): Promise<void>;
}

/** Default of `readAllFrom`. */
const PAGE = 1000;
/** Of an append with all that it takes, repetitions too: who asks by HTTP has an answer within 5 s. */
const ANSWERED_WITHIN_MS = 4200;
/** Requests that are under way at once: the engine takes a hundred of a connection. */
const AT_ONCE = 32;
/** The order of recorded times along the log is that of positions but for so much: what was recorded by one leader and
 *  then by another. */
const DISORDER_MS = 60_000;

/**
 * The event log in EventStoreDB 22.6 or newer, or KurrentDB. Several processes append to one. A record's place in its
 * engine's log is its position; system streams are left out. `onCommitted` tells what others append, too.
 * @throws TypeError when the address is none
 */
export function openEventStoreLog(options: EventStoreLogOptions): EventStoreLog {
  const { upcast = (record) => record, now = Date.now, newId = randomUUID, random = Math.random } = options;
  const connection = openEventStoreConnection(options);
  const reader = createEventStoreReader(connection);
  const clock = createEngineClock(now);
  const times = createAppendTimes({ reader, onEvent: newest, isFollowing: () => announcements.isLive });
  const appender = createEventStoreAppender({ connection, reader, clock, times, newId, random });
  const appendStats = createAppendStats();
  const atOnce = createConcurrencySlots(AT_ONCE);
  /** Of appends that came since the engine was found to be away. */
  let beforeOutage: { ended?: EventLogUnavailable } = {};
  let entry: Promise<void> = Promise.resolve();
  let closing: Promise<void> | undefined;

  const signposts = createMoveMarkers(connection.client);
  const announcements = createEventStoreNotifications({
    connection,
    reader,
    decode: (event) => toLogRecord(event, upcast),
    onEvent(event) {
      newest(event);
      times.noteSeenUpTo(positionOfEvent(event));
    },
  });

  function noted(event: AllStreamRecordedEvent, isNewest = false): void {
    clock.noteTime(recordedTimeOf(event), event.created.getTime());
    appender.noteEvent(event, isNewest);
  }

  function newest(event: AllStreamRecordedEvent): void {
    noted(event, true);
  }

  function decode(event: AllStreamRecordedEvent): LogRecord {
    noted(event);
    return toLogRecord(event, upcast);
  }

  function assertOpen(): void {
    if (closing) throw new Error('the event log is closed');
  }

  async function appendRequest(request: Omit<EventStoreAppendRequest, 'assertNotAborted'>): Promise<AppendOutcome> {
    const queued = beforeOutage;
    const outcome = await atOnce(async () => {
      let givenUp: unknown;
      const assertNotAborted = (): void => {
        const reason = givenUp ?? queued.ended;
        if (reason !== undefined) throw reason;
      };
      assertNotAborted();
      try {
        return await withDeadline(appender.append({ ...request, assertNotAborted }), ANSWERED_WITHIN_MS);
      } catch (error) {
        const told = error instanceof DeadlineExceeded ? toUnavailable(`append to ${request.stream}`, error) : error;
        givenUp = told;
        if (told instanceof EventLogUnavailable) endQueue(told);
        throw told;
      }
    });
    if (outcome.ok && outcome.position !== null) {
      appendStats.recordCommit(request.events.length);
      // Who moves records waits for nobody.
      if (!request.origins) await announcements.waitUntilNotified(outcome.position);
    }
    return outcome;
  }

  /** Those who wait for their turn do not wait for an engine that is away, one after another. */
  function endQueue(away: EventLogUnavailable): void {
    beforeOutage.ended = away;
    beforeOutage = {};
  }

  async function appendAll(appends: readonly StreamAppend[]): Promise<readonly AppendOutcome[]> {
    assertOpen();
    // Checked and copied before anything else: what the caller does to its objects from now on is no matter.
    const requests = encodeAppends(appends).map((request, i) => ({ ...request, partition: partitionOf(appends[i]!) }));
    for (const { stream } of requests) {
      if (stream.startsWith('$')) throw new TypeError(`not a stream name: ${stream} is the engine's own`);
    }
    // One after another: calls keep their order, whoever had to wait for the announcements.
    entry = entry.then(() => announcements.waitUntilLive());
    const own = entry;
    const ends = await Promise.allSettled(requests.map((request) => own.then(() => appendRequest(request))));
    return ends.map((end) => {
      if (end.status === 'rejected') throw end.reason;
      return end.value;
    });
  }

  async function readStream(stream: string, part: Parameters<EventLog['readStream']>[1] = {}): Promise<LogRecord[]> {
    assertOpen();
    const { direction = 'forwards', fromRevision, until, limit = Number.MAX_SAFE_INTEGER } = part;
    const latest = parseUntilOption(until);
    const isBackwards = direction === 'backwards';
    const records: LogRecord[] = [];
    let last: AllStreamRecordedEvent | undefined;
    // Backwards the engine gives what is there of the revisions that were asked for, and nothing beyond them.
    const from = isBackwards ? await fromWithin(stream, fromRevision) : fromRevision;
    if (from === -1 || limit < 1) return records;
    // Times rise along a stream: forwards what is too late is its end, backwards its beginning.
    const most = isBackwards && until !== undefined ? undefined : limit;
    for await (const events of reader.readStreamEvents(stream, { direction, from, limit: most })) {
      for (const event of events) {
        const isLate = recordedTimeOf(event) > latest;
        if (isLate && !isBackwards) return records;
        if (!isLate) records.push(decode(event));
        if (records.length === limit) return records;
      }
      last = events.at(-1);
    }
    if (last && !isBackwards) newest(last);
    return records;
  }

  /** The stream's last revision where it ends before this one. */
  async function fromWithin(stream: string, revision: number | undefined): Promise<number | undefined> {
    if (revision === undefined) return undefined;
    const last = await reader.readLastEvent(stream);
    return last ? Math.min(revision, Number(last.revision)) : -1;
  }

  async function* pages(
    place: () => Promise<Position | null>,
    { batch = PAGE, signal }: ReadPagesOptions = {},
    isWanted: (event: AllStreamRecordedEvent) => boolean = () => true,
  ): AsyncGenerator<readonly LogRecord[]> {
    if (!(batch >= 1)) throw new RangeError('batch must be at least 1');
    signal?.throwIfAborted();
    assertOpen();
    for await (const events of reader.readAllEvents('forwards', await place(), batch)) {
      signal?.throwIfAborted();
      assertOpen();
      const records = events.filter(isWanted).map(decode);
      if (records.length > 0) yield records;
      signal?.throwIfAborted();
    }
    signal?.throwIfAborted();
  }

  /** The place before the first record of this time or later. The engine has no order by time: it reads from the end. */
  async function placeBefore(since: number): Promise<Position | null> {
    for await (const events of reader.readAllEvents('backwards', null, PAGE)) {
      const older = events.find((event) => recordedTimeOf(event) < since - DISORDER_MS);
      if (older) return positionOfEvent(older);
    }
    return null;
  }

  async function readAll(direction: 'forwards' | 'backwards', beside: Position | null, limit: number) {
    assertOpen();
    return (await reader.readSomeEvents(direction, beside, limit)).map(decode);
  }

  async function close(): Promise<void> {
    await entry;
    await withDeadline(appender.waitForPending(), ANSWERED_WITHIN_MS).catch(() => {});
    announcements.close();
    await connection.close();
  }

  return {
    appendAll,
    async append(stream, events, expected) {
      return requireAppended((await appendAll([{ stream, events, expected }]))[0]!);
    },
    async move(stream, records, expected) {
      assertOpen();
      const [request] = encodeAppends([{ stream, events: records, expected }]);
      const origins = records.map((record) => ({
        recordedAt: Date.parse(record.recordedAt),
        position: String(record.position),
      }));
      const partition = partitionOf({ events: records });
      const { revision, position: place } = requireAppended(await appendRequest({ ...request!, partition, origins }));
      const { position } = records.at(-1)!;
      // A repeated append may tell the position.
      if (place !== null && place !== position) await signposts.moved(records.length, position, place);
      return { revision, position };
    },
    beginMove: signposts.begin,
    endMove: signposts.end,
    readStream,
    async readStreams(streams) {
      assertOpen();
      return Promise.all(streams.map((stream) => atOnce(() => readStream(stream))));
    },
    readAll: (after, limit) => readAll('forwards', after, limit),
    readAllFrom: (after, pagesOptions) => pages(async () => after, pagesOptions),
    async *readSince(time, pagesOptions) {
      const since = parseTimeOption('time', time);
      yield* pages(
        () => placeBefore(since),
        pagesOptions,
        (event) => recordedTimeOf(event) >= since,
      );
    },
    readBackwards: (limit, before) => readAll('backwards', before ?? null, limit),
    async recordAt(position) {
      assertOpen();
      const event = await reader.readEventAt(position);
      return event && decode(event);
    },
    async head() {
      assertOpen();
      const [event] = await reader.readSomeEvents('backwards', null, 1);
      return event ? positionOfEvent(event) : null;
    },
    countBetween: () => null,
    async waitUntilFinal(time) {
      await delay(clock.millisecondsUntilPast(time));
    },
    maxAppendBytes: MAX_APPEND_BYTES,
    onCommitted: announcements.addListener,
    appendStats,
    get knownStreams() {
      return appender.size;
    },
    ping: reader.ping,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

const partitionOf = ({ events: [first] }: Pick<StreamAppend, 'events'>): string => first?.meta.partition ?? '';
