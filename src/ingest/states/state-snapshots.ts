/** The state of a decider at a revision of its stream. */
export interface StateSnapshot {
  readonly stream: string;
  /** Revision of the last record in the state. */
  readonly revision: number;
  /** Position of that record. A log that was restored from a copy may have another record at this revision. */
  readonly position: bigint;
  /** Version of the shape of the state. */
  readonly version: number;
  readonly state: Uint8Array;
}

/**
 * Snapshots of decider states beside the log, so that a long stream need not be folded again for its next message. They
 * are derived: if a snapshot is missing or has another version, the stream is folded. Losing them costs only time.
 */
export interface StateSnapshots {
  /** The newest snapshot of each of these streams, by stream. Streams without a snapshot are left out. */
  load(streams: readonly string[]): Promise<ReadonlyMap<string, StateSnapshot>>;
  /** Replaces the earlier snapshots of these streams. The records that they reflect must be in the log. */
  save(snapshots: readonly StateSnapshot[]): Promise<void>;
}
