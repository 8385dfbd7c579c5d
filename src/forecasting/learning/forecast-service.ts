import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import { hasReachedPositions, isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import { isReplayed } from '../../domain/event-sourcing/record.ts';
import type { DomainEventType, DomainRecord } from '../../domain/streams/domain-events.ts';
import { followRecordFeed } from '../../event-log/subscription/follow-record-feed.ts';
import { WorkPositions } from '../../event-log/subscription/work-positions.ts';
import { MIN_RESULTS } from '../../intelligence/facts/forecaster.ts';
import { backoffAfter, realDelay, retryWithBackoff } from '../../platform/async/retry.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { readStory } from '../facts/log-facts.ts';
import { PlayerRankings, rankingIn } from '../facts/player-rankings.ts';
import { EventForecasts } from './event-forecasts.ts';
import type { ForecastService, ForecastServiceParts } from './forecast-reader.ts';
import type { LeagueLearner } from './league-learner.ts';
import { LeagueLearners } from './league-learners.ts';
import { type FeedPosition, LearnedWaiters } from './learned-waiters.ts';
import { LearningLeagues } from './learning-leagues.ts';
import { finishedEvents, playerRecords } from './logged-results.ts';
import { emptyResultsStore } from './memory-results-store.ts';
import { createResultSaver } from './result-saver.ts';

/** The types of records that forecasts depend on. */
const LEARNED_TYPES: ReadonlySet<string> = new Set<DomainEventType>([
  'EventScheduled',
  'ScoreChanged',
  'BoxChanged',
  'LineupChanged',
  'PlayerChanged',
  'EventRestated',
]);
/** Records in one batch. */
const RECORDS_PER_BATCH = 1000;

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
  const saver = createResultSaver({
    store: parts.resultsStore ?? emptyResultsStore,
    leagues,
    leastKept: parts.leastKept,
    onLearnAnew: parts.onLearnAnew,
    onError,
  });
  const dirty = new Set<number>();
  const waiters = new LearnedWaiters();
  const positions = new WorkPositions();
  const learning = new LearningLeagues({
    async readEnds() {
      await parts.waitUntilTakenIn?.();
      return retryWithBackoff(() => feed.endPositions(), { delay: realDelay, signal, onRetry: onError });
    },
    onTarget: () => settle(),
  });
  /** Whether what was learned is to be thrown away. */
  let isOutOfTrust = false;
  let isStarted = false;
  let isStopped = false;
  let isLoaded = false;
  let running: Promise<unknown> = Promise.resolve();
  let currentWork: Promise<void> | undefined;

  function handleRecords(records: readonly DomainRecord[]): void {
    for (const record of records) {
      const { type, data } = record;
      if (isReplayed(record)) continue;
      switch (type) {
        case 'EventScheduled':
        case 'EventRestated':
          dirty.add(data.eventId);
          break;
        case 'ScoreChanged':
          if (data.content.status === 'final') learning.noteResult(data.sport, data.league, data.eventId);
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

  const noteLate = (sport: string, league: string) => learning.noteLate(sport, league);

  async function pause(): Promise<void> {
    if (!isLoaded) signal.throwIfAborted();
    const isAwaited = isLoaded || waiters.hasImpatient;
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
      } else if (leagues.has(id)) {
        // It was merged into another event.
        leagues.remove(id);
        saver.remove(id);
      }
      await pause();
    }
  }

  /** What was learned counts for nothing from now on. Call `learn` afterwards. */
  function distrust(): void {
    if (!isOutOfTrust) learning.begin();
    isOutOfTrust = true;
    positions.noteWork();
  }

  /** Forgets everything, and reads all events from the log. */
  async function readAllAnew(): Promise<void> {
    await waitUntilProjected(signal);
    leagues.clear();
    await saver.clear();
    await readFinished();
    isOutOfTrust = false;
  }

  /** Reads the finished events that are not known. */
  async function readFinished(): Promise<void> {
    for await (const ids of finishedEvents({ store, signal })) {
      await readDirty(ids.filter((id) => !leagues.has(id)));
      await saver.saveIfMany(positions.read, false);
    }
  }

  /** Learns the dirty events until none is left. */
  async function work(): Promise<void> {
    let hasReadAnew = false;
    for (let attempt = 0; positions.isBehind && !signal.aborted; ) {
      positions.take();
      const ids = [...dirty];
      try {
        if (isOutOfTrust) {
          await readAllAnew();
          hasReadAnew = true;
        } else await readDirty(ids);
        await leagues.learn(pause, noteLate);
        positions.finish();
        attempt = 0;
      } catch (error) {
        for (const id of ids) dirty.add(id);
        positions.putBack();
        onError(error);
        if (saver.isDamaged) distrust();
        await realDelay(backoffAfter(++attempt), signal).catch(() => {});
      }
    }
    if (dirty.size > 0) return;
    if (hasReadAnew) await saver.save(positions.read);
    else await saver.saveIfMany(positions.read);
  }

  function learn(): void {
    if (!positions.isBehind || currentWork || signal.aborted) return;
    currentWork = work().finally(() => {
      currentWork = undefined;
      learn();
      settle();
    });
  }

  /** Call whenever something was read or learned. */
  function settle(): void {
    if (isLoaded && !currentWork) learning.settle(positions.read);
    resolveWaiting();
  }

  function resolveWaiting(): void {
    const isIdle = isLoaded && !currentWork && learning.isEmpty;
    waiters.resolve((position) => !isStarted || signal.aborted || (isIdle && hasRead(position)));
  }

  function hasRead(position: FeedPosition): boolean {
    if (position === null) return true;
    if (typeof position === 'bigint') return !isBefore(positions.furthest, position);
    return hasReachedPositions(positions.read, position);
  }

  /** Loads what is already in the log: rankings first, because the results depend on them. */
  async function load(ends: ReadonlyMap<string, Position | null>): Promise<void> {
    for await (const records of playerRecords({ log, store, signal })) {
      handleRecords(records);
      await pause();
    }
    const restored = await saver.restore(ends, pause);
    positions.startAt(restored?.places ?? ends);
    // What an earlier attempt went on from is gone.
    if (!restored && leagues.lacksOld) leagues.clear();
    for (const { league, memory, old } of restored?.memories ?? []) leagues.goOnFrom(league, memory, old);
    for (const story of restored?.stories ?? []) {
      leagues.put(story);
      await pause();
    }
    if (!restored?.isComplete) await readFinished();
    await leagues.learn(pause, noteLate);
    signal.throwIfAborted();
    await saver.save(positions.read);
  }

  async function run(): Promise<void> {
    const ends = await feed.endPositions();
    await waitUntilProjected(signal);
    signal.throwIfAborted();
    await retryWithBackoff(() => load(ends), { delay: realDelay, signal, onRetry: onError });
    isLoaded = true;
    learning.setTarget(ends);
    if (isOutOfTrust) {
      positions.noteWork();
      learn();
    }
    const following = {
      readers: 'all' as const,
      after: (partition: string) => positions.read.get(partition) ?? null,
      types: LEARNED_TYPES,
      batchSize: RECORDS_PER_BATCH,
      bufferLimit: 2 * RECORDS_PER_BATCH,
      signal,
      delay: realDelay,
      onRetry: onError,
    };
    settle();
    await followRecordFeed(feed, following, ({ partition, position, ...message }) => {
      if (message.kind === 'records') {
        handleRecords(message.records as readonly DomainRecord[]);
        saver.countRecords(message.records.length);
        if (dirty.size > 0 || leagues.isBehind) positions.noteWork();
      }
      positions.noteRead(partition, position);
      learn();
      settle();
    });
  }

  /** A history for readers. If stored results that it needs are lost, everything is learned anew. */
  async function historyOf(league: LeagueLearner, moment: number, knownBefore: number) {
    try {
      return await league.historyAt(moment, knownBefore);
    } catch (error) {
      if (!saver.isDamaged) throw error;
      onError(error);
      distrust();
      learn();
      return 'learning';
    }
  }

  return {
    start() {
      isStarted = true;
      learning.begin();
      running = run().catch((error: unknown) => {
        if (signal.aborted) return;
        isStopped = true;
        onError(error);
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
      const isLearning = () => learning.has(story.sport, story.league);
      if (isLearning()) return 'learning';
      const league = leagues.learnerOf(sport as SportSlug, story.league);
      // Facts that the server learned after the start must not revise a forecast that was made before it.
      const isLive = story.firstRecordedAt < story.closesAt;
      const knownBefore = Math.min(recordedBefore, isLive ? story.closesAt : Number.POSITIVE_INFINITY);
      const moment = Math.min(asOf ? asOf.at + 1 : Infinity, story.closesAt);
      const history = await historyOf(league, moment, knownBefore);
      if (history === 'learning' || isLearning()) return 'learning';
      const basis = `${league.version} ${facts} ${learning.begun}`;
      return new EventForecasts({ story, model: league.model, history, rankings, basis, isLearning });
    },
    async leagueForecasts(sport, league, asOf) {
      if (learning.has(sport, league)) return 'learning';
      const before = asOf ? asOf.at + 1 : Number.POSITIVE_INFINITY;
      const recordedBefore = asOf?.basis === 'recorded' ? before : Number.POSITIVE_INFINITY;
      const learner = leagues.learnerOf(sport, league);
      const history = await historyOf(learner, before, recordedBefore);
      if (history === 'learning' || learning.has(sport, league)) return 'learning';
      if (history.countResultsBefore(before) < MIN_RESULTS) return null;
      const nobody = { home: null, away: null };
      return {
        modelVersion: learner.model.version,
        forecast: ({ home, away, startsAt, isNeutral }) =>
          history.forecastAt(before, {
            ...{ league, startsAt, home: String(home), away: String(away), isNeutral },
            ...{ surface: null, bestOf: null, ranks: nobody, starters: nobody },
          }),
      };
    },
    waitWhileLearning: (aborted) => learning.waitUntilEmpty(aborted),
    follower: () => ({
      name: 'forecasts',
      position: isLoaded ? positions.done : null,
      state: !isStarted ? 'idle' : isStopped ? 'stopped' : learning.isEmpty ? 'live' : 'catching-up',
    }),
    hasForecasts: (sport, league) => leagues.learnerOf(sport, league).knownEvents >= MIN_RESULTS,
    waitUntilLearned(position, aborted, isPatient = false) {
      const reached = waiters.wait(position, isPatient, aborted);
      resolveWaiting();
      return reached;
    },
    async learnAnew() {
      if (!isStarted || signal.aborted) return saver.clear();
      distrust();
      if (isLoaded) learn();
      await learning.waitUntilEmpty(signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
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
      if (isLoaded && dirty.size === 0) await saver.save(positions.read);
    },
  };
}
