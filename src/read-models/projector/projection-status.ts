import { isBefore, toPositionOrNull } from '../../domain/event-sourcing/position.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { ProjectionWorker } from './folding/projection-worker.ts';
import type { LogEnd } from './log-end.ts';

export interface ProjectionStatus {
  readonly name: string;
  readonly version: number;
  /** The partition of which it tells; absent: of all. */
  readonly partition?: string;
  readonly state: 'catching-up' | 'live' | 'stopped';
  /** Everything up to it is folded. */
  readonly position: bigint | null;
  /** Records after `position`. Counted while live; while catching up as many as the log says, or where it cannot
   *  say, those that were appended since. */
  readonly lag_events: number;
  /** From when the record at `position` was recorded to when the log's last one was. */
  readonly lag_seconds: number;
  /** Why it has stopped, or what it waits for. */
  readonly reason?: string;
}

interface ReaderState {
  readonly live: boolean;
  readonly position: bigint | null;
  /** What the reading of the log waits for. */
  readonly trouble: string | null;
}

/** `missed`: records that the main reader has read since this lane stopped; undefined for a lane that is being filled. */
export function statusOfWorker(
  lane: ProjectionWorker,
  reader: ReaderState,
  end: LogEnd,
  missed: number | undefined,
  firstRecordedAt: string | null,
  countBetween: EventLog['countBetween'],
): ProjectionStatus {
  const isBehind = isBefore(lane.position, end.position);
  const state = lane.stopReason !== null ? 'stopped' : reader.live && missed !== undefined ? 'live' : 'catching-up';
  const counted = missed !== undefined && reader.live;
  const known = (missed ?? 0) + end.unread;
  const lagEvents = counted ? known : (countBetween(toPositionOrNull(lane.position), end.position) ?? known);
  const since = lane.lastRecordedAt ?? firstRecordedAt;
  const lag = since === null || end.recordedAt === null ? 0 : (Date.parse(end.recordedAt) - Date.parse(since)) / 1000;
  const reason = lane.stopReason ?? lane.retryReason ?? reader.trouble;
  return {
    name: lane.projection.name,
    version: lane.projection.version,
    state,
    position: lane.position,
    lag_events: isBehind ? lagEvents : 0,
    lag_seconds: isBehind ? Math.max(0, lag) : 0,
    ...(reason === null ? {} : { reason }),
  };
}
