import { setTimeout as delay } from 'node:timers/promises';
import type { AllStreamRecordedEvent } from '@eventstore/db-client';
import { LRUCache } from 'lru-cache';
import { type Position, toPosition } from '../../domain/event-sourcing/position.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import type { AppendOutcome } from '../port/event-log.ts';
import { type AppendRequest, findConflict } from '../storage/append-request.ts';
import type { AppendTimes } from './append-times.ts';
import type { EngineClock } from './engine-clock.ts';
import { EventLogUnavailable, errorTypeOf } from './event-log-unavailable.ts';
import type { EventStoreConnection } from './eventstore-connection.ts';
import {
  MAX_APPEND_BYTES,
  type OutgoingEvent,
  positionOfEvent,
  recordedTimeOf,
  toEngineEvent,
} from './eventstore-events.ts';
import type { EventStoreReader } from './eventstore-reader.ts';
import type { LogIdentity } from './log-identity.ts';
import { createStreamTurns } from './stream-turns.ts';

export interface EventStoreAppendRequest extends AppendRequest {
  /** The partition of the records. Records of one event are recorded in the order of the log. */
  readonly partition: string;
  /** Only for records moved from another log: when each was recorded there, in milliseconds, and its position there. */
  readonly origins?: readonly { readonly recordedAt: number; readonly position: string }[] | undefined;
  /** Throws if the caller has stopped waiting. Then no new step of the append may begin. */
  readonly assertNotAborted: () => void;
}

/** The append holds more bytes than the engine accepts. */
export class AppendTooLarge extends RangeError {
  readonly code = 'append_too_large';
  constructor(stream: string, bytes: number) {
    super(`an append to ${stream} of about ${bytes} bytes: one append holds ${MAX_APPEND_BYTES} at most`);
    this.name = 'AppendTooLarge';
  }
}

interface EventStoreAppender {
  /**
   * Appends all events, or reports a conflict. Appends to one stream run one after another, in the order of the calls.
   */
  append(request: EventStoreAppendRequest): Promise<AppendOutcome>;
  /** Notes an event that was read. @param isNewest whether the event was the last one of its stream at that moment */
  noteEvent(event: AllStreamRecordedEvent, isNewest: boolean): void;
  /** Resolves when all appends that were requested until now have ended. */
  waitForPending(): Promise<void>;
  /** The size of the cache of last records. */
  readonly size: CacheSize;
}

interface AppenderParts {
  readonly connection: EventStoreConnection;
  readonly reader: EventStoreReader;
  readonly clock: Pick<EngineClock, 'latest' | 'noteTime'>;
  readonly times: Pick<AppendTimes, 'noteAppended' | 'waitUntilKnown'>;
  readonly identity: Pick<LogIdentity, 'assure' | 'doubt' | 'noteRecord'>;
  readonly newId: () => string;
  readonly random: () => number;
}

/** What is known of a stream's last record. */
interface LastRecord {
  /** -1 if the stream does not exist. */
  readonly revision: number;
  /**
   * When the record was recorded, in milliseconds; undefined while unknown, because the engine does not return the time
   * of an append.
   */
  readonly time: number | undefined;
}

/** The maximum size of the cache of last records, in bytes. */
const CACHE_BYTES = 16 * 1024 * 1024;
/** Bytes of one entry, without the stream's name. */
const ENTRY_BYTES = 150;
/**
 * How long an append tries to get in between other writers of the same stream, in milliseconds. They leave gaps, so a
 * number of conflicts says nothing.
 */
const MAX_CONFLICTS_MS = 3500;
const MAX_PAUSE_MS = 10;

/**
 * Appends each record exactly once, even if an answer is lost.
 * Every append expects an exact revision, even if its caller expects none. Only then does the engine surely recognize a
 * repeated append. And only then is the previous record known, so that no record gets an earlier time than the record
 * before it: the engine uses the leader's clock, and the next leader's clock may be behind.
 */
