import { isBefore, toPositionOrNull } from '../../domain/event-sourcing/position.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { ProjectionWorker } from './folding/projection-worker.ts';
import type { LogEnd } from './log-end.ts';

export interface ProjectionStatus {
  readonly name: string;
  readonly version: number;
  /** The partition of this status; absent if the status covers all partitions. */
  readonly partition?: string;
  readonly state: 'catching-up' | 'live' | 'stopped';
  /** Everything up to this position is folded. */
  readonly position: bigint | null;
  /** Number of records after `position`: counted while live. While catching up, as many as the log reports, or else
   *  those appended since. */
  readonly lag_events: number;
  /** Seconds between the recording of the record at `position` and of the last record of the log. */
  readonly lag_seconds: number;
  /** Why the projection has stopped, or the error that is being retried. */
  readonly reason?: string;
}

interface ReaderState {
  readonly live: boolean;
  readonly position: bigint | null;
  /** The error of reading the log that is being retried. */
  readonly retryReason: string | null;
}

/** @param missed number of records that the main reader has read since this worker stopped; undefined while it catches
 *  up */
export function statusOfWorker(
  worker: ProjectionWorker,
  reader: ReaderState,
  end: LogEnd,
  missed: number | undefined,
  firstRecordedAt: string | null,
  countBetween: EventLog['countBetween'],
): ProjectionStatus {
  const isBehind = isBefore(worker.position, end.position);
  const state = worker.stopReason !== null ? 'stopped' : reader.live && missed !== undefined ? 'live' : 'catching-up';
  const counted = missed !== undefined && reader.live;
  const known = (missed ?? 0) + end.unread;
  const lagEvents = counted ? known : (countBetween(toPositionOrNull(worker.position), end.position) ?? known);
  const since = worker.lastRecordedAt ?? firstRecordedAt;
  const lag = since === null || end.recordedAt === null ? 0 : (Date.parse(end.recordedAt) - Date.parse(since)) / 1000;
  const reason = worker.stopReason ?? worker.retryReason ?? reader.retryReason;
  return {
    name: worker.projection.name,
    version: worker.projection.version,
    state,
    position: worker.position,
    lag_events: isBehind ? lagEvents : 0,
    lag_seconds: isBehind ? Math.max(0, lag) : 0,
    ...(reason === null ? {} : { reason }),
  };
}
