import { sseJsonMessage } from '../../../api/streams/sse-messages.ts';
import type { SetTimer } from '../../../platform/async/timer.ts';
import type { DocumentReader } from '../../../read-models/store/document-reader.ts';
import type { LiveStreamEvent } from '../answers/live-page-answers.ts';
import type { BoardChange } from './board-changes.ts';
import { eventsOfDay } from './day-board.ts';
import type { CachedEvent, EventCache } from './event-cache.ts';

/** What a hub knows of an event that is shown. */
interface DatedEvent {
  readonly starts_at: string;
}

interface BoardHubParts {
  /** The name of its messages. */
  readonly name: LiveStreamEvent;
  readonly store: Pick<DocumentReader, 'find'>;
  readonly cache: Pick<EventCache<DatedEvent>, 'read'>;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  readonly onError: (error: unknown) => void;
}

/** A stream that shows one day's board. */
interface BoardReader {
  /** These events have a new message. */
  changed(ids: Iterable<number>): void;
}

/** One reader's subscription to a day. */
export interface DaySubscription {
  /** From now on the reader gets all changes. */
  subscribe(reader: BoardReader): void;
  /** The newest message about an event. All readers share the same bytes. */
  latestMessage(id: number): Buffer | undefined;
  /** A second call does nothing. */
  release(): void;
}

/** Sends board changes to all readers. An event is rendered once, however many readers and changes there are. */
export interface BoardHub {
  /**
   * @param date YYYY-MM-DD
   * @param start of the day in milliseconds
   */
  follow(date: string, start: number): Promise<DaySubscription>;
  /** Takes the changes that the projections committed. */
  applyChanges(changes: readonly BoardChange[]): void;
  close(): void;
}

interface OpenDay {
  readonly date: string;
  /** Events that start on this day, and events that moved away but whose move was not sent yet. */
  readonly ids: Set<number>;
  readonly readers: Set<BoardReader>;
  holders: number;
  loading: Promise<void>;
  /** Changes that arrive while the day's events are loaded; null afterwards. */
  changedWhileLoading: Set<number> | null;
}

/** The state of an event that readers know: from the last message, or from the board when the first reader came. */
interface PublishedEvent {
  readonly revision: number;
  /** The date of its start. */
  readonly date: string;
  /** Null if readers know the state from the board only. */
  readonly bytes: Buffer | null;
}

const dateOf = ({ event }: CachedEvent<DatedEvent>): string => event.starts_at.slice(0, 10);

/** Sends at most one message about an event in this time. */
const PACE_MS = 100;
const RETRY_MS = 1000;

export function createBoardHub({ name, store, cache, now, setTimer, onError }: BoardHubParts): BoardHub {
  const days = new Map<string, OpenDay>();
  const published = new Map<number, PublishedEvent>();
  let changed = new Set<number>();
  let lastPublishedAt = Number.NEGATIVE_INFINITY;
  let isPublishing = false;
  let cancelTimer: (() => void) | undefined;

  function applyChanges(changes: readonly BoardChange[]): void {
    for (const { eventId, date } of changes) {
      for (const day of days.values()) {
        if (day.date === date) day.ids.add(eventId);
        if (day.ids.has(eventId)) changed.add(eventId);
        else day.changedWhileLoading?.add(eventId);
      }
    }
    scheduleNext(PACE_MS);
  }

  /** @param pace milliseconds since the last publication */
  function scheduleNext(pace: number): void {
    if (changed.size === 0 || cancelTimer || isPublishing) return;
    const wait = Math.max(0, lastPublishedAt + pace - now());
    cancelTimer = setTimer(() => {
      cancelTimer = undefined;
      void publish();
    }, wait);
  }

  async function publish(): Promise<void> {
    const ids = changed;
    changed = new Set();
    isPublishing = true;
    lastPublishedAt = now();
    let pace = PACE_MS;
    try {
      const changedIds: number[] = [];
      for (const [id, entry] of await cache.read([...ids])) {
        const { revision, json } = entry;
        if (published.get(id)?.revision === revision) continue;
        published.set(id, { revision, date: dateOf(entry), bytes: sseJsonMessage(name, json) });
        changedIds.push(id);
      }
      for (const day of days.values()) publishToDay(day, changedIds);
    } catch (error) {
      onError(error);
      for (const id of ids) changed.add(id);
      pace = RETRY_MS;
    }
    isPublishing = false;
    scheduleNext(pace);
  }

  function publishToDay(day: OpenDay, changedIds: readonly number[]): void {
    const own = changedIds.filter((id) => day.ids.has(id));
    if (own.length === 0) return;
    for (const reader of day.readers) reader.changed(own);
    for (const id of own) if (published.get(id)?.date !== day.date) day.ids.delete(id);
  }

  function open(date: string, start: number): OpenDay {
    const day: OpenDay = {
      date,
      ids: new Set(),
      readers: new Set(),
      holders: 0,
      loading: Promise.resolve(),
      changedWhileLoading: new Set(),
    };
    day.loading = load(day, start);
    return day;
  }

  async function load(day: OpenDay, start: number): Promise<void> {
    const ids = await eventsOfDay(store, start);
    // A page that opens now loads a board at least this new. A change that renders the same board needs no message.
    for (const [id, entry] of await cache.read(ids)) {
      if (!published.has(id)) published.set(id, { revision: entry.revision, date: dateOf(entry), bytes: null });
    }
    for (const id of ids) {
      day.ids.add(id);
      if (day.changedWhileLoading!.has(id)) changed.add(id);
    }
    day.changedWhileLoading = null;
    scheduleNext(PACE_MS);
  }

  function release(day: OpenDay): void {
    day.holders--;
    if (day.holders > 0) return;
    if (days.get(day.date) === day) days.delete(day.date);
    const others = [...days.values()];
    if (others.length === 0) published.clear();
    for (const id of day.ids) if (!others.some(({ ids }) => ids.has(id))) published.delete(id);
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
        // The next reader loads again.
        if (days.get(date) === day) days.delete(date);
        leave();
        throw error;
      }
      return {
        subscribe(newReader) {
          reader = newReader;
          day.readers.add(newReader);
        },
        latestMessage: (id) => published.get(id)?.bytes ?? undefined,
        release: leave,
      };
    },
    applyChanges,
    close() {
      cancelTimer?.();
      cancelTimer = undefined;
      changed.clear();
      days.clear();
    },
  };
}
