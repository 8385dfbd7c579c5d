import type { InjuryStatus } from '../catalogue/catalogue.ts';
import { type Observation, timeOf } from '../observations/observation.ts';
import { HOUR } from '../primitives/time.ts';

/** A report on one player's availability. */
export interface InjuryContent {
  readonly player: string;
  readonly status: InjuryStatus;
  readonly body_part?: string;
  readonly note?: string;
  readonly source_url?: string;
}

/** A report in the history of a player, sorted by `at`. */
export interface InjuryReport {
  readonly at: string;
  readonly status: InjuryStatus;
  readonly player: string;
  readonly body_part?: string;
  readonly note?: string;
  readonly source_url?: string;
}

type Severity = 'info' | 'material' | 'critical';

/** A player's availability after the last report. */
interface Availability {
  readonly player: string;
  readonly status: InjuryStatus;
  readonly previous_status: InjuryStatus | null;
  readonly body_part: string | null;
  readonly note: string;
  readonly source_url: string;
  readonly severity: Severity;
  readonly last_changed_at: string;
}

const SERIOUS: ReadonlySet<InjuryStatus> = new Set(['out', 'doubtful', 'ir', 'suspended']);
const URGENT: ReadonlySet<InjuryStatus> = new Set(['out', 'doubtful']);
const FIT: ReadonlySet<InjuryStatus> = new Set(['available', 'probable']);
const CRITICAL_WINDOW = 6 * HOUR;

/**
 * The severity of a report for an event that was known to start at `startsAt` (milliseconds).
 * @param previous the status before the report; null for the first report.
 */
export function severityOf(
  previous: InjuryStatus | null,
  status: InjuryStatus,
  at: number,
  startsAt: number,
): Severity {
  if (previous === status) return 'info';
  const toStart = startsAt - at;
  const isClose = toStart >= 0 && toStart <= CRITICAL_WINDOW;
  if (previous === null) {
    if (isClose && URGENT.has(status)) return 'critical';
    return SERIOUS.has(status) ? 'material' : 'info';
  }
  return isClose && FIT.has(previous) && !FIT.has(status) ? 'critical' : 'material';
}

/**
 * Folds the reports of one player, sorted by `at`. The severity is that of the last report: the same status again is a
 * reconfirmation, whatever its note says.
 * @param startAt the start of the event as known at a given time, both in milliseconds.
 */
export function availabilityOf(reports: readonly InjuryReport[], startAt: (at: number) => number): Availability | null {
  let result = null as Availability | null;
  for (const report of reports) {
    const previous: InjuryStatus | null = result?.status ?? null;
    const at = timeOf(report.at);
    const isRepeated = previous === report.status;
    result = {
      player: report.player,
      status: report.status,
      previous_status: isRepeated ? result!.previous_status : previous,
      body_part: report.body_part ?? result?.body_part ?? null,
      note: report.note ?? result?.note ?? '',
      source_url: report.source_url ?? result?.source_url ?? '',
      severity: severityOf(previous, report.status, at, startAt(at)),
      last_changed_at: isRepeated ? result!.last_changed_at : report.at,
    };
  }
  return result;
}

export const toInjuryReport = ({ at, content }: Observation<InjuryContent>): InjuryReport => ({ at, ...content });

const CHECK_HOURS = [18, 12, 6, 2];
const DAY_HOURS = 24;

/**
 * The time of the next check of an event that starts at `startsAt`: the first due time after the last check, or after
 * now if there was none. Due times: every 24 h up to a day before the start, then 18, 12, 6 and 2 hours before it.
 * Milliseconds; null from the start on.
 */
export function nextCheckAt(startsAt: number, last: number | null, now: number): number | null {
  if (now >= startsAt) return null;
  const after = last ?? now;
  const days = Math.ceil((startsAt - after) / (DAY_HOURS * HOUR)) - 1;
  if (days >= 1) return startsAt - days * DAY_HOURS * HOUR;
  return CHECK_HOURS.map((hours) => startsAt - hours * HOUR).find((due) => due > after) ?? null;
}

/** The first check within two hours before the start: the guaranteed one. */
export const findFinalCheck = (startsAt: number, checks: readonly number[]): number | null =>
  checks.filter((check) => check >= startsAt - 2 * HOUR && check <= startsAt).sort((a, b) => a - b)[0] ?? null;
