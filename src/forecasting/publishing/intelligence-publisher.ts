import { LRUCache } from 'lru-cache';
import type { EventDocument } from '../../../projections/sports-events/events.ts';
import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import { advancePositions, isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import { createEvent } from '../../domain/event-sourcing/stream-kind.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import { type DomainEventData, type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import { intelligenceStream } from '../../domain/streams/stream-definitions.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { FollowerStatus } from '../../event-log/subscription/follow-record-feed.ts';
import { followRecordFeed } from '../../event-log/subscription/follow-record-feed.ts';
import type { RecordFeed } from '../../event-log/subscription/record-feed.ts';
import { backoffAfter, realDelay, retryWithBackoff } from '../../platform/async/retry.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { WriteGate } from '../../platform/clock/write-gate.ts';
import { createWaiters } from '../../read-models/projector/progress/waiters.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import type { ForecastService } from '../learning/forecast-service.ts';
import {
  AFFECTING_TYPES,
  AffectedEvents,
  type EventUpdate,
  filterUpcoming,
  findAffectedEvents,
  upcomingEvents,
} from './affected-events.ts';
import { FollowedBets, type FollowedBetsParts, type Publish } from './followed-bets.ts';

interface IntelligencePublisherParts extends Omit<FollowedBetsParts, 'rest'> {
  readonly log: EventLog;
  readonly feed: RecordFeed;
  readonly store: Pick<ReadStore, 'find' | 'getMany'>;
  readonly forecasts: ForecastService;
  /** Resolves when the read models show everything up to a position. */
  readonly waitUntilProjected: (position: Position | null, signal: AbortSignal) => Promise<unknown>;
  /** While the gate is closed, the publisher waits. */
  readonly gate: WriteGate;
  readonly setTimer: SetTimer;
  /** Awaited between small pieces of work while no caller waits for publications; absent: yields to the event loop. */
  readonly giveWay?: (() => Promise<void>) | undefined;
  readonly onError: (error: unknown) => void;
}

/**
 * Follows the log and publishes how its facts change the bets on upcoming events. Only one publisher may run on a log.
 */
export interface IntelligencePublisher {
  start(): void;
  /** Resolves when everything that is in the log now is published; at once if the publisher was never started. */
  waitUntilPublished(signal?: AbortSignal): Promise<void>;
  readonly follower: () => FollowerStatus;
  readonly size: CacheSize;
  close(): Promise<void>;
}

/** How long facts wait for others before they are processed: milliseconds. */
const BATCH_WAIT_MS = 250;
/** How often the publisher checks whether the gate is open: milliseconds. */
const GATE_POLL_MS = 1000;
/** Records in one read. */
const RECORDS_PER_READ = 500;
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

export function createIntelligencePublisher(parts: IntelligencePublisherParts): IntelligencePublisher {
  const {
    log,
    feed,
    store,
    forecasts,
    waitUntilProjected,
    gate,
    setTimer,
    giveWay: pauseInBackground = yieldToEventLoop,
    now,
    onError,
  } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const followed = new LRUCache<number, FollowedBets>({ maxSize: MAX_BYTES, sizeCalculation: ({ bytes }) => bytes });
  const affected = new AffectedEvents();
  /** The leagues whose events have forecasts, as far as known. */
  const forecastLeagues = new Set<string>();
  const waiters = createWaiters();
  /** The number of callers that wait. While there are any, facts do not wait for others. */
  let waitingCallers = 0;
  const pause = () => (waitingCallers > 0 ? yieldToEventLoop() : pauseInBackground());
  /** The events that the current run processes. */
  let eventsInRun: ReadonlyMap<number, EventUpdate> = new Map();
  /**
   * Everything up to `read` is published, or is in `affected` or in the current run. Everything up to `done` is
   * published.
   */
  let read: Position | null = null;
  /** The same as `read`, for each partition. */
  const readByPartition = new Map<string, bigint>();
  let done: Position | null = null;
  let state: FollowerStatus['state'] = 'idle';
  let running: Promise<unknown> = Promise.resolve();
  let currentRun: Promise<void> | undefined;
  let cancelTimer: (() => void) | undefined;

  /** Starts a run after the waiting time, or at once if a caller waits. */
  function wake(): void {
    if (state === 'idle' || currentRun || signal.aborted) return;
    if (affected.isEmpty) waiters.check();
    else if (waitingCallers > 0 || affected.isFull) startRun();
    else cancelTimer ??= setTimer(startRun, BATCH_WAIT_MS);
  }

  function startRun(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    if (currentRun || signal.aborted) return;
    currentRun = processAffected().finally(() => {
      currentRun = undefined;
      wake();
    });
  }

  async function processAffected(): Promise<void> {
    for (let attempt = 0; !signal.aborted; ) {
      const pending = affected.take();
      const through = read;
      const upTo = new Map(readByPartition);
      eventsInRun = pending.events;
      try {
        while (!gate.isOpen) await realDelay(GATE_POLL_MS, signal);
        await forecasts.waitUntilLearned(upTo, signal, waitingCallers === 0);
        if (pending.results.length + pending.rankedPlayers.length + pending.changedSports.length > 0) {
          await waitUntilProjected(through, signal);
          for (const id of await findAffectedEvents(store, pending, now(), isFirst)) pending.events.set(id, 'reopen');
        }
        await publish(pending.events, through);
        done = through;
        return;
      } catch (error) {
        // Open all events again: the followed bets may be ahead of the log.
        affected.putBack(pending);
        // The failed run may have been the one to process leagues that `isFirst` noted.
        forecastLeagues.clear();
        if (signal.aborted) return;
        onError(error);
        await realDelay(backoffAfter(++attempt), signal).catch(() => {});
      }
    }
  }

  /** Whether a league has forecasts now, but had none at the last call. */
  function isFirst({ sport, league }: EventDocument): boolean {
    const key = `${sport} ${league}`;
    if (forecastLeagues.has(key) || !forecasts.hasForecasts(sport as SportSlug, league)) return false;
    forecastLeagues.add(key);
    return true;
  }

  /** Publishes the changes of these events, and removes each published event from `events`. */
  async function publish(events: Map<number, EventUpdate>, through: Position | null): Promise<void> {
    while (events.size > 0) {
      signal.throwIfAborted();
      const batch = [...events].slice(0, EVENTS_PER_APPEND);
      const toPublish = new Set(batch.map(([id]) => id));
      const unknown = batch.filter(([id, update]) => update !== 'reopen' && !followed.has(id)).map(([id]) => id);
      const upcoming = unknown.length > 0 ? new Set(await filterUpcoming(store, unknown, now())) : new Set();
      for (const id of unknown) if (!upcoming.has(id)) toPublish.delete(id);
      const conflicting = new Set<number>();
      let due: DuePublications[] = [];
      let publications = 0;
      const appendDue = async (): Promise<void> => {
        for (const id of await append(due)) conflicting.add(id);
        due = [];
        publications = 0;
      };
      for (const [id, update] of batch) {
        if (!toPublish.has(id)) continue;
        const bets = await followedWith(id, update, through);
        const data = bets?.takeUnpublished(now(), through) ?? [];
        if (bets && data.length > 0) due.push({ id, followed: bets, data });
        publications += data.length;
        if (publications >= MAX_PUBLICATIONS_PER_APPEND) await appendDue();
        await pause();
      }
      await appendDue();
      for (const [id] of batch) if (!conflicting.has(id)) events.delete(id);
      for (const id of conflicting) events.set(id, 'reopen');
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
      if (opened !== 'overtaken') return opened;
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
        stream: streams.intelligence(id),
        events: data.map((one) => createEvent(intelligenceStream, id, 'IntelligencePublished', one)),
        expected: revision === -1 ? 'none' : revision,
      })),
    );
    const conflicts = due.filter((_, index) => !outcomes[index]!.ok);
    for (const { id } of conflicts) followed.delete(id);
    for (const [index, one] of due.entries()) if (outcomes[index]!.ok) one.followed.markPublished(one.data);
    return new Set(conflicts.map(({ id }) => id));
  }

  /** A count of the track record has changed which markets are published. No record in the log says so. */
  const stopListening = parts.trackRecord?.onPublications((sports) => {
    for (const sport of sports) affected.addSport(sport);
    wake();
  });

  const isBehind = (): boolean => currentRun !== undefined || !affected.isEmpty;

  function handleRecord(record: DomainRecord): void {
    // A score can only close an event that is followed. Scores of other events cause no reads.
    if (record.type === 'ScoreChanged') {
      const { eventId } = record.data;
      if (followed.has(eventId) || eventsInRun.has(eventId)) affected.reopen(eventId);
    }
    affected.add(record);
  }

  /** Publishes changes of upcoming events that the last server did not publish before it ended. */
  async function load(): Promise<void> {
    for await (const page of upcomingEvents(store, now())) {
      for (const id of page) affected.reopen(id);
      while (!affected.isEmpty || currentRun) {
        startRun();
        await currentRun;
        signal.throwIfAborted();
      }
    }
  }

  function noteRead(partition: string, position: Position | null): void {
    if (isBefore(read, position)) read = position;
    if (position !== null) advancePositions(readByPartition, [[partition, position]]);
  }

  async function run(): Promise<void> {
    const retries = { delay: realDelay, signal, onRetry: onError };
    const ends = await retryWithBackoff(() => feed.endPositions(), retries);
    for (const [partition, end] of ends) noteRead(partition, end);
    await retryWithBackoff(() => waitUntilProjected(read, signal), retries);
    await retryWithBackoff(load, retries);
    done = read;
    state = 'live';
    wake();
    const following = {
      readers: 'all' as const,
      after: (partition: string) => ends.get(partition) ?? null,
      types: AFFECTING_TYPES,
      // No record is urgent: every charged call is a record, so all wait a moment for others.
      isUrgent: () => false,
      batchSize: RECORDS_PER_READ,
      bufferLimit: 8 * RECORDS_PER_READ,
      signal,
      delay: realDelay,
      onRetry: onError,
    };
    await followRecordFeed(feed, following, async (message) => {
      while (affected.isFull) {
        startRun();
        await currentRun;
        signal.throwIfAborted();
      }
      if (message.kind === 'records') for (const record of message.records) handleRecord(record as DomainRecord);
      noteRead(message.partition, message.position);
      if (!isBehind()) done = read;
      wake();
    });
  }

  return {
    start() {
      state = 'catching-up';
      running = run().catch((error: unknown) => {
        if (signal.aborted) return;
        state = 'stopped';
        waiters.end(error as Error);
        onError(error);
      });
    },
    async waitUntilPublished(aborted) {
      if (state === 'idle') return;
      const position = await log.head();
      const isReached = () => state === 'live' && !isBehind() && !isBefore(read, position);
      waitingCallers += 1;
      wake();
      await waiters
        .wait('published intelligence', isReached, aborted ? { signal: aborted } : {})
        .finally(() => void waitingCallers--);
    },
    follower: () => ({ name: 'intelligence', position: done, state }),
    get size() {
      return { bytes: followed.calculatedSize, limit: MAX_BYTES };
    },
    async close() {
      stopping.abort();
      stopListening?.();
      cancelTimer?.();
      waiters.end(new Error('nothing is published any more'));
      await running;
      await currentRun;
    },
  };
}
