import type { BackupHealth, DegradedReason, Health, StandbyHealth } from '../../api/calls/operation/operation.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { Identities, QuarantineCount } from '../../ingest/identities/identities.ts';
import type { ServerClock } from '../../platform/clock/server-clock.ts';
import type { BackupReport } from '../backup/backup-thread.ts';
import type { StandbyReport } from '../backup/standby-report.ts';
import type { ReadModelWarning } from './read-model-warning.ts';

export interface HealthParts {
  readonly log: Pick<EventLog, 'head' | 'countBetween' | 'recordAt' | 'readAll'>;
  readonly readModels: Pick<ReadModelWarning, 'look'>;
  readonly identities: Pick<Identities, 'countQuarantined'>;
  /** Milliseconds. */
  readonly now: () => number;
  readonly version: string;
  /** Whether the demo runs. */
  readonly simulated: () => boolean;
  /** The health of the live connectors; absent if there are none. */
  readonly feeds?: (() => NonNullable<Health['feeds']>) | undefined;
  /** How the backup stands; absent if none is made. */
  readonly backup?: (() => BackupReport) | undefined;
  /** How this server stands beside others of the same backup; absent: it is alone. */
  readonly standby?: (() => StandbyReport) | undefined;
  /** Each returns a reason why the server is degraded, or undefined. */
  readonly signs: readonly (() => DegradedReason | undefined)[];
}

export const clockWarnings = (clock: Pick<ServerClock, 'doubt' | 'isLogAhead'>): HealthParts['signs'] => [
  () => (clock.doubt ? 'clock' : undefined),
  () => (clock.isLogAhead ? 'log_ahead' : undefined),
];

/** The answer of `GET /v1/health`. */
export async function healthOf(parts: HealthParts): Promise<Health> {
  const { log, readModels, identities, now, version, simulated, signs } = parts;
  const head = await log.head();
  const { statuses, isBehind } = await readModels.look();
  const standby = parts.standby?.();
  const reasons = new Set(signs.flatMap((sign) => sign() ?? []));
  if (isBehind) reasons.add('read_model');
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
    ...(parts.backup ? { backup: backupHealth(parts.backup(), now()) } : {}),
    ...(standby?.isShown ? { standby: standbyHealth(standby) } : {}),
    ...(simulated() ? { simulated: true as const } : {}),
  };
}

const standbyHealth = ({ role, lagSeconds, leaseSeconds }: StandbyReport): StandbyHealth => ({
  role,
  lag_seconds: lagSeconds === undefined ? null : Math.round(lagSeconds),
  lease_seconds: leaseSeconds === undefined ? null : Math.round(leaseSeconds),
});

function backupHealth({ currentAt, lagSeconds, problem, drill }: BackupReport, now: number): BackupHealth {
  return {
    last_success_at: currentAt === undefined ? null : new Date(currentAt).toISOString(),
    lag_seconds: Math.round(lagSeconds),
    problem: problem ?? null,
    drill: drill
      ? {
          at: new Date(drill.at).toISOString(),
          age_seconds: Math.max(0, Math.round((now - drill.at) / 1000)),
          outcome: drill.problem === null ? 'passed' : 'failed',
        }
      : null,
  };
}

/** Messages that were accepted and wait only to be completed do not count as quarantined. */
export const quarantinedOf = (numbers: readonly QuarantineCount[]): number =>
  numbers.reduce((sum, { accepted, number }) => (accepted ? sum : sum + number), 0);
