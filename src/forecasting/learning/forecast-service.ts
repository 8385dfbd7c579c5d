import { players } from '../../../projections/directory/players.ts';
import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { SPORT_SLUGS, type SportSlug } from '../../domain/catalogue/catalogue.ts';
import {
  hasReachedPositions,
  isBefore,
  type PartitionPositions,
  type Position,
  toPosition,
} from '../../domain/event-sourcing/position.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import { type DomainEventType, type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { followRecordFeed } from '../../event-log/subscription/follow-record-feed.ts';
import type { RecordFeed } from '../../event-log/subscription/record-feed.ts';
import { MIN_RESULTS } from '../../intelligence/facts/forecaster.ts';
import { backoffAfter, realDelay, retryWithBackoff } from '../../platform/async/retry.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { AsOf } from '../../read-models/as-of/as-of.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import { readStory } from '../facts/log-facts.ts';
import { PlayerRankings, rankingIn } from '../facts/player-rankings.ts';
import { EventForecasts } from './event-forecasts.ts';
import { idPages } from './id-pages.ts';
import { LeagueLearners } from './league-learners.ts';
import { emptyResultsStore } from './memory-results-store.ts';
import { createResultSaver } from './result-saver.ts';
import type { ResultsStore } from './results-store.ts';

