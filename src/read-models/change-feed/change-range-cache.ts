import { LRUCache } from 'lru-cache';
import { isBefore, toPositionOrNull } from '../../domain/event-sourcing/position.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import { allTypesExcept } from '../../domain/upcasters.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { createSequentialQueue } from '../../platform/async/concurrency.ts';
import { BEGINNING } from './change-cursor.ts';
import type { ChangeMapper, IsWanted } from './change-mapper.ts';
import { changeSize, type EncodedChange, encodeChanges } from './encoded-change.ts';
import { createRecordMapper, type RecordMapperParts } from './record-mapper.ts';
import type { StreamFoldCache } from './stream-fold-cache.ts';

/** The changes of one mapper in a range of the log. They never change. */
interface ChangeRange {
  /** The range begins after `from` and ends with `to`. */
  readonly from: bigint;
  readonly to: bigint;
  /** The changes in their order. */
  readonly changes: readonly EncodedChange[];
  /** The number of records in the range. */
  readonly records: number;
}

/**
 * Changes by ranges of the log: all readers share what was mapped for the first one. The ranges are mapped from the log
 * alone, one after another, and yield to the event loop.
 */
interface ChangeRangeCache {
  readonly mappers: readonly ChangeMapper[];
  /**
   * The range that follows a position. It ends at the position if the log does.
   * @param isWanted if the range is not cached, only these changes are mapped
   */
  rangeAfter(teller: ChangeMapper, position: bigint, isWanted?: IsWanted): Promise<ChangeRange>;
  readonly size: CacheSize;
}

interface ChangeRangeCacheParts extends Omit<RecordMapperParts, 'log' | 'mappers' | 'now' | 'places'> {
  readonly log: Pick<EventLog, 'readStream' | 'readAll'>;
  readonly mappers: readonly ChangeMapper[];
  readonly places: StreamFoldCache;
  /** Memory limit of cached changes; default 32 MiB. */
  readonly maxBytes?: number;
}

const RECORDS_PER_RANGE = 256;
const MOST_BYTES = 32 * 1024 * 1024;
const BYTES_BESIDE = 500;

const isAlwaysWanted: IsWanted = () => true;

export function createChangeRangeCache(parts: ChangeRangeCacheParts): ChangeRangeCache {
  const { log, mappers, maxBytes = MOST_BYTES } = parts;
  const opened = new Map(mappers.map((teller) => [teller, open(teller, parts)]));
  const kept = new LRUCache<ChangeRange, ChangeMapper>({
    maxSize: maxBytes,
    sizeCalculation: (_, { changes }) => changes.reduce((sum, change) => sum + changeSize(change), BYTES_BESIDE),
    dispose: (teller, stretch) => opened.get(teller)!.known.delete(stretch),
  });
  // The mappers share their folds, so they run one after another.
  const oneAtATime = createSequentialQueue();

  function found(teller: ChangeMapper, position: bigint): ChangeRange | undefined {
    const stretch = opened.get(teller)!.known.at(position);
    if (!stretch || !isBefore(position, stretch.to)) return undefined;
    kept.get(stretch);
    return stretch;
  }

  async function make(teller: ChangeMapper, position: bigint, isWanted: IsWanted | undefined): Promise<ChangeRange> {
    const { toldOf, unwanted, known } = opened.get(teller)!;
    const last = isWanted ? undefined : known.at(position);
    // At the end of the log a range grows, so that readers of new changes do not leave many small ranges.
    const begun = last?.to === position && last.records < RECORDS_PER_RANGE ? last : undefined;
    const found = await log.readAll(
      toPositionOrNull(position === BEGINNING.position ? null : position),
      RECORDS_PER_RANGE - (begun?.records ?? 0),
      unwanted,
    );
    const next = isWanted ? undefined : known.after(position);
    const records = next ? found.filter((record) => !isBefore(next.from, record.position)) : found;
    const to = records.at(-1)?.position;
    if (to === undefined) return { from: position, to: position, changes: [], records: 0 };
    const changes = encodeChanges(await toldOf(records, isWanted ?? isAlwaysWanted));
    const { from = position, changes: before = [], records: count = 0 } = begun ?? {};
    const stretch = { from, to, changes: [...before, ...changes], records: count + records.length };
    if (isWanted) return stretch;
    if (begun) kept.delete(begun);
    kept.set(stretch, teller);
    if (kept.has(stretch)) known.add(stretch);
    return stretch;
  }

  return {
    mappers,
    get size() {
      return { bytes: kept.calculatedSize, limit: maxBytes };
    },
    async rangeAfter(teller, position, isWanted) {
      return (
        found(teller, position) ??
        // Another caller that waited for the same range may have mapped it.
        oneAtATime(async () => found(teller, position) ?? make(teller, position, isWanted))
      );
    },
  };
}

function open(teller: ChangeMapper, parts: ChangeRangeCacheParts) {
  const unwanted = allTypesExcept(teller.recordTypes);
  return { toldOf: createRecordMapper({ ...parts, mappers: [teller] }), unwanted, known: createOrderedRanges() };
}

/** Ranges that do not overlap, ordered by their beginning. */
function createOrderedRanges() {
  const ordered: ChangeRange[] = [];

  /** The number of ranges that begin at this position or before. */
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
    /** The last range that begins at this position or before. */
    at: (position: bigint): ChangeRange | undefined => ordered[countTo(position) - 1],
    /** The first range that begins after this position. */
    after: (position: bigint): ChangeRange | undefined => ordered[countTo(position)],
    add: (stretch: ChangeRange) => void ordered.splice(countTo(stretch.from), 0, stretch),
    delete(stretch: ChangeRange) {
      const place = countTo(stretch.from) - 1;
      if (ordered[place] === stretch) ordered.splice(place, 1);
    },
  };
}
