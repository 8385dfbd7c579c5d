import type { Awaitable } from '../../platform/async/awaitable.ts';

/** Length of a sliding window, in milliseconds. */
export const WINDOW_MS = 60_000;

/** How long an owner keeps its slots without a renewal, in milliseconds. */
export const OWNER_LEASE_MS = 8000;

/** Limits that calls of one kind share. */
export type SharedLimit = 'score_poll' | 'slip_grading';

/** The limits, each for an API key; `sessions` and `playground` are for an account. */
export type LimitName = 'requests' | 'mcp_messages' | SharedLimit | 'streams' | 'sessions' | 'playground';

/** A map by key for each limit. */
export const createMapsByLimit = <Value>(): Record<LimitName, Map<number, Value>> => ({
  requests: new Map(),
  mcp_messages: new Map(),
  score_poll: new Map(),
  slip_grading: new Map(),
  streams: new Map(),
  sessions: new Map(),
  playground: new Map(),
});

/** A maximum of calls within 60 seconds (`window`), or of concurrent calls (`slot`). */
export interface LimitRule {
  readonly kind: 'window' | 'slot';
  readonly of: LimitName;
  readonly max: number;
}

/** A call that asks for admission. */
export interface AdmissionRequest {
  /** For `sessions` and `playground`, the account's id. */
  readonly keyId: number;
  /** Arrival of the call, in milliseconds: its time in the window. */
  readonly at: number;
  /** Checked in this order; one window and one slot at most. */
  readonly rules: readonly LimitRule[];
}

/** State of a window. */
export interface WindowState {
  /** Calls in the window, including this one if it was counted. */
  readonly counted: number;
  /**
   * When the oldest call leaves the window; in an empty window, the call's time plus the length of the window.
   * Milliseconds.
   */
  readonly resetAt: number;
}

/**
 * Either all rules admit the call, or the decision names the first rule that does not; then the call counts nowhere.
 */
export type LimitDecision = LimitAdmission | LimitRefusal;

interface LimitAdmission {
  readonly admitted: true;
  /** Present if one of the rules is a window. */
  readonly window: WindowState | undefined;
  readonly lease: CallLease;
}

export interface LimitRefusal {
  readonly admitted: false;
  readonly by: LimitRule;
  /** Present if the window was checked. */
  readonly window: WindowState | undefined;
  /** Time of the refusal by the clock of the windows, if it is not the caller's clock. Milliseconds. */
  readonly at?: number;
}

/** What an admitted call holds. */
export interface CallLease {
  /** Releases the slot; the call stays in its window. Returns at once. Repetition has no effect. */
  release(): void;
  /**
   * Removes the call from its window, because it was refused later. Undefined if it was in none. Repetition has no
   * effect.
   */
  uncount(): Awaitable<WindowState | undefined>;
}

/** A new key inherits the usage of other keys of its account. */
export interface LimitInheritance {
  readonly keyId: number;
  /** The key that creates it. */
  readonly maker: number;
  /** Revoked keys of the account with calls that are still in a window. */
  readonly revoked: readonly number[];
  /** Time of creation, in milliseconds. */
  readonly at: number;
}

/** Limits whose windows a new key inherits. */
export const INHERITED_WINDOWS: readonly LimitName[] = ['requests', 'mcp_messages', 'score_poll'];

/** Limits whose slots a new key inherits: those of calls in flight. Open streams are not inherited. */
export const INHERITED_SLOTS: readonly LimitName[] = ['requests', 'score_poll', 'slip_grading'];

/**
 * Sliding windows and concurrency slots, shared by all processes that serve the same keys. Each process is an owner
 * with its own name: slots belong to an owner, so that those of a dead process become free.
 */
export interface Limits {
  /**
   * Admits a call if all its rules allow it. A call leaves its window exactly 60 seconds after its time. Rejects if the
   * limits are unreachable; the call then holds nothing, at the latest when they are reachable again.
   */
  admit(ask: AdmissionRequest): Awaitable<LimitDecision>;
  /**
   * A new key starts with copies of its creator's windows, or of the fullest revoked key's where that is fuller.
   * Running calls of the creator, of any owner, hold slots of the new key too until they end. Otherwise creating keys
   * would evade all limits. After that the two keys are independent. Called before the new key is given out; may be
   * repeated until then.
   */
  inherit(inheritance: LimitInheritance): Awaitable<void>;
  /**
   * Extends this owner's lease. Without a renewal for `OWNER_LEASE_MS` its slots become free. Its calls stay in their
   * windows.
   */
  renew(): Awaitable<void>;
}

/** Limits whose windows are lost in a restart. */
export interface RestorableLimits {
  /** Counts a call from before the restart. */
  restore(of: LimitName, keyId: number, at: number): void;
}
