import { isBefore, toPosition } from '../../domain/event-sourcing/position.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { BEGINNING, type ChangeCursor, cursorAfter, cursorAfterChange, isAfterCursor } from './change-cursor.ts';
import { type ChangeFilter, matchesFilter, wantsEvent } from './change-filter.ts';
import type { ChangeMapper, IsWanted } from './change-mapper.ts';
import { createChangeRangeCache } from './change-range-cache.ts';
import { compareChanges, type EncodedChange } from './encoded-change.ts';
import { CHANGE_MAPPERS, type RecordMapperParts } from './record-mapper.ts';
import { createStreamFoldCache } from './stream-fold-cache.ts';

interface ChangePageQuery {
  readonly after: ChangeCursor;
  readonly filter: ChangeFilter;
  /** Maximum number of changes. */
  readonly limit: number;
  /** A position that the log holds: later changes are left for the next page. Absent: the end of the log. */
  readonly upTo?: bigint;
}

interface ChangePage {
  readonly changes: readonly EncodedChange[];
  /** Where the next page continues: after the last change, or after records that were checked and left out. */
  readonly next: ChangeCursor;
  /** There are more changes, or there may be: a page checks only a part of the log. */
  readonly hasMore: boolean;
  /** How many records were looked through for the page. */
  readonly recordsChecked: number;
}

/** All changes that clients can see in the log, page by page: the same for all readers, for ever. */
export interface ChangeFeed {
  /** The cursor of now: all records are before it. */
  endCursor(): Promise<ChangeCursor>;
  readPage(asked: ChangePageQuery): Promise<ChangePage>;
  /** The memory of cached changes, and of the folds behind them. */
  readonly sizes: { readonly changes: CacheSize; readonly places: CacheSize };
}

interface ChangeFeedParts extends Omit<RecordMapperParts, 'log' | 'mappers' | 'now' | 'places'> {
  readonly log: Pick<EventLog, 'readStream' | 'replacements' | 'readAll' | 'readBackwards' | 'head'>;
  /** Milliseconds of a monotonic clock. */
  readonly steadyNow: () => number;
  /** Memory limit of cached changes; default 32 MiB. */
  readonly maxBytes?: number;
}

/** A page checks at most so many ranges of the log, and only as many as it can within this time, but at least one. */
const MAX_RANGES_PER_PAGE = 200;
const MAX_MS_PER_PAGE = 1000;

export function createChangeFeed(parts: ChangeFeedParts): ChangeFeed {
  const { log, steadyNow, breathe = async () => {} } = parts;
  const folds = createStreamFoldCache();
  const ranges = createChangeRangeCache({ ...parts, mappers: CHANGE_MAPPERS, places: folds });

  const end = async (): Promise<bigint> => (await log.head()) ?? BEGINNING.position;

  /** The position after which all changes after a cursor come. */
  async function beginningOf({ position, index }: ChangeCursor): Promise<bigint> {
    if (index === undefined) return position;
    const [before] = await log.readBackwards(1, toPosition(position));
    return before?.position ?? BEGINNING.position;
  }

  return {
    endCursor: async () => cursorAfter(await end()),
    get sizes() {
      return { changes: ranges.size, places: folds.size };
    },
    async readPage({ after, filter, limit, upTo: given }) {
      const upTo = given ?? (await end());
      const mappers = ranges.mappers.filter((mapper) => isSelected(mapper, filter));
      const isWanted = wantedByFilter(filter);
      const changes: EncodedChange[] = [];
      let recordsChecked = 0;
      // Everything up to this position is checked.
      let from = await beginningOf(after);
      const start = steadyNow();
      for (let count = 0; isBefore(from, upTo); count++) {
        if (count > 0 && (count >= MAX_RANGES_PER_PAGE || steadyNow() - start >= MAX_MS_PER_PAGE)) {
          return { changes, next: cursorNotBefore(after, from), hasMore: true, recordsChecked };
        }
        await breathe();
        const found: EncodedChange[] = [];
        let to = upTo;
        let records = 0;
        for (const mapper of mappers) {
          const range = await ranges.rangeAfter(mapper, from, isWanted);
          if (isBefore(range.to, to)) to = range.to;
          found.push(...range.changes);
          records = Math.max(records, range.recordsChecked);
        }
        const within = ({ position }: EncodedChange) => isBefore(from, position) && !isBefore(to, position);
        const wanted = found.filter(
          (change) => within(change) && isAfterCursor(after, change) && matchesFilter(filter, change),
        );
        recordsChecked += records;
        for (const change of wanted.sort(compareChanges)) {
          if (changes.length === limit) {
            return { changes, next: cursorAfterChange(changes.at(-1)!), hasMore: true, recordsChecked };
          }
          changes.push(change);
        }
        // The log has no more records, whatever the caller believed.
        if (!isBefore(from, to)) break;
        from = to;
      }
      return { changes, next: cursorNotBefore(after, from), hasMore: false, recordsChecked };
    },
  };
}

const isSelected = ({ changeTypes }: ChangeMapper, { types }: ChangeFilter): boolean =>
  types === undefined || changeTypes.some((type) => types.has(type));

/** With a filter by events, other changes are not even mapped, so that such a reader goes through the log fast. */
const wantedByFilter = (filter: ChangeFilter): IsWanted | undefined =>
  filter.eventIds && ((_type, _sport, eventId) => eventId === undefined || wantsEvent(filter, eventId));

/** A cursor never goes back, not even before the given one. */
const cursorNotBefore = (after: ChangeCursor, position: bigint): ChangeCursor =>
  isBefore(position, after.position) ? after : cursorAfter(position);
