import { type Admission, type Call, freeReservation, type Reservation } from '../calls/stages.ts';
import type { AnsweredCall } from '../domain/accounts/calls.ts';
import { formatTime } from '../domain/time.ts';
import { BUDGET_RULES } from '../limits/limit-numbers.ts';
import type { Budget, Counted, Lease, Limits, Refused } from '../limits/limits.ts';
import { type Awaitable, whenThere } from '../time/awaitable.ts';
import type { CreditAccount, Hold } from './credits/credit-account.ts';
import { limitRefusal } from './limit-refusals.ts';

export interface MeteredCall {
  readonly call: Call;
  readonly account: CreditAccount | undefined;
  readonly limits: Limits;
  /** Milliseconds. */
  readonly now: () => number;
  /** How the window of requests stands now. */
  readonly tellWindow: (counted: Counted | undefined) => void;
}

/** What one call occupies of its key's limits, and of its account. Each call has one: as closures it would be many. */
export class MeteredAdmission implements Admission {
  readonly #metered: MeteredCall;
  readonly #lease: Lease;
  #ofBudget: Lease | undefined = undefined;

  constructor(metered: MeteredCall, lease: Lease) {
    this.#metered = metered;
    this.#lease = lease;
  }

  enterBudget(budget: Budget): Awaitable<void> {
    const { call, limits, now } = this.#metered;
    call.budget = budget;
    const at = now();
    const asked = limits.admit({ keyId: call.principal.keyId, at, rules: BUDGET_RULES[budget] });
    return whenThere(asked, (verdict) => {
      if (!verdict.admitted) return this.#refuse(verdict, at);
      this.#ofBudget = verdict.lease;
    });
  }

  /** A call that is refused with 429 counts in no window. */
  async #refuse(verdict: Refused, at: number): Promise<never> {
    this.#metered.tellWindow(await this.#lease.uncount());
    throw limitRefusal(verdict, at);
  }

  reserve(most: number): Awaitable<Reservation> {
    const { call, account, now } = this.#metered;
    if (!account) return freeReservation;
    return whenThere(account.reserve(most), (hold) => new HeldCredits(call, account, hold, now));
  }

  release(): void {
    this.#lease.release();
    this.#ofBudget?.release();
  }
}

/** What one call holds of its account. */
class HeldCredits implements Reservation {
  readonly #call: Call;
  readonly #account: CreditAccount;
  readonly #hold: Hold;
  readonly #now: () => number;

  constructor(call: Call, account: CreditAccount, hold: Hold, now: () => number) {
    this.#call = call;
    this.#account = account;
    this.#hold = hold;
    this.#now = now;
  }

  charge(amount: number, status: number): Promise<void> | undefined {
    const at = this.#now();
    const written = this.#hold.charge(answeredCall(this.#call, status, at), amount, at);
    this.#call.creditsRemaining = this.#account.remaining(at);
    if (amount > 0) this.#call.isCharged = true;
    return written;
  }

  cancel(): void {
    this.#hold.release();
  }
}

/** What the ledger tells of a call. @param at now, in milliseconds */
export function answeredCall(call: Call, status: number, at: number): AnsweredCall {
  const { startedAt, principal, operation = null, requestId, budget } = call;
  const answered = {
    at: formatTime(startedAt),
    keyId: principal.keyId,
    operation,
    requestId,
    status,
    milliseconds: Math.max(0, at - startedAt),
  };
  return budget === undefined ? answered : { ...answered, budget };
}
