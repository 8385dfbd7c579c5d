import { NEVER, type Observable } from 'rxjs';
import { ONE_PARTITION, partitionName } from '../../domain/event-sourcing/partition-of.ts';
import type { PartitionPositions, Position } from '../../domain/event-sourcing/position.ts';
import type { Projection } from '../../domain/event-sourcing/projection.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { createFeedEndPositions } from '../../event-log/subscription/feed-end-positions.ts';
import type { RecordFeed } from '../../event-log/subscription/record-feed.ts';
import { PARTITIONS, type Topics } from '../../messaging/broker/topics.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { DocumentChanges } from '../../read-models/projector/document-changes.ts';
import { createStaleness } from '../../read-models/projector/partitioned/staleness.ts';
import {
  readStoredStatuses,
  type StoredStatusParts,
} from '../../read-models/projector/partitioned/stored-projection-status.ts';
import { createPartitionedProgress } from '../../read-models/projector/progress/partitioned-progress.ts';
import { createPolledProgress } from '../../read-models/projector/progress/polled-progress.ts';
import type { WaitOptions } from '../../read-models/projector/progress/waiters.ts';
import type { ProjectionRunner } from '../../read-models/projector/projection-runner.ts';
import type { ProjectionStatus } from '../../read-models/projector/projection-status.ts';
import type { LogPartitioning } from '../../read-models/projector/verify/verify-projection.ts';

export interface ClusterViewParts extends Pick<StoredStatusParts, 'checkpointsOf'> {
  readonly projections: readonly Projection[];
  readonly log: Pick<EventLog, 'head' | 'readAll' | 'recordAt'>;
  readonly feed: Pick<RecordFeed, 'endPositions'>;
  /** Document changes that projectors publish; absent: none are published. */
  readonly changes?: Observable<DocumentChanges> | undefined;
  /** Whether the feed is known to be unavailable. */
  readonly isFeedAway: () => boolean;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  /** How the feed is partitioned; default: as in production. */
  readonly division?: ReturnType<typeof feedDivision>;
}

/** What a process without projections knows about the processes that project. */
export interface ClusterView extends Pick<ProjectionRunner, 'status' | 'waitFor' | 'documentChanges'> {
  /** Resolves when the read models reflect these positions; without positions, everything in the log now. */
  projected(places?: PartitionPositions, options?: WaitOptions): Promise<void>;
  /** The same, but fails at once if nobody can project. @throws UnavailableError at once while the feed is unavailable */
  projectedSoon(places?: PartitionPositions, options?: WaitOptions): Promise<void>;
  /** The age of the documents in whole seconds; undefined: not much older than usual. */
  staleSeconds(): number | undefined;
  /** Looks every second from now on. Without it `status` and `staleSeconds` know nothing: most roles ask neither. */
  startLooking(): void;
  close(): void;
}

const LOOK_EVERY_MS = 1000;
/** So many times in turn only the end of the log is read, because nothing was missing when it was the same. */
const MAX_SHORT_LOOKS = 2;
const AWAY_LOOK_EVERY_MS = 250;
/** Documents older than this are reported as stale. */
const USUAL_AGE_MS = 5000;

/** Maps `meta.partition` of a record to the partition of the feed. */
export const feedDivision = ({ partitions }: Pick<Topics, 'partitions'> = { partitions: PARTITIONS }) => ({
  partitionOf: (key: string): string => partitionName(key, partitions),
  partitions: new Set(Array.from({ length: partitions }, (_, index) => String(index))) as ReadonlySet<string>,
});
export const { partitionOf: feedPartitionOf, partitions: FEED_PARTITIONS } = feedDivision();

/** How projecting processes partition the log. */
export const FEED_DIVISION: LogPartitioning = { partitions: [...FEED_PARTITIONS], partitionOf: feedPartitionOf };

