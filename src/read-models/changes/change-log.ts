import type { CacheSize } from '../../domain/cache-size.ts';
import { isBefore, positionOf } from '../../domain/position.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import { byPlace, type Change } from './change.ts';
import { BEGINNING, type ChangeCursor, cursorBehind, isBehind, placeOfChange } from './change-cursor.ts';
import { type ChangeFilter, passes } from './change-filter.ts';
import { createChangeStretches } from './change-stretches.ts';
import { createStreamPlaces } from './stream-places.ts';
import type { Teller } from './teller.ts';
import type { IsWanted } from './told.ts';
import { TELLERS, type ToldOfParts } from './told-of.ts';

export interface PageAsked {
  readonly after: ChangeCursor;
  readonly filter: ChangeFilter;
  /** At most so many changes. */
  readonly limit: number;
  /** A position that the log holds: what comes later is left for the next page. Absent: the log's end. */
  readonly upTo?: bigint;
}

export interface ChangePage {
  readonly changes: readonly Change[];
  /** Where the next page goes on: behind the last change, or behind what was looked at and left out. */
  readonly next: ChangeCursor;
  /** There are more, or there may be: a page looks at a part of the log only. */
  readonly hasMore: boolean;
}

/** What everybody could be told of the log, page by page: the same for all, for ever. */
export interface ChangeLog {
  /** The cursor of now: everything that is recorded is before it. */
  end(): Promise<ChangeCursor>;
  page(asked: PageAsked): Promise<ChangePage>;
  /** What is kept of it, and of what it was made from. */
  readonly sizes: { readonly changes: CacheSize; readonly places: CacheSize };
}

export interface ChangeLogParts extends Omit<ToldOfParts, 'log' | 'tellers' | 'now' | 'places'> {
  readonly log: Pick<EventLog, 'readStream' | 'readAll' | 'readBackwards' | 'head'>;
  /** Milliseconds of a clock that never goes back. */
  readonly steadyNow: () => number;
  /** What is kept may take so much memory; default 32 MiB. */
  readonly maxBytes?: number;
}

/** A page looks at so many stretches, or as many as it can in this time, and at one at least. */
const MOST_STRETCHES = 200;
const MOST_MS = 1000;

export function createChangeLog(parts: ChangeLogParts): ChangeLog {
  const { log, steadyNow } = parts;
  const places = createStreamPlaces();
  const stretches = createChangeStretches({ ...parts, tellers: TELLERS, places });

  const end = async (): Promise<bigint> => (await log.head()) ?? BEGINNING.position;

  /** Behind it stands all that comes behind a cursor. */
  async function beginningOf({ position, index }: ChangeCursor): Promise<bigint> {
    if (index === undefined) return position;
    const [before] = await log.readBackwards(1, positionOf(position));
    return before?.position ?? BEGINNING.position;
  }

  return {
    end: async () => cursorBehind(await end()),
    get sizes() {
      return { changes: stretches.size, places: places.size };
    },
    async page({ after, filter, limit, upTo: given }) {
      const upTo = given ?? (await end());
      const tellers = stretches.tellers.filter((teller) => isAsked(teller, filter));
      const isWanted = wantedBy(filter);
      const changes: Change[] = [];
      // Up to it all is looked at.
      let from = await beginningOf(after);
      const begun = steadyNow();
      for (let count = 0; isBefore(from, upTo); count++) {
        if (count > 0 && (count >= MOST_STRETCHES || steadyNow() - begun >= MOST_MS)) {
          return { changes, next: behind(after, from), hasMore: true };
        }
        const found: Change[] = [];
        let to = upTo;
        for (const teller of tellers) {
          const stretch = await stretches.behind(teller, from, isWanted);
          if (isBefore(stretch.to, to)) to = stretch.to;
          found.push(...stretch.changes);
        }
        const within = ({ position }: Change) => isBefore(from, position) && !isBefore(to, position);
        const wanted = found.filter((change) => within(change) && isBehind(after, change) && passes(filter, change));
        for (const change of wanted.sort(byPlace)) {
          if (changes.length === limit) return { changes, next: placeOfChange(changes.at(-1)!), hasMore: true };
          changes.push(change);
        }
        // Nothing more is there, whatever the caller believed of the log.
        if (!isBefore(from, to)) break;
        from = to;
      }
      return { changes, next: behind(after, from), hasMore: false };
    },
  };
}

const isAsked = ({ tells }: Teller, { types }: ChangeFilter): boolean =>
  types === undefined || tells.some((type) => types.has(type));

/** Of a few events nothing else is made: whoever asks for these goes through the log fast. */
const wantedBy = ({ eventIds }: ChangeFilter): IsWanted | undefined =>
  eventIds && ((_type, _sport, eventId) => eventId === undefined || eventIds.has(eventId));

/** A cursor never goes back, not behind what was given either. */
const behind = (after: ChangeCursor, position: bigint): ChangeCursor =>
  isBefore(position, after.position) ? after : cursorBehind(position);
