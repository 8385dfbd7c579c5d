import type { Awaitable } from '../../../platform/async/awaitable.ts';
import type { SharedLimit } from '../../limits/limits.ts';
import type { Principal } from '../principal.ts';

/** The requests that a key has left. */
export interface RequestWindow {
  /** Requests in 60 seconds. */
  readonly limit: number;
  readonly remaining: number;
  /** When the next request becomes possible, in milliseconds. */
  readonly resetAt: number;
}

/**
 * One request of an authenticated caller. Admission control writes into it what the answer's headers show (see
 * `factHeaders`).
 */
export interface Call {
  readonly requestId: string;
  /** As sent by the client. */
  idempotencyKey?: string | undefined;
  /** Id of its run, if the call has an `Idempotency-Key`. */
  runId?: string | undefined;
  readonly principal: Principal;
  /** Name of the operation; undefined if the request matches none. */
  readonly operation: string | undefined;
  /** Milliseconds. */
  readonly startedAt: number;
  /** Present if a rate limit applies. */
  window?: RequestWindow | undefined;
  /** Present if credits are limited. */
  creditsRemaining?: number | undefined;
  /** The limit that the call shares with other operations; for the playground, the limit of its account. */
  sharedLimit?: SharedLimit | 'playground' | undefined;
  /** The events into which others were merged that the call named, once it is answered. */
  mergedInto?: readonly number[] | undefined;
  /** The charge is already in the account's ledger, so the call is not recorded again. */
  isCharged?: boolean;
}

/** Credits reserved for a call. Exactly one of the two methods is called, once. */
export interface Reservation {
  /** The call succeeded with this status and cost; 0 is free. Resolves when the charge is on disk. */
  charge(credits: number, status: number): Awaitable<void>;
  /** The call failed: all of it is free again. */
  release(): Awaitable<void>;
}

/** What an admitted call occupies, and what it may reserve further. */
export interface Admission {
  /** Counts the call against a shared limit, once the input is known. @throws ApiError of status 429 */
  enterSharedLimit(sharedLimit: SharedLimit): Awaitable<void>;
  /** Reserves the maximum cost of the call, more than 0. @throws ApiError of status 402 */
  reserveCredits(maxCredits: number): Awaitable<Reservation>;
  /** The call is refused with 429 after all: it must not count in any window. */
  uncount(): Awaitable<void>;
  /** Releases all slots. */
  release(): void;
  /** Nothing is charged, whatever the call costs, and so its answer says. Absent: it says what the call costs. */
  readonly isUncharged?: true;
}

/**
 * The result of a call: one answer, or a stream that stays open. `entered` is an answer whose slot was reserved before
 * it was known to be a call (`reserveSlot`).
 */
export type CallKind = 'answer' | 'entered' | 'stream';

/** Limits and charges calls. The adapters are in `src/api/limits`. */
export interface AdmissionControl {
  /**
   * Reserves a slot for a request before its body shows whether it is a call. Counts in no window.
   * @returns releases the slot
   * @throws ApiError concurrency_limit_exceeded
   */
  reserveSlot(principal: Principal): Awaitable<() => void>;
  /**
   * Counts a message of MCP that is no call in the key's window of such messages.
   * @returns the window; undefined: there is none
   * @throws ApiError rate_limit_exceeded
   */
  countMessage(principal: Principal): Awaitable<RequestWindow | undefined>;
  /**
   * Counts the request in the key's window, and takes a slot: for an answer before the body is read, for a stream until
   * it ends.
   * @throws ApiError rate_limit_exceeded, concurrency_limit_exceeded, stream_limit_exceeded
   */
  admit(call: Call, kind: CallKind): Awaitable<Admission>;
  /** The call was answered with this status. Also called for calls that were not admitted. */
  finish(call: Call, status: number): void;
}

const nothing = (): void => {};

/** For calls that can never cost anything: they pass at a balance of 0 too. */
export const freeReservation: Reservation = { charge: nothing, release: nothing };

/** For a caller without limits. */
export const unlimitedAdmission: Admission = {
  enterSharedLimit: nothing,
  reserveCredits: () => freeReservation,
  uncount: nothing,
  release: nothing,
};

/** For a caller without limits, at a server that keeps no ledger. */
export const unchargedAdmission: Admission = { ...unlimitedAdmission, isUncharged: true };

/** Admits every call. */
export const unlimitedAdmissionControl: AdmissionControl = {
  reserveSlot: () => nothing,
  countMessage: () => undefined,
  admit: () => unlimitedAdmission,
  finish: nothing,
};
