import type { AllStreamRecordedEvent, Direction, ReadPosition, ReadRevision } from '@eventstore/db-client';
import type { CacheSize } from '../../domain/cache-size.ts';
import { isBefore, type Position } from '../../domain/position.ts';
import { awayOf, EventLogAway } from './event-log-away.ts';
import { createEventReading, type EventReading } from './event-reading.ts';
import type { EventStoreConnection } from './eventstore-connection.ts';
import { isOwn, placeOfEvent, positionOfEvent } from './eventstore-events.ts';
import { createMovedPlaces, SIGNPOSTS } from './moved-places.ts';

/** Of one read of the whole log, so that the engine has its work in pieces. */
const MOST_OF_A_READ = 50_000;
/** Where a few are wanted, so many more are asked for at once: system events may lie between. */
const SPARE = 4;
const ATTEMPTS = 4;

export interface StreamPart {
  readonly direction: Direction;
  /** The first one; absent: from the end that the direction begins at. */
  readonly from?: number | undefined;
  readonly limit?: number | undefined;
}

/** Reads events as the engine has them, past what is not this server's. Errors as of a connection's `call`. */
export interface EventStoreReader {
  /** Of a stream, in pieces, none of them empty. Whoever has enough stops. */
  stream(name: string, part: StreamPart): AsyncGenerator<readonly AllStreamRecordedEvent[]>;
  /** The last one of a stream. */
  lastOf(name: string): Promise<AllStreamRecordedEvent | undefined>;
  /** Of all streams behind this position or before it, in pieces of so many, only the last of them smaller. */
  all(direction: Direction, beside: Position | null, size: number): AsyncGenerator<readonly AllStreamRecordedEvent[]>;
  /** The next ones of all streams, at most so many. Empty only where there are none. */
  some(direction: Direction, beside: Position | null, most: number): Promise<readonly AllStreamRecordedEvent[]>;
  /** Asks once, for next to nothing. */
  ping(): Promise<void>;
  /** The event at this position. */
  at(position: Position): Promise<AllStreamRecordedEvent | undefined>;
  /** Where the engine has the record at this position. */
  placeOf(position: Position): Promise<bigint>;
  /** @throws Unavailable while records are moved into the log */
  assertNotMoving(): Promise<void>;
  /** What is known of where moved records lie. */
  readonly movedSize: CacheSize;
}

export function createEventStoreReader(connection: EventStoreConnection): EventStoreReader {
  const { client, answerWithin } = connection;

  function open(name: string | null, part: StreamPart, place: ReadPosition): EventReading {
    connection.sent();
    const { direction, from, limit } = part;
    const common = { direction, requiresLeader: true, maxCount: limit ?? Number.MAX_SAFE_INTEGER };
    if (name === null) return createEventReading(client.readAll({ ...common, fromPosition: place }), answerWithin);
    const end: ReadRevision = direction === 'forwards' ? 'start' : 'end';
    const fromRevision = from === undefined ? end : BigInt(from);
    const stream = client.readStream(name, { ...common, fromRevision });
    return createEventReading(stream as unknown as ReturnType<typeof client.readAll>, answerWithin);
  }

  /** Goes on behind what has come where the connection is lost, some times. */
  async function* pieces(
    what: string,
    size: number,
    begin: (last: AllStreamRecordedEvent | undefined) => EventReading,
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
        const away = awayOf(what, error);
        if (attempt++ === ATTEMPTS || performance.now() + answerWithin > giveUp) throw away;
      } finally {
        reading.close();
      }
      await pause(attempt);
    }
  }

  async function* stream(name: string, part: StreamPart): AsyncGenerator<readonly AllStreamRecordedEvent[]> {
    let left = part.limit ?? Number.MAX_SAFE_INTEGER;
    if (left < 1) return;
    const step = part.direction === 'forwards' ? 1 : -1;
    const after = (last: AllStreamRecordedEvent | undefined): StreamPart =>
      last === undefined ? part : { ...part, from: Number(last.revision) + step, limit: left };
    const found = pieces(`read ${name}`, PIECE, (last) => open(name, after(last), 'start'));
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
        ? placeOfEvent(event) > place || (isNext && placeOfEvent(event) === place)
        : placeOfEvent(event) < place;
    const found = beside === null ? null : await moved.find(beside);
    let place = found?.place ?? null;
    /** What lies there is not what was asked for, and comes next. */
    let isNext = isForwards && found?.isExact === false;
    let seen = 0;
    let kept: AllStreamRecordedEvent[] = [];
    // A read takes the event at its place with it, or not: so one more is asked for, and that one left out.
    const limit = most + 1;
    for (;;) {
      const pages = pieces('read all', Math.min(size, limit), () =>
        open(null, { direction, limit }, placeIn(direction, place)),
      );
      seen = 0;
      for await (const events of pages) {
        seen += events.length;
        const from = place;
        const behind = events.filter((event) => from === null || isBeyond(event, from));
        isNext = false;
        place = placeOfEvent(events.at(-1)!);
        kept.push(...behind.filter(isOwn));
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
      if (last) place = placeOfEvent(last);
      return open(null, { direction: 'forwards' }, placeIn('forwards', place));
    });
  }

  const moved = createMovedPlaces({
    scan,
    signposts: (from) => stream(SIGNPOSTS, { direction: 'forwards', from }),
    lastSignpost: () => lastOf(SIGNPOSTS),
  });

  function noted(page: readonly AllStreamRecordedEvent[]): void {
    moved.read(page[0]!);
    moved.read(page.at(-1)!);
  }

  async function lastOf(name: string): Promise<AllStreamRecordedEvent | undefined> {
    for await (const [event] of stream(name, { direction: 'backwards', limit: 1 })) return event;
    return undefined;
  }

  return {
    stream,
    lastOf,
    all,
    some,
    async ping() {
      const reading = open(null, { direction: 'backwards', limit: 1 }, 'end');
      try {
        await reading.next(1);
      } catch (error) {
        throw awayOf('ping', error);
      } finally {
        reading.close();
      }
    },
    async placeOf(position) {
      return (await moved.find(position)).place;
    },
    assertNotMoving: moved.assertOver,
    get movedSize() {
      return moved.size;
    },
    async at(position) {
      const { place: at } = await moved.find(position);
      const place = { commit: at, prepare: at };
      try {
        for await (const [event] of pieces('read a record', 1, () =>
          open(null, { direction: 'forwards', limit: 1 }, place),
        )) {
          return event && isOwn(event) && positionOfEvent(event) === position ? event : undefined;
        }
      } catch (error) {
        // The engine answers with an error where no event begins at that place.
        if (error instanceof EventLogAway && (await isWithin(position))) throw error;
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

const PIECE = 256;

const placeIn = (direction: Direction, place: bigint | null): ReadPosition => {
  if (place === null) return direction === 'forwards' ? 'start' : 'end';
  return { commit: place, prepare: place };
};

const pause = (attempt: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 20 * 2 ** attempt);
  });
