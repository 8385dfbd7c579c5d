import type { AllStreamRecordedEvent, Direction, ReadPosition, ReadRevision } from '@eventstore/db-client';
import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import { EventLogUnavailable, toUnavailable } from './event-log-unavailable.ts';
import { createEventReadStream, type EventReadStream } from './event-read-stream.ts';
import type { EventStoreConnection } from './eventstore-connection.ts';
import { commitPositionOf, isRecordEvent, positionOfEvent } from './eventstore-events.ts';
import { createMovedPositions, MOVE_MARKER_STREAM } from './moved-positions.ts';

/** Of one read of the whole log, so that the engine has its work in pieces. */
const MOST_OF_A_READ = 50_000;
/** Where a few are wanted, so many more are asked for at once: system events may lie between. */
const SPARE = 4;
const ATTEMPTS = 4;

interface StreamRange {
  readonly direction: Direction;
  /** The first one; absent: from the end that the direction begins at. */
  readonly from?: number | undefined;
  readonly limit?: number | undefined;
}

/** Reads events as the engine has them, past what is not this server's. Errors as of a connection's `call`. */
export interface EventStoreReader {
  /** Of a stream, in pieces, none of them empty. Whoever has enough stops. */
  readStreamEvents(name: string, part: StreamRange): AsyncGenerator<readonly AllStreamRecordedEvent[]>;
  /** The last one of a stream. */
  readLastEvent(name: string): Promise<AllStreamRecordedEvent | undefined>;
  /** Of all streams behind this position or before it, in pieces of so many, only the last of them smaller. */
  readAllEvents(
    direction: Direction,
    beside: Position | null,
    size: number,
  ): AsyncGenerator<readonly AllStreamRecordedEvent[]>;
  /** The next ones of all streams, at most so many. Empty only where there are none. */
  readSomeEvents(
    direction: Direction,
    beside: Position | null,
    most: number,
  ): Promise<readonly AllStreamRecordedEvent[]>;
  /** Asks once, for next to nothing. */
  ping(): Promise<void>;
  /** The event at this position. */
  readEventAt(position: Position): Promise<AllStreamRecordedEvent | undefined>;
  /** Where the engine has the record at this position. */
  findCommitPosition(position: Position): Promise<bigint>;
  /** @throws Unavailable while records are moved into the log */
  assertNoMoveUnderWay(): Promise<void>;
  /** What is known of where moved records lie. */
  readonly movedSize: CacheSize;
}

