import { isBefore } from '../../../domain/position.ts';
import { isRead, type Lane } from '../projection-lane.ts';
import type { ProjectionStatus } from '../runner-status.ts';
import type { Track } from './track.ts';

/** How one projection is in one partition. */
export interface PartitionStatus extends ProjectionStatus {
  readonly partition: string;
}

/** What holds for all. */
export interface RunnerState {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Why nothing is folded any more. */
  readonly stopped: string | null;
  /** What the reading waits for. */
  readonly trouble: string | null;
}

/** How the builds that are read are, or where there are none yet those that are to be. */
export function partitionStatuses(tracks: readonly Track[], state: RunnerState): PartitionStatus[] {
  return tracks.flatMap((track) => {
    const lanes = [...track.lanes];
    const shown = lanes.filter(
      (lane) => isRead(lane) || !lanes.some((one) => one.projection === lane.projection && isRead(one)),
    );
    return shown.map((lane) => statusOf(track, lane, state));
  });
}

function statusOf(track: Track, lane: Lane, { now, stopped: all, trouble }: RunnerState): PartitionStatus {
  const { projection, position, foldedAt } = lane;
  const stopped = lane.stopped ?? all;
  const isFed = track.isLive && !track.behind.includes(lane);
  const waiting = track.inHand.filter((record) => isBefore(position, record.position));
  const isBehind = waiting.length > 0 || isBefore(position, track.position) || (stopped !== null && !track.isLive);
  const since = foldedAt ?? waiting[0]?.recordedAt;
  const seconds = since === undefined ? 0 : Math.max(0, (now - Date.parse(since)) / 1000);
  const isLagging = isBehind || !isFed;
  const reason = stopped ?? lane.trouble ?? trouble;
  return {
    name: projection.name,
    version: projection.version,
    partition: track.name,
    state: stopped !== null ? 'stopped' : isFed ? 'live' : 'catching-up',
    position,
    // How many the feed has yet to bring nobody knows: at least those in hand, and one where it is behind.
    lag_events: isLagging && position !== track.position ? Math.max(waiting.length, 1) : waiting.length,
    lag_seconds: isLagging ? seconds : 0,
    ...(reason === null ? {} : { reason }),
  };
}

/** Of each projection over its partitions: the least position, the sum of events and the greatest of the seconds. */
export function projectionStatuses(partitions: readonly PartitionStatus[]): ProjectionStatus[] {
  const byName = new Map<string, ProjectionStatus>();
  for (const { partition: _, ...one } of partitions) {
    const before = byName.get(one.name);
    byName.set(one.name, before ? joined(before, one) : one);
  }
  return [...byName.values()];
}

const STATES = ['live', 'catching-up', 'stopped'] as const;

function joined(a: ProjectionStatus, b: ProjectionStatus): ProjectionStatus {
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
