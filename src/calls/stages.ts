import type { Budget } from '../limits/limits.ts';
import type { Awaitable } from '../time/awaitable.ts';
import type { Principal } from './principal.ts';

export type Release = () => void;

/** One request on its way through the pipeline. Stages write into it what the answer's headers tell. */
export interface Call {
  readonly requestId: string;
  /** As the client gave it. */
  idempotencyKey?: string;
  readonly principal: Principal;
  /** Name of the operation; undefined when the request fits none. */
  readonly operation: string | undefined;
  /** Milliseconds. */
  readonly startedAt: number;
  /** Where a limit of requests holds. `resetAt` in milliseconds. */
  window?: { readonly limit: number; readonly remaining: number; readonly resetAt: number };
  /** Where credits have a limit. */
  creditsRemaining?: number;
  /** The limit that it shares with others of its kind. */
  budget?: Budget;
  /** The call is in the account's ledger: it is not noted once more. */
  isCharged?: boolean;
  /** The time under which it stands in the window of requests, in milliseconds. */
  countedAt?: number;
  /** What a stage keeps for those behind it. */
  kept?: unknown;
}

/** Credits held back for a call. Exactly one of the two is called, once. */
export interface Reservation {
  /** The call is done, with an answer of this status, and costs this much; 0 is free. Resolves when the charge is
   *  on disk. */
  charge(credits: number, status: number): Awaitable<void>;
  /** The call has failed. */
  cancel(): Awaitable<void>;
}

/** What limits a call, in the order in which it passes. The adapters of `src/limits` stand behind this. */
export interface Stages {
  /** Counts the request in the key's window. @throws ApiError rate_limit_exceeded */
  rateLimit(call: Call): Awaitable<void>;
  /** Takes a place in flight, before the body is read. @throws ApiError concurrency_limit_exceeded */
  enter(call: Call): Awaitable<Release>;
  /** A limit that some operations share, once the input is known. @throws ApiError of status 429 */
  budget(call: Call, budget: Budget): Awaitable<Release>;
  /** Holds back the most that the call can cost, more than 0. @throws ApiError of status 402 */
  reserve(call: Call, most: number): Awaitable<Reservation>;
  /** Takes one of the key's places for open streams, until the stream is over. It is none of those in flight.
   *  @throws ApiError stream_limit_exceeded */
  openStream(call: Call): Awaitable<Release>;
  /** The call is answered, with this status. */
  done(call: Call, status: number): void;
}

const nothing = (): void => {};
const free: Reservation = { charge: nothing, cancel: nothing };

/** Lets everything pass. */
export const openStages: Stages = {
  rateLimit: nothing,
  enter: () => nothing,
  budget: () => nothing,
  reserve: () => free,
  openStream: () => nothing,
  done: nothing,
};

/** For calls that cannot cost anything: they pass at a balance of 0 too. */
export const freeReservation = free;
