import type { EventDocument } from '../../../projections/sports-events/events.ts';
import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { FollowerStatus } from '../../event-log/subscription/follow-record-feed.ts';
import type { RecordFeed } from '../../event-log/subscription/record-feed.ts';
import type { Forecast } from '../../intelligence/models/model.ts';
import type { AsOf } from '../../read-models/as-of/as-of.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import type { EventForecasts } from './event-forecasts.ts';
import type { FeedPosition } from './learned-waiters.ts';
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
  /** Resolves when the log has what this process is taking in now. Absent: it takes nothing in. */
  readonly waitUntilTakenIn?: (() => Promise<unknown>) | undefined;
  /** Fewer old results of a league than this are learned again at each start; default 2,000. */
  readonly leastKept?: number | undefined;
  /** Told when what was stored cannot be used, and why. */
  readonly onLearnAnew?: ((reason: string) => void) | undefined;
  readonly onError: (error: unknown) => void;
}

/** What the operations need of the service. */
export interface ForecastReader {
  /**
   * The forecasts of the server's own model for an event; null if its start is not known. `learning`: the results of its
   * league are not all learned, so there are none for now.
   */
  forecastsOf(
    event: Pick<EventDocument, 'id' | 'sport'>,
    asOf: AsOf | undefined,
  ): Promise<EventForecasts | 'learning' | null>;
  /**
   * The forecasts of any games of a league from what was known at a moment; now unless told. Null while fewer than 100
   * results were known. `learning`: see `forecastsOf`.
   */
  leagueForecasts(
    sport: SportSlug,
    league: string,
    asOf: AsOf | undefined,
  ): Promise<LeagueForecasts | 'learning' | null>;
}

/** What the model of a league expects at one moment. */
export interface LeagueForecasts {
  /** For example `soccer-1.0`. */
  readonly modelVersion: string;
  /** @param game ids of teams; when it starts, in milliseconds */
  forecast(game: {
    readonly home: number;
    readonly away: number;
    readonly startsAt: number;
    readonly isNeutral: boolean;
  }): Forecast;
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
  /** Resolves when no league is being learned. Rejects when the signal is aborted. */
  waitWhileLearning(signal: AbortSignal): Promise<void>;
  /** How far everything is learned. */
  follower(): FollowerStatus;
  /** Whether enough results of a league are known to forecast its events. */
  hasForecasts(sport: SportSlug, league: string): boolean;
  /**
   * Throws away everything that was learned and what is stored of it, and learns anew from the log. Until then there are
   * no forecasts. Resolves when it is done, or when the service closes; when it was never started, there is nothing
   * learned, and only what is stored is thrown away.
   */
  learnAnew(): Promise<void>;
  readonly size: CacheSize;
  close(): Promise<void>;
}
