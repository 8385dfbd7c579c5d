import type { Position } from './position.ts';

/** A domain event before it is appended. `version` is the version of the shape of `data` (see `upcast.ts`). */
export interface NewRecord<T extends string = string, D = unknown> {
  readonly type: T;
  readonly version: number;
  readonly data: D;
  readonly meta: RecordMeta;
}

export interface RecordMeta {
  /** Records of one partition stay in order everywhere: `event-12`, `team-4`, `player-9`, `season-3.2024`. */
  readonly partition: string;
  /** Unique in the stream, so that a record appended twice counts once; see `record-id.ts`. */
  readonly id?: string;
  /**
   * Of a record that was replayed since a person mended an identity: the time of the first recording (ISO 8601 with
   * milliseconds). `recordedAt` shows it.
   */
  readonly firstRecordedAt?: string;
}

/** Whether the record repeats what an earlier record of another stream says. */
export const isReplayed = ({ meta }: Pick<NewRecord, 'meta'>): boolean => meta.firstRecordedAt !== undefined;

/** An entry of the log. */
export interface LogRecord<T extends string = string, D = unknown> extends NewRecord<T, D> {
  /** Position in the whole log: strictly increasing, with possible gaps. */
  readonly position: Position;
  readonly stream: string;
  /** Index in the stream: from 0, without gaps. */
  readonly revision: number;
  /**
   * Transaction time, ISO 8601 with milliseconds. It never decreases within a stream. Across the log it can decrease
   * when another process starts to append, and where facts are replayed (`RecordMeta.firstRecordedAt`).
   */
  readonly recordedAt: string;
}
