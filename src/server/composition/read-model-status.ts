import { intelligence } from '../../../projections/sports-events/intelligence.ts';
import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { FollowerStatus } from '../../event-log/subscription/follow-record-feed.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';
import type { ProjectionStatus } from '../../read-models/projector/projection-status.ts';

export interface ReadModelStatusParts {
  readonly log: Pick<EventLog, 'head' | 'countBetween' | 'recordAt' | 'readAll'>;
  readonly runner: { status(): Awaitable<readonly ProjectionStatus[]> };
  /** The status of the intelligence publisher, and of the forecasts. */
  readonly publisher: () => FollowerStatus;
  readonly forecasts: () => FollowerStatus;
}

/** Reads how far each projection is: those of the runner, and the forecasts that are learned beside them. */
export async function readReadModelStatuses(parts: ReadModelStatusParts): Promise<readonly ProjectionStatus[]> {
  const { log, runner } = parts;
  const head = await log.head();
  // Read first, so that the read models are compared with everything that it has appended by now.
  const publisher = parts.publisher();
  const reported = await runner.status();
  const own = await Promise.all(
    reported.map(async (status) =>
      status.name === intelligence.name ? slowerOf(status, await statusOfFollower(publisher, head, log)) : status,
    ),
  );
  return [...own, await statusOfFollower(parts.forecasts(), head, log)];
}

/** Published intelligence is complete only up to the facts that the publisher has processed. */
function slowerOf(status: ProjectionStatus, publisher: ProjectionStatus): ProjectionStatus {
  if (publisher.state !== 'stopped' && publisher.lag_events === 0) return status;
  return {
    ...status,
    state: publisher.state === 'stopped' ? 'stopped' : status.state,
    position: isBefore(publisher.position, status.position) ? publisher.position : status.position,
    lag_events: Math.max(status.lag_events, publisher.lag_events),
    lag_seconds: Math.max(status.lag_seconds, publisher.lag_seconds),
  };
}

/** A follower that is idle is not behind: nobody needs it. */
async function statusOfFollower(
  { name, position, state }: FollowerStatus,
  head: Position | null,
  log: ReadModelStatusParts['log'],
): Promise<ProjectionStatus> {
  if (state === 'idle') return { name, version: 1, state: 'live', position: head, lag_events: 0, lag_seconds: 0 };
  if (!isBefore(position, head)) return { name, version: 1, state, position, lag_events: 0, lag_seconds: 0 };
  // Count from the first unprocessed record: the log may have been quiet for hours before it.
  const [[from], to] = await Promise.all([log.readAll(position, 1), head === null ? undefined : log.recordAt(head)]);
  const seconds = from && to ? (Date.parse(to.recordedAt) - Date.parse(from.recordedAt)) / 1000 : 0;
  return {
    name,
    version: 1,
    state,
    position,
    lag_events: Math.max(log.countBetween(position, head) ?? 1, 1),
    lag_seconds: Math.max(0, seconds),
  };
}
