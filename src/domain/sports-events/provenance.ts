import { isDeepStrictEqual } from 'node:util';
import type { LogRecord } from '../event-sourcing/record.ts';
import type { SideState, SportsEvent } from './sports-event.ts';

/** The log record that last changed a value. */
export interface Provenance {
  /** Decimal digits, because documents are stored as JSON. */
  readonly position: string;
  readonly type: string;
  readonly source: string;
  /** Time of observation by the source. */
  readonly at: string;
  readonly recorded_at: string;
}

export const provenanceOf = (
  record: LogRecord<string, { readonly source: string; readonly at: string }>,
): Provenance => ({
  position: String(record.position),
  type: record.type,
  source: record.data.source,
  at: record.data.at,
  recorded_at: record.recordedAt,
});

/** The provenance of the state of a sports event; absent for a part without a report. */
export interface EventProvenance {
  status?: Provenance;
  /** Scores, period scores, winner, and result type. */
  score?: Provenance;
  /** The current period. */
  period?: Provenance;
}

/**
 * Records that `record` changed the event from `before` to `after`, for each part that differs. Changes `provenance`.
 */
export function updateProvenance(
  provenance: EventProvenance,
  before: EventParts | undefined,
  after: SportsEvent,
  record: Parameters<typeof provenanceOf>[0],
): void {
  const latest = provenanceOf(record);
  if (before?.status !== after.status) provenance.status = latest;
  if (before?.period !== after.period) provenance.period = latest;
  const scoreChanged =
    before?.result_type !== after.result_type ||
    after.sides.some((side, index) => !isDeepStrictEqual(settlingParts(before?.sides[index]), settlingParts(side)));
  if (scoreChanged) provenance.score = latest;
}

type EventParts = Pick<SportsEvent, 'status' | 'sides'> & Partial<Pick<SportsEvent, 'period' | 'result_type'>>;

/** A copy of the compared parts, since the next record may change the event in place. */
export const comparableEventParts = ({ status, sides, period, result_type }: SportsEvent): EventParts => ({
  status,
  sides,
  ...(period === undefined ? {} : { period }),
  ...(result_type === undefined ? {} : { result_type }),
});

/** Without the points in a game of tennis: they settle nothing and change with every ball. */
const settlingParts = ({ score, is_winner, period_scores }: SideState = {}) => [score, is_winner, period_scores];
