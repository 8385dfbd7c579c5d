import type { SetTimer } from '../log/subscription.ts';
import type { ReadStore } from '../store/read-store.ts';
import { jsonMessage } from '../streams/messages.ts';
import { eventsOfDay } from './board.ts';
import type { BoardCache } from './board-cache.ts';
import type { BoardChange } from './board-changes.ts';

export interface BoardHubParts {
  readonly store: Pick<ReadStore, 'find'>;
  readonly cache: BoardCache;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  readonly onError: (error: unknown) => void;
}

/** Who is told what changes on one day's board. */
export interface BoardReader {
  /** The ids of events whose `message` is another one now. */
  changed(ids: Iterable<number>): void;
}

/** A day that is followed for one reader. */
export interface FollowedDay {
  /** Everything that changes from here on is told. */
  join(reader: BoardReader): void;
  /** The newest message about an event: the same bytes for everybody. */
  message(id: number): Buffer | undefined;
  /** A second time does nothing. */
  release(): void;
}

/** Tells all readers of the board what has changed: each event rendered once, however many readers and changes. */
export interface BoardHub {
  /** @param date YYYY-MM-DD @param start milliseconds at its begin */
  follow(date: string, start: number): Promise<FollowedDay>;
  /** What the projections have committed. */
  take(changes: readonly BoardChange[]): void;
  close(): void;
}

interface Day {
  readonly date: string;
  /** Events that start on it, and those that have moved away and were not told yet. */
  readonly ids: Set<number>;
  readonly readers: Set<BoardReader>;
  holders: number;
  loading: Promise<void>;
  /** Changes while the events of the day are being looked up; null then. */
  early: Set<number> | null;
}

/** At most one message about an event in this time. */
const PACE_MS = 100;
const RETRY_MS = 1000;

export function createBoardHub({ store, cache, now, setTimer, onError }: BoardHubParts): BoardHub {
  const days = new Map<string, Day>();
  const messages = new Map<number, { readonly revision: number; readonly bytes: Buffer; readonly date: string }>();
  let changed = new Set<number>();
  let lastTold = Number.NEGATIVE_INFINITY;
  let isTelling = false;
  let cancelTimer: (() => void) | undefined;

  function take(changes: readonly BoardChange[]): void {
    for (const { eventId, date } of changes) {
      for (const day of days.values()) {
        if (day.date === date) day.ids.add(eventId);
        if (day.ids.has(eventId)) changed.add(eventId);
        else day.early?.add(eventId);
      }
    }
    arm(PACE_MS);
  }

  /** @param pace milliseconds since the last telling */
  function arm(pace: number): void {
    if (changed.size === 0 || cancelTimer || isTelling) return;
    const wait = Math.max(0, lastTold + pace - now());
    cancelTimer = setTimer(() => {
      cancelTimer = undefined;
      void tell();
    }, wait);
  }

  async function tell(): Promise<void> {
    const ids = changed;
    changed = new Set();
    isTelling = true;
    lastTold = now();
    let pace = PACE_MS;
    try {
      const told = new Set<number>();
      for (const [id, { json, event, revision }] of await cache.read([...ids])) {
        if (messages.get(id)?.revision === revision) continue;
        messages.set(id, { revision, bytes: jsonMessage('board', json), date: event.starts_at.slice(0, 10) });
        told.add(id);
      }
      for (const day of days.values()) tellDay(day, told);
    } catch (error) {
      onError(error);
      for (const id of ids) changed.add(id);
      pace = RETRY_MS;
    }
    isTelling = false;
    arm(pace);
  }

  function tellDay(day: Day, told: ReadonlySet<number>): void {
    const own = [...told].filter((id) => day.ids.has(id));
    if (own.length === 0) return;
    for (const reader of day.readers) reader.changed(own);
    for (const id of own) if (messages.get(id)!.date !== day.date) day.ids.delete(id);
  }

  function open(date: string, start: number): Day {
    const day: Day = {
      date,
      ids: new Set(),
      readers: new Set(),
      holders: 0,
      loading: Promise.resolve(),
      early: new Set(),
    };
    day.loading = eventsOfDay(store, start).then((ids) => {
      for (const id of ids) {
        day.ids.add(id);
        if (day.early!.has(id)) changed.add(id);
      }
      day.early = null;
      arm(PACE_MS);
    });
    return day;
  }

  function release(day: Day): void {
    day.holders--;
    if (day.holders > 0) return;
    if (days.get(day.date) === day) days.delete(day.date);
    const others = [...days.values()];
    if (others.length === 0) messages.clear();
    for (const id of day.ids) if (!others.some(({ ids }) => ids.has(id))) messages.delete(id);
  }

  return {
    async follow(date, start) {
      const day = days.get(date) ?? open(date, start);
      days.set(date, day);
      day.holders++;
      let reader: BoardReader | undefined;
      let isReleased = false;
      const leave = () => {
        if (isReleased) return;
        isReleased = true;
        if (reader) day.readers.delete(reader);
        release(day);
      };
      try {
        await day.loading;
      } catch (error) {
        // The next one looks again.
        if (days.get(date) === day) days.delete(date);
        leave();
        throw error;
      }
      return {
        join(joining) {
          reader = joining;
          day.readers.add(joining);
        },
        message: (id) => messages.get(id)?.bytes,
        release: leave,
      };
    },
    take,
    close() {
      cancelTimer?.();
      cancelTimer = undefined;
      changed.clear();
      days.clear();
    },
  };
}
