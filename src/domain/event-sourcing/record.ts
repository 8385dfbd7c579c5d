import type { Position } from './position.ts';

/** A domain event that is about to be appended. `version` is the version of `data`'s shape (see `upcast.ts`). */
export interface NewRecord<T extends string = string, D = unknown> {
  readonly type: T;
  readonly version: number;
  readonly data: D;
  readonly meta: RecordMeta;
}

export interface RecordMeta {
  /** Facts that share a partition stay in order everywhere: `event-12`, `team-4`, `player-9`, `season-3.2024`. */
  readonly partition: string;
  /** Names this record among those of its stream, so that one that was appended twice counts once; see `record-id.ts`. */
  readonly id?: string;
}

/** An entry of the log. */
export interface LogRecord<T extends string = string, D = unknown> extends NewRecord<T, D> {
  /** Place in the whole log: strictly increasing, perhaps with gaps. */
  readonly position: Position;
  readonly stream: string;
  /** Place in its stream, from 0, without gaps. */
  readonly revision: number;
  /** Transaction time, ISO 8601 with milliseconds; never decreases along the record's
   *  stream. Along the log it does so only where one process after another appends. */
  readonly recordedAt: string;
}
