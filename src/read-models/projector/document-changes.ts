import type { Observable } from 'rxjs';

/**
 * The changes that projections make to documents. A source in the same process publishes each commit once, in order,
 * and only after the commit can be read. A source in another process may publish late and twice: `position` tells which
 * of two changes is newer. Nothing is stored for late subscribers, and the source waits for no subscriber.
 */
export interface DocumentChangeSource {
  /** Completes when the projections have stopped. */
  readonly documentChanges: Observable<DocumentChanges>;
}

/** The changes that one commit has made to one projection. Generations that are not active publish no changes. */
export interface DocumentChanges {
  readonly projection: string;
  readonly changes: readonly DocumentChange[];
}

export interface DocumentChange {
  readonly key: string;
  /** Undefined: the document is gone. Shared, not a copy: a later record may change the document in place. Take what you need before returning. */
  readonly document: unknown;
  /** Position of the newest record that the document reflects. */
  readonly position: bigint;
}
