import { setTimeout as delay } from 'node:timers/promises';
import type { AllStreamRecordedEvent, Direction, ReadPosition, ReadRevision } from '@eventstore/db-client';
import type { Position } from '../../domain/event-sourcing/position.ts';
import { EventLogUnavailable, isWrongPlace } from './event-log-unavailable.ts';
import { createEventReadStream, type EventReadStream } from './event-read-stream.ts';
import type { EventStoreConnection } from './eventstore-connection.ts';
import { commitPositionOf, isRecordEvent, positionOfEvent } from './eventstore-events.ts';
import { createMovedPositions, MOVE_MARKER_STREAM } from './moved-positions.ts';

/**
 * The maximum number of events in one read of the whole log. Longer reads are split, so that no single read keeps the
 * engine busy.
 */
const MAX_EVENTS_PER_READ = 50_000;
/** How many more events a small read asks for, because system events may be among them. */
const SPARE = 4;
const ATTEMPTS = 4;

interface StreamRange {
  readonly direction: Direction;
  /** The first revision; absent: from the end at which the direction begins. */
  readonly from?: number | undefined;
  readonly limit?: number | undefined;
}

/** Reads events of this server only. Throws the same errors as `call` of the connection. */
export interface EventStoreReader {
  /** The events of a stream in pages, none of them empty. The caller may stop at any time. */
  readStreamEvents(name: string, range: StreamRange): AsyncGenerator<readonly AllStreamRecordedEvent[]>;
  /** The last event of a stream. */
  readLastEvent(name: string): Promise<AllStreamRecordedEvent | undefined>;
  /** The event of a stream at this revision. */
  readEventOf(name: string, revision: number): Promise<AllStreamRecordedEvent | undefined>;
  /** The events of all streams after or before this position, in pages of `size`; only the last page may be smaller. */
  readAllEvents(
    direction: Direction,
    start: Position | null,
    size: number,
  ): AsyncGenerator<readonly AllStreamRecordedEvent[]>;
  /** The next events of all streams, at most `max`. Empty only if there are none. */
  readSomeEvents(direction: Direction, start: Position | null, max: number): Promise<readonly AllStreamRecordedEvent[]>;
  /** Sends one cheap request, and again if the node that got it is not the leader or not ready. */
  ping(): Promise<void>;
  /** The event at this position. */
  readEventAt(position: Position): Promise<AllStreamRecordedEvent | undefined>;
  /** The engine's commit position of the record at this position. */
  findCommitPosition(position: Position): Promise<bigint>;
  /** @throws UnavailableError while records are moved into the log */
  assertNoMoveUnderWay(): Promise<void>;
}

