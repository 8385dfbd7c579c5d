import { isDeepStrictEqual } from 'node:util';
import type { LogRecord } from '../event-sourcing/record.ts';
import type { SideState, SportsEvent } from './sports-event.ts';

/** An entry of the log on which something rests: it made that what it is now. */
export interface Provenance {
  /** Decimal digits, for documents are kept as JSON. */
  readonly position: string;
  readonly type: string;
  readonly source: string;
  /** When the source observed it. */
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

/** On which entries the state of a sports event rests; a part that nobody has told rests on none. */
export interface EventProvenance {
  status?: Provenance;
  /** What the sides have, by periods too, who has won, and how it ended. */
  score?: Provenance;
  /** How far it has come. */
  period?: Provenance;
}

/** Notes a record that has brought an event from one state to another, for all that it has changed. Changes `grounds`. */
export function updateProvenance(
  grounds: EventProvenance,
  before: EventParts | undefined,
  after: SportsEvent,
  record: Parameters<typeof provenanceOf>[0],
): void {
  const ground = provenanceOf(record);
  if (before?.status !== after.status) grounds.status = ground;
  if (before?.period !== after.period) grounds.period = ground;
  const scoreChanged =
    before?.result_type !== after.result_type ||
    after.sides.some((side, index) => !isDeepStrictEqual(settlingParts(before?.sides[index]), settlingParts(side)));
  if (scoreChanged) grounds.score = ground;
}

type EventParts = Pick<SportsEvent, 'status' | 'sides'> & Partial<Pick<SportsEvent, 'period' | 'result_type'>>;

/** Of a state that the next record may change in place. */
export const comparableEventParts = ({ status, sides, period, result_type }: SportsEvent): EventParts => ({
  status,
  sides,
  ...(period === undefined ? {} : { period }),
  ...(result_type === undefined ? {} : { result_type }),
});

/** The points in a game of tennis settle nothing, and change with every ball. */
const settlingParts = ({ score, is_winner, period_scores }: SideState = {}) => [score, is_winner, period_scores];
