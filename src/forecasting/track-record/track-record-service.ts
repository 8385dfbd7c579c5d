import { isDeepStrictEqual } from 'node:util';
import { SPORT_SLUGS, type SportSlug } from '../../domain/catalogue/catalogue.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import { formatDate, MINUTE, SECOND } from '../../domain/primitives/time.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import {
  isPublishedAt,
  NEVER_PUBLISHED,
  type PublicationTimes,
  utcMidnightOf,
} from '../../intelligence/evaluation/publication-rule.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { CountedTrackRecord } from './count-track-record.ts';
import type { TrackRecord } from './track-record.ts';

/** Where the record that was counted last outlives the process. */
export interface TrackRecordStore {
  /** Undefined where there is none. */
  read(): Promise<StoredTrackRecord | undefined>;
  write(count: StoredTrackRecord): Promise<void>;
}

export interface StoredTrackRecord {
  /** What it rests on beside the log. */
  readonly basis: string;
  /** JSON. */
  readonly counted: string;
}

export interface TrackRecordServiceParts {
  readonly log: Pick<EventLog, 'head' | 'onCommitted'>;
  readonly store: TrackRecordStore;
  /** What a count rests on beside the log: versions of the models, weights of bookmakers. Of another one none counts. */
  readonly basis: string;
  /** Counts all that was told before a UTC midnight (milliseconds). Rejects when the signal is aborted. */
  readonly count: (until: number, signal: AbortSignal) => Promise<CountedTrackRecord>;
  /** Milliseconds. */
  readonly now: () => number;
  /** A clock that never goes back. */
  readonly pace: { readonly now: () => number; readonly setTimer: SetTimer };
  readonly onError: (error: unknown) => void;
}

/** Counts the record anew at each UTC midnight, and when facts of before it have come in and no more of them come. */
export interface TrackRecordService extends TrackRecord {
  /** From now on it counts without being asked. Resolves when what was kept is known again. */
  start(): Promise<void>;
  readonly size: CacheSize;
  close(): Promise<void>;
}

/** After a start others have much to do. */
const FIRST_COUNT_AFTER = 2 * SECOND;
const CHECK_EVERY = 5 * SECOND;
/** Counting takes at most a fifth of a thread's time, and begins no sooner after the last time than this. */
const MIN_PAUSE = 30 * SECOND;
const PAUSE_FACTOR = 4;
const PAUSE_AFTER_FAILURE = 10 * MINUTE;
/** So long a caller waits for the first count. */
const FIRST_COUNT_TIMEOUT = 10 * SECOND;

const GAME_STREAMS = /^(?:event|box|lineup|odds|player)-/;

export function createTrackRecordService(parts: TrackRecordServiceParts): TrackRecordService {
  const { log, store, basis, now, pace, onError } = parts;
  const stopping = new AbortController();
  let counted: CountedTrackRecord | undefined;
  let bytes = 0;
  /** Facts of before the midnight that have come since the start; those of the last count, and of the last look. */
  const facts = { come: 0, counted: 0, seen: 0 };
  let lastRun = { endedAt: Number.NEGATIVE_INFINITY, rest: 0 };
  let running: Promise<void> | undefined;
  let loading: Promise<void> | undefined;
  let cancelTimer = (): void => {};
  const listeners = new Set<(sports: readonly string[]) => void>();

  const stopListening = log.onCommitted((records) => {
    const today = formatDate(now());
    for (const record of records) if (isAboutPastGames(record, today)) facts.come++;
  });

  /** What was counted before the restart, where it still is of this log. */
  const load = (): Promise<void> => (loading ??= loadOnce().catch(onError));

  async function loadOnce(): Promise<void> {
    const found = await store.read();
    if (found?.basis !== basis) return;
    const record = JSON.parse(found.counted) as CountedTrackRecord;
    const head = await log.head();
    const isOfThisLog = record.position === null || (head !== null && BigInt(record.position) <= head);
    if (!isOfThisLog || record.until > utcMidnightOf(now()) || counted) return;
    adopt(record);
    bytes = found.counted.length;
  }

  function run(): Promise<void> {
    running ??= runOnce().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function runOnce(): Promise<void> {
    const [begunAt, come] = [pace.now(), facts.come];
    let hasFailed = true;
    try {
      adopt(await parts.count(utcMidnightOf(now()), stopping.signal));
      facts.counted = come;
      hasFailed = false;
      const text = JSON.stringify(counted);
      bytes = text.length;
      await store.write({ basis, counted: text });
    } catch (error) {
      if (!stopping.signal.aborted) onError(error);
    } finally {
      const endedAt = pace.now();
      const rest = Math.max(MIN_PAUSE, PAUSE_FACTOR * (endedAt - begunAt));
      lastRun = { endedAt, rest: hasFailed ? PAUSE_AFTER_FAILURE : rest };
    }
  }

  function look(): void {
    const isQuiet = facts.come === facts.seen;
    facts.seen = facts.come;
    const isDue = counted?.until !== utcMidnightOf(now()) || (isQuiet && facts.come > facts.counted);
    if (isDue && pace.now() - lastRun.endedAt >= lastRun.rest) void run();
    cancelTimer = pace.setTimer(look, CHECK_EVERY);
  }

  async function first(): Promise<void> {
    const head = await log.head();
    const isCurrent =
      counted?.until === utcMidnightOf(now()) && counted.position === (head === null ? null : String(head));
    if (stopping.signal.aborted) return;
    if (!isCurrent && lastRun.endedAt === Number.NEGATIVE_INFINITY) void run();
    cancelTimer = pace.setTimer(look, CHECK_EVERY);
  }

  async function current(): Promise<CountedTrackRecord> {
    if (!counted) await load();
    if (!counted) await withinBound(run());
    if (!counted) throw new UnavailableError('The record is being counted for the first time.', 30);
    return counted;
  }

  /** Resolves with the work, or when it takes too long. */
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
    const isOtherwise = (sport: string) =>
      !isDeepStrictEqual(publicationsIn(before, sport), publicationsIn(record, sport));
    const sports = SPORT_SLUGS.filter(isOtherwise);
    if (sports.length > 0) for (const listener of listeners) listener(sports);
  }

  return {
    async rows(sport, market) {
      const { sports } = await current();
      return sports[sport as keyof typeof sports]?.[market].rows ?? [];
    },
    publicationsOf: (sport) => publicationsIn(counted, sport),
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
      if (!stopping.signal.aborted) cancelTimer = pace.setTimer(() => void first().catch(onError), FIRST_COUNT_AFTER);
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

/** Whether a record tells of games, and of a day before this one (YYYY-MM-DD): it may change what was counted. */
function isAboutPastGames({ stream, data }: LogRecord, today: string): boolean {
  const { at } = data as { readonly at?: unknown };
  return typeof at === 'string' && at.slice(0, today.length) < today && GAME_STREAMS.test(stream);
}
