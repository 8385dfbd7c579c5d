import type { Health } from '../calls/operation.ts';
import type { EventLog } from '../log/event-log.ts';
import type { ProjectionRunner } from '../store/projection-runner.ts';

export interface HealthParts {
  readonly log: Pick<EventLog, 'head'>;
  readonly runner: Pick<ProjectionRunner, 'status'>;
  /** Milliseconds. */
  readonly now: () => number;
  readonly version: string;
  /** Whether the demo feeds the server. */
  readonly simulated: () => boolean;
}

/** How the server is, as `GET /v1/health` tells it. */
export async function healthOf({ log, runner, now, version, simulated }: HealthParts): Promise<Health> {
  const statuses = runner.status();
  return {
    status: statuses.some(({ state }) => state === 'stopped') ? 'degraded' : 'ok',
    version,
    time: new Date(now()).toISOString(),
    log: { position: String((await log.head()) ?? 0n) },
    projections: statuses.map(({ name, position, lag_events, lag_seconds }) => ({
      name,
      position: String(position ?? 0n),
      lag_events,
      lag_seconds,
    })),
    ...(simulated() ? { simulated: true as const } : {}),
  };
}
