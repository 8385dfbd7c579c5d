import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AllStreamRecordedEvent } from '@eventstore/db-client';
import type { Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { StreamReplacements } from '../../domain/identities/stream-replacements.ts';
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
import { createLogIdentity, type OtherLogError } from './log-identity.ts';
import { createMoveMarkers } from './moved-positions.ts';

export interface EventStoreLogOptions extends EventStoreConnectionOptions {
  readonly upcast?: Upcast;
  /** Milliseconds since 1970, by the clock of this process. The recorded times come from the engine's clock. */
  readonly now?: () => number;
  readonly newId?: () => string;
  /** From 0 to 1, excluding 1. */
  readonly random?: () => number;
  /** Called once when another database answers behind the address. The process must stop. */
  readonly onOtherLog?: ((error: OtherLogError) => void) | undefined;
}

export interface EventStoreLog extends EventLog {
  /**
   * Appends records of another log. They keep their recorded times and positions. Call this in the order of that log,
   * before anything else is appended.
   * @throws ConflictError
   */
  move(stream: string, records: readonly LogRecord[], expected: ExpectedRevision): Promise<AppendResult>;
  /**
   * Call `beginMove` before the first record is moved and `endMove` after the last one. No process can append anything
   * else between them.
   */
  beginMove(): Promise<void>;
  endMove(): Promise<void>;
  /** The size of the cache of last records. */
  readonly knownStreams: CacheSize;
  /** Resolves if the engine answers, with the same log as before. @throws EventLogUnavailable */
  ping(): Promise<void>;
}

/** The default page size of `readAllFrom`. */
const PAGE = 1000;
/** The maximum duration of an append with all its attempts. An HTTP client then has an answer within 5 s. */
const MAX_APPEND_MS = 4200;
/** The maximum number of concurrent requests. The engine accepts a hundred on one connection. */
const MAX_CONCURRENT_REQUESTS = 32;
/** Recorded times follow the order of positions, except for at most this much when the leader changes. */
const DISORDER_MS = 60_000;

/**
 * The event log in EventStoreDB 22.6 or newer, or KurrentDB. Several processes may append to the same log.
 * The engine's commit position is the record's position. System streams are left out. `onCommitted` also reports the
 * appends of other processes.
 * @throws TypeError when the URL is not one of EventStoreDB
 */
export function openEventStoreLog(options: EventStoreLogOptions): EventStoreLog {
  const { upcast = (record) => record, now = Date.now, newId = randomUUID, random = Math.random } = options;
  const connection = openEventStoreConnection(options);
  const reader = createEventStoreReader(connection);
  const clock = createEngineClock(now);
  const identity = createLogIdentity({
    readEvent: (stream, revision) =>
      connection.call(`look for ${stream}`, () => reader.readEventOf(stream, revision), { isCounted: false }),
    onOtherLog: (error) => {
      connection.warn(error.message);
      options.onOtherLog?.(error);
    },
  });
  connection.onUnavailable(identity.doubt);
  connection.onRenewed(identity.doubt);
  const times = createAppendTimes({
    reader,
    onEvent: noteNewest,
    onEnd: identity.noteEnd,
    isFollowing: () => notifications.isLive,
  });
  const appender = createEventStoreAppender({ connection, reader, clock, times, identity, newId, random });
  const appendStats = createAppendStats();
  const inSlot = createConcurrencySlots(MAX_CONCURRENT_REQUESTS);
  /** Shared by all appends that were queued since the last outage. */
  let queueUntilOutage: { endedBy?: EventLogUnavailable } = {};
  let lastEntry: Promise<void> = Promise.resolve();
  let closing: Promise<void> | undefined;

  const markers = createMoveMarkers(() => connection.client);
  const notifications = createEventStoreNotifications({
    connection,
    reader,
    identity,
    decode: (event) => toLogRecord(event, upcast),
    onEvent(event) {
      noteNewest(event);
      times.noteSeenUpTo(positionOfEvent(event));
    },
  });

  function noteEvent(event: AllStreamRecordedEvent, isNewest = false): void {
    clock.noteTime(recordedTimeOf(event), event.created.getTime());
    appender.noteEvent(event, isNewest);
    identity.noteEvent(event);
  }

  function noteNewest(event: AllStreamRecordedEvent): void {
    noteEvent(event, true);
  }

  function decode(event: AllStreamRecordedEvent): LogRecord {
    noteEvent(event);
    return toLogRecord(event, upcast);
  }

  function assertOpen(): void {
    if (closing) throw new Error('the event log is closed');
  }

  async function appendRequest(request: Omit<EventStoreAppendRequest, 'assertNotAborted'>): Promise<AppendOutcome> {
    const queue = queueUntilOutage;
    const outcome = await inSlot(async () => {
      let abortReason: unknown;
      const assertNotAborted = (): void => {
        const reason = abortReason ?? queue.endedBy;
        if (reason !== undefined) throw reason;
      };
      assertNotAborted();
      try {
        return await withDeadline(appender.append({ ...request, assertNotAborted }), MAX_APPEND_MS);
      } catch (error) {
        const reported =
          error instanceof DeadlineExceeded ? toUnavailable(`append to ${request.stream}`, error) : error;
        abortReason = reported;
        if (reported instanceof EventLogUnavailable) endQueue(reported);
        throw reported;
      }
    });
    if (outcome.ok && outcome.position !== null) {
      appendStats.recordCommit(request.events.length);
      // A move does not wait for notifications.
      if (!request.origins) await notifications.waitUntilNotified(outcome.position);
    }
    return outcome;
  }

  /** Fails the queued appends at once: otherwise each of them would wait for the missing engine, one after another. */
  function endQueue(away: EventLogUnavailable): void {
    queueUntilOutage.endedBy = away;
    queueUntilOutage = {};
  }

  async function appendAll(appends: readonly StreamAppend[]): Promise<readonly AppendOutcome[]> {
    assertOpen();
    // Check and copy first, because the caller may change its objects from now on.
    const requests = encodeAppends(appends).map((request, i) => ({ ...request, partition: partitionOf(appends[i]!) }));
    for (const { stream } of requests) {
      if (stream.startsWith('$')) throw new TypeError(`not a stream name: ${stream} is the engine's own`);
    }
    // Wait one after another, so that calls keep their order even if some wait for the notifications.
    lastEntry = lastEntry.then(() => notifications.waitUntilLive());
    const entry = lastEntry;
    const ends = await Promise.allSettled(requests.map((request) => entry.then(() => appendRequest(request))));
    return ends.map((end) => {
      if (end.status === 'rejected') throw end.reason;
      return end.value;
    });
  }

  async function readStream(stream: string, options: Parameters<EventLog['readStream']>[1] = {}): Promise<LogRecord[]> {
    assertOpen();
    const { direction = 'forwards', fromRevision, until, limit = Number.MAX_SAFE_INTEGER } = options;
    const latest = parseUntilOption(until);
    const isBackwards = direction === 'backwards';
    const records: LogRecord[] = [];
    let last: AllStreamRecordedEvent | undefined;
    if (limit < 1) return records;
    // Times rise along a stream: late records are at its end when read forwards, and at its beginning when read
    // backwards.
    const maxEvents = isBackwards && until !== undefined ? undefined : limit;
    for await (const events of reader.readStreamEvents(stream, { direction, from: fromRevision, limit: maxEvents })) {
      for (const event of events) {
        const isLate = recordedTimeOf(event) > latest;
        if (isLate && !isBackwards) return records;
        if (!isLate) records.push(decode(event));
        if (records.length === limit) return records;
      }
      last = events.at(-1);
    }
    if (last && !isBackwards) noteNewest(last);
    return records;
  }

  async function* pages(
    findStart: () => Promise<Position | null>,
    { batch = PAGE, signal }: ReadPagesOptions = {},
    isWanted: (event: AllStreamRecordedEvent) => boolean = () => true,
  ): AsyncGenerator<readonly LogRecord[]> {
    if (!(batch >= 1)) throw new RangeError('batch must be at least 1');
    signal?.throwIfAborted();
    assertOpen();
    for await (const events of reader.readAllEvents('forwards', await findStart(), batch)) {
      signal?.throwIfAborted();
      assertOpen();
      const records = events.filter(isWanted).map(decode);
      notifications.noteRead(positionOfEvent(events.at(-1)!));
      if (records.length > 0) yield records;
      signal?.throwIfAborted();
    }
    signal?.throwIfAborted();
  }

  /**
   * A position before the first record of this time or later. The engine has no index by time, so this reads from the
   * end.
   */
  async function positionBefore(since: number): Promise<Position | null> {
    for await (const events of reader.readAllEvents('backwards', null, PAGE)) {
      const older = events.find((event) => recordedTimeOf(event) < since - DISORDER_MS);
      if (older) return positionOfEvent(older);
    }
    return null;
  }

  async function readAll(direction: 'forwards' | 'backwards', start: Position | null, limit: number) {
    assertOpen();
    return (await reader.readSomeEvents(direction, start, limit)).map(decode);
  }

  async function close(): Promise<void> {
    await lastEntry;
    await withDeadline(appender.waitForPending(), MAX_APPEND_MS).catch(() => {});
    notifications.close();
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
      const { revision, position: commitPosition } = requireAppended(
        await appendRequest({ ...request!, partition, origins }),
      );
      const { position } = records.at(-1)!;
      // For a repeated append, the appender may return the record's own position.
      if (commitPosition !== null && commitPosition !== position)
        await markers.moved(records.length, position, commitPosition);
      return { revision, position };
    },
    beginMove: markers.begin,
    endMove: markers.end,
    readStream,
    async readStreams(streams) {
      assertOpen();
      return Promise.all(streams.map((stream) => inSlot(() => readStream(stream))));
    },
    readAll: (after, limit) => readAll('forwards', after, limit),
    readAllFrom: (after, pagesOptions) => pages(async () => after, pagesOptions),
    async *readSince(time, pagesOptions) {
      const since = parseTimeOption('time', time);
      yield* pages(
        () => positionBefore(since),
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
    replacements: new StreamReplacements(),
    async waitUntilFinal(time) {
      await delay(clock.millisecondsUntilPast(time));
    },
    maxAppendBytes: MAX_APPEND_BYTES,
    onCommitted: notifications.addListener,
    appendStats,
    get knownStreams() {
      return appender.size;
    },
    async ping() {
      await reader.ping();
      await identity.assure();
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

const partitionOf = ({ events: [first] }: Pick<StreamAppend, 'events'>): string => first?.meta.partition ?? '';
