import { isBefore, toPosition } from '../../domain/event-sourcing/position.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { BEGINNING, type ChangeCursor, cursorAfter, cursorAfterChange, isAfterCursor } from './change-cursor.ts';
import { type ChangeFilter, matchesFilter } from './change-filter.ts';
import type { ChangeMapper, IsWanted } from './change-mapper.ts';
import { createChangeRangeCache } from './change-range-cache.ts';
import { compareChanges, type EncodedChange } from './encoded-change.ts';
import { CHANGE_MAPPERS, type RecordMapperParts } from './record-mapper.ts';
import { createStreamFoldCache } from './stream-fold-cache.ts';

interface ChangePageQuery {
  readonly after: ChangeCursor;
  readonly filter: ChangeFilter;
  /** At most so many changes. */
  readonly limit: number;
  /** A position that the log holds: what comes later is left for the next page. Absent: the log's end. */
  readonly upTo?: bigint;
}

interface ChangePage {
  readonly changes: readonly EncodedChange[];
  /** Where the next page goes on: behind the last change, or behind what was looked at and left out. */
  readonly next: ChangeCursor;
  /** There are more, or there may be: a page looks at a part of the log only. */
  readonly hasMore: boolean;
}

/** What everybody could be told of the log, page by page: the same for all, for ever. */
export interface ChangeFeed {
  /** The cursor of now: everything that is recorded is before it. */
  end(): Promise<ChangeCursor>;
  page(asked: ChangePageQuery): Promise<ChangePage>;
  /** What is kept of it, and of what it was made from. */
  readonly sizes: { readonly changes: CacheSize; readonly places: CacheSize };
}

interface ChangeFeedParts extends Omit<RecordMapperParts, 'log' | 'mappers' | 'now' | 'places'> {
  readonly log: Pick<EventLog, 'readStream' | 'readAll' | 'readBackwards' | 'head'>;
  /** Milliseconds of a clock that never goes back. */
  readonly steadyNow: () => number;
  /** What is kept may take so much memory; default 32 MiB. */
  readonly maxBytes?: number;
}

/** A page looks at so many stretches, or as many as it can in this time, and at one at least. */
const MAX_RANGES_PER_PAGE = 200;
const MAX_MS_PER_PAGE = 1000;

export function createChangeFeed(parts: ChangeFeedParts): ChangeFeed {
  const { log, steadyNow } = parts;
  const places = createStreamFoldCache();
  const stretches = createChangeRangeCache({ ...parts, mappers: CHANGE_MAPPERS, places });

  const end = async (): Promise<bigint> => (await log.head()) ?? BEGINNING.position;

  /** Behind it stands all that comes behind a cursor. */
  async function beginningOf({ position, index }: ChangeCursor): Promise<bigint> {
    if (index === undefined) return position;
    const [before] = await log.readBackwards(1, toPosition(position));
    return before?.position ?? BEGINNING.position;
  }

  return {
    end: async () => cursorAfter(await end()),
    get sizes() {
      return { changes: stretches.size, places: places.size };
    },
    async page({ after, filter, limit, upTo: given }) {
      const upTo = given ?? (await end());
      const tellers = stretches.mappers.filter((teller) => isSelected(teller, filter));
      const isWanted = wantedByFilter(filter);
      const changes: EncodedChange[] = [];
      // Up to it all is looked at.
      let from = await beginningOf(after);
      const begun = steadyNow();
      for (let count = 0; isBefore(from, upTo); count++) {
        if (count > 0 && (count >= MAX_RANGES_PER_PAGE || steadyNow() - begun >= MAX_MS_PER_PAGE)) {
          return { changes, next: cursorNotBefore(after, from), hasMore: true };
        }
        const found: EncodedChange[] = [];
        let to = upTo;
        for (const teller of tellers) {
          const stretch = await stretches.rangeAfter(teller, from, isWanted);
          if (isBefore(stretch.to, to)) to = stretch.to;
          found.push(...stretch.changes);
        }
        const within = ({ position }: EncodedChange) => isBefore(from, position) && !isBefore(to, position);
        const wanted = found.filter(
          (change) => within(change) && isAfterCursor(after, change) && matchesFilter(filter, change),
        );
        for (const change of wanted.sort(compareChanges)) {
          if (changes.length === limit) return { changes, next: cursorAfterChange(changes.at(-1)!), hasMore: true };
          changes.push(change);
        }
        // Nothing more is there, whatever the caller believed of the log.
        if (!isBefore(from, to)) break;
        from = to;
      }
      return { changes, next: cursorNotBefore(after, from), hasMore: false };
    },
  };
}

const isSelected = ({ changeTypes }: ChangeMapper, { types }: ChangeFilter): boolean =>
  types === undefined || changeTypes.some((type) => types.has(type));

/** Of a few events nothing else is made: whoever asks for these goes through the log fast. */
const wantedByFilter = ({ eventIds }: ChangeFilter): IsWanted | undefined =>
  eventIds && ((_type, _sport, eventId) => eventId === undefined || eventIds.has(eventId));

/** A cursor never goes back, not behind what was given either. */
const cursorNotBefore = (after: ChangeCursor, position: bigint): ChangeCursor =>
  isBefore(position, after.position) ? after : cursorAfter(position);
