import { type AllStreamRecordedEvent, type EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { LRUCache } from 'lru-cache';
import type { Position } from '../../domain/event-sourcing/position.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import { commitPositionOf, isRecordEvent, positionOfEvent } from './eventstore-events.ts';

/** The stream of signposts among moved records. Its events are typed as the engine's own, so that no reader sees them. */
export const MOVE_MARKER_STREAM = 'moved-places';
const MOVE_MARKER_TYPE = '$MovedPlace';
/** While records are moved nothing else may come between them. */
const BEGUN_TYPE = '$MoveBegun';
const ENDED_TYPE = '$MoveEnded';
/** Records between two signposts. */
const APART = 1000;
const REMEMBERED = 10_000;
const BYTES_OF_ONE = 100;
const PAGE = 256;

/** Where a record lies in the engine's log. */
interface EnginePosition {
  readonly commitPosition: bigint;
  /** False: no record has this position, and the one there is the next. */
  readonly isExact: boolean;
}

/** Records that were moved from another log keep their positions there; these lie at other places of the engine's. */
interface MovedPositions {
  /** Where the engine is to read from. */
  findEnginePosition(position: Position): Promise<EnginePosition>;
  /** An event was read: who goes on behind it need not look for it. */
  noteRead(event: AllStreamRecordedEvent): void;
  /** @throws Unavailable while records are moved into the log: facts of its own come behind all of them */
  assertMoveOver(): Promise<void>;
  readonly size: CacheSize;
}

interface MovedPositionsParts {
  /** All events from this place of the engine's on (null: the first), with its own among them. */
  readonly scan: (from: bigint | null, size: number) => AsyncIterable<readonly AllStreamRecordedEvent[]>;
  /** Events of the stream of signposts, from this revision on. */
  readonly readMarkers: (from: number) => AsyncIterable<readonly AllStreamRecordedEvent[]>;
  readonly readLastMarker: () => Promise<AllStreamRecordedEvent | undefined>;
}

interface MoveMarker {
  readonly position: bigint;
  readonly place: bigint;
}

export function createMovedPositions({ scan, readMarkers, readLastMarker }: MovedPositionsParts): MovedPositions {
  const remembered = new LRUCache<bigint, bigint>({ max: REMEMBERED });
  const posts: MoveMarker[] = [];
  let postsRead = 0;
  /** Whether the log begins with a moved record; undefined: it is empty, or nobody has looked. */
  let hasMoved: boolean | undefined;
  /** The last moved record that is known. */
  let last: MoveMarker | undefined;
  /** It is the last of all: others come behind it. */
  let isLast = false;
  /** Nothing is moved into the log, or no longer. */
  let isOver = false;

  function noteMoved(event: AllStreamRecordedEvent): void {
    const [position, place] = [positionOfEvent(event) as bigint, commitPositionOf(event)];
    if (position === place) return;
    hasMoved = true;
    if (last === undefined || position > last.position) last = { position, place };
  }

  async function lookAtFirst(): Promise<void> {
    for await (const events of scan(null, PAGE)) {
      const first = events.find(isRecordEvent);
      if (!first) continue;
      hasMoved = positionOfEvent(first) !== commitPositionOf(first);
      return;
    }
  }

  /** Goes on where the last look ended: to the last moved record that there is. */
  async function lookForLast(): Promise<void> {
    for await (const events of readMarkers(postsRead)) {
      for (const { type, data } of events) {
        if (type !== MOVE_MARKER_TYPE) continue;
        const { position, place } = data as unknown as { position: string; place: string };
        posts.push({ position: BigInt(position), place: BigInt(place) });
      }
      postsRead += events.length;
    }
    const from = [last, posts.at(-1)].reduce((a, b) => (!a || (b && b.position > a.position) ? b : a));
    for await (const events of scan(from?.place ?? null, PAGE)) {
      for (const event of events.filter(isRecordEvent)) {
        if (positionOfEvent(event) === commitPositionOf(event)) {
          isLast = true;
          return;
        }
        noteMoved(event);
      }
    }
  }

  /** The last signpost that is not behind this position. */
  function postBefore(position: bigint): MoveMarker | undefined {
    let [low, high] = [0, posts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (posts[middle]!.position <= position) low = middle + 1;
      else high = middle;
    }
    return posts[low - 1];
  }

  return {
    async findEnginePosition(position) {
      const known = remembered.get(position);
      if (known !== undefined) return { commitPosition: known, isExact: true };
      const asIs = { commitPosition: position, isExact: true };
      if (hasMoved === undefined) await lookAtFirst();
      if (!hasMoved) return asIs;
      if (!isLast && (last === undefined || position > last.position)) await lookForLast();
      if (last === undefined) return asIs;
      // Between the last position and the place of its record there is nothing.
      if (position > last.position) return position > last.place ? asIs : { commitPosition: last.place, isExact: true };
      if (posts.length === 0) await lookForLast();
      for await (const events of scan(postBefore(position)?.place ?? null, PAGE)) {
        const found = events.find((event) => isRecordEvent(event) && positionOfEvent(event) >= position);
        if (!found) continue;
        const isExact = positionOfEvent(found) === position;
        const commitPosition = commitPositionOf(found);
        if (isExact) remembered.set(position, commitPosition);
        return { commitPosition, isExact };
      }
      return asIs;
    },
    noteRead(event) {
      const [position, place] = [positionOfEvent(event) as bigint, commitPositionOf(event)];
      if (position === place) {
        isOver = true;
        return;
      }
      remembered.set(position, place);
      noteMoved(event);
    },
    async assertMoveOver() {
      if (isOver) return;
      const post = await readLastMarker();
      if (post?.type === ENDED_TYPE) isOver = true;
      else if (post) throw new UnavailableError('A data folder is being moved into the event log.');
    },
    get size() {
      return { bytes: BYTES_OF_ONE * (remembered.size + posts.length), limit: undefined };
    },
  };
}

/** Puts signposts among the records that this process moves. */
export function createMoveMarkers(client: Pick<EventStoreDBClient, 'appendToStream'>) {
  let since = 0;
  const put = async (type: string, data: Record<string, string> = {}): Promise<void> => {
    await client.appendToStream(MOVE_MARKER_STREAM, [jsonEvent({ type, data })]);
  };
  return {
    /** So many records were appended, the last of them with this position at this place. */
    async moved(count: number, position: bigint, place: bigint): Promise<void> {
      since += count;
      if (since < APART) return;
      const data = { position: String(position), place: String(place) };
      await put(MOVE_MARKER_TYPE, data);
      since = 0;
    },
    begin: () => put(BEGUN_TYPE),
    end: () => put(ENDED_TYPE),
  };
}
