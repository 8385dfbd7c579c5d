import type { CreditBalance } from '../../api/calls/services/account-services.ts';
import type { AnsweredCall } from '../../domain/accounts/account-event-data.ts';
import type { LedgerEvent } from '../../domain/accounts/account-events.ts';
import type { Ledger } from '../../domain/accounts/credit-ledger.ts';
import type { AccountTerms, KeyCap } from '../../domain/accounts/credit-terms.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';

/** The result of a charge. */
export interface Charged {
  /** The credits left; undefined if they are unlimited. */
  readonly remaining: number | undefined;
}

/** Credits reserved for a call. Call exactly one of the two methods, once. */
export interface Hold {
  /**
   * Ends the reservation and charges the call's cost, which is at most the reserved amount; 0 is free. Resolves when
   * the charge is on disk. Rejects if this is not certain: then the call's answer must not be sent.
   * @param at now, in milliseconds, if known: reading the clock ten times would slow a call down
   */
  charge(call: AnsweredCall, credits: number, at?: number): Awaitable<Charged>;
  /** The call failed: all of it is free again. */
  release(): Awaitable<void>;
}

/** An account's balance, as `GET /api/agent/credits` returns it. */
export type Balance = Omit<CreditBalance, 'tier'>;

/**
 * The credits of accounts. Every change of credits is a record in the account's ledger, and no two calls get the same
 * credit. Credits that are due by the account's terms are recorded before the ledger is read.
 *
 * If the ledger cannot be written, charges fail together with their calls. The next call reads the ledger again.
 */
export interface Credits {
  /**
   * Reserves the maximum cost of a call. If only other reservations stand in the way, waits for them in order of
   * arrival.
   * @param at as for `charge`
   * @param keyCap the cap of the calling key, if it has one
   * @throws ApiError with status 402
   */
  reserve(terms: AccountTerms, maxCost: number, at?: number, keyCap?: KeyCap): Awaitable<Hold>;
  /** The credits left, including those reserved for calls in flight; undefined if they are unlimited. */
  remaining(terms: AccountTerms, at?: number): Awaitable<number | undefined>;
  balance(terms: AccountTerms): Awaitable<Balance>;
  /** The current ledger, which must not be changed. It may include charges that are not in the log yet. */
  ledger(terms: AccountTerms): Awaitable<Readonly<Ledger>>;
  /** Records events decided from the current ledger. Resolves when they are on disk. */
  record(terms: AccountTerms, decide: (ledger: Readonly<Ledger>) => readonly LedgerEvent[]): Promise<void>;
  /** Notes a free call, for the account's usage. Nothing waits for it, and a crash may lose it. */
  note(accountId: number, call: AnsweredCall): void;
  /** Resolves when everything given so far is in the log, or has failed. */
  flush(): Promise<void>;
}
