import { DAY } from '../../../domain/primitives/time.ts';

/** How long an answer is stored for replay, in milliseconds. */
export const IDEMPOTENCY_RETENTION = DAY;

/**
 * How long a run owns its key without a renewal, in milliseconds. After a crash, a call that another process gets waits
 * for the end of the lease. The owner itself takes its runs over at once when it is back (`abandonAll`).
 */
export const RUN_LEASE = 8000;

/** The scope in which a client's `Idempotency-Key` is unique. */
export interface IdempotencyRecordKey {
  readonly accountId: number;
  /** Path of the request, without its query. */
  readonly path: string;
  /** Scopes of the caller's key, as `canonicalScopes` writes them. */
  readonly scopes: string;
  readonly key: string;
}

/**
 * A call that wants to run under a key. The caller chooses its ids, so that a step can be repeated if its answer was
 * lost.
 */
export interface RunClaim {
  readonly recordKey: IdempotencyRecordKey;
  /** Hash of the request. */
  readonly requestHash: string;
  /** The process that runs it. */
  readonly owner: string;
  /** Unique for each claim. */
  readonly token: string;
  /** Id of the run, unless another claim began it before. Never reused. */
  readonly runId: string;
}

export type BeginResult =
  /**
   * The key belongs to this claim until `finish`, `abandon`, or the end of its lease. If the claim took over an expired
   * run, `runId` is the id of that run, and what it did is found under this id.
   */
  | { readonly kind: 'run'; readonly runId: string }
  /** Another call with this key runs. Ask again: whether both made the same request is known once it has ended. */
  | { readonly kind: 'running' }
  /** The stored answer to the same request. */
  | { readonly kind: 'answer'; readonly answer: unknown }
  /** The key has a stored answer to another request. */
  | { readonly kind: 'keyReused' };

/**
 * Stores the answers of calls with an `Idempotency-Key`, and which calls run, for all processes that serve the same
 * clients. Times are milliseconds. Every method may be repeated with the same claim.
 */
export interface IdempotencyStore {
  /** Of several claims for one key only one runs, even if they come from several processes at once. */
  begin(claim: RunClaim, now: number): Promise<BeginResult>;
  /** Extends the lease to `RUN_LEASE` from now. False if another claim has taken over. */
  renew(claim: RunClaim, now: number): Promise<boolean>;
  /**
   * The run succeeded: stores the answer as JSON and frees the key. Stores nothing if another claim has taken over.
   * Also deletes some expired answers.
   */
  finish(claim: RunClaim, answer: unknown, now: number): Promise<void>;
  /** The run failed: frees the key, as if the call had never run. */
  abandon(claim: RunClaim): Promise<void>;
  /** The owner has restarted: all its runs can be taken over at once. */
  abandonAll(owner: string): Promise<void>;
}
