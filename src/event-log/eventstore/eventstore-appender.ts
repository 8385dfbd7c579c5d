import { setTimeout as delay } from 'node:timers/promises';
import type { AllStreamRecordedEvent } from '@eventstore/db-client';
import { LRUCache } from 'lru-cache';
import { type Position, toPosition } from '../../domain/event-sourcing/position.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import { createKeyedSequentialQueue } from '../../platform/async/concurrency.ts';
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

export interface EventStoreAppendRequest extends AppendRequest {
  /** Of the records: facts of one event are recorded in the order in which they lie in the log. */
  readonly partition: string;
  /** Of records of another log: when each was recorded there, in milliseconds, and its position. */
  readonly origins?: readonly { readonly recordedAt: number; readonly position: string }[] | undefined;
  /** Throws when its caller waits no longer: then nothing of it is begun any more. */
  readonly assertNotAborted: () => void;
}

/** More than one append may hold: the engine would refuse it. */
export class AppendTooLarge extends RangeError {
  readonly code = 'append_too_large';
  constructor(stream: string, bytes: number) {
    super(`an append to ${stream} of about ${bytes} bytes: one append holds ${MAX_APPEND_BYTES} at most`);
    this.name = 'AppendTooLarge';
  }
}

interface EventStoreAppender {
  /** Whole, or a conflict. Appends to one stream go one after another, in the order of the calls. */
  append(request: EventStoreAppendRequest): Promise<AppendOutcome>;
  /** An event was seen. @param isNewest whether it was the last one of its stream just now */
  noteEvent(event: AllStreamRecordedEvent, isNewest: boolean): void;
  /** Resolves when all that was asked for until now is over. */
  waitForPending(): Promise<void>;
  /** What is known of streams. */
  readonly size: CacheSize;
}

interface AppenderParts {
  readonly connection: EventStoreConnection;
  readonly reader: EventStoreReader;
  readonly clock: Pick<EngineClock, 'latest' | 'noteTime'>;
  readonly times: Pick<AppendTimes, 'noteAppended' | 'waitUntilKnown'>;
  readonly newId: () => string;
  readonly random: () => number;
}

/** What is known of a stream's last record. */
interface LastRecord {
  /** -1: the stream does not exist. */
  readonly revision: number;
  /** When it was recorded, milliseconds; undefined: not known yet, for the engine does not tell whoever appends. */
  readonly time: number | undefined;
}

/** What is known of streams may take so much memory, in bytes. */
const MOST_KNOWN_BYTES = 16 * 1024 * 1024;
/** Of one, beside its name. */
const KNOWN_BYTES = 150;
/** Conflicts in a row with what others append to the same stream, before the appender gives up. */
const MOST_CONFLICTS = 40;
const LONGEST_PAUSE_MS = 10;

/**
 * Appends, each record once, whatever becomes of an answer. Every append expects the revision that it goes behind, also
 * where its caller expects nothing in particular: only then does the engine know a repeated append as the same one
 * for sure. And only then is it known which record comes before, so that no record is recorded before it: the engine's
 * clock is the leader's, and another leader's may be behind.
 */
