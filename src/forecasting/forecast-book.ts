import { type EventDocument, events } from '../../projections/events.ts';
import { players } from '../../projections/players.ts';
import type { AsOf } from '../as-of/as-of.ts';
import type { CacheSize } from '../domain/cache-size.ts';
import { SPORT_SLUGS, type SportSlug } from '../domain/catalogue.ts';
import { type DomainEventType, type DomainRecord, streams } from '../domain/domain-events.ts';
import { timeOf } from '../domain/observation.ts';
import { isBefore, type Position } from '../domain/position.ts';
import { FEWEST_RESULTS } from '../intelligence/facts/forecaster.ts';
import { modelOf } from '../intelligence/models/index.ts';
import type { EventLog } from '../log/event-log.ts';
import { follow } from '../log/follow.ts';
import type { RecordFeed } from '../log/record-feed.ts';
import type { ReadStore } from '../store/read-store.ts';
import { breathe } from '../time/breathe.ts';
import { delayAfter, realDelay, withRetries } from '../time/retry.ts';
import { EventForecasts } from './event-forecasts.ts';
import { LeagueForecasts } from './league-forecasts.ts';
import { Rankings, rankingIn } from './rankings.ts';
import { readStory } from './read-story.ts';

export interface ForecastBookParts {
  readonly log: EventLog;
  readonly feed: RecordFeed;
  readonly store: Pick<ReadStore, 'find'>;
  /** Resolves when the read models show everything that is in the log by now. */
  readonly projected: (signal: AbortSignal) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

/** What the operations ask of it. */
export interface Forecasts {
  /** What the server's own model says of an event; null of one that it knows no start of. */
  of(event: Pick<EventDocument, 'id' | 'sport'>, asOf: AsOf | undefined): Promise<EventForecasts | null>;
}

export interface ForecastBook extends Forecasts {
  start(): void;
  /** Resolves when everything up to a place in the log is learnt; at once where it was never started, or is closed.
   *  Rejects when the signal is aborted. */
  reached(position: Position | null, signal?: AbortSignal): Promise<void>;
  /** Whether enough results of a league are known that events of it have forecasts. */
  forecasts(sport: SportSlug, league: string): boolean;
  readonly size: CacheSize;
  close(): Promise<void>;
}

/** What forecasts are made of. */
const TYPES: ReadonlySet<string> = new Set<DomainEventType>([
  'EventScheduled',
  'ScoreChanged',
  'BoxChanged',
  'LineupChanged',
  'PlayerChanged',
]);
/** So many records come at once. */
const RECORDS = 1000;
/** So many events are read at once. */
const PAGE = 50;
/** Results beyond this are told as too many in the metrics; none is dropped, for every forecast rests on all. */
const MOST_BYTES = 512 * 1024 * 1024;

/**
 * Follows the log and keeps, for each league, what its model has learnt of all results. Nothing of it is stored: at the
 * start it reads the results anew, beside everything else.
 */
export function createForecastBook({ log, feed, store, projected, onError }: ForecastBookParts): ForecastBook {
  const stopping = new AbortController();
  const { signal } = stopping;
  const leagues = new Map<string, LeagueForecasts>();
  const rankings = new Rankings();
  const dirty = new Set<number>();
  const waiting = new Set<{ readonly position: Position | null; readonly resolve: () => void }>();
  /** Everything up to here is learnt, or stands in `dirty`. */
  let read: Position | null = null;
  let isStarted = false;
  let isLoaded = false;
  let running: Promise<unknown> = Promise.resolve();
  let working: Promise<void> | undefined;

  function leagueOf(sport: SportSlug, league: string): LeagueForecasts {
    const key = `${sport} ${league}`;
    const known = leagues.get(key);
    if (known) return known;
    const made = new LeagueForecasts(modelOf(sport, league), rankings.ofSides);
    leagues.set(key, made);
    return made;
  }

  function take(records: readonly DomainRecord[]): void {
    for (const record of records) {
      const { type, data } = record;
      switch (type) {
        case 'EventScheduled':
          dirty.add(data.eventId);
          break;
        case 'ScoreChanged':
          if (data.content.status === 'final' || isLearnt(data.eventId)) dirty.add(data.eventId);
          break;
        case 'BoxChanged':
        case 'LineupChanged':
          if (isLearnt(data.eventId)) dirty.add(data.eventId);
          break;
        case 'PlayerChanged':
          rank(record);
      }
    }
  }

  const isLearnt = (id: number): boolean => [...leagues.values()].some((league) => league.has(id));

  function rank(record: Extract<DomainRecord, { type: 'PlayerChanged' }>): void {
    const ranking = rankingIn(record);
    if (!ranking || !rankings.take(ranking)) return;
    for (const [key, league] of leagues) if (key.startsWith(`${record.data.sport} `)) league.spoil(ranking.at);
  }

  const isBehind = (): boolean => dirty.size > 0 || [...leagues.values()].some((league) => league.isBehind);

  /** Learns what is dirty, until nothing is. */
  async function work(): Promise<void> {
    for (let attempt = 0; isBehind() && !signal.aborted; ) {
      const ids = [...dirty].slice(0, PAGE);
      try {
        for (const id of ids) {
          // Before it is read: what comes meanwhile makes it dirty again.
          dirty.delete(id);
          const story = await readStory(log, id);
          if (story) leagueOf(story.sport, story.league).put(story);
          await breathe();
        }
        for (const league of leagues.values()) await league.learn();
        attempt = 0;
      } catch (error) {
        for (const id of ids) dirty.add(id);
        onError(error);
        await realDelay(delayAfter(++attempt), signal).catch(() => {});
      }
    }
  }

  function learn(): void {
    working ??= work().finally(() => {
      working = undefined;
      if (isBehind() && !signal.aborted) learn();
      else tell();
    });
  }

  function tell(): void {
    for (const one of waiting) {
      if (isStarted && !signal.aborted && (!isLoaded || working || isBefore(read, one.position))) continue;
      waiting.delete(one);
      one.resolve();
    }
  }

  /** What stands in the log already: rankings first, for what is learnt rests on them. */
  async function load(): Promise<void> {
    for await (const ids of pages<{ id: number }>(players.name, { sport: 'tennis' }, undefined)) {
      const told = await log.readStreams(ids.map((id) => streams.player(id)));
      take((told.flat() as DomainRecord[]).filter(({ type }) => type === 'PlayerChanged'));
      await breathe();
    }
    for (const sport of SPORT_SLUGS) {
      for await (const ids of pages<EventDocument>(events.name, { sport, status: 'final' }, 'starts_at')) {
        for (const id of ids) dirty.add(id);
        learn();
        await working;
      }
    }
  }

  async function* pages<Doc extends { id: number }>(
    projection: string,
    where: Readonly<Record<string, string>>,
    field: 'starts_at' | undefined,
  ): AsyncGenerator<number[]> {
    let after: { value: number; id: number } | undefined;
    for (;;) {
      signal.throwIfAborted();
      const page = await store.find<Doc>(projection, {
        where,
        ...(field ? { order: { field, direction: 'asc' } } : {}),
        ...(after ? { after } : {}),
        limit: PAGE,
      });
      yield page.map(({ document }) => document.id);
      const last = page.at(-1)?.document;
      if (!last || page.length < PAGE) return;
      const value = field ? timeOf((last as unknown as EventDocument).event.schedule!.starts_at) : last.id;
      after = { value, id: last.id };
    }
  }

  async function run(): Promise<void> {
    const ends = await feed.ends();
    await projected(signal);
    signal.throwIfAborted();
    await withRetries(load, { delay: realDelay, signal, onRetry: onError });
    isLoaded = true;
    const following = {
      ...{ readers: 'all' as const, after: (partition: string) => ends.get(partition) ?? null, types: TYPES },
      ...{ batchSize: RECORDS, bufferLimit: 2 * RECORDS, signal, delay: realDelay, onRetry: onError },
    };
    for (const end of ends.values()) if (isBefore(read, end)) read = end;
    tell();
    await follow(feed, following, (message) => {
      if (message.kind === 'records') {
        take(message.records as readonly DomainRecord[]);
        learn();
      }
      if (isBefore(read, message.position)) read = message.position;
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
    async of({ id, sport }, asOf) {
      const heardBefore = asOf?.basis === 'recorded' ? asOf.at + 1 : Number.POSITIVE_INFINITY;
      const story = await readStory(log, id, {
        isCounted: ({ recordedAt }) => Date.parse(recordedAt) < heardBefore,
      });
      if (!story) return null;
      const league = leagueOf(sport as SportSlug, story.league);
      // What was forecast before the start is not revised after it by what the server hears then.
      const isLive = story.heardAt < story.closesAt;
      const heard = Math.min(heardBefore, isLive ? story.closesAt : Number.POSITIVE_INFINITY);
      const history = await league.historyAt(Math.min(asOf ? asOf.at + 1 : Infinity, story.closesAt), heard);
      return new EventForecasts(story, league.model, history, rankings);
    },
    forecasts: (sport, league) => leagueOf(sport, league).size >= FEWEST_RESULTS,
    reached(position, aborted) {
      return new Promise((resolve, reject) => {
        aborted?.throwIfAborted();
        const abort = () => waiting.delete(one) && reject(aborted!.reason);
        const one = {
          position,
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
      let bytes = 0;
      for (const league of leagues.values()) bytes += league.bytes;
      return { bytes, limit: MOST_BYTES };
    },
    async close() {
      stopping.abort();
      tell();
      await running;
      await working;
    },
  };
}