export function createClusterView(parts: ClusterViewParts): ClusterView {
  const { projections, log, feed, checkpointsOf, changes: documentChanges = NEVER, isFeedAway, now, setTimer } = parts;
  const { division = feedDivision() } = parts;
  const named = (isUndivided: boolean) =>
    projections.filter((one) => (one.needsWholeLog ?? false) === isUndivided).map(({ name }) => name);

  const feedEnds = createFeedEndPositions({ feed, log, partitionOf: feedPartitionOf, isUnavailable: isFeedAway });
  const staleness = createStaleness();

  async function ends(): Promise<PartitionPositions> {
    const found = await feed.endPositions();
    return new Map([...found].flatMap(([partition, end]) => (end === null ? [] : [[partition, end] as const])));
  }
  async function wholeEnd(): Promise<PartitionPositions> {
    const head = await log.head();
    return new Map(head === null ? [] : [[ONE_PARTITION, head]]);
  }

  const partitioned = createPolledProgress({
    projections: named(false),
    checkpointsOf,
    readEnds: ends,
    setTimer,
  });
  const unpartitioned = createPolledProgress({
    projections: named(true),
    checkpointsOf,
    readEnds: wholeEnd,
    setTimer,
  });
  const progress = createPartitionedProgress({
    partitioned,
    unpartitioned,
    ...division,
  });
  /** Wakes the waiters at once, instead of at the next poll. */
  const subscription = documentChanges.subscribe(() => {
    partitioned.wake();
    unpartitioned.wake();
  });

  let statuses: readonly ProjectionStatus[] = projections.map(({ name, version }) => ({
    name,
    version,
    state: 'catching-up',
    position: null,
    lag_events: 0,
    lag_seconds: 0,
  }));
  let cancel = (): void => {};
  let isClosed = false;
  /** The end of the log at the last whole look, if nothing was missing. */
  let shownEnd: Position | null | undefined;
  let shortLooks = 0;

  async function look(): Promise<void> {
    const onPoll: StoredStatusParts['onPoll'] = (found, places) => staleness.recordPoll(now(), found, places);
    try {
      const end = await log.head();
      if (end !== shownEnd || shortLooks >= MAX_SHORT_LOOKS) {
        statuses = await readStoredStatuses({
          log,
          feed: { endPositions: feedEnds },
          partitionOf: division.partitionOf,
          projections,
          checkpointsOf,
          onPoll,
        });
        shownEnd = statuses.every(({ lag_events }) => lag_events === 0) ? end : undefined;
        shortLooks = 0;
      } else shortLooks++;
    } catch {
      // The engine watch reports it. The last known status stays.
    }
    if (!isClosed) cancel = setTimer(() => void look(), LOOK_EVERY_MS);
  }

  const projected: ClusterView['projected'] = (places, options) =>
    places && places.size > 0 ? progress.waitFor(places, options) : progress.waitForEnd(options);

  /** Polls the feed while it waits, so that a waiter fails soon after the feed became unavailable. */
  async function projectedSoon(places?: PartitionPositions, options: WaitOptions = {}): Promise<void> {
    const away = () => new UnavailableError('Nothing is projected now.');
    if (isFeedAway()) throw away();
    const ending = new AbortController();
    const lookAgain = (): (() => void) =>
      setTimer(() => {
        if (isFeedAway()) ending.abort(away());
        else cancelLook = lookAgain();
      }, AWAY_LOOK_EVERY_MS);
    let cancelLook = lookAgain();
    const signals = options.signal ? [options.signal, ending.signal] : [ending.signal];
    try {
      await projected(places, { ...options, signal: AbortSignal.any(signals) });
    } finally {
      cancelLook();
    }
  }

  return {
    documentChanges,
    projectedSoon,
    staleSeconds() {
      const age = staleness.age(now());
      return age > USUAL_AGE_MS ? Math.floor(age / 1000) : undefined;
    },
    status: () => statuses,
    startLooking: () => void look(),
    waitFor: (position, options) => projected(new Map([[ONE_PARTITION, position]]), options),
    projected,
    close() {
      isClosed = true;
      cancel();
      subscription.unsubscribe();
      const reason = new Error('the process stops');
      partitioned.end(reason);
      unpartitioned.end(reason);
    },
  };
}
