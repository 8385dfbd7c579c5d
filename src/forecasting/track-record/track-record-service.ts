import { isDeepStrictEqual } from 'node:util';
import { SPORT_SLUGS, type SportSlug } from '../../domain/catalogue/catalogue.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import { formatDate, MINUTE, SECOND, utcMidnightOf } from '../../domain/primitives/time.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { BlendTurns } from '../../intelligence/evaluation/blend-weight.ts';
import {
  isPublishedAt,
  NEVER_PUBLISHED,
  type PublicationTimes,
} from '../../intelligence/evaluation/publication-rule.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import { blendTurnsIn, type CountedTrackRecord } from './count-track-record.ts';
import type { TrackRecord } from './track-record.ts';

/** Stores the last count of the track record, so that a restart has it. */
export interface TrackRecordStore {
  /** Undefined if there is none. */
  read(): Promise<StoredTrackRecord | undefined>;
  write(count: StoredTrackRecord): Promise<void>;
}

export interface StoredTrackRecord {
  /** What the count depends on beside the log. */
  readonly basis: string;
  /** JSON. */
  readonly counted: string;
}

export interface TrackRecordServiceParts {
  readonly log: Pick<EventLog, 'head' | 'onCommitted'>;
  readonly store: TrackRecordStore;
  /**
   * What a count until a UTC midnight (milliseconds) depends on beside the facts about games: versions of the models,
   * weights of bookmakers as they are known now. A stored count with another basis is ignored, and what was counted is
   * counted again when its basis has changed.
   */
  readonly basisAt: (until: number) => string;
  /** Counts all facts before a UTC midnight (milliseconds). Rejects when the signal is aborted. */
  readonly count: (until: number, signal: AbortSignal) => Promise<CountedTrackRecord>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** `now` is a monotonic clock. */
  readonly pace: { readonly now: () => number; readonly setTimer: SetTimer };
  readonly onError: (error: unknown) => void;
}

/**
 * Counts the track record at each UTC midnight, and again when late facts from before the midnight have stopped
 * arriving.
 */
export interface TrackRecordService extends TrackRecord {
  /** Starts to count regularly. Resolves when the stored count has been loaded. */
  start(): Promise<void>;
  readonly size: CacheSize;
  close(): Promise<void>;
}

/** Right after the start, other work is more urgent. */
const FIRST_COUNT_AFTER = 2 * SECOND;
const CHECK_EVERY = 5 * SECOND;
/** Counting takes at most a fifth of a thread's time, and begins no sooner than this after the last count. */
const MIN_PAUSE = 30 * SECOND;
const PAUSE_FACTOR = 4;
const PAUSE_AFTER_FAILURE = 10 * MINUTE;
/** How long a caller waits for the first count. */
const FIRST_COUNT_TIMEOUT = 10 * SECOND;

const GAME_STREAMS = /^(?:event|box|lineup|odds|player)-/;