export function createEventStoreAppender(parts: AppenderParts): EventStoreAppender {
  const { connection, reader, clock, times, identity, newId, random } = parts;
  const lastRecords = new LRUCache<string, LastRecord>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (_last, stream) => ENTRY_BYTES + 2 * stream.length,
  });
  const turns = createStreamTurns();

  async function readLastRecord(stream: string): Promise<LastRecord> {
    const event = await reader.readLastEvent(stream);
    const last = event ? { revision: Number(event.revision), time: recordedTimeOf(event) } : { revision: -1, time: 0 };
    if (event) clock.noteTime(recordedTimeOf(event), event.created.getTime());
    lastRecords.set(stream, last);
    return last;
  }

  /** Returns the position of the last event. */
  async function write(stream: string, revision: number, events: readonly OutgoingEvent[]): Promise<Position> {
    const expectedRevision = revision === -1 ? 'no_stream' : BigInt(revision);
    const last = revision + events.length;
    return connection.call(`append to ${stream}`, async (client, deadline, isRepeated) => {
      // Before it came back, another database may have taken its place.
      if (isRepeated) await identity.assure();
      try {
        const outgoing = events.map(({ event }) => event);
        const options = { expectedRevision, deadline, requiresLeader: true } as const;
        const { position } = await client.appendToStream(stream, outgoing, options);
        // If the events were stored by an earlier attempt, the engine may return no position.
        if (position && !isRepeated) return toPosition(position.commit);
      } catch (error) {
        if (errorTypeOf(error) !== 'wrong-expected-version' || !isRepeated) throw error;
        if (!(await isStored(stream, revision, events))) throw error;
      }
      return positionOfEvent(await eventAt(stream, last));
    });
  }

  async function eventAt(stream: string, revision: number): Promise<AllStreamRecordedEvent> {
    for await (const [event] of reader.readStreamEvents(stream, { direction: 'forwards', from: revision, limit: 1 }))
      return event!;
    throw new EventLogUnavailable(`append to ${stream}`, 'what was appended is not there yet');
  }

  /** Whether exactly these events follow the revision. Then an earlier attempt succeeded, and its answer was lost. */
  async function isStored(stream: string, revision: number, events: readonly OutgoingEvent[]): Promise<boolean> {
    const found: string[] = [];
    const part = { direction: 'forwards', from: revision + 1, limit: events.length } as const;
    for await (const piece of reader.readStreamEvents(stream, part)) found.push(...piece.map(({ id }) => id));
    return found.length === events.length && events.every(({ event }, i) => event.id === found[i]);
  }

  /** The log has records that were not moved there, so no move can begin any more. */
  let hasOwnRecords = false;

  async function appendInTurn(request: EventStoreAppendRequest): Promise<AppendOutcome> {
    const { stream, partition, events, expected, origins, assertNotAborted } = request;
    const ids = events.map(newId);
    assertNotAborted();
    if (events.length > 0 && !origins) {
      await times.waitUntilKnown(partition);
      if (!hasOwnRecords) await reader.assertNoMoveUnderWay();
    }
    await identity.assure();
    let last = lastRecords.get(stream);
    /** Whether `last` was read after the request came. Only then is a conflict certain. */
    let isFresh = false;
    if (!last && expected === 'none' && events.length > 0) last = { revision: -1, time: 0 };
    const latest = performance.now() + MAX_CONFLICTS_MS;
    for (let conflicts = 0; ; ) {
      assertNotAborted();
      if (last?.time === undefined) {
        last = await readLastRecord(stream);
        isFresh = true;
      }
      const conflict = findConflict(request, last.revision);
      if ((conflict || events.length === 0) && !isFresh) {
        last = undefined;
        continue;
      }
      if (conflict) return { ok: false, conflict };
      if (events.length === 0) return { ok: true, revision: last.revision, position: null };
      const notBefore = Math.max(last.time!, clock.latest);
      const sent = events.map((event, i) =>
        toEngineEvent(ids[i]!, event, origins?.[i] ?? (notBefore > 0 ? { notBefore } : {})),
      );
      assertSize(stream, sent);
      const revision: number = last.revision + events.length;
      try {
        // Until the engine answers, the last record is unknown.
        lastRecords.delete(stream);
        const position = await write(stream, last.revision, sent);
        if (origins) {
          lastRecords.set(stream, { revision, time: origins.at(-1)!.recordedAt });
          return { ok: true, revision, position };
        }
        // A subscription may have seen the records before the answer came.
        if ((lastRecords.peek(stream)?.revision ?? -1) < revision)
          lastRecords.set(stream, { revision, time: undefined });
        times.noteAppended(partition, position, events.length);
        identity.noteRecord({ stream, revision, id: ids.at(-1)!, position });
        hasOwnRecords = true;
        return { ok: true, revision, position };
      } catch (error) {
        if (errorTypeOf(error) === 'maximum-append-size-exceeded') throw new AppendTooLarge(stream, sizeOf(sent));
        if (errorTypeOf(error) !== 'wrong-expected-version') throw error;
        conflicts++;
        // A stream never becomes shorter.
        const { actualVersion } = error as { readonly actualVersion?: bigint | 'no_stream' };
        if (actualVersion === 'no_stream' || Number(actualVersion) < last.revision) identity.doubt();
        await identity.assure();
        if (performance.now() > latest)
          throw new UnavailableError(`append to ${stream}: others append to it all the time`, 1);
      }
      last = undefined;
      if (conflicts > 1) await delay(random() * Math.min(MAX_PAUSE_MS, conflicts));
    }
  }

  return {
    append: (request) => turns.inTurn(request.stream, () => appendInTurn(request)),
    noteEvent(event, isNewest) {
      const last = lastRecords.peek(event.streamId);
      const revision = Number(event.revision);
      const isNews = last
        ? revision > last.revision || (revision === last.revision && last.time === undefined)
        : isNewest;
      if (isNews) lastRecords.set(event.streamId, { revision, time: recordedTimeOf(event) });
    },
    waitForPending: () => turns.settled(),
    get size() {
      return { bytes: lastRecords.calculatedSize, limit: CACHE_BYTES };
    },
  };
}

const sizeOf = (events: readonly OutgoingEvent[]): number => events.reduce((sum, { bytes }) => sum + bytes, 0);

function assertSize(stream: string, events: readonly OutgoingEvent[]): void {
  const bytes = sizeOf(events);
  if (bytes > MAX_APPEND_BYTES) throw new AppendTooLarge(stream, bytes);
}
