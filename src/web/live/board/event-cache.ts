import { LRUCache } from 'lru-cache';
import type { CacheSize } from '../../../domain/primitives/size-in-memory.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';

/** A sports event as a page shows it, serialized once for all readers. */
export interface CachedEvent<Shown> {
  readonly event: Shown;
  /** JSON of the event with its position in the log. */
  readonly json: string;
  /** Changes only if there is something new to see compared with the last rendering. */
  readonly revision: number;
}

export interface EventCache<Shown> {
  /** Entries by id, in the order of `ids`. Ids without a scheduled event are left out. */
  read(ids: readonly number[]): Promise<ReadonlyMap<number, CachedEvent<Shown>>>;
  /** Marks the entries of these events as outdated. */
  invalidate(ids: Iterable<number>): void;
  readonly size: CacheSize;
}

/** An event made from its documents. */
export interface RenderedEvent<Shown> {
  readonly event: Shown;
  /** The newest one of its documents. */
  readonly position: bigint;
  /** The moment from which on it has to be made again, even if no document changes: milliseconds. Absent: none. */
  readonly until?: number | undefined;
}

interface EventCacheParts<Shown> {
  /** Reads the documents of some events, and makes what is shown of them. */
  readonly render: (ids: readonly number[]) => Promise<readonly RenderedEvent<Shown>[]>;
  /** Of all JSON together. */
  readonly maxCharacters: number;
  /** Milliseconds since 1970; for events that are shown for some time only. */
  readonly now?: () => number;
}

interface Entry<Shown> extends CachedEvent<Shown> {
  /** The JSON without the position. A reconfirmation changes only the position, which is not visible. */
  readonly shown: string;
  readonly until: number;
  isFresh: boolean;
}

/** Each entry holds two texts: its JSON with and without the position. */
const TEXTS = 2;
/** Documents per read. The event loop is free between two reads. */
const BATCH = 25;
const MAX_TRIES = 4;

/** Caches rendered events until the projections change their documents. */
export function createEventCache<Shown extends { readonly id: number }>({
  render,
  maxCharacters,
  now = () => 0,
}: EventCacheParts<Shown>): EventCache<Shown> {
  const cached = new LRUCache<number, Entry<Shown>>({
    maxSize: maxCharacters,
    sizeCalculation: ({ json }) => json.length,
  });
  /** For each running load, the events that changed since it began. */
  const readings = new Set<Set<number>>();
  let revisions = 0;

  function entryOf({ event, position, until = Number.POSITIVE_INFINITY }: RenderedEvent<Shown>): Entry<Shown> {
    const shown = JSON.stringify(event);
    const last = cached.peek(event.id);
    const revision = last?.shown === shown ? last.revision : ++revisions;
    const json = `${shown.slice(0, -1)},"position":"${position}"}`;
    return { event, shown, json, revision, until, isFresh: true };
  }

  /** @returns the events that changed while they were read */
  async function load(ids: readonly number[], into: Map<number, CachedEvent<Shown>>): Promise<number[]> {
    const changed = new Set<number>();
    readings.add(changed);
    try {
      for (let start = 0; start < ids.length; start += BATCH) {
        const rendered = await render(ids.slice(start, start + BATCH));
        for (const entry of rendered.map(entryOf)) {
          entry.isFresh = !changed.has(entry.event.id);
          cached.set(entry.event.id, entry);
          into.set(entry.event.id, entry);
        }
        await yieldToEventLoop();
      }
    } finally {
      readings.delete(changed);
    }
    return ids.filter((id) => changed.has(id));
  }

  return {
    get size() {
      return { bytes: TEXTS * cached.calculatedSize, limit: TEXTS * maxCharacters };
    },
    async read(ids) {
      const found = new Map<number, CachedEvent<Shown>>();
      let missing: number[] = [];
      for (const id of ids) {
        const entry = cached.get(id);
        if (entry?.isFresh && now() < entry.until) found.set(id, entry);
        else missing.push(id);
      }
      // If an event changes while its documents are read, the entry could mix two states under the newer position. So
      // it is read again.
      for (let tries = 0; missing.length > 0 && tries < MAX_TRIES; tries++) missing = await load(missing, found);
      return new Map(ids.flatMap((id) => (found.has(id) ? [[id, found.get(id)!]] : [])));
    },
    invalidate(ids) {
      for (const id of ids) {
        for (const changed of readings) changed.add(id);
        const entry = cached.peek(id);
        if (entry) entry.isFresh = false;
      }
    },
  };
}

export const newestPosition = (first: bigint, ...others: readonly (bigint | undefined)[]): bigint =>
  others.reduce<bigint>((a, b) => (b !== undefined && b > a ? b : a), first);
