import { type AllStreamRecordedEvent, type EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { LRUCache } from 'lru-cache';
import type { CacheSize } from '../../domain/cache-size.ts';
import type { Position } from '../../domain/position.ts';
import { Unavailable } from '../../domain/unavailable.ts';
import { isOwn, placeOfEvent, positionOfEvent } from './eventstore-events.ts';

/** The stream of signposts among moved records. Its events are typed as the engine's own, so that no reader sees them. */
export const SIGNPOSTS = 'moved-places';
const SIGNPOST_TYPE = '$MovedPlace';
/** While records are moved nothing else may come between them. */
const BEGUN_TYPE = '$MoveBegun';
const ENDED_TYPE = '$MoveEnded';
/** Records between two signposts. */
const APART = 1000;
const REMEMBERED = 10_000;
const BYTES_OF_ONE = 100;
const PAGE = 256;

/** Where a record lies in the engine's log. */
export interface EnginePlace {
  readonly place: bigint;
  /** False: no record has this position, and the one there is the next. */
  readonly isExact: boolean;
}

/** Records that were moved from another log keep their positions there; these lie at other places of the engine's. */
export interface MovedPlaces {
  /** Where the engine is to read from. */
  find(position: Position): Promise<EnginePlace>;
  /** An event was read: who goes on behind it need not look for it. */
  read(event: AllStreamRecordedEvent): void;
  /** @throws Unavailable while records are moved into the log: facts of its own come behind all of them */
  assertOver(): Promise<void>;
  readonly size: CacheSize;
}

export interface MovedPlacesParts {
  /** All events from this place of the engine's on (null: the first), with its own among them. */
  readonly scan: (from: bigint | null, size: number) => AsyncIterable<readonly AllStreamRecordedEvent[]>;
  /** Events of the stream of signposts, from this revision on. */
  readonly signposts: (from: number) => AsyncIterable<readonly AllStreamRecordedEvent[]>;
  readonly lastSignpost: () => Promise<AllStreamRecordedEvent | undefined>;
}

interface Signpost {
  readonly position: bigint;
  readonly place: bigint;
}

export function createMovedPlaces({ scan, signposts, lastSignpost }: MovedPlacesParts): MovedPlaces {
  const remembered = new LRUCache<bigint, bigint>({ max: REMEMBERED });
  const posts: Signpost[] = [];
  let postsRead = 0;
  /** Whether the log begins with a moved record; undefined: it is empty, or nobody has looked. */
  let hasMoved: boolean | undefined;
  /** The last moved record that is known. */
  let last: Signpost | undefined;
  /** It is the last of all: others come behind it. */
  let isLast = false;
  /** Nothing is moved into the log, or no longer. */
  let isOver = false;

  function noteMoved(event: AllStreamRecordedEvent): void {
    const [position, place] = [positionOfEvent(event) as bigint, placeOfEvent(event)];
    if (position === place) return;
    hasMoved = true;
    if (last === undefined || position > last.position) last = { position, place };
  }

  async function lookAtFirst(): Promise<void> {
    for await (const events of scan(null, PAGE)) {
      const first = events.find(isOwn);
      if (!first) continue;
      hasMoved = positionOfEvent(first) !== placeOfEvent(first);
      return;
    }
  }

  /** Goes on where the last look ended: to the last moved record that there is. */
  async function lookForLast(): Promise<void> {
    for await (const events of signposts(postsRead)) {
      for (const { type, data } of events) {
        if (type !== SIGNPOST_TYPE) continue;
        const { position, place } = data as unknown as { position: string; place: string };
        posts.push({ position: BigInt(position), place: BigInt(place) });
      }
      postsRead += events.length;
    }
    const from = [last, posts.at(-1)].reduce((a, b) => (!a || (b && b.position > a.position) ? b : a));
    for await (const events of scan(from?.place ?? null, PAGE)) {
      for (const event of events.filter(isOwn)) {
        if (positionOfEvent(event) === placeOfEvent(event)) {
          isLast = true;
          return;
        }
        noteMoved(event);
      }
    }
  }

  /** The last signpost that is not behind this position. */
  function postBefore(position: bigint): Signpost | undefined {
    let [low, high] = [0, posts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (posts[middle]!.position <= position) low = middle + 1;
      else high = middle;
    }
    return posts[low - 1];
  }

  return {
    async find(position) {
      const known = remembered.get(position);
      if (known !== undefined) return { place: known, isExact: true };
      const asIs = { place: position, isExact: true };
      if (hasMoved === undefined) await lookAtFirst();
      if (!hasMoved) return asIs;
      if (!isLast && (last === undefined || position > last.position)) await lookForLast();
      if (last === undefined) return asIs;
      // Between the last position and the place of its record there is nothing.
      if (position > last.position) return position > last.place ? asIs : { place: last.place, isExact: true };
      if (posts.length === 0) await lookForLast();
      for await (const events of scan(postBefore(position)?.place ?? null, PAGE)) {
        const found = events.find((event) => isOwn(event) && positionOfEvent(event) >= position);
        if (!found) continue;
        const isExact = positionOfEvent(found) === position;
        const place = placeOfEvent(found);
        if (isExact) remembered.set(position, place);
        return { place, isExact };
      }
      return asIs;
    },
    read(event) {
      const [position, place] = [positionOfEvent(event) as bigint, placeOfEvent(event)];
      if (position === place) {
        isOver = true;
        return;
      }
      remembered.set(position, place);
      noteMoved(event);
    },
    async assertOver() {
      if (isOver) return;
      const post = await lastSignpost();
      if (post?.type === ENDED_TYPE) isOver = true;
      else if (post) throw new Unavailable('A data folder is being moved into the event log.');
    },
    get size() {
      return { bytes: BYTES_OF_ONE * (remembered.size + posts.length), limit: undefined };
    },
  };
}

/** Puts signposts among the records that this process moves. */
export function createSignposts(client: Pick<EventStoreDBClient, 'appendToStream'>) {
  let since = 0;
  const put = async (type: string, data: Record<string, string> = {}): Promise<void> => {
    await client.appendToStream(SIGNPOSTS, [jsonEvent({ type, data })]);
  };
  return {
    /** So many records were appended, the last of them with this position at this place. */
    async moved(count: number, position: bigint, place: bigint): Promise<void> {
      since += count;
      if (since < APART) return;
      const data = { position: String(position), place: String(place) };
      await put(SIGNPOST_TYPE, data);
      since = 0;
    },
    begin: () => put(BEGUN_TYPE),
    end: () => put(ENDED_TYPE),
  };
}