export function createTrackRecordService(parts: TrackRecordServiceParts): TrackRecordService {
  const { log, store, basisAt, now, pace, onError } = parts;
  const stopping = new AbortController();
  let counted: CountedTrackRecord | undefined;
  const blends = new Map<string, BlendTurns>();
  let bytes = 0;
  /** Of the last count, and at the last check: weights of many months come one after another. */
  const basis = { counted: '', seen: '' };
  /**
   * Numbers of facts from before the midnight: arrived since the start, covered by the last count, and seen at the last
   * check.
   */
  const facts = { arrived: 0, counted: 0, seen: 0 };
  let lastRun = { endedAt: Number.NEGATIVE_INFINITY, pause: 0 };
  let running: Promise<void> | undefined;
  let loading: Promise<void> | undefined;
  let cancelTimer = (): void => {};
  const listeners = new Set<(sports: readonly string[]) => void>();

  const stopListening = log.onCommitted((records) => {
    const today = formatDate(now());
    for (const record of records) if (isAboutPastGames(record, today)) facts.arrived++;
  });

  /** Loads the count from before the restart, if it belongs to this log. */
  const load = (): Promise<void> => (loading ??= loadOnce().catch(onError));

  async function loadOnce(): Promise<void> {
    const found = await store.read();
    if (!found) return;
    const record = JSON.parse(found.counted) as CountedTrackRecord;
    if (found.basis !== basisAt(record.until)) return;
    const head = await log.head();
    const isOfThisLog = record.position === null || (head !== null && BigInt(record.position) <= head);
    if (!isOfThisLog || record.until > utcMidnightOf(now()) || counted) return;
    adopt(record);
    basis.counted = found.basis;
    bytes = found.counted.length;
  }

  function run(): Promise<void> {
    running ??= runOnce().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function runOnce(): Promise<void> {
    const [begunAt, arrived] = [pace.now(), facts.arrived];
    let hasFailed = true;
    // Taken first: weights that come while it is counted may not be in the count.
    const until = utcMidnightOf(now());
    const own = basisAt(until);
    try {
      adopt(await parts.count(until, stopping.signal));
      facts.counted = arrived;
      basis.counted = own;
      hasFailed = false;
      const text = JSON.stringify(counted);
      bytes = text.length;
      await store.write({ basis: own, counted: text });
    } catch (error) {
      if (!stopping.signal.aborted) onError(error);
    } finally {
      const endedAt = pace.now();
      const pause = Math.max(MIN_PAUSE, PAUSE_FACTOR * (endedAt - begunAt));
      lastRun = { endedAt, pause: hasFailed ? PAUSE_AFTER_FAILURE : pause };
    }
  }

  function check(): void {
    const current = basisAt(utcMidnightOf(now()));
    const isQuiet = facts.arrived === facts.seen && current === basis.seen;
    facts.seen = facts.arrived;
    basis.seen = current;
    const hasNews = facts.arrived > facts.counted || current !== basis.counted;
    const isDue = counted?.until !== utcMidnightOf(now()) || (isQuiet && hasNews);
    if (isDue && pace.now() - lastRun.endedAt >= lastRun.pause) void run();
    cancelTimer = pace.setTimer(check, CHECK_EVERY);
  }

  async function firstCheck(): Promise<void> {
    const head = await log.head();
    const isCurrent =
      counted?.until === utcMidnightOf(now()) && counted.position === (head === null ? null : String(head));
    if (stopping.signal.aborted) return;
    if (!isCurrent && lastRun.endedAt === Number.NEGATIVE_INFINITY) void run();
    cancelTimer = pace.setTimer(check, CHECK_EVERY);
  }

  async function current(): Promise<CountedTrackRecord> {
    if (!counted) await load();
    if (!counted) await withinBound(run());
    if (!counted) throw new UnavailableError('The record is being counted for the first time.', 30);
    return counted;
  }

  /** Resolves when the work is done, or when it takes too long. */
  async function withinBound(work: Promise<void>): Promise<void> {
    let cancel = (): void => {};
    const bound = new Promise<void>((resolve) => {
      cancel = pace.setTimer(resolve, FIRST_COUNT_TIMEOUT);
    });
    await Promise.race([work, bound]);
    cancel();
  }

  const publicationsIn = (record: CountedTrackRecord | undefined, sport: string): PublicationTimes => {
    const markets = record?.sports[sport as SportSlug];
    if (!markets) return NEVER_PUBLISHED;
    const { h2h, spreads, totals } = markets;
    return { h2h: h2h.publications, spreads: spreads.publications, totals: totals.publications };
  };

  function adopt(record: CountedTrackRecord): void {
    const before = counted;
    counted = record;
    for (const sport of SPORT_SLUGS) if (record.sports[sport]) blends.set(sport, blendTurnsIn(record, sport));
    const hasChanged = (sport: string) =>
      !isDeepStrictEqual(publicationsIn(before, sport), publicationsIn(record, sport));
    const sports = SPORT_SLUGS.filter(hasChanged);
    if (sports.length > 0) for (const listener of listeners) listener(sports);
  }

  return {
    async rows(sport, market) {
      const { sports } = await current();
      return sports[sport as keyof typeof sports]?.[market].rows ?? [];
    },
    async months(sport, market) {
      const { sports } = await current();
      return sports[sport as SportSlug]?.[market].months ?? [];
    },
    publicationsOf: (sport) => publicationsIn(counted, sport),
    blendTurnsOf: (sport) => blends.get(sport) ?? null,
    async countedBlendTurnsOf(sport) {
      await current();
      return blends.get(sport) ?? null;
    },
    onPublications(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    reliabilityOf(sport, moment) {
      const markets = Object.values(publicationsIn(counted, sport));
      return markets.some((turns) => isPublishedAt(turns, moment)) ? 'established' : 'emerging';
    },
    async start() {
      await load();
      if (!stopping.signal.aborted)
        cancelTimer = pace.setTimer(() => void firstCheck().catch(onError), FIRST_COUNT_AFTER);
    },
    get size() {
      return { bytes, limit: undefined };
    },
    async close() {
      stopping.abort(new Error('the server stops'));
      stopListening();
      cancelTimer();
      await loading;
      await running;
    },
  };
}

/** Whether a record is about a game and was observed before this day (YYYY-MM-DD). Then it may change the count. */
function isAboutPastGames({ stream, data }: LogRecord, today: string): boolean {
  const { at } = data as { readonly at?: unknown };
  return typeof at === 'string' && at.slice(0, today.length) < today && GAME_STREAMS.test(stream);
}
