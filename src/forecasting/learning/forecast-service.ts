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
import { createMemoryResultsStore } from './memory-results-store.ts';
import { createResultSaver } from './result-saver.ts';
import type { ResultsStore } from './results-store.ts';

export interface ForecastServiceParts {
  readonly log: EventLog;
  readonly feed: RecordFeed;
  readonly store: Pick<ReadStore, 'find'>;
  /** What was read before the restart; absent: all is read anew. */
  readonly resultsStore?: ResultsStore | undefined;
  /** Awaited between pieces of what nobody waits for. */
  readonly giveWay?: (() => Promise<void>) | undefined;
  /** What the results may take that it keeps. */
  readonly maxBytes?: number | undefined;
  /** Resolves when the read models show everything that is in the log by now. */
  readonly waitUntilProjected: (signal: AbortSignal) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

/** What the operations ask of it. */
export interface ForecastReader {
  /** What the server's own model says of an event; null of one that it knows no start of. */
  forecastsOf(event: Pick<EventDocument, 'id' | 'sport'>, asOf: AsOf | undefined): Promise<EventForecasts | null>;
}

export interface ForecastService extends ForecastReader {
  start(): void;
  /**
   * Resolves when everything up to a place in the log is learnt; at once where it was never started, or is closed.
   * Rejects when the signal is aborted.
   * @param place one of each partition of the feed; or a position, which is enough to have been passed in one of them
   * @param isPatient calls go before what was not learnt before the start
   */
  waitUntilLearned(place: FeedPosition, signal?: AbortSignal, isPatient?: boolean): Promise<void>;
  /** Whether enough results of a league are known that events of it have forecasts. */
  hasForecasts(sport: SportSlug, league: string): boolean;
  readonly size: CacheSize;
  close(): Promise<void>;
}

/** How far a reader of a feed has come. */
type FeedPosition = Position | null | PartitionPositions;

interface Waiter {
  readonly place: FeedPosition;
  readonly isPatient: boolean;
  readonly resolve: () => void;
}

/** What forecasts are made of. */
const LEARNED_TYPES: ReadonlySet<string> = new Set<DomainEventType>([
  'EventScheduled',
  'ScoreChanged',
  'BoxChanged',
  'LineupChanged',
  'PlayerChanged',
]);
/** So many records come at once. */
const RECORDS_PER_BATCH = 1000;
/** So many events are read at once. */
const EVENTS_PER_PAGE = 50;

/**
 * Follows the log and keeps, for each league, what its model has learnt of all results. Of what it has read in the
 * streams it stores the results, and at the start reads in the log only what has come since.
 */
export function createForecastService(parts: ForecastServiceParts): ForecastService {
  const { log, feed, store, giveWay = yieldToEventLoop, waitUntilProjected, onError } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const rankings = new PlayerRankings();
  const leagues = new LeagueLearners(rankings, parts.maxBytes);
  const keeper = createResultSaver({ store: parts.resultsStore ?? createMemoryResultsStore(), onError });
  const dirty = new Set<number>();
  const waiting = new Set<Waiter>();
  /** Everything up to here is learnt, or stands in `dirty`. */
  const read = new Map<string, Position>();
  let isStarted = false;
  let isLoaded = false;
  let running: Promise<unknown> = Promise.resolve();
  let working: Promise<void> | undefined;

  function take(records: readonly DomainRecord[]): void {
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
    const isAwaited = isLoaded || [...waiting].some(({ isPatient }) => !isPatient);
    await (isAwaited ? yieldToEventLoop() : giveWay());
  }

  async function readDirty(ids: readonly number[]): Promise<void> {
    for (const id of ids) {
      // Before it is read: what comes meanwhile makes it dirty again.
      dirty.delete(id);
      const story = await readStory(log, id);
      if (story) {
        leagues.put(story);
        keeper.put(story);
      }
      await pause();
    }
  }

  const isBehind = (): boolean => dirty.size > 0 || leagues.isBehind;

  /** Learns what is dirty, until nothing is. */
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
    if (dirty.size === 0) await keeper.save(read, 'when there is much');
  }