export function createEventStoreReader(connection: EventStoreConnection): EventStoreReader {
  const { answerWithin } = connection;

  function open(name: string | null, range: StreamRange, position: ReadPosition): EventReadStream {
    connection.countRequest();
    const { client, watch } = connection;
    const { direction, from, limit } = range;
    const common = { direction, requiresLeader: true, maxCount: limit ?? Number.MAX_SAFE_INTEGER };
    if (name === null)
      return createEventReadStream(client.readAll({ ...common, fromPosition: position }), answerWithin, watch);
    const end: ReadRevision = direction === 'forwards' ? 'start' : 'end';
    const fromRevision = from === undefined ? end : BigInt(from);
    const readStream = client.readStream(name, { ...common, fromRevision });
    return createEventReadStream(readStream as unknown as ReturnType<typeof client.readAll>, answerWithin, watch);
  }

  /** Reads pages. When the connection is lost, begins a new read after the last event, up to `ATTEMPTS` times. */
  async function* readPages(
    what: string,
    size: number,
    begin: (last: AllStreamRecordedEvent | undefined) => EventReadStream,
  ): AsyncGenerator<readonly AllStreamRecordedEvent[]> {
    let last: AllStreamRecordedEvent | undefined;
    const deadline = () => performance.now() + 2.5 * answerWithin;
    let giveUp = deadline();
    for (let attempt = 1; ; ) {
      const eventStream = begin(last);
      try {
        for (;;) {
          const events = await eventStream.next(size);
          if (events.length === 0) return;
          last = events.at(-1)!;
          yield events;
          if (events.length < size) return;
          [attempt, giveUp] = [1, deadline()];
        }
      } catch (error) {
        if (isWrongPlace(error)) throw error;
        const away = connection.failed(what, error);
        if (away.isPermanent || attempt++ === ATTEMPTS || performance.now() + answerWithin > giveUp) throw away;
      } finally {
        eventStream.close();
      }
      await delay(20 * 2 ** attempt);
    }
  }

  async function* readStream(name: string, range: StreamRange): AsyncGenerator<readonly AllStreamRecordedEvent[]> {
    let left = range.limit ?? Number.MAX_SAFE_INTEGER;
    if (left < 1) return;
    const step = range.direction === 'forwards' ? 1 : -1;
    const after = (last: AllStreamRecordedEvent | undefined): StreamRange =>
      last === undefined ? range : { ...range, from: Number(last.revision) + step, limit: left };
    const found = readPages(`read ${name}`, EVENTS_PER_READ, (last) => open(name, after(last), 'start'));
    for await (const events of found) {
      left -= events.length;
      yield events;
      // Nothing precedes revision 0, and a negative revision cannot be asked for.
      if (left <= 0 || (step < 0 && events.at(-1)!.revision === 0n)) return;
    }
  }

  async function* readAll(
    direction: Direction,
    start: Position | null,
    size: number,
    maxPerRead = MAX_EVENTS_PER_READ,
  ): AsyncGenerator<readonly AllStreamRecordedEvent[]> {
    const isForwards = direction === 'forwards';
    const isPast = (event: AllStreamRecordedEvent, commitPosition: bigint): boolean =>
      isForwards
        ? commitPositionOf(event) > commitPosition || (isNext && commitPositionOf(event) === commitPosition)
        : commitPositionOf(event) < commitPosition;
    const found = start === null ? null : await movedPositions.findEnginePosition(start);
    let commitPosition = found?.commitPosition ?? null;
    /** The event at `commitPosition` is not the start position itself but the next event, so it is wanted. */
    let isNext = isForwards && found?.isExact === false;
    let seen = 0;
    let pending: AllStreamRecordedEvent[] = [];
    // A read may include the event at its start. So ask for one more, and leave that event out.
    const limit = maxPerRead + 1;
    for (;;) {
      const pages = readPages('read all', Math.min(size, limit), () =>
        open(null, { direction, limit }, readPositionOf(direction, commitPosition)),
      );
      seen = 0;
      try {
        for await (const events of pages) {
          seen += events.length;
          const from = commitPosition;
          const wanted = events.filter((event) => from === null || isPast(event, from));
          isNext = false;
          commitPosition = commitPositionOf(events.at(-1)!);
          pending.push(...wanted.filter(isRecordEvent));
          while (pending.length >= size) {
            const page = pending.slice(0, size);
            pending = pending.slice(size);
            notePage(page);
            yield page;
          }
        }
      } catch (error) {
        if (!isWrongPlace(error)) throw error;
        if (isForwards || !(await isBeyondEnd(commitPosition!))) throw noRecordAt(start!);
        // Backwards from beyond the end is backwards from the end.
        commitPosition = null;
        continue;
      }
      if (seen < limit) break;
    }
    if (pending.length > 0) {
      notePage(pending);
      yield pending;
    }
  }

  /** Whether the last event of the log is before this commit position. */
  async function isBeyondEnd(commitPosition: bigint): Promise<boolean> {
    const last = readPages('read all', 1, () => open(null, { direction: 'backwards', limit: 1 }, 'end'));
    for await (const [event] of last) return commitPositionOf(event!) < commitPosition;
    return true;
  }

  function noRecordAt(position: Position): EventLogUnavailable {
    const what = `the log has no record at position ${position}, from which it was to be read`;
    return new EventLogUnavailable('read all', what, { isPermanent: true });
  }

  async function readSome(direction: Direction, start: Position | null, max: number) {
    if (max < 1) return [];
    for await (const events of readAll(direction, start, max, max + SPARE)) return events;
    return [];
  }

  async function* scan(from: bigint | null, size: number): AsyncGenerator<readonly AllStreamRecordedEvent[]> {
    let commitPosition = from;
    yield* readPages('read all', size, (last) => {
      if (last) commitPosition = commitPositionOf(last);
      return open(null, { direction: 'forwards' }, readPositionOf('forwards', commitPosition));
    });
  }

  const movedPositions = createMovedPositions({
    scan,
    readMarkers: (from) => readStream(MOVE_MARKER_STREAM, { direction: 'forwards', from }),
    readLastMarker: () => lastOf(MOVE_MARKER_STREAM),
  });

  function notePage(page: readonly AllStreamRecordedEvent[]): void {
    movedPositions.noteRead(page[0]!);
    movedPositions.noteRead(page.at(-1)!);
  }

  async function lastOf(name: string): Promise<AllStreamRecordedEvent | undefined> {
    for await (const [event] of readStream(name, { direction: 'backwards', limit: 1 })) return event;
    return undefined;
  }

  return {
    readStreamEvents: readStream,
    readLastEvent: lastOf,
    async readEventOf(name, from) {
      for await (const [event] of readStream(name, { direction: 'forwards', from, limit: 1 })) return event;
      return undefined;
    },
    readAllEvents: readAll,
    readSomeEvents: readSome,
    async ping() {
      const last = readPages('ping', 1, () => open(null, { direction: 'backwards', limit: 1 }, 'end'));
      for await (const _ of last) return;
    },
    async findCommitPosition(position) {
      return (await movedPositions.findEnginePosition(position)).commitPosition;
    },
    assertNoMoveUnderWay: movedPositions.assertMoveOver,
    async readEventAt(position) {
      const { commitPosition: at } = await movedPositions.findEnginePosition(position);
      const readPosition = { commit: at, prepare: at };
      try {
        for await (const [event] of readPages('read a record', 1, () =>
          open(null, { direction: 'forwards', limit: 1 }, readPosition),
        )) {
          return event && isRecordEvent(event) && positionOfEvent(event) === position ? event : undefined;
        }
      } catch (error) {
        // The engine answers with an error if no event begins at that position.
        if (!isWrongPlace(error)) throw error;
      }
      return undefined;
    },
  };
}

const EVENTS_PER_READ = 256;

const readPositionOf = (direction: Direction, commitPosition: bigint | null): ReadPosition => {
  if (commitPosition === null) return direction === 'forwards' ? 'start' : 'end';
  return { commit: commitPosition, prepare: commitPosition };
};
