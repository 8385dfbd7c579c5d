import { LRUCache } from 'lru-cache';
import type { CacheSize } from '../../domain/cache-size.ts';
import { type Fold, foldOf, type Reflecting } from '../../domain/fold.ts';
import { ONE_PARTITION } from '../../domain/partition-of.ts';
import type { Projection } from '../../domain/projection.ts';
import type { LogRecord } from '../../domain/record.ts';
import { memorySize } from '../../domain/size-in-memory.ts';
import type { ReadStore } from '../store/read-store.ts';
import { putInto, putsOf, type TablePut } from './table-puts.ts';

export interface Entry {
  document: unknown;
  /** Of the newest record that the document reflects. */
  position: bigint;
  /** The store holds an earlier form of it. */
  stored: boolean;
  size?: DocumentSize | undefined;
  /** Of a stretch: how many records it had folded when this one was folded last. */
  foldedAt?: number;
}

/** About how much memory a document takes, measured at its 1st, 2nd, 4th, 8th commit: most grow slowly if at all. */
interface DocumentSize {
  readonly bytes: number;
  readonly commits: number;
}

/** What documents may take that a lane keeps, beside the bound of their number. */
const MOST_BYTES = 24 * 1024 * 1024;
const BYTES_OF_ENTRY = 300;

/** One projection on its way along one partition of the log into one build. */
export interface Lane {
  readonly projection: Projection;
  readonly fold: Fold;
  build: string;
  readonly partition: string;
  /** Reads go to an older build until this one has caught up. */
  awaitsActivation: boolean;
  /** What is read, while somebody else moves that on. The checkpoint of this lane stays below that one's: where it stood
   *  at or beyond it, this build could take over, and what is read would go back to it if the other has moved on by then. */
  staysBelow: Lane | undefined;
  /** Everything up to here is folded and stored. */
  position: bigint | null;
  /** The partition's checkpoint in the build; behind `position` when the records between concerned no document. */
  checkpoint: bigint | null;
  /** When the record at `position` was recorded (ISO 8601). */
  foldedAt: string | null;
  /** Records that it folded since the lane was made. */
  folded: number;
  /** Documents as they were last committed, and no others. */
  cache: LRUCache<string, Entry>;
  /** Why it has stopped. */
  stopped: string | null;
  /** It has stopped because another instance has this partition, or has replaced the build. */
  isLost: boolean;
  /** What it waits for while a store error is being retried. */
  trouble: string | null;
}

/** Whether reads go to its build. */
export const isRead = ({ awaitsActivation }: Lane): boolean => !awaitsActivation;

/** What a lane follows of a log that is divided. */
export interface LanePart {
  readonly partition: string;
  readonly isOwn: (record: LogRecord) => boolean;
  /** What the documents may take that the lane keeps, beside the bound of their number. */
  readonly cacheBytes: number;
}

export function createLane(projection: Projection, build: string, cacheDocuments: number, part?: LanePart): Lane {
  const fold = foldOf(projection);
  return {
    projection,
    fold: part ? foldOfPart(fold, part) : fold,
    build,
    partition: part?.partition ?? ONE_PARTITION,
    awaitsActivation: false,
    staysBelow: undefined,
    position: null,
    checkpoint: null,
    foldedAt: null,
    folded: 0,
    cache: new LRUCache({
      max: cacheDocuments,
      maxSize: part?.cacheBytes ?? MOST_BYTES,
      sizeCalculation: measured,
    }),
    stopped: null,
    isLost: false,
    trouble: null,
  };
}

/** Records of other partitions pass by, as those that concern no document do. */
const foldOfPart = (fold: Fold, { isOwn }: LanePart): Fold => ({
  ...fold,
  keyOf: (record) => (fold.folds(record.type) && isOwn(record) ? fold.keyOf(record) : undefined),
});

function measured(entry: Entry): number {
  const { bytes, commits } = entry.size ?? { bytes: 0, commits: 0 };
  const isDue = (commits & (commits + 1)) === 0;
  entry.size = { bytes: isDue ? BYTES_OF_ENTRY + memorySize(entry.document) : bytes, commits: commits + 1 };
  return entry.size.bytes;
}