export function createEventStoreReader(connection: EventStoreConnection): EventStoreReader {
  const { client, answerWithin } = connection;

  function open(name: string | null, part: StreamRange, place: ReadPosition): EventReadStream {
    connection.countRequest();
    const { direction, from, limit } = part;
    const common = { direction, requiresLeader: true, maxCount: limit ?? Number.MAX_SAFE_INTEGER };
    if (name === null) return createEventReadStream(client.readAll({ ...common, fromPosition: place }), answerWithin);
    const end: ReadRevision = direction === 'forwards' ? 'start' : 'end';
    const fromRevision = from === undefined ? end : BigInt(from);
    const stream = client.readStream(name, { ...common, fromRevision });
    return createEventReadStream(stream as unknown as ReturnType<typeof client.readAll>, answerWithin);
  }

  /** Goes on behind what has come where the connection is lost, some times. */
  async function* pieces(
    what: string,
    size: number,
    begin: (last: AllStreamRecordedEvent | undefined) => EventReadStream,
  ): AsyncGenerator<readonly AllStreamRecordedEvent[]> {
    let last: AllStreamRecordedEvent | undefined;
    const latest = () => performance.now() + 2.5 * answerWithin;
    let giveUp = latest();
    for (let attempt = 1; ; ) {
      const reading = begin(last);
      try {
        for (;;) {
          const events = await reading.next(size);
          if (events.length === 0) return;
          last = events.at(-1)!;
          yield events;
          if (events.length < size) return;
          [attempt, giveUp] = [1, latest()];
        }
      } catch (error) {
        const away = toUnavailable(what, error);
        if (attempt++ === ATTEMPTS || performance.now() + answerWithin > giveUp) throw away;
      } finally {
        reading.close();
      }
      await pause(attempt);
    }
  }

  async function* stream(name: string, part: StreamRange): AsyncGenerator<readonly AllStreamRecordedEvent[]> {
    let left = part.limit ?? Number.MAX_SAFE_INTEGER;
    if (left < 1) return;
    const step = part.direction === 'forwards' ? 1 : -1;
    const after = (last: AllStreamRecordedEvent | undefined): StreamRange =>
      last === undefined ? part : { ...part, from: Number(last.revision) + step, limit: left };
    const found = pieces(`read ${name}`, EVENTS_PER_READ, (last) => open(name, after(last), 'start'));
    for await (const events of found) {
      left -= events.length;
      yield events;
      // Backwards there is nothing before the first one; a revision below it cannot be asked for.
      if (left <= 0 || (step < 0 && events.at(-1)!.revision === 0n)) return;
    }
  }

  async function* all(
    direction: Direction,
    beside: Position | null,
    size: number,
    most = MOST_OF_A_READ,
  ): AsyncGenerator<readonly AllStreamRecordedEvent[]> {
    const isForwards = direction === 'forwards';
    const isBeyond = (event: AllStreamRecordedEvent, place: bigint): boolean =>
      isForwards
        ? commitPositionOf(event) > place || (isNext && commitPositionOf(event) === place)
        : commitPositionOf(event) < place;
    const found = beside === null ? null : await moved.findEnginePosition(beside);
    let place = found?.commitPosition ?? null;
    /** What lies there is not what was asked for, and comes next. */
    let isNext = isForwards && found?.isExact === false;
    let seen = 0;
    let kept: AllStreamRecordedEvent[] = [];
    // A read takes the event at its place with it, or not: so one more is asked for, and that one left out.
    const limit = most + 1;
    for (;;) {
      const pages = pieces('read all', Math.min(size, limit), () =>
        open(null, { direction, limit }, readPositionOf(direction, place)),
      );
      seen = 0;
      for await (const events of pages) {
        seen += events.length;
        const from = place;
        const behind = events.filter((event) => from === null || isBeyond(event, from));
        isNext = false;
        place = commitPositionOf(events.at(-1)!);
        kept.push(...behind.filter(isRecordEvent));
        while (kept.length >= size) {
          const page = kept.slice(0, size);
          kept = kept.slice(size);
          noted(page);
          yield page;
        }
      }
      if (seen < limit) break;
    }
    if (kept.length > 0) {
      noted(kept);
      yield kept;
    }
  }

  async function some(direction: Direction, beside: Position | null, most: number) {
    if (most < 1) return [];
    for await (const events of all(direction, beside, most, most + SPARE)) return events;
    return [];
  }

  async function* scan(from: bigint | null, size: number): AsyncGenerator<readonly AllStreamRecordedEvent[]> {
    let place = from;
    yield* pieces('read all', size, (last) => {
      if (last) place = commitPositionOf(last);
      return open(null, { direction: 'forwards' }, readPositionOf('forwards', place));
    });
  }

  const moved = createMovedPositions({
    scan,
    readMarkers: (from) => stream(MOVE_MARKER_STREAM, { direction: 'forwards', from }),
    readLastMarker: () => lastOf(MOVE_MARKER_STREAM),
  });

  function noted(page: readonly AllStreamRecordedEvent[]): void {
    moved.noteRead(page[0]!);
    moved.noteRead(page.at(-1)!);
  }

  async function lastOf(name: string): Promise<AllStreamRecordedEvent | undefined> {
    for await (const [event] of stream(name, { direction: 'backwards', limit: 1 })) return event;
    return undefined;
  }

  return {
    readStreamEvents: stream,
    readLastEvent: lastOf,
    readAllEvents: all,
    readSomeEvents: some,
    async ping() {
      const reading = open(null, { direction: 'backwards', limit: 1 }, 'end');
      try {
        await reading.next(1);
      } catch (error) {
        throw toUnavailable('ping', error);
      } finally {
        reading.close();
      }
    },
    async findCommitPosition(position) {
      return (await moved.findEnginePosition(position)).commitPosition;
    },
    assertNoMoveUnderWay: moved.assertMoveOver,
    get movedSize() {
      return moved.size;
    },
    async readEventAt(position) {
      const { commitPosition: at } = await moved.findEnginePosition(position);
      const place = { commit: at, prepare: at };
      try {
        for await (const [event] of pieces('read a record', 1, () =>
          open(null, { direction: 'forwards', limit: 1 }, place),
        )) {
          return event && isRecordEvent(event) && positionOfEvent(event) === position ? event : undefined;
        }
      } catch (error) {
        // The engine answers with an error where no event begins at that place.
        if (error instanceof EventLogUnavailable && (await isWithin(position))) throw error;
      }
      return undefined;
    },
  };

  /** Whether this position lies before the end of the log. */
  async function isWithin(position: Position): Promise<boolean> {
    const [head] = await some('backwards', null, 1);
    return head !== undefined && !isBefore(positionOfEvent(head), position);
  }
}

const EVENTS_PER_READ = 256;

const readPositionOf = (direction: Direction, place: bigint | null): ReadPosition => {
  if (place === null) return direction === 'forwards' ? 'start' : 'end';
  return { commit: place, prepare: place };
};

const pause = (attempt: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 20 * 2 ** attempt);
  });
