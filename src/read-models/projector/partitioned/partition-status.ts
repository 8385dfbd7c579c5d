import { isBefore } from '../../../domain/event-sourcing/position.ts';
import { type ProjectionWorker, readsActiveGeneration } from '../folding/projection-worker.ts';
import type { ProjectionStatus } from '../projection-status.ts';
import type { AssignedPartition } from './assigned-partition.ts';

/** Status of one projection in one partition. */
export interface PartitionStatus extends ProjectionStatus {
  readonly partition: string;
}

/** State of the whole runner. */
interface RunnerState {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Why nothing is folded any more. */
  readonly stopped: string | null;
  /** The error that is being retried. */
  readonly retryReason: string | null;
}

/** Status of the active generations; of the waiting ones if a projection has no active one here. */
export function partitionStatuses(partitions: readonly AssignedPartition[], state: RunnerState): PartitionStatus[] {
  return partitions.flatMap((partition) => {
    const workers = [...partition.workers];
    const shown = workers.filter(
      (worker) =>
        readsActiveGeneration(worker) ||
        !workers.some((one) => one.projection === worker.projection && readsActiveGeneration(one)),
    );
    return shown.map((worker) => statusOf(partition, worker, state));
  });
}

function statusOf(
  partition: AssignedPartition,
  worker: ProjectionWorker,
  { now, stopped: all, retryReason: runnerRetryReason }: RunnerState,
): PartitionStatus {
  const { projection, position, lastRecordedAt } = worker;
  const stopped = worker.stopReason ?? all;
  const isFed = partition.isLive && !partition.laggingWorkers.includes(worker);
  const waiting = partition.recordsInProgress.filter((record) => isBefore(position, record.position));
  const isBehind =
    waiting.length > 0 || isBefore(position, partition.position) || (stopped !== null && !partition.isLive);
  const since = lastRecordedAt ?? waiting[0]?.recordedAt;
  const seconds = since === undefined ? 0 : Math.max(0, (now - Date.parse(since)) / 1000);
  const isLagging = isBehind || !isFed;
  const reason = stopped ?? worker.retryReason ?? runnerRetryReason;
  return {
    name: projection.name,
    version: projection.version,
    partition: partition.name,
    state: stopped !== null ? 'stopped' : isFed ? 'live' : 'catching-up',
    position,
    // The number of records that the feed has yet to deliver is unknown: at least those in progress, and at least one
    // if the worker is behind.
    lag_events: isLagging && position !== partition.position ? Math.max(waiting.length, 1) : waiting.length,
    lag_seconds: isLagging ? seconds : 0,
    ...(reason === null ? {} : { reason }),
  };
}

/** Combines the partitions of each projection: the lowest position, the sum of the events, the highest number of
 *  seconds. */
export function combinePartitionStatuses(partitions: readonly PartitionStatus[]): ProjectionStatus[] {
  const byName = new Map<string, ProjectionStatus>();
  for (const { partition: _, ...one } of partitions) {
    const before = byName.get(one.name);
    byName.set(one.name, before ? combineStatuses(before, one) : one);
  }
  return [...byName.values()];
}

const STATES = ['live', 'catching-up', 'stopped'] as const;

function combineStatuses(a: ProjectionStatus, b: ProjectionStatus): ProjectionStatus {
  const reason = a.reason ?? b.reason;
  return {
    name: a.name,
    version: a.version,
    state: STATES[Math.max(STATES.indexOf(a.state), STATES.indexOf(b.state))]!,
    position: isBefore(a.position, b.position) ? a.position : b.position,
    lag_events: a.lag_events + b.lag_events,
    lag_seconds: Math.max(a.lag_seconds, b.lag_seconds),
    ...(reason === undefined ? {} : { reason }),
  };
}