  function learn(): void {
    working ??= work().finally(() => {
      working = undefined;
      if (isBehind() && !signal.aborted) learn();
      else tell();
    });
  }

  function tell(): void {
    const isIdle = isLoaded && !working;
    for (const one of waiting) {
      if (isStarted && !signal.aborted && !(isIdle && hasRead(one.place))) continue;
      waiting.delete(one);
      one.resolve();
    }
  }

  function hasRead(asked: FeedPosition): boolean {
    if (asked === null) return true;
    if (typeof asked === 'bigint') return [...read.values()].some((place) => !isBefore(place, asked));
    return hasReachedPositions(read, asked);
  }

  /** What stands in the log already: rankings first, for what is learnt rests on them. */
  async function load(ends: ReadonlyMap<string, Position | null>): Promise<void> {
    for await (const ids of idPages(store, players.name, {
      where: { sport: 'tennis' },
      limit: EVENTS_PER_PAGE,
      signal,
    })) {
      const told = await log.readStreams(ids.map((id) => streams.player(id)));
      take((told.flat() as DomainRecord[]).filter(({ type }) => type === 'PlayerChanged'));
      await pause();
    }
    const known = await keeper.restore(ends, pause);
    read.clear();
    for (const [partition, place] of known?.places ?? ends) if (place !== null) read.set(partition, toPosition(place));
    if (!known) await readAll();
    for (const story of known?.stories ?? []) {
      leagues.put(story);
      await pause();
    }
    await leagues.learn(pause);
    signal.throwIfAborted();
    await keeper.save(read, 'all');
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
        await keeper.save(undefined, 'when there is much');
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
      ...{ readers: 'all' as const, after: (partition: string) => read.get(partition) ?? null, types: LEARNED_TYPES },
      ...{
        batchSize: RECORDS_PER_BATCH,
        bufferLimit: 2 * RECORDS_PER_BATCH,
        signal,
        delay: realDelay,
        onRetry: onError,
      },
    };
    tell();
    await followRecordFeed(feed, following, ({ partition, position, ...message }) => {
      if (message.kind === 'records') {
        take(message.records as readonly DomainRecord[]);
        keeper.countRecords(message.records.length);
        learn();
      }
      if (isBefore(read.get(partition) ?? null, position)) read.set(partition, position!);
      tell();
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
      const heardBefore = asOf?.basis === 'recorded' ? asOf.at + 1 : Number.POSITIVE_INFINITY;
      const story = await readStory(log, id, {
        isCounted: ({ recordedAt }) => Date.parse(recordedAt) < heardBefore,
      });
      if (!story) return null;
      const league = leagues.learnerOf(sport as SportSlug, story.league);
      // What was forecast before the start is not revised after it by what the server hears then.
      const isLive = story.firstRecordedAt < story.closesAt;
      const heard = Math.min(heardBefore, isLive ? story.closesAt : Number.POSITIVE_INFINITY);
      const history = await league.historyAt(Math.min(asOf ? asOf.at + 1 : Infinity, story.closesAt), heard);
      return new EventForecasts(story, league.model, history, rankings);
    },
    hasForecasts: (sport, league) => leagues.learnerOf(sport, league).knownEvents >= MIN_RESULTS,
    waitUntilLearned(place, aborted, isPatient = false) {
      return new Promise((resolve, reject) => {
        aborted?.throwIfAborted();
        const abort = () => waiting.delete(one) && reject(aborted!.reason);
        const one = {
          place,
          isPatient,
          resolve: () => {
            aborted?.removeEventListener('abort', abort);
            resolve();
          },
        };
        waiting.add(one);
        aborted?.addEventListener('abort', abort, { once: true });
        tell();
      });
    },
    get size() {
      return leagues.size;
    },
    async close() {
      stopping.abort();
      tell();
      await running;
      await working;
      if (isLoaded && dirty.size === 0) await keeper.save(read, 'all');
    },
  };
}
