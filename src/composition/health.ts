import type { DegradedReason, Health } from '../calls/operation.ts';
import type { ServerClock } from '../clock/server-clock.ts';
import type { Identities, WaitingNumber } from '../identities/identities.ts';
import type { EventLog } from '../log/event-log.ts';
import type { ProjectionRunner } from '../store/projection-runner.ts';

export interface HealthParts {
  readonly log: Pick<EventLog, 'head'>;
  readonly runner: Pick<ProjectionRunner, 'status'>;
  readonly identities: Pick<Identities, 'waitingNumbers'>;
  /** Milliseconds. */
  readonly now: () => number;
  readonly version: string;
  /** Whether the demo feeds the server. */
  readonly simulated: () => boolean;
  /** Each tells a reason why the server is degraded, while it is so. */
  readonly signs: readonly (() => DegradedReason | undefined)[];
}

export const clockSigns = (clock: Pick<ServerClock, 'doubt' | 'isLogAhead'>): HealthParts['signs'] => [
  () => (clock.doubt ? 'clock' : undefined),
  () => (clock.isLogAhead ? 'log_ahead' : undefined),
];

/** How the server is, as `GET /v1/health` tells it. */
export async function healthOf(parts: HealthParts): Promise<Health> {
  const { log, runner, identities, now, version, simulated, signs } = parts;
  const statuses = runner.status();
  const reasons = new Set(signs.flatMap((sign) => sign() ?? []));
  return {
    status: reasons.size > 0 ? 'degraded' : 'ok',
    ...(reasons.size > 0 ? { reasons: [...reasons].sort() } : {}),
    version,
    time: new Date(now()).toISOString(),
    log: { position: String((await log.head()) ?? 0n) },
    quarantined: quarantinedOf(await identities.waitingNumbers()),
    projections: statuses.map(({ name, position, lag_events, lag_seconds }) => ({
      name,
      position: String(position ?? 0n),
      lag_events,
      lag_seconds,
    })),
    ...(simulated() ? { simulated: true as const } : {}),
  };
}

/** What was accepted already and waits only to be completed is in no quarantine. */
export const quarantinedOf = (numbers: readonly WaitingNumber[]): number =>
  numbers.reduce((sum, { accepted, number }) => (accepted ? sum : sum + number), 0);