export interface ForecastServiceParts {
  readonly log: EventLog;
  readonly feed: RecordFeed;
  readonly store: Pick<ReadStore, 'find'>;
  /** What was learned before the restart; absent: everything is read again. */
  readonly resultsStore?: ResultsStore | undefined;
  /** Awaited between pieces of work that no caller waits for. */
  readonly giveWay?: (() => Promise<void>) | undefined;
  /** Maximum memory for the learned results. */
  readonly maxBytes?: number | undefined;
  /** Resolves when the read models show everything that is in the log now. */
  readonly waitUntilProjected: (signal: AbortSignal) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

/** What the operations need of the service. */
export interface ForecastReader {
  /** The forecasts of the server's own model for an event; null if its start is not known. */
  forecastsOf(event: Pick<EventDocument, 'id' | 'sport'>, asOf: AsOf | undefined): Promise<EventForecasts | null>;
}

export interface ForecastService extends ForecastReader {
  start(): void;
  /**
   * Resolves when everything up to a position is learned; at once if the service was never started, or is closed.
   * Rejects when the signal is aborted.
   * @param position a position for each partition of the feed; or one position, which must have been passed in at least
   * one partition
   * @param isPatient while the results from before the start are learned, other calls go first
   */
  waitUntilLearned(position: FeedPosition, signal?: AbortSignal, isPatient?: boolean): Promise<void>;
  /** Whether enough results of a league are known to forecast its events. */
  hasForecasts(sport: SportSlug, league: string): boolean;
  readonly size: CacheSize;
  close(): Promise<void>;
}

/** How far a reader of a feed has come. */
type FeedPosition = Position | null | PartitionPositions;

interface Waiter {
  readonly position: FeedPosition;
  readonly isPatient: boolean;
  readonly resolve: () => void;
}

/** The types of records that forecasts depend on. */
const LEARNED_TYPES: ReadonlySet<string> = new Set<DomainEventType>([
  'EventScheduled',
  'ScoreChanged',
  'BoxChanged',
  'LineupChanged',
  'PlayerChanged',
]);
/** Records in one batch. */
const RECORDS_PER_BATCH = 1000;
/** Events in one read. */
const EVENTS_PER_PAGE = 50;

/**
 * Follows the log and keeps, for each league, what its model has learned from all results. Stores the results, so that
 * a restart reads only what came since.
 */
export function createForecastService(parts: ForecastServiceParts): ForecastService {
  const { log, feed, store, giveWay: pauseInBackground = yieldToEventLoop, waitUntilProjected, onError } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const rankings = new PlayerRankings();
  const leagues = new LeagueLearners(rankings, parts.maxBytes);
  const saver = createResultSaver({ store: parts.resultsStore ?? emptyResultsStore, onError });
  const dirty = new Set<number>();
  const waiters = new Set<Waiter>();
  /** Everything up to here is learned, or is in `dirty`. */
  const read = new Map<string, Position>();
  let isStarted = false;
  let isLoaded = false;
  let running: Promise<unknown> = Promise.resolve();
  let currentWork: Promise<void> | undefined;

  function handleRecords(records: readonly DomainRecord[]): void {
    for (const record of records) {
      const { type, data } = record;
      switch (type) {
        case 'EventScheduled':
          dirty.add(data.eventId);
          break;
        case 'ScoreChanged':
          if (data.content.status === 'final' || leagues.has(data.eventId)) dirty.add(data.eventId);
          break;
        case 'BoxChanged':
        case 'LineupChanged':
          if (leagues.has(data.eventId)) dirty.add(data.eventId);
          break;
        case 'PlayerChanged': {
          const ranking = rankingIn(record);
          if (ranking) leagues.addRanking(data.sport, ranking);
        }
      }
    }
  }

  async function pause(): Promise<void> {
    if (!isLoaded) signal.throwIfAborted();
    const isAwaited = isLoaded || [...waiters].some(({ isPatient }) => !isPatient);
    await (isAwaited ? yieldToEventLoop() : pauseInBackground());
  }

  async function readDirty(ids: readonly number[]): Promise<void> {
    for (const id of ids) {
      // Delete first: facts that come while the event is read must mark it dirty again.
      dirty.delete(id);
      const story = await readStory(log, id);
      if (story) {
        leagues.put(story);
        saver.put(story);
      }
      await pause();
    }
  }

  const isBehind = (): boolean => dirty.size > 0 || leagues.isBehind;

  /** Learns the dirty events until none is left. */
  async function work(): Promise<void> {
    for (let attempt = 0; isBehind() && !signal.aborted; ) {
      const ids = [...dirty].slice(0, EVENTS_PER_PAGE);
      try {
        await readDirty(ids);
        await leagues.learn(pause);
        attempt = 0;
      } catch (error) {
        for (const id of ids) dirty.add(id);
        onError(error);
        await realDelay(backoffAfter(++attempt), signal).catch(() => {});
      }
    }
    if (dirty.size === 0) await saver.saveIfMany(read);
  }

  function learn(): void {
    currentWork ??= work().finally(() => {
      currentWork = undefined;
      if (isBehind() && !signal.aborted) learn();
      else resolveWaiting();
    });
  }

  function resolveWaiting(): void {
    const isIdle = isLoaded && !currentWork;
    for (const waiter of waiters) {
      if (isStarted && !signal.aborted && !(isIdle && hasRead(waiter.position))) continue;
      waiters.delete(waiter);
      waiter.resolve();
    }
  }

  function hasRead(position: FeedPosition): boolean {
    if (position === null) return true;
    if (typeof position === 'bigint') return [...read.values()].some((readTo) => !isBefore(readTo, position));
    return hasReachedPositions(read, position);
  }

  /** Loads what is already in the log: rankings first, because the results depend on them. */
  async function load(ends: ReadonlyMap<string, Position | null>): Promise<void> {
    for await (const ids of idPages(store, players.name, {
      where: { sport: 'tennis' },
      limit: EVENTS_PER_PAGE,
      signal,
    })) {
      const found = await log.readStreams(ids.map((id) => streams.player(id)));
      handleRecords((found.flat() as DomainRecord[]).filter(({ type }) => type === 'PlayerChanged'));
      await pause();
    }
    const restored = await saver.restore(ends, pause);
    read.clear();
    for (const [partition, position] of restored?.places ?? ends)
      if (position !== null) read.set(partition, toPosition(position));
    if (!restored) await readAll();
    for (const story of restored?.stories ?? []) {
      leagues.put(story);
      await pause();
    }
    await leagues.learn(pause);
    signal.throwIfAborted();
    await saver.save(read);
  }

  async function readAll(): Promise<void> {
    for (const sport of SPORT_SLUGS) {
      const where = { sport, status: 'final' };
      for await (const ids of idPages(store, events.name, {
        where,
        order: 'starts_at',
        limit: EVENTS_PER_PAGE,
        signal,
      })) {
        await readDirty(ids);
        await saver.saveIfMany(undefined);
      }
    }
  }

  async function run(): Promise<void> {
    const ends = await feed.endPositions();
    await waitUntilProjected(signal);
    signal.throwIfAborted();
    await retryWithBackoff(() => load(ends), { delay: realDelay, signal, onRetry: onError });
    isLoaded = true;
    const following = {
      readers: 'all' as const,
      after: (partition: string) => read.get(partition) ?? null,
      types: LEARNED_TYPES,
      batchSize: RECORDS_PER_BATCH,
      bufferLimit: 2 * RECORDS_PER_BATCH,
      signal,
      delay: realDelay,
      onRetry: onError,
    };
    resolveWaiting();
    await followRecordFeed(feed, following, ({ partition, position, ...message }) => {
      if (message.kind === 'records') {
        handleRecords(message.records as readonly DomainRecord[]);
        saver.countRecords(message.records.length);
        learn();
      }
      if (isBefore(read.get(partition) ?? null, position)) read.set(partition, position!);
      resolveWaiting();
    });
  }

  return {
    start() {
      isStarted = true;
      running = run().catch((error: unknown) => {
        if (!signal.aborted) onError(error);
      });
    },
    async forecastsOf({ id, sport }, asOf) {
      const recordedBefore = asOf?.basis === 'recorded' ? asOf.at + 1 : Number.POSITIVE_INFINITY;
      let facts = 0;
      const story = await readStory(log, id, {
        isCounted({ recordedAt }) {
          const counts = Date.parse(recordedAt) < recordedBefore;
          facts += Number(counts);
          return counts;
        },
      });
      if (!story) return null;
      const league = leagues.learnerOf(sport as SportSlug, story.league);
      // Facts that the server learned after the start must not revise a forecast that was made before it.
      const isLive = story.firstRecordedAt < story.closesAt;
      const knownBefore = Math.min(recordedBefore, isLive ? story.closesAt : Number.POSITIVE_INFINITY);
      const history = await league.historyAt(Math.min(asOf ? asOf.at + 1 : Infinity, story.closesAt), knownBefore);
      return new EventForecasts(story, league.model, history, rankings, `${league.version} ${facts}`);
    },
    hasForecasts: (sport, league) => leagues.learnerOf(sport, league).knownEvents >= MIN_RESULTS,
    waitUntilLearned(position, aborted, isPatient = false) {
      return new Promise((resolve, reject) => {
        aborted?.throwIfAborted();
        const abort = () => waiters.delete(waiter) && reject(aborted!.reason);
        const waiter = {
          position,
          isPatient,
          resolve: () => {
            aborted?.removeEventListener('abort', abort);
            resolve();
          },
        };
        waiters.add(waiter);
        aborted?.addEventListener('abort', abort, { once: true });
        resolveWaiting();
      });
    },
    get size() {
      return leagues.size;
    },
    async close() {
      stopping.abort();
      resolveWaiting();
      await running;
      await currentWork;
      if (isLoaded && dirty.size === 0) await saver.save(read);
    },
  };
}
