import type { Observable } from 'rxjs';

/**
 * What the projections change. In this process each commit is told once, after it can be read and in order; from
 * another one it may come late, and twice: `position` tells which of two is newer. Nothing is kept for whoever
 * subscribes late, and nobody is waited for.
 */
export interface DocumentChangeSource {
  /** Completes when the projections have stopped. */
  readonly documentChanges: Observable<DocumentChanges>;
}

/** What one commit has changed of one projection. Builds that nobody reads are not told of. */
export interface DocumentChanges {
  readonly projection: string;
  readonly changes: readonly DocumentChange[];
}

export interface DocumentChange {
  readonly key: string;
  /** Lent, not given: a later record may change it in place. Take what is needed before returning. */
  readonly document: unknown;
  /** Of the newest record that it reflects. */
  readonly position: bigint;
}
