import { type Admission, type Call, freeReservation, type Reservation } from '../api/calls/stages.ts';
import { BUDGET_RULES } from '../api/limits/limit-numbers.ts';
import type { Budget, Counted, Lease, Limits } from '../api/limits/limits.ts';
import type { AnsweredCall } from '../domain/accounts/calls.ts';
import type { AccountTerms } from '../domain/accounts/terms.ts';
import { formatTime } from '../domain/time.ts';
import { type Awaitable, whenThere } from '../platform/time/awaitable.ts';
import type { Credits, Hold } from './credits/credits.ts';
import type { EarlyHold } from './early-hold.ts';
import { limitRefusal } from './limit-refusals.ts';

export interface MeteredCall {
  readonly call: Call;
  readonly credits: Credits;
  /** Of its account; undefined where nothing is charged. */
  readonly terms: AccountTerms | undefined;
  readonly limits: Limits;
  /** Milliseconds. */
  readonly now: () => number;
  /** How the window of requests stands now. */
  readonly tellWindow: (counted: Counted | undefined) => void;
  /** What is held back for it already. */
  readonly early?: EarlyHold | undefined;
}

/** What one call occupies of its key's limits, and of its account. Each call has one: as closures it would be many. */
export class MeteredAdmission implements Admission {
  readonly #metered: MeteredCall;
  readonly #lease: Lease | undefined;
  #ofBudget: Lease | undefined = undefined;

  /** @param lease absent: of a session, which has no limits */
  constructor(metered: MeteredCall, lease?: Lease) {
    this.#metered = metered;
    this.#lease = lease;
  }

  enterBudget(budget: Budget): Awaitable<void> {
    const { call, limits, now } = this.#metered;
    const { keyId } = call.principal;
    if (keyId === null) return undefined;
    call.budget = budget;
    const at = now();
    const asked = limits.admit({ keyId, at, rules: BUDGET_RULES[budget] });
    return whenThere(asked, (verdict) => {
      if (!verdict.admitted) throw limitRefusal(verdict, at);
      this.#ofBudget = verdict.lease;
    });
  }

  uncount(): Awaitable<void> {
    const ofBudget = this.#ofBudget?.uncount();
    return whenThere(this.#lease?.uncount(), (counted) => {
      this.#metered.tellWindow(counted);
      return ofBudget instanceof Promise ? ofBudget.then(() => {}) : undefined;
    });
  }

  reserve(most: number): Awaitable<Reservation> {
    const { call, credits, terms, now, early } = this.#metered;
    if (!terms) return freeReservation;
    const holding = early?.take(most) ?? credits.reserve(terms, most, now());
    return whenThere(holding, (hold) => new HeldCredits(call, hold, now));
  }

  release(): void {
    this.#lease?.release();
    this.#ofBudget?.release();
    this.#metered.early?.drop();
  }
}

/** What one call holds of its account. */
class HeldCredits implements Reservation {
  readonly #call: Call;
  readonly #hold: Hold;
  readonly #now: () => number;

  constructor(call: Call, hold: Hold, now: () => number) {
    this.#call = call;
    this.#hold = hold;
    this.#now = now;
  }

  charge(amount: number, status: number): Awaitable<void> {
    const at = this.#now();
    const call = this.#call;
    if (amount > 0) call.isCharged = true;
    const answered = answeredCall(call, status, at);
    const { run } = call;
    const charged = run === undefined || amount === 0 ? answered : { ...answered, run };
    return whenThere(this.#hold.charge(charged, amount, at), ({ remaining }) => {
      call.creditsRemaining = remaining;
    });
  }

  cancel(): Awaitable<void> {
    return this.#hold.release();
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
