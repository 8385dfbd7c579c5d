import { LRUCache } from 'lru-cache';
import type { CacheSize } from '../../domain/cache-size.ts';
import { isBefore, placeOf } from '../../domain/position.ts';
import { allTypesBut } from '../../domain/upcasters.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import { createOneAtATime } from '../../platform/time/one-at-a-time.ts';
import { type Change, changeBytes, changesOf } from './change.ts';
import { BEGINNING } from './change-cursor.ts';
import type { StreamPlaces } from './stream-places.ts';
import type { Teller } from './teller.ts';
import type { IsWanted } from './told.ts';
import { createToldOf, type ToldOfParts } from './told-of.ts';

/** What one teller tells of a stretch of the log. It never changes. */
export interface Stretch {
  /** What stands behind this position, and up to that one. */
  readonly from: bigint;
  readonly to: bigint;
  /** In their order. */
  readonly changes: readonly Change[];
  /** How many records lie in it. */
  readonly records: number;
}

/**
 * The log's changes by stretches of the log: everybody who reads there gets what was made for the first one. It is made
 * from the log alone, one after another, with breath.
 */
export interface ChangeStretches {
  readonly tellers: readonly Teller[];
  /**
   * A stretch with what comes next behind a position; one that ends there where the log does.
   * @param isWanted only this is made, where the whole is not there yet
   */
  behind(teller: Teller, position: bigint, isWanted?: IsWanted): Promise<Stretch>;
  readonly size: CacheSize;
}

export interface ChangeStretchesParts extends Omit<ToldOfParts, 'log' | 'tellers' | 'now' | 'places'> {
  readonly log: Pick<EventLog, 'readStream' | 'readAll'>;
  readonly tellers: readonly Teller[];
  readonly places: StreamPlaces;
  /** What is kept may take so much memory; default 32 MiB. */
  readonly maxBytes?: number;
}

const RECORDS = 256;
const MOST_BYTES = 32 * 1024 * 1024;
const BYTES_BESIDE = 500;

const everything: IsWanted = () => true;

export function createChangeStretches(parts: ChangeStretchesParts): ChangeStretches {
  const { log, tellers, maxBytes = MOST_BYTES } = parts;
  const opened = new Map(tellers.map((teller) => [teller, open(teller, parts)]));
  const kept = new LRUCache<Stretch, Teller>({
    maxSize: maxBytes,
    sizeCalculation: (_, { changes }) => changes.reduce((sum, change) => sum + changeBytes(change), BYTES_BESIDE),
    dispose: (teller, stretch) => opened.get(teller)!.known.delete(stretch),
  });
  // The tellers share what they fold, and go through it one after another.
  const oneAtATime = createOneAtATime();

  function found(teller: Teller, position: bigint): Stretch | undefined {
    const stretch = opened.get(teller)!.known.at(position);
    if (!stretch || !isBefore(position, stretch.to)) return undefined;
    kept.get(stretch);
    return stretch;
  }

  async function make(teller: Teller, position: bigint, isWanted: IsWanted | undefined): Promise<Stretch> {
    const { toldOf, unwanted, known } = opened.get(teller)!;
    const last = isWanted ? undefined : known.at(position);
    // At the end of the log it grows, so that who asks for what is new leaves no crumbs.
    const begun = last?.to === position && last.records < RECORDS ? last : undefined;
    const found = await log.readAll(
      placeOf(position === BEGINNING.position ? null : position),
      RECORDS - (begun?.records ?? 0),
      unwanted,
    );
    const next = isWanted ? undefined : known.after(position);
    const records = next ? found.filter((record) => !isBefore(next.from, record.position)) : found;
    const to = records.at(-1)?.position;
    if (to === undefined) return { from: position, to: position, changes: [], records: 0 };
    const changes = changesOf(await toldOf(records, isWanted ?? everything));
    const { from = position, changes: before = [], records: count = 0 } = begun ?? {};
    const stretch = { from, to, changes: [...before, ...changes], records: count + records.length };
    if (isWanted) return stretch;
    if (begun) kept.delete(begun);
    kept.set(stretch, teller);
    if (kept.has(stretch)) known.add(stretch);
    return stretch;
  }

  return {
    tellers,
    get size() {
      return { bytes: kept.calculatedSize, limit: maxBytes };
    },
    async behind(teller, position, isWanted) {
      return (
        found(teller, position) ??
        // Another one who waited for the same may have made it.
        oneAtATime(async () => found(teller, position) ?? make(teller, position, isWanted))
      );
    },
  };
}

function open(teller: Teller, parts: ChangeStretchesParts) {
  const unwanted = allTypesBut(teller.recordTypes);
  return { toldOf: createToldOf({ ...parts, tellers: [teller] }), unwanted, known: orderedStretches() };
}

/** Stretches that do not overlap, by their beginning. */
function orderedStretches() {
  const ordered: Stretch[] = [];

  /** How many begin at this position or before it. */
  function countTo(position: bigint): number {
    let low = 0;
    for (let high = ordered.length; low < high; ) {
      const middle = Math.floor((low + high) / 2);
      if (isBefore(position, ordered[middle]!.from)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  return {
    /** The last one that begins at this position or before it. */
    at: (position: bigint): Stretch | undefined => ordered[countTo(position) - 1],
    /** The first one that begins behind it. */
    after: (position: bigint): Stretch | undefined => ordered[countTo(position)],
    add: (stretch: Stretch) => void ordered.splice(countTo(stretch.from), 0, stretch),
    delete(stretch: Stretch) {
      const place = countTo(stretch.from) - 1;
      if (ordered[place] === stretch) ordered.splice(place, 1);
    },
  };
}
