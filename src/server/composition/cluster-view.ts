import { NEVER, type Observable } from 'rxjs';
import { ONE_PARTITION, partitionName } from '../../domain/partition-of.ts';
import type { Places } from '../../domain/position.ts';
import type { Projection } from '../../domain/projection.ts';
import { Unavailable } from '../../domain/unavailable.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import { lastingEnds } from '../../event-log/lasting-ends.ts';
import type { RecordFeed } from '../../event-log/record-feed.ts';
import { PARTITIONS, type Topics } from '../../messaging/topics.ts';
import type { SetTimer } from '../../platform/time/timer.ts';
import type { CommittedChanges } from '../../read-models/projector/changes.ts';
import { dividedProgress } from '../../read-models/projector/partitioned/divided-progress.ts';
import { createStaleness } from '../../read-models/projector/partitioned/staleness.ts';
import { type StoredStatusParts, storedStatuses } from '../../read-models/projector/partitioned/stored-status.ts';
import { pollProgress } from '../../read-models/projector/polled-progress.ts';
import type { ProjectionRunner } from '../../read-models/projector/projection-runner.ts';
import type { ProjectionStatus } from '../../read-models/projector/runner-status.ts';
import type { Division } from '../../read-models/projector/verify.ts';
import type { WaitOptions } from '../../read-models/projector/waiters.ts';

export interface ClusterViewParts extends Pick<StoredStatusParts, 'placesOf'> {
  readonly projections: readonly Projection[];
  readonly log: Pick<EventLog, 'head' | 'readAll' | 'recordAt'>;
  readonly feed: Pick<RecordFeed, 'ends'>;
  /** What the projectors tell of what they change; absent: nobody tells. */
  readonly changes?: Observable<CommittedChanges> | undefined;
  /** Whether it is known that the feed cannot be asked. */
  readonly isFeedAway: () => boolean;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  /** How the feed is divided; as it ships unless told. */
  readonly division?: ReturnType<typeof feedDivision>;
}

/** What a process that does not project knows of those that do. */
export interface ClusterView extends Pick<ProjectionRunner, 'status' | 'waitFor' | 'changes'> {
  /** Resolves when the read models show everything up to these places; without any, all that is in the log now. */
  projected(places?: Places, options?: WaitOptions): Promise<void>;
  /** The same for somebody who is not to wait where nobody projects. @throws Unavailable at once while the feed is away */
  projectedSoon(places?: Places, options?: WaitOptions): Promise<void>;
  /** How old the documents are, in whole seconds; undefined: not much older than usual. */
  staleSeconds(): number | undefined;
  close(): void;
}

const LOOK_EVERY_MS = 1000;
const AWAY_LOOK_EVERY_MS = 250;
/** Documents are told to be old beyond that. */
const USUAL_AGE_MS = 5000;

/** The partition of the feed in which records with this `meta.partition` come. */
export const feedDivision = ({ partitions }: Pick<Topics, 'partitions'> = { partitions: PARTITIONS }) => ({
  partitionOf: (key: string): string => partitionName(key, partitions),
  partitions: new Set(Array.from({ length: partitions }, (_, index) => String(index))) as ReadonlySet<string>,
});
export const { partitionOf: feedPartitionOf, partitions: FEED_PARTITIONS } = feedDivision();

/** How the processes that project divide the log. */
export const FEED_DIVISION: Division = { partitions: [...FEED_PARTITIONS], partitionOf: feedPartitionOf };

export function createClusterView(parts: ClusterViewParts): ClusterView {
  const { projections, log, feed, placesOf, changes = NEVER, isFeedAway, now, setTimer } = parts;
  const { division = feedDivision() } = parts;
  const named = (isUndivided: boolean) =>
    projections.filter((one) => (one.isUndivided ?? false) === isUndivided).map(({ name }) => name);

  const feedEnds = lastingEnds({ feed, log, partitionOf: feedPartitionOf, isAway: isFeedAway });
  const staleness = createStaleness();

  async function ends(): Promise<Places> {
    const found = await feed.ends();
    return new Map([...found].flatMap(([partition, end]) => (end === null ? [] : [[partition, end] as const])));
  }
  async function wholeEnd(): Promise<Places> {
    const head = await log.head();
    return new Map(head === null ? [] : [[ONE_PARTITION, head]]);
  }

  const divided = pollProgress({ projections: named(false), placesOf, ends, setTimer });
  const undivided = pollProgress({ projections: named(true), placesOf, ends: wholeEnd, setTimer });
  const progress = dividedProgress({
    ...{ divided, undivided, ...division },
  });
  /** Something has changed: who waits need not wait for the next look. */
  const told = changes.subscribe(() => {
    divided.wake();
    undivided.wake();
  });

  let statuses: readonly ProjectionStatus[] = projections.map(({ name, version }) => ({
    ...{ name, version, state: 'catching-up', position: null, lag_events: 0, lag_seconds: 0 },
  }));
  let cancel = (): void => {};
  let isClosed = false;

  async function look(): Promise<void> {
    const onLook: StoredStatusParts['onLook'] = (found, places) => staleness.looked(now(), found, places);
    try {
      statuses = await storedStatuses({
        ...{ log, feed: { ends: feedEnds }, partitionOf: division.partitionOf, projections, placesOf, onLook },
      });
    } catch {
      // Who is away is known elsewhere; what was known stands.
    }
    if (!isClosed) cancel = setTimer(() => void look(), LOOK_EVERY_MS);
  }
  void look();

  const projected: ClusterView['projected'] = (places, options) =>
    places && places.size > 0 ? progress.reached(places, options) : progress.reachedEnd(options);

  /** Whether the feed is away is looked at all the time: whoever waits is told soon after. */
  async function projectedSoon(places?: Places, options: WaitOptions = {}): Promise<void> {
    const away = () => new Unavailable('Nothing is projected now.');
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
    changes,
    projectedSoon,
    staleSeconds() {
      const age = staleness.age(now());
      return age > USUAL_AGE_MS ? Math.floor(age / 1000) : undefined;
    },
    status: () => statuses,
    waitFor: (position, options) => projected(new Map([[ONE_PARTITION, position]]), options),
    projected,
    close() {
      isClosed = true;
      cancel();
      told.unsubscribe();
      const reason = new Error('the process stops');
      divided.end(reason);
      undivided.end(reason);
    },
  };
}
