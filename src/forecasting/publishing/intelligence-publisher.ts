import type { EventDocument } from '../../../projections/sports-events/events.ts';
import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import { isReplayed } from '../../domain/event-sourcing/record.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { FollowerStatus } from '../../event-log/subscription/follow-record-feed.ts';
import { followRecordFeed } from '../../event-log/subscription/follow-record-feed.ts';
import type { RecordFeed } from '../../event-log/subscription/record-feed.ts';
import { WorkPositions } from '../../event-log/subscription/work-positions.ts';
import { backoffAfter, realDelay, retryWithBackoff } from '../../platform/async/retry.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { WriteGate } from '../../platform/clock/write-gate.ts';
import { createWaiters } from '../../read-models/projector/progress/waiters.ts';
import type { LearntWeights } from '../../read-models/reference-weights/learnt-weights.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import type { ForecastService } from '../learning/forecast-reader.ts';
import {
  AFFECTING_TYPES,
  AffectedEvents,
  type EventUpdate,
  findAffectedEvents,
  upcomingEvents,
} from './affected-events.ts';
import type { FollowedBetsParts } from './followed-bets.ts';
import { createPublicationAppender } from './publication-appender.ts';

interface IntelligencePublisherParts extends Omit<FollowedBetsParts, 'rest'> {
  readonly log: EventLog;
  readonly feed: RecordFeed;
  readonly store: Pick<ReadStore, 'find' | 'getMany'>;
  readonly forecasts: ForecastService;
  /** Tells when weights come that were in force already. Absent: weights are constants. */
  readonly learnt?: Pick<LearntWeights, 'onChanged'> | undefined;
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
  const affected = new AffectedEvents();
  /** The leagues whose events have forecasts, as far as known. */
  const forecastLeagues = new Set<string>();
  const waiters = createWaiters();
  /** The number of callers that wait. While there are any, facts do not wait for others. */
  let waitingCallers = 0;
  const pause = () => (waitingCallers > 0 ? yieldToEventLoop() : pauseInBackground());
  /** The events that the current run processes. */
  let eventsInRun: ReadonlyMap<number, EventUpdate> = new Map();
  const positions = new WorkPositions();
  /** Whether the events that were upcoming at the start are published. */
  let isLoaded = false;
  let state: FollowerStatus['state'] = 'idle';
  let running: Promise<unknown> = Promise.resolve();
  let currentRun: Promise<void> | undefined;
  let cancelTimer: (() => void) | undefined;
  const appender = createPublicationAppender({ ...parts, pause, signal });

  /** All work comes in here, so none is collected without its position. */
  function collect(add: () => void): void {
    add();
    if (!affected.isEmpty) positions.noteWork();
  }

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
      const { through, upTo } = positions.take();
      eventsInRun = pending.events;
      try {
        while (!gate.isOpen) await realDelay(GATE_POLL_MS, signal);
        await forecasts.waitUntilLearned(upTo, signal, waitingCallers === 0);
        if (pending.results.length + pending.rankedPlayers.length + pending.changedSports.length > 0) {
          await waitUntilProjected(through, signal);
          for (const id of await findAffectedEvents(store, pending, now(), isFirst)) pending.events.set(id, 'reopen');
        }
        await appender.publish(pending.events, through);
        positions.finish();
        return;
      } catch (error) {
        // Open all events again: the followed bets may be ahead of the log.
        affected.putBack(pending);
        positions.putBack();
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

  function reopenSports(sports: readonly string[]): void {
    collect(() => {
      for (const sport of sports) affected.addSport(sport);
    });
    wake();
  }

  const endings = [
    // A count of the track record has changed which markets are published. No record in the log says so.
    parts.trackRecord?.onPublications(reopenSports),
    // The prices of an event that is followed were judged by other weights.
    parts.learnt?.onChanged(reopenSports),
  ];

  function handleRecord(record: DomainRecord): void {
    // A score can only close an event that is followed. Scores of other events cause no reads.
    if (record.type === 'ScoreChanged' && !isReplayed(record)) {
      const { eventId } = record.data;
      if (appender.isFollowed(eventId) || eventsInRun.has(eventId)) affected.reopen(eventId);
    }
    affected.add(record);
  }

  /** Publishes changes of upcoming events that the last server did not publish before it ended. */
  async function load(): Promise<void> {
    for await (const page of upcomingEvents(store, now())) {
      collect(() => {
        for (const id of page) affected.reopen(id);
      });
      while (!affected.isEmpty || currentRun) {
        startRun();
        await currentRun;
        signal.throwIfAborted();
      }
    }
  }

  async function run(): Promise<void> {
    const retries = { delay: realDelay, signal, onRetry: onError };
    const ends = await retryWithBackoff(() => feed.endPositions(), retries);
    for (const [partition, end] of ends) positions.noteRead(partition, end);
    await retryWithBackoff(() => waitUntilProjected(positions.furthest, signal), retries);
    await retryWithBackoff(load, retries);
    isLoaded = true;
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
      collect(() => {
        if (message.kind === 'records') for (const record of message.records) handleRecord(record as DomainRecord);
      });
      positions.noteRead(message.partition, message.position);
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
      const isReached = () =>
        state === 'live' && currentRun === undefined && !positions.isBehind && !isBefore(positions.done, position);
      waitingCallers += 1;
      wake();
      await waiters
        .wait('published intelligence', isReached, aborted ? { signal: aborted } : {})
        .finally(() => void waitingCallers--);
    },
    follower: () => ({ name: 'intelligence', position: isLoaded ? positions.done : null, state }),
    get size() {
      return appender.size;
    },
    async close() {
      stopping.abort();
      for (const end of endings) end?.();
      cancelTimer?.();
      waiters.end(new Error('nothing is published any more'));
      await running;
      await currentRun;
    },
  };
}