/** About how much memory the documents take that lanes keep. */
export const cacheSizeOf = (lanes: Iterable<Lane>): CacheSize => {
  const all = [...lanes];
  return {
    bytes: all.reduce((sum, { cache }) => sum + cache.calculatedSize, 0),
    limit: all.reduce((sum, { cache }) => sum + cache.maxSize, 0),
  };
};

/** What a stretch of the log makes of a lane's documents; not yet committed. */
export interface Folded {
  readonly lane: Lane;
  readonly documents: ReadonlyMap<string, Entry>;
  readonly position: bigint | null;
  readonly foldedAt: string | null;
  readonly count: number;
  /** The record that follows `position` could not be folded. */
  readonly failure: string | null;
}

/**
 * Folds those of `records` (in order of the log, all after the lane's position) that concern the projection. Documents
 * that are not in the cache are loaded in one call. Rejects only with errors of the store; a record that cannot be
 * folded ends the stretch before it.
 */
export async function foldRecords(store: ReadStore, lane: Lane, records: readonly LogRecord[]): Promise<Folded> {
  const { projection, fold, cache } = lane;
  let end = records.length;
  let failure: string | null = null;
  const keyed: { key: string; record: LogRecord; index: number }[] = [];
  for (let index = 0; index < end; index++) {
    const record = records[index]!;
    try {
      const key = fold.keyOf(record);
      if (key !== undefined) keyed.push({ key, record, index });
    } catch (error) {
      failure = describeFailure(record, error);
      end = index;
    }
  }
  for (;;) {
    const documents = projection.onePerRecord
      ? new Map<string, Entry>()
      : await takeDocuments(store, lane, new Set(keyed.map(({ key }) => key)));
    const changed = new Map<string, Entry>();
    const change = (key: string, before: Entry | undefined, { document, position }: Reflecting) => {
      const entry = { document, position, stored: before?.stored === true, size: before?.size };
      documents.set(key, entry);
      changed.set(key, entry);
    };
    const puts: TablePut[] = [];
    let failed: number | null = null;
    for (let i = 0; i < keyed.length; i++) {
      const { key, record } = keyed[i]!;
      const before = documents.get(key);
      try {
        const after = fold.onto(before, record);
        if (after !== before) change(key, before, after);
        if (projection.tables) puts.push(...putsOf(projection, key, after.document, record));
      } catch (error) {
        failure = describeFailure(record, error);
        failed = i;
        break;
      }
    }
    if (failed === null) {
      const tables = await takeDocuments(store, lane, new Set(puts.map(({ table }) => table)));
      for (const [key, entry] of tables) documents.set(key, entry);
      for (const put of puts) {
        const before = documents.get(put.table);
        const after = putInto(projection, before, put);
        if (after !== before) change(put.table, before, after);
      }
      // Documents that turned out to be ahead of all their records are as committed.
      for (const [key, entry] of documents) if (!changed.has(key)) cache.set(key, entry);
      const last = records[end - 1];
      return {
        lane,
        documents: changed,
        position: last?.position ?? lane.position,
        foldedAt: last?.recordedAt ?? lane.foldedAt,
        count: keyed.length,
        failure,
      };
    }
    // `apply` may have changed documents in place, the failing one half; so all are thrown away, and what comes before
    // the failing record is folded again. It cannot fail there: it did not the first time.
    end = keyed[failed]!.index;
    keyed.length = failed;
  }
}

/** Takes documents out of the cache, for `apply` may change them: if the commit fails the cache must not hold them. */
async function takeDocuments(store: ReadStore, lane: Lane, keys: ReadonlySet<string>): Promise<Map<string, Entry>> {
  const taken = new Map<string, Entry>();
  const missing: string[] = [];
  for (const key of keys) {
    if (!lane.cache.has(key)) missing.push(key);
  }
  // Before anything is taken: an error of the store must leave the cache as it was.
  const loaded = missing.length > 0 ? await store.load(lane.projection.name, lane.build, missing) : [];
  for (const key of keys) {
    const cached = lane.cache.get(key);
    if (!cached) continue;
    taken.set(key, cached);
    lane.cache.delete(key);
  }
  for (const found of loaded) {
    if (found) taken.set(found.key, { document: found.document, position: found.position, stored: true });
  }
  return taken;
}

function describeFailure(record: LogRecord, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `cannot fold record ${record.position} (${record.type} of ${record.stream}): ${reason}`;
}
