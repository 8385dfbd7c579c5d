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

/** A range, and how many of its records were looked through after the position: 0 if a part of it was at hand. */
type LookedAtRange = Pick<ChangeRange, 'to' | 'changes'> & { readonly recordsChecked: number };

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
  rangeAfter(mapper: ChangeMapper, position: bigint, isWanted?: IsWanted): Promise<LookedAtRange>;
  readonly size: CacheSize;
}

interface ChangeRangeCacheParts extends Omit<RecordMapperParts, 'log' | 'mappers' | 'now' | 'places'> {
  readonly log: Pick<EventLog, 'readStream' | 'replacements' | 'readAll'>;
  readonly mappers: readonly ChangeMapper[];
  readonly places: StreamFoldCache;
  /** Memory limit of cached changes; default 32 MiB. */
  readonly maxBytes?: number;
}

const RECORDS_PER_RANGE = 256;
const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;
const BYTES_PER_RANGE = 500;

const isAlwaysWanted: IsWanted = () => true;

export function createChangeRangeCache(parts: ChangeRangeCacheParts): ChangeRangeCache {
  const { log, mappers, maxBytes = DEFAULT_MAX_BYTES } = parts;
  const openMappers = new Map(mappers.map((mapper) => [mapper, open(mapper, parts)]));
  const cache = new LRUCache<ChangeRange, ChangeMapper>({
    maxSize: maxBytes,
    sizeCalculation: (_, { changes }) => changes.reduce((sum, change) => sum + changeSize(change), BYTES_PER_RANGE),
    dispose: (mapper, range) => openMappers.get(mapper)!.known.delete(range),
  });
  // The mappers share their folds, so they run one after another.
  const queue = createSequentialQueue();

  function findRange(mapper: ChangeMapper, position: bigint): LookedAtRange | undefined {
    const range = openMappers.get(mapper)!.known.at(position);
    if (!range || !isBefore(position, range.to)) return undefined;
    cache.get(range);
    const { from, to, changes, records } = range;
    return { to, changes, recordsChecked: from === position ? records : 0 };
  }

  async function mapRange(
    mapper: ChangeMapper,
    position: bigint,
    isWanted: IsWanted | undefined,
  ): Promise<LookedAtRange> {
    const { mapRecords, unwanted: typesWithoutContent, known: ranges } = openMappers.get(mapper)!;
    const last = isWanted ? undefined : ranges.at(position);
    // At the end of the log a range grows, so that readers of new changes do not leave many small ranges.
    const growing = last?.to === position && last.records < RECORDS_PER_RANGE ? last : undefined;
    const findRange = await log.readAll(
      toPositionOrNull(position === BEGINNING.position ? null : position),
      RECORDS_PER_RANGE - (growing?.records ?? 0),
      typesWithoutContent,
    );
    const next = isWanted ? undefined : ranges.after(position);
    const records = next ? findRange.filter((record) => !isBefore(next.from, record.position)) : findRange;
    const to = records.at(-1)?.position;
    if (to === undefined) return { to: position, changes: [], recordsChecked: 0 };
    const changes = encodeChanges(await mapRecords(records, isWanted ?? isAlwaysWanted));
    const { from = position, changes: before = [], records: count = 0 } = growing ?? {};
    const range = { from, to, changes: [...before, ...changes], records: count + records.length };
    const lookedAt = { to, changes: range.changes, recordsChecked: records.length };
    if (isWanted) return lookedAt;
    if (growing) cache.delete(growing);
    cache.set(range, mapper);
    if (cache.has(range)) ranges.add(range);
    return lookedAt;
  }

  return {
    mappers,
    get size() {
      return { bytes: cache.calculatedSize, limit: maxBytes };
    },
    async rangeAfter(mapper, position, isWanted) {
      return (
        findRange(mapper, position) ??
        // Another caller that waited for the same range may have mapped it.
        queue(async () => findRange(mapper, position) ?? mapRange(mapper, position, isWanted))
      );
    },
  };
}

function open(mapper: ChangeMapper, parts: ChangeRangeCacheParts) {
  const typesWithoutContent = allTypesExcept(mapper.recordTypes);
  return {
    mapRecords: createRecordMapper({ ...parts, mappers: [mapper] }),
    unwanted: typesWithoutContent,
    known: createOrderedRanges(),
  };
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
    add: (range: ChangeRange) => void ordered.splice(countTo(range.from), 0, range),
    delete(range: ChangeRange) {
      const index = countTo(range.from) - 1;
      if (ordered[index] === range) ordered.splice(index, 1);
    },
  };
}
