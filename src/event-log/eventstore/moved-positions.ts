import { type AllStreamRecordedEvent, type EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { LRUCache } from 'lru-cache';
import type { Position } from '../../domain/event-sourcing/position.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import { entriesAtMost } from '../../platform/cache-bounds.ts';
import { commitPositionOf, isRecordEvent, positionOfEvent } from './eventstore-events.ts';

/** The stream of markers among moved records. Its events have system types, so that readers never get them. */
export const MOVE_MARKER_STREAM = 'moved-places';
const MOVE_MARKER_TYPE = '$MovedPlace';
/** While records are moved, nothing else may be appended between them. */
const BEGUN_TYPE = '$MoveBegun';
const ENDED_TYPE = '$MoveEnded';
/** The number of records between two markers. */
const RECORDS_PER_MARKER = 1000;
const MAX_CACHED_POSITIONS = 10_000;
const PAGE = 256;

/** Where a record is in the engine's log. */
interface EnginePosition {
  readonly commitPosition: bigint;
  /** False if no record has this position; then `commitPosition` is that of the next record. */
  readonly isExact: boolean;
}

/** Records that were moved from another log keep their positions. Their commit positions in the engine differ. */
interface MovedPositions {
  /** The commit position from which the engine must read. */
  findEnginePosition(position: Position): Promise<EnginePosition>;
  /** Notes an event that was read, so that a reader that goes on after it needs no search. */
  noteRead(event: AllStreamRecordedEvent): void;
  /** @throws UnavailableError while records are moved into the log, because new records must come after all of them */
  assertMoveOver(): Promise<void>;
}

interface MovedPositionsParts {
  /** All events from this commit position on (null: from the first), including system events. */
  readonly scan: (from: bigint | null, size: number) => AsyncIterable<readonly AllStreamRecordedEvent[]>;
  /** The events of the marker stream from this revision on. */
  readonly readMarkers: (from: number) => AsyncIterable<readonly AllStreamRecordedEvent[]>;
  readonly readLastMarker: () => Promise<AllStreamRecordedEvent | undefined>;
}

interface MoveMarker {
  readonly position: bigint;
  readonly place: bigint;
}

export function createMovedPositions({ scan, readMarkers, readLastMarker }: MovedPositionsParts): MovedPositions {
  const cache = new LRUCache<bigint, bigint>(entriesAtMost(MAX_CACHED_POSITIONS));
  const markers: MoveMarker[] = [];
  let markersRead = 0;
  /** Whether the log begins with a moved record; undefined if the log is empty or was not read yet. */
  let hasMoved: boolean | undefined;
  /** The last moved record that is known. */
  let last: MoveMarker | undefined;
  /** `last` is the last moved record of all; the records after it were not moved. */
  let isLastKnown = false;
  /** No records are being moved into the log, or the move has ended. */
  let isMoveOver = false;

  function noteMoved(event: AllStreamRecordedEvent): void {
    const [position, commitPosition] = [positionOfEvent(event) as bigint, commitPositionOf(event)];
    if (position === commitPosition) return;
    hasMoved = true;
    if (last === undefined || position > last.position) last = { position, place: commitPosition };
  }

  async function readFirst(): Promise<void> {
    for await (const events of scan(null, PAGE)) {
      const first = events.find(isRecordEvent);
      if (!first) continue;
      hasMoved = positionOfEvent(first) !== commitPositionOf(first);
      return;
    }
  }

  /** Continues where the former search ended, up to the last moved record. */
  async function findLast(): Promise<void> {
    for await (const events of readMarkers(markersRead)) {
      for (const { type, data } of events) {
        if (type !== MOVE_MARKER_TYPE) continue;
        const { position, place } = data as unknown as { position: string; place: string };
        markers.push({ position: BigInt(position), place: BigInt(place) });
      }
      markersRead += events.length;
    }
    const from = [last, markers.at(-1)].reduce((a, b) => (!a || (b && b.position > a.position) ? b : a));
    for await (const events of scan(from?.place ?? null, PAGE)) {
      for (const event of events.filter(isRecordEvent)) {
        if (positionOfEvent(event) === commitPositionOf(event)) {
          isLastKnown = true;
          return;
        }
        noteMoved(event);
      }
    }
  }

  /** The last marker at or before this position. */
  function markerBefore(position: bigint): MoveMarker | undefined {
    let [low, high] = [0, markers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (markers[middle]!.position <= position) low = middle + 1;
      else high = middle;
    }
    return markers[low - 1];
  }

  return {
    async findEnginePosition(position) {
      const known = cache.get(position);
      if (known !== undefined) return { commitPosition: known, isExact: true };
      const unchanged = { commitPosition: position, isExact: true };
      if (hasMoved === undefined) await readFirst();
      if (!hasMoved) return unchanged;
      if (!isLastKnown && (last === undefined || position > last.position)) await findLast();
      if (last === undefined) return unchanged;
      // No record is between the last moved position and its commit position.
      if (position > last.position)
        return position > last.place ? unchanged : { commitPosition: last.place, isExact: true };
      if (markers.length === 0) await findLast();
      for await (const events of scan(markerBefore(position)?.place ?? null, PAGE)) {
        const found = events.find((event) => isRecordEvent(event) && positionOfEvent(event) >= position);
        if (!found) continue;
        const isExact = positionOfEvent(found) === position;
        const commitPosition = commitPositionOf(found);
        if (isExact) cache.set(position, commitPosition);
        return { commitPosition, isExact };
      }
      return unchanged;
    },
    noteRead(event) {
      const [position, commitPosition] = [positionOfEvent(event) as bigint, commitPositionOf(event)];
      if (position === commitPosition) {
        isMoveOver = true;
        return;
      }
      cache.set(position, commitPosition);
      noteMoved(event);
    },
    async assertMoveOver() {
      if (isMoveOver) return;
      const marker = await readLastMarker();
      if (marker?.type === ENDED_TYPE) isMoveOver = true;
      else if (marker) throw new UnavailableError('A data folder is being moved into the event log.');
    },
  };
}

/** Writes markers among the records that this process moves. */
export function createMoveMarkers(client: () => Pick<EventStoreDBClient, 'appendToStream'>) {
  let since = 0;
  const put = async (type: string, data: Record<string, string> = {}): Promise<void> => {
    await client().appendToStream(MOVE_MARKER_STREAM, [jsonEvent({ type, data })]);
  };
  return {
    /** `count` records were appended. The last one has this position and this commit position. */
    async moved(count: number, position: bigint, place: bigint): Promise<void> {
      since += count;
      if (since < RECORDS_PER_MARKER) return;
      const data = { position: String(position), place: String(place) };
      await put(MOVE_MARKER_TYPE, data);
      since = 0;
    },
    begin: () => put(BEGUN_TYPE),
    end: () => put(ENDED_TYPE),
  };
}
