import { DAY } from '../../../domain/primitives/time.ts';

/** How long an answer is remembered, in milliseconds. */
export const IDEMPOTENCY_RETENTION = DAY;

/** How long a run has its place to itself without a sign of life, in milliseconds: who repeats the call of a process that
 *  has died waits for so long. */
export const RUN_LEASE = 8000;

/** What a client's `Idempotency-Key` belongs to. */
export interface IdempotencyRecordKey {
  readonly accountId: number;
  /** Of the request, without its query. */
  readonly path: string;
  /** What the caller's key opens: the same text for the same set (`scopeSet`). */
  readonly scopes: string;
  readonly key: string;
}

/** One call that wants to run at a place. Whoever makes it names it, so that each step may be repeated when its
 *  answer was lost. */
export interface RunClaim {
  readonly recordKey: IdempotencyRecordKey;
  /** Of what is asked. */
  readonly requestHash: string;
  /** The process that runs it. */
  readonly owner: string;
  /** No other claim has it. */
  readonly token: string;
  /** What the run is called, where nobody has begun it before: no other run ever has the name. */
  readonly runId: string;
}

export type BeginResult =
  /**
   * The place is this claim's, until `finish`, `abandon`, or the end of its lease. Where it has taken over from one that
   * gave no sign of life, the run has that one's name: what it has done by then stands under it.
   */
  | { readonly kind: 'run'; readonly run: string }
  /** Another claim has the place; ask again. What it is about does not matter yet: it may fail. */
  | { readonly kind: 'running' }
  /** What was kept of an earlier answer to the same request. */
  | { readonly kind: 'answer'; readonly answer: unknown }
  /** An earlier answer to another request stands there. */
  | { readonly kind: 'usedOtherwise' };

/**
 * Answers to calls that came with an `Idempotency-Key`, and which of them run, for all processes that serve the same
 * clients. Times are milliseconds. Every method may be repeated with the same claim.
 */
export interface IdempotencyStore {
  /** Of several claims at one place one runs: also where they come from several processes at the same moment. */
  begin(claim: RunClaim, now: number): Promise<BeginResult>;
  /** A sign of life: the lease lasts for `RUN_LEASE` from now. False where another claim has taken the place. */
  renew(claim: RunClaim, now: number): Promise<boolean>;
  /** The run has succeeded. Keeps the answer, as JSON, and frees the place. Nothing is kept where another claim has
   *  taken the place meanwhile. Some of the answers that are too old go on the way. */
  finish(claim: RunClaim, answer: unknown, now: number): Promise<void>;
  /** The run has failed: the place is free, as if it had never run. */
  abandon(claim: RunClaim): Promise<void>;
  /** All that this owner has under way can be taken over at once: it has died, and begins anew. */
  abandonAll(owner: string): Promise<void>;
}
