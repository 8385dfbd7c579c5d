import { intelligence } from '../../../projections/sports-events/intelligence.ts';
import type { DegradedReason, Health } from '../../api/calls/operation/operation.ts';
import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { FollowerStatus } from '../../event-log/subscription/follow-record-feed.ts';
import type { Identities, QuarantineCount } from '../../ingest/identities/identities.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';
import type { ServerClock } from '../../platform/clock/server-clock.ts';
import type { ProjectionStatus } from '../../read-models/projector/projection-status.ts';

export interface HealthParts {
  readonly log: Pick<EventLog, 'head' | 'countBetween' | 'recordAt' | 'readAll'>;
  readonly runner: { status(): Awaitable<readonly ProjectionStatus[]> };
  /** The status of the intelligence publisher. */
  readonly publisher: () => FollowerStatus;
  readonly identities: Pick<Identities, 'countQuarantined'>;
  /** Milliseconds. */
  readonly now: () => number;
  readonly version: string;
  /** Whether the demo runs. */
  readonly simulated: () => boolean;
  /** The health of the live connectors; absent if there are none. */
  readonly feeds?: (() => NonNullable<Health['feeds']>) | undefined;
  /** Each returns a reason why the server is degraded, or undefined. */
  readonly signs: readonly (() => DegradedReason | undefined)[];
}

export const clockWarnings = (clock: Pick<ServerClock, 'doubt' | 'isLogAhead'>): HealthParts['signs'] => [
  () => (clock.doubt ? 'clock' : undefined),
  () => (clock.isLogAhead ? 'log_ahead' : undefined),
];

/** The answer of `GET /v1/health`. */
export async function healthOf(parts: HealthParts): Promise<Health> {
  const { log, runner, identities, now, version, simulated, signs } = parts;
  const head = await log.head();
  // Read first, so that the read models are compared with everything that it has appended by now.
  const publisher = parts.publisher();
  const reported = await runner.status();
  const statuses = await Promise.all(reported.map((status) => withPublisher(status, publisher, head, log)));
  const reasons = new Set(signs.flatMap((sign) => sign() ?? []));
  return {
    status: reasons.size > 0 ? 'degraded' : 'ok',
    ...(reasons.size > 0 ? { reasons: [...reasons].sort() } : {}),
    version,
    time: new Date(now()).toISOString(),
    log: { position: String(head ?? 0n) },
    quarantined: quarantinedOf(await identities.countQuarantined()),
    projections: statuses.map(({ name, position, lag_events, lag_seconds }) => ({
      name,
      position: String(position ?? 0n),
      lag_events,
      lag_seconds,
    })),
    ...(parts.feeds ? { feeds: parts.feeds() } : {}),
    ...(simulated() ? { simulated: true as const } : {}),
  };
}

/** Published intelligence is complete only up to the facts that the publisher has processed. */
async function withPublisher(
  status: ProjectionStatus,
  { state, position }: FollowerStatus,
  head: Position | null,
  log: HealthParts['log'],
): Promise<ProjectionStatus> {
  if (status.name !== intelligence.name || state === 'idle' || !isBefore(position, head)) return status;
  // Count from the first unprocessed record: the log may have been quiet for hours before it.
  const [[from], to] = await Promise.all([log.readAll(position, 1), head === null ? undefined : log.recordAt(head)]);
  const seconds = from && to ? (Date.parse(to.recordedAt) - Date.parse(from.recordedAt)) / 1000 : 0;
  return {
    ...status,
    position: isBefore(position, status.position) ? position : status.position,
    lag_events: Math.max(status.lag_events, log.countBetween(position, head) ?? 1, 1),
    lag_seconds: Math.max(status.lag_seconds, seconds),
  };
}

/** Messages that were accepted and wait only to be completed do not count as quarantined. */
export const quarantinedOf = (numbers: readonly QuarantineCount[]): number =>
  numbers.reduce((sum, { accepted, number }) => (accepted ? sum : sum + number), 0);
