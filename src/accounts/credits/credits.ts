import type { CreditBalance } from '../../api/calls/services/account-services.ts';
import type { AnsweredCall } from '../../domain/accounts/account-event-data.ts';
import type { LedgerEvent } from '../../domain/accounts/account-events.ts';
import type { Ledger } from '../../domain/accounts/credit-ledger.ts';
import type { AccountTerms } from '../../domain/accounts/credit-terms.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';

/** What a charge leaves. */
export interface Charged {
  /** Credits that are left; undefined where they have no limit. */
  readonly remaining: number | undefined;
}

/** Credits that are held back for a call. Exactly one of the two is called, once. */
export interface Hold {
  /**
   * Takes what the call costs, at most what is held back, in place of it; 0 is free. Resolves when the charge is on disk.
   * Rejects when that is not known to be so: the answer of the call must not leave.
   * @param at now, in milliseconds, where it is known: to ask a clock ten times takes a call long
   */
  charge(call: AnsweredCall, credits: number, at?: number): Awaitable<Charged>;
  /** The call has failed. */
  release(): Awaitable<void>;
}

/** An account's balance, as `GET /api/agent/credits` tells it. */
export type Balance = Omit<CreditBalance, 'tier'>;

/**
 * The credits of accounts. Every way in which credits come and go is a record of the account's ledger, and no two calls
 * get the same credit. What an account is due by its terms and the time is entered before it is looked at.
 *
 * Where the ledger cannot be written, charges fail, with the calls that they are for; the next call reads the ledger
 * again.
 */
export interface Credits {
  /**
   * Holds back the most that a call can cost. Where only what others hold back stands in the way, it waits for them, in
   * the order in which they came.
   * @param at as for `charge`
   * @throws ApiError of status 402
   */
  reserve(terms: AccountTerms, most: number, at?: number): Awaitable<Hold>;
  /** Credits that are left, what calls in flight hold back among them; undefined where they have no limit. */
  remaining(terms: AccountTerms, at?: number): Awaitable<number | undefined>;
  balance(terms: AccountTerms): Awaitable<Balance>;
  /** The ledger as it stands now; not to be changed. It may hold charges that are on their way to the log. */
  ledger(terms: AccountTerms): Awaitable<Readonly<Ledger>>;
  /** Enters facts that are decided from the ledger as it stands now. Resolves when they are on disk. */
  record(terms: AccountTerms, decide: (ledger: Readonly<Ledger>) => readonly LedgerEvent[]): Promise<void>;
  /** A call that cost nothing, for the account's usage. Nobody waits for it, and a crash may lose it. */
  note(accountId: number, call: AnsweredCall): void;
  /** Resolves when everything that was given so far is in the log, or has failed. */
  flush(): Promise<void>;
}
