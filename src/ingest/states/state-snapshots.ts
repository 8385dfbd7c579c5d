/** A decider's state as it was at a revision of its stream. */
export interface StateSnapshot {
  readonly stream: string;
  /** Of the last record that it reflects. */
  readonly revision: number;
  /** Position of that record: a log that was put back from a copy may have another one there. */
  readonly position: bigint;
  /** Version of the state's shape. */
  readonly version: number;
  readonly state: Uint8Array;
}

/**
 * States of deciders beside the log, so that a long stream need not be folded again for its next message. They are
 * derived: where one is missing, or is of another version, the stream is folded. Losing them costs time, nothing else.
 */
export interface StateSnapshots {
  /** The newest of each of these streams, by stream; without those that have none. */
  load(streams: readonly string[]): Promise<ReadonlyMap<string, StateSnapshot>>;
  /** Keeps them in the place of earlier ones of their streams. What they reflect must be in the log. */
  save(snapshots: readonly StateSnapshot[]): Promise<void>;
}
