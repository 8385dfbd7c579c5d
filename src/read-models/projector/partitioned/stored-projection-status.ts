import { ONE_PARTITION } from '../../../domain/event-sourcing/partition-of.ts';
import {
  isBefore,
  type PartitionPositions,
  type Position,
  toPosition,
  toPositionOrNull,
} from '../../../domain/event-sourcing/position.ts';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import type { RecordFeed } from '../../../event-log/subscription/record-feed.ts';
import { readRecordedAt } from '../log-end.ts';
import type { ProjectionStatus } from '../projection-status.ts';
import { combinePartitionStatuses, type PartitionStatus } from './partition-status.ts';
import type { LogEnds, ProjectionPositions } from './staleness.ts';

export interface StoredStatusParts {
  readonly log: Pick<EventLog, 'head' | 'readAll' | 'recordAt'>;
  readonly feed: Pick<RecordFeed, 'endPositions'>;
  readonly partitionOf: (key: string) => string;
  readonly projections: readonly Projection[];
  /** Positions of the active generations in these partitions, by projection. Partitions without a checkpoint are left
   *  out. */
  readonly checkpointsOf: (
    projections: readonly string[],
    partitions: readonly string[],
  ) => Promise<ReadonlyMap<string, PartitionPositions>>;
  /** Called with the ends of the log, and with the positions of the projections read after them. */
  readonly onPoll?: ((ends: LogEnds, checkpoints: readonly ProjectionPositions[]) => void) | undefined;
}

/** Maximum number of records that are counted for the lag. */
const MAX_COUNTED_RECORDS = 1000;

/** Status of projections that other instances fold, from the store and the log: for each projection the lowest position
 *  of its partitions, the number of records behind (counted up to a thousand), and the highest number of seconds. */
export async function readStoredStatuses(parts: StoredStatusParts): Promise<readonly ProjectionStatus[]> {
  const { log, feed, partitionOf, projections, checkpointsOf, onPoll } = parts;
  // Before the positions: records that come in between do not count as lag.
  const [byPartition, head] = await Promise.all([feed.endPositions(), log.head()]);
  const ends = new Map<string, Position | null>([...byPartition, [ONE_PARTITION, head]]);
  const names = projections.map(({ name }) => name);
  const checkpoints = await checkpointsOf(names, [...ends.keys()]);

  const partitionsOf = (projection: Projection) =>
    projection.needsWholeLog ? [ONE_PARTITION] : [...byPartition.keys()];
  onPoll?.(
    ends,
    projections.map((one) => ({ partitions: partitionsOf(one), at: checkpoints.get(one.name) })),
  );

  const rows = projections.flatMap((projection) => {
    return partitionsOf(projection).flatMap((partition) => {
      const end = ends.get(partition) ?? null;
      const place = toPositionOrNull(checkpoints.get(projection.name)?.get(partition) ?? null);
      return end === null && place === null ? [] : [{ projection, partition, place, end }];
    });
  });
  const lagging = rows.filter(({ place, end }) => isBefore(place, end));
  const earliest = lagging.reduce<Position | null | undefined>(
    (found, { place }) => (found === undefined || isBefore(place, found) ? place : found),
    undefined,
  );
  const records = earliest === undefined ? [] : await log.readAll(earliest, MAX_COUNTED_RECORDS);
  const times = new Map<bigint, Promise<string | null>>();
  function timeOf(position: Position): Promise<string | null> {
    const found = times.get(position) ?? readRecordedAt(log, position);
    times.set(position, found);
    return found;
  }

  async function statusOf({ projection, partition, place, end }: (typeof rows)[number]): Promise<PartitionStatus> {
    const { name, version } = projection;
    const common = { name, version, partition, position: place };
    if (end === null || !isBefore(place, end)) return { ...common, state: 'live', lag_events: 0, lag_seconds: 0 };
    const isOwn = partition === ONE_PARTITION ? () => true : (key: string) => partitionOf(key) === partition;
    const missing = records.filter(
      ({ position, meta }) => isBefore(place, position) && !isBefore(end, position) && isOwn(meta.partition),
    );
    const from = place === null ? missing[0]?.recordedAt : await timeOf(toPosition(place));
    const to = await timeOf(end);
    const seconds = from && to ? Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000) : 0;
    return { ...common, state: 'catching-up', lag_events: Math.max(1, missing.length), lag_seconds: seconds };
  }

  const statuses = combinePartitionStatuses(await Promise.all(rows.map(statusOf)));
  const byName = new Map(statuses.map((status) => [status.name, status]));
  const nothing = { position: null, state: 'live', lag_events: 0, lag_seconds: 0 } as const;
  return projections.map(({ name, version }) => byName.get(name) ?? { name, version, ...nothing });
}
