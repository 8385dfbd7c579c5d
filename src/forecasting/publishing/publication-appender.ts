import { LRUCache } from 'lru-cache';
import type { Position } from '../../domain/event-sourcing/position.ts';
import { createEvent } from '../../domain/event-sourcing/stream-kind.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import { type DomainEventData, type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import { intelligenceStream } from '../../domain/streams/stream-definitions.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import type { ForecastService } from '../learning/forecast-reader.ts';
import { type EventUpdate, filterUpcoming } from './affected-events.ts';
import { FollowedBets, type FollowedBetsParts, type Publish } from './followed-bets.ts';

export interface PublicationAppenderParts extends Omit<FollowedBetsParts, 'rest'> {
  readonly log: EventLog;
  readonly store: Pick<ReadStore, 'find' | 'getMany'>;
  readonly forecasts: Pick<ForecastService, 'forecastsOf' | 'waitWhileLearning'>;
  /** Awaited between small pieces of work. */
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** Follows the bets of events that changed lately, and appends how they change. */
export interface PublicationAppender {
  /**
   * Publishes the changes of these events, and removes each published event from `events`.
   * @param through the position up to which the server knew everything
   */
  publish(events: Map<number, EventUpdate>, through: Position | null): Promise<void>;
  isFollowed(id: number): boolean;
  readonly size: CacheSize;
}

/** The number of events, or of publications, that one commit appends. */
const EVENTS_PER_APPEND = 32;
const MAX_PUBLICATIONS_PER_APPEND = 256;
/** Maximum memory for the events that changed lately. */
const MAX_BYTES = 64 * 1024 * 1024;

type Data = DomainEventData['IntelligencePublished'];

/** The publications of one event that are to be appended. */
interface DuePublications {
  readonly id: number;
  readonly followed: FollowedBets;
  readonly data: readonly Data[];
}

export function createPublicationAppender(parts: PublicationAppenderParts): PublicationAppender {
  const { log, store, forecasts, pause, signal, now } = parts;
  const followed = new LRUCache<number, FollowedBets>({ maxSize: MAX_BYTES, sizeCalculation: ({ bytes }) => bytes });

  async function publish(events: Map<number, EventUpdate>, through: Position | null): Promise<void> {
    while (events.size > 0) {
      signal.throwIfAborted();
      const batch = [...events].slice(0, EVENTS_PER_APPEND);
      const toPublish = new Set(batch.map(([id]) => id));
      const unknown = batch.filter(([id, update]) => update !== 'reopen' && !followed.has(id)).map(([id]) => id);
      const upcoming = unknown.length > 0 ? new Set(await filterUpcoming(store, unknown, now())) : new Set();
      for (const id of unknown) if (!upcoming.has(id)) toPublish.delete(id);
      const reopened = new Set<number>();
      let due: DuePublications[] = [];
      let publications = 0;
      const appendDue = async (): Promise<void> => {
        for (const id of await append(due)) reopened.add(id);
        due = [];
        publications = 0;
      };
      for (const [id, update] of batch) {
        if (!toPublish.has(id)) continue;
        const bets = await followedWith(id, update, through);
        const data = bets?.takeUnpublished(now(), through) ?? [];
        if (bets?.isInterrupted) {
          followed.delete(id);
          reopened.add(id);
          await forecasts.waitWhileLearning(signal);
          continue;
        }
        if (bets && data.length > 0) due.push({ id, followed: bets, data });
        publications += data.length;
        if (publications >= MAX_PUBLICATIONS_PER_APPEND) await appendDue();
        await pause();
      }
      await appendDue();
      for (const [id] of batch) if (!reopened.has(id)) events.delete(id);
      for (const id of reopened) events.set(id, 'reopen');
    }
  }

  /** Null if the event has begun: from then on its intelligence does not change. */
  async function followedWith(id: number, update: EventUpdate, through: Position | null): Promise<FollowedBets | null> {
    const known = update === 'reopen' ? undefined : followed.get(id);
    followed.delete(id);
    if (known && now() >= known.closesAt) return null;
    const isCurrent = await known?.addRecords(update as readonly DomainRecord[], pause);
    const bets = isCurrent ? known! : await open(id, through);
    if (bets) followed.set(id, bets);
    return bets;
  }

  async function open(id: number, through: Position | null): Promise<FollowedBets | null> {
    const publish: Publish = async (one, data) => (await append([{ id, followed: one, data }])).size === 0;
    for (;;) {
      signal.throwIfAborted();
      const opened = await FollowedBets.open({ ...parts, rest: pause }, id, through, publish);
      if (opened === 'learning') await forecasts.waitWhileLearning(signal);
      else if (opened !== 'overtaken') return opened;
    }
  }

  /**
   * Appends the publications of each event as a whole, at the expected revision of its stream. So each fact is
   * published once: after a crash the next publisher finds the publications in the stream. If the answer was lost, or
   * another server has published meanwhile, the event is opened again with what the stream then holds.
   * @returns the events for which another process has published something
   */
  async function append(due: readonly DuePublications[]): Promise<Set<number>> {
    if (due.length === 0) return new Set();
    const outcomes = await log.appendAll(
      due.map(({ id, followed: { revision }, data }) => ({
        stream: log.replacements.current(streams.intelligence(id)),
        events: data.map((one) => createEvent(intelligenceStream, id, 'IntelligencePublished', one)),
        expected: revision === -1 ? 'none' : revision,
      })),
    );
    const conflicts = due.filter((_, index) => !outcomes[index]!.ok);
    for (const { id } of conflicts) followed.delete(id);
    for (const [index, one] of due.entries()) if (outcomes[index]!.ok) one.followed.markPublished(one.data);
    return new Set(conflicts.map(({ id }) => id));
  }

  return {
    publish,
    isFollowed: (id) => followed.has(id),
    get size() {
      return { bytes: followed.calculatedSize, limit: MAX_BYTES };
    },
  };
}
