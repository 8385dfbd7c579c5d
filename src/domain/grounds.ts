import { isDeepStrictEqual } from 'node:util';
import type { LogRecord } from './record.ts';
import type { SideState, SportsEvent } from './sports-event.ts';

/** An entry of the log on which something rests: it made that what it is now. */
export interface Ground {
  /** Decimal digits, for documents are kept as JSON. */
  readonly position: string;
  readonly type: string;
  readonly source: string;
  /** When the source observed it. */
  readonly at: string;
  readonly recorded_at: string;
}

export const groundOf = (record: LogRecord<string, { readonly source: string; readonly at: string }>): Ground => ({
  position: String(record.position),
  type: record.type,
  source: record.data.source,
  at: record.data.at,
  recorded_at: record.recordedAt,
});

/** On which entries the state of a sports event rests; a part that nobody has told rests on none. */
export interface EventGrounds {
  status?: Ground;
  /** What the sides have, by periods too, who has won, and how it ended. */
  score?: Ground;
  /** How far it has come. */
  period?: Ground;
}

/** Notes a record that has brought an event from one state to another, for all that it has changed. Changes `grounds`. */
export function noteGrounds(
  grounds: EventGrounds,
  before: EventParts | undefined,
  after: SportsEvent,
  record: Parameters<typeof groundOf>[0],
): void {
  const ground = groundOf(record);
  if (before?.status !== after.status) grounds.status = ground;
  if (before?.period !== after.period) grounds.period = ground;
  const scoreChanged =
    before?.result_type !== after.result_type ||
    after.sides.some((side, index) => !isDeepStrictEqual(counting(before?.sides[index]), counting(side)));
  if (scoreChanged) grounds.score = ground;
}

type EventParts = Pick<SportsEvent, 'status' | 'sides'> & Partial<Pick<SportsEvent, 'period' | 'result_type'>>;

/** Of a state that the next record may change in place. */
export const eventParts = ({ status, sides, period, result_type }: SportsEvent): EventParts => ({
  status,
  sides,
  ...(period === undefined ? {} : { period }),
  ...(result_type === undefined ? {} : { result_type }),
});

/** The points in a game of tennis settle nothing, and change with every ball. */
const counting = ({ score, is_winner, period_scores }: SideState = {}) => [score, is_winner, period_scores];
