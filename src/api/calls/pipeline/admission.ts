import type { Awaitable } from '../../../platform/async/awaitable.ts';
import type { SharedLimit } from '../../limits/limits.ts';
import type { Principal } from '../principal.ts';

/** How many requests a key has left. */
export interface RequestWindow {
  /** Requests in 60 seconds. */
  readonly limit: number;
  readonly remaining: number;
  /** When the next place comes free, in milliseconds. */
  readonly resetAt: number;
}

/** One request of a known caller. Stages write into it what its answer tells (see `factsOf`). */
export interface Call {
  readonly requestId: string;
  /** As the client gave it. */
  idempotencyKey?: string | undefined;
  /** The name of the run that it leads to, where it came with one. */
  runId?: string | undefined;
  readonly principal: Principal;
  /** Name of the operation; undefined when the request fits none. */
  readonly operation: string | undefined;
  /** Milliseconds. */
  readonly startedAt: number;
  /** Where a limit of requests holds. */
  window?: RequestWindow | undefined;
  /** Where credits have a limit. */
  creditsRemaining?: number | undefined;
  /** The limit that it shares with others of its kind; of the playground, that of its account. */
  sharedLimit?: SharedLimit | 'playground' | undefined;
  /** The call is in the account's ledger: it is not noted once more. */
  isCharged?: boolean;
}

/** Credits held back for a call. Exactly one of the two is called, once. */
export interface Reservation {
  /** The call is done, with an answer of this status, and costs this much; 0 is free. Resolves when the charge is
   *  on disk. */
  charge(credits: number, status: number): Awaitable<void>;
  /** The call has failed. */
  cancel(): Awaitable<void>;
}

/** What a call occupies that has been let in, and what else it may take. */
export interface Admission {
  /** Takes a place under a limit that some operations share, once the input is known. @throws ApiError of status 429 */
  enterSharedLimit(budget: SharedLimit): Awaitable<void>;
  /** Holds back the most that the call can cost, more than 0. @throws ApiError of status 402 */
  reserveCredits(most: number): Awaitable<Reservation>;
  /** The call is refused with 429 after all: then it counts in no window. */
  uncount(): Awaitable<void>;
  /** Gives back all places. */
  release(): void;
}

/** What a call leads to: one answer, or a stream that stays open. `entered` is an answer whose place in flight was taken
 *  before it was known that there is a call (`enter`). */
export type CallKind = 'answer' | 'entered' | 'stream';

/** What limits calls, and charges them. The adapters of `src/api/limits` stand behind this. */
export interface AdmissionControl {
  /**
   * Takes a place in flight for a request whose body has yet to tell whether it is a call. It counts in no window.
   * @returns gives the place back
   * @throws ApiError concurrency_limit_exceeded
   */
  reserveSlot(principal: Principal): Awaitable<() => void>;
  /**
   * Counts the request in the key's window, and takes a place: in flight, before the body is read, or among the key's
   * open streams, until the stream is over.
   * @throws ApiError rate_limit_exceeded, concurrency_limit_exceeded, stream_limit_exceeded
   */
  admit(call: Call, kind: CallKind): Awaitable<Admission>;
  /** The call is answered, with this status; also one that was not let in. */
  finish(call: Call, status: number): void;
}

const nothing = (): void => {};

/** For calls that cannot cost anything: they pass at a balance of 0 too. */
export const freeReservation: Reservation = { charge: nothing, cancel: nothing };

/** Of a caller whom nothing limits. */
export const unlimitedAdmission: Admission = {
  enterSharedLimit: nothing,
  reserveCredits: () => freeReservation,
  uncount: nothing,
  release: nothing,
};

/** Lets everything pass. */
export const unlimitedAdmissionControl: AdmissionControl = {
  reserveSlot: () => nothing,
  admit: () => unlimitedAdmission,
  finish: nothing,
};