export function createEventStoreAppender(parts: AppenderParts): EventStoreAppender {
  const { connection, reader, clock, times, newId, random } = parts;
  const known = new LRUCache<string, LastRecord>({
    maxSize: MOST_KNOWN_BYTES,
    sizeCalculation: (_last, stream) => KNOWN_BYTES + 2 * stream.length,
  });
  const lines = createKeyedSequentialQueue<string>();

  async function lookAtStream(stream: string): Promise<LastRecord> {
    const event = await reader.readLastEvent(stream);
    const last = event ? { revision: Number(event.revision), time: recordedTimeOf(event) } : { revision: -1, time: 0 };
    if (event) clock.noteTime(recordedTimeOf(event), event.created.getTime());
    known.set(stream, last);
    return last;
  }

  /** The position of the last one. */
  async function write(stream: string, revision: number, events: readonly OutgoingEvent[]): Promise<Position> {
    const expectedRevision = revision === -1 ? 'no_stream' : BigInt(revision);
    const last = revision + events.length;
    return connection.call(`append to ${stream}`, async (client, deadline, isRepeated) => {
      try {
        const outgoing = events.map(({ event }) => event);
        const options = { expectedRevision, deadline, requiresLeader: true } as const;
        const { position } = await client.appendToStream(stream, outgoing, options);
        // Of what was there already the engine may tell no position.
        if (position && !isRepeated) return toPosition(position.commit);
      } catch (error) {
        if (errorTypeOf(error) !== 'wrong-expected-version' || !isRepeated) throw error;
        if (!(await isThere(stream, revision, events))) throw error;
      }
      return positionOfEvent(await eventAt(stream, last));
    });
  }

  async function eventAt(stream: string, revision: number): Promise<AllStreamRecordedEvent> {
    for await (const [event] of reader.readStreamEvents(stream, { direction: 'forwards', from: revision, limit: 1 }))
      return event!;
    throw new EventLogUnavailable(`append to ${stream}`, 'what was appended is not there yet');
  }

  /** Whether these very events stand behind this revision: then the answer that said so was lost. */
  async function isThere(stream: string, revision: number, events: readonly OutgoingEvent[]): Promise<boolean> {
    const found: string[] = [];
    const part = { direction: 'forwards', from: revision + 1, limit: events.length } as const;
    for await (const piece of reader.readStreamEvents(stream, part)) found.push(...piece.map(({ id }) => id));
    return found.length === events.length && events.every(({ event }, i) => event.id === found[i]);
  }

  /** The log has records that were not moved there: nothing is moved into it any more. */
  let hasOwn = false;

  async function appendInTurn(request: EventStoreAppendRequest): Promise<AppendOutcome> {
    const { stream, partition, events, expected, origins, assertNotAborted } = request;
    const ids = events.map(newId);
    assertNotAborted();
    if (events.length > 0 && !origins) {
      await times.waitUntilKnown(partition);
      if (!hasOwn) await reader.assertNoMoveUnderWay();
    }
    let last = known.get(stream);
    /** Whether it was asked for since the request came: only then is a conflict one. */
    let isFresh = false;
    if (!last && expected === 'none' && events.length > 0) last = { revision: -1, time: 0 };
    for (let conflicts = 0; ; ) {
      assertNotAborted();
      if (last?.time === undefined) {
        last = await lookAtStream(stream);
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
        // Until it is answered nothing is known.
        known.delete(stream);
        const position = await write(stream, last.revision, sent);
        if (origins) {
          known.set(stream, { revision, time: origins.at(-1)!.recordedAt });
          return { ok: true, revision, position };
        }
        // It may have been seen before it was answered.
        if ((known.peek(stream)?.revision ?? -1) < revision) known.set(stream, { revision, time: undefined });
        times.noteAppended(partition, position, events.length);
        hasOwn = true;
        return { ok: true, revision, position };
      } catch (error) {
        if (errorTypeOf(error) === 'maximum-append-size-exceeded') throw new AppendTooLarge(stream, sizeOf(sent));
        if (errorTypeOf(error) !== 'wrong-expected-version') throw error;
        if (++conflicts > MOST_CONFLICTS)
          throw new UnavailableError(`append to ${stream}: others append to it all the time`, 1);
      }
      last = undefined;
      if (conflicts > 1) await delay(random() * Math.min(LONGEST_PAUSE_MS, conflicts));
    }
  }

  return {
    append: (request) => lines.inTurn(request.stream, () => appendInTurn(request)),
    noteEvent(event, isNewest) {
      const last = known.peek(event.streamId);
      const revision = Number(event.revision);
      const isNews = last
        ? revision > last.revision || (revision === last.revision && last.time === undefined)
        : isNewest;
      if (isNews) known.set(event.streamId, { revision, time: recordedTimeOf(event) });
    },
    waitForPending: () => lines.settled(),
    get size() {
      return { bytes: known.calculatedSize, limit: MOST_KNOWN_BYTES };
    },
  };
}

const sizeOf = (events: readonly OutgoingEvent[]): number => events.reduce((sum, { bytes }) => sum + bytes, 0);

function assertSize(stream: string, events: readonly OutgoingEvent[]): void {
  const bytes = sizeOf(events);
  if (bytes > MAX_APPEND_BYTES) throw new AppendTooLarge(stream, bytes);
}
