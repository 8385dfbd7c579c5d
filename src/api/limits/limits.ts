import type { Awaitable } from '../../platform/async/awaitable.ts';

/** Milliseconds that a sliding window looks back. */
export const WINDOW_MS = 60_000;

/** How long an owner keeps its places without a sign of life, in milliseconds. */
export const OWNER_LEASE_MS = 8000;

/** Limits that calls of one kind share. */
export type SharedLimit = 'score_poll' | 'slip_grading';

/** What is limited, each of an API key; `playground`, of an account. */
export type LimitName = 'requests' | SharedLimit | 'streams' | 'playground';

/** At most so many calls within 60 seconds (`window`), or at the same moment (`place`). */
export interface LimitRule {
  readonly kind: 'window' | 'place';
  readonly of: LimitName;
  readonly max: number;
}

/** A call that wants to pass. */
export interface AdmissionRequest {
  /** Of `playground`, the account's id. */
  readonly keyId: number;
  /** When the call came, in milliseconds: the time under which it stands in its window. */
  readonly at: number;
  /** Looked at in this order; one window and one place at most. */
  readonly rules: readonly LimitRule[];
}

/** How a window stands. */
export interface WindowState {
  /** Calls in the window, this one included where it stands there. */
  readonly counted: number;
  /** When the oldest of them leaves the window; the call's own time and a window more where there is none.
   *  Milliseconds. */
  readonly resetAt: number;
}

/** All rules admit the call, or the first one that does not is told and the call has left no trace. */
export type LimitDecision = LimitAdmission | LimitRefusal;

interface LimitAdmission {
  readonly admitted: true;
  /** Where one of the rules is a window. */
  readonly window: WindowState | undefined;
  readonly lease: CallLease;
}

export interface LimitRefusal {
  readonly admitted: false;
  readonly by: LimitRule;
  /** Where the window was looked at. */
  readonly window: WindowState | undefined;
  /** By the clock of the windows, where that is another than the caller's: when it was refused, in milliseconds. */
  readonly at?: number;
}

/** What an admitted call holds. */
export interface CallLease {
  /** Gives the place back; the call stays in its window. Nobody waits for it. A second time does nothing. */
  release(): void;
  /** Takes the call out of its window: it was refused later. Undefined where it stood in none. A second time changes
   *  nothing. */
  uncount(): Awaitable<WindowState | undefined>;
}

/** What a new key begins with: what others of its account have used up. */
export interface LimitInheritance {
  readonly keyId: number;
  /** The key that makes it. */
  readonly maker: number;
  /** Keys of the account that were revoked while their calls still stand in a window. */
  readonly revoked: readonly number[];
  /** When it is made, in milliseconds. */
  readonly at: number;
}

/** Of these limits a new key takes over the windows. */
export const INHERITED_WINDOWS: readonly LimitName[] = ['requests', 'score_poll'];

/** Of these the places: all that calls in flight hold. An open stream is none of them. */
export const INHERITED_SLOTS: readonly LimitName[] = ['requests', 'score_poll', 'slip_grading'];

/**
 * Sliding windows and places, shared by all processes that serve the same keys. Each process opens them under a name
 * of its own: places have this owner, so that those of a process that has died can be given to others.
 */
export interface Limits {
  /**
   * Lets a call pass where all its rules allow it. A call leaves the window exactly 60 seconds after its time.
   * Rejects where the limits cannot be reached; the call then holds nothing, at the latest once they can be reached.
   */
  admit(ask: AdmissionRequest): Awaitable<LimitDecision>;
  /**
   * A new key begins with copies of its maker's windows, each of them of the fullest revoked key where that is fuller;
   * and calls of the maker in flight, at whatever owner, hold places of the new key too until they end: otherwise to
   * make keys is to have no limits. From then on the two go apart. It is done before anybody has the new key, and may
   * be repeated until then.
   */
  inherit(inheritance: LimitInheritance): Awaitable<void>;
  /**
   * A sign of life of this owner. Its places are free for others when it has given none for `OWNER_LEASE`. Its calls
   * stay in their windows.
   */
  renew(): Awaitable<void>;
}

/** A limit whose windows a restart forgets. */
export interface RestorableLimits {
  /** Counts a call of before. */
  restore(of: LimitName, keyId: number, at: number): void;
}
