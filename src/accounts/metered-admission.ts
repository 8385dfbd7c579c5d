import { type Admission, type Call, freeReservation, type Reservation } from '../api/calls/pipeline/admission.ts';
import { SHARED_LIMIT_RULES } from '../api/limits/limit-rules.ts';
import type { CallLease, Limits, SharedLimit, WindowState } from '../api/limits/limits.ts';
import type { AnsweredCall } from '../domain/accounts/account-event-data.ts';
import type { AccountTerms } from '../domain/accounts/credit-terms.ts';
import { formatTime } from '../domain/primitives/time.ts';
import { type Awaitable, mapAwaitable } from '../platform/async/awaitable.ts';
import type { Credits, Hold } from './credits/credits.ts';
import { toLimitError } from './limit-errors.ts';

interface AdmissionParts {
  readonly call: Call;
  readonly credits: Credits;
  /** The account's terms; undefined: nothing is charged. */
  readonly terms: AccountTerms | undefined;
  readonly limits: Limits;
  /** Milliseconds. */
  readonly now: () => number;
  /** Takes the current state of the window of requests. */
  readonly updateWindow: (counted: WindowState | undefined) => void;
  /** Credits that are already reserved for the call. */
  readonly early?: EarlyHold | undefined;
}

/**
 * What one call occupies of its key's limits and its account's credits. A class is smaller than closures, since each
 * call has one.
 */
export class MeteredAdmission implements Admission {
  readonly #metered: AdmissionParts;
  readonly #lease: CallLease;
  #sharedLease: CallLease | undefined = undefined;

  constructor(metered: AdmissionParts, lease: CallLease) {
    this.#metered = metered;
    this.#lease = lease;
  }

  enterSharedLimit(sharedLimit: SharedLimit): Awaitable<void> {
    const { call, limits, now } = this.#metered;
    const { keyId } = call.principal;
    if (keyId === null) return undefined;
    call.sharedLimit = sharedLimit;
    const at = now();
    const decision = limits.admit({ keyId, at, rules: SHARED_LIMIT_RULES[sharedLimit] });
    return mapAwaitable(decision, (verdict) => {
      if (!verdict.admitted) throw toLimitError(verdict, at);
      this.#sharedLease = verdict.lease;
    });
  }

  uncount(): Awaitable<void> {
    const sharedUncount = this.#sharedLease?.uncount();
    return mapAwaitable(this.#lease.uncount(), (counted) => {
      this.#metered.updateWindow(counted);
      return sharedUncount instanceof Promise ? sharedUncount.then(() => {}) : undefined;
    });
  }

  reserveCredits(maxCost: number): Awaitable<Reservation> {
    const { call, credits, terms, now, early } = this.#metered;
    if (!terms) return freeReservation;
    const holding = early?.take(maxCost) ?? credits.reserve(terms, maxCost, now(), call.principal.keyCap);
    return mapAwaitable(holding, (hold) => new CreditReservation(call, hold, now));
  }

  release(): void {
    this.#lease.release();
    this.#sharedLease?.release();
    this.#metered.early?.drop();
  }
}

/** The credits that one call holds. */
class CreditReservation implements Reservation {
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
    const answered = toAnsweredCall(call, status, at);
    const { runId } = call;
    const charged = runId === undefined || amount === 0 ? answered : { ...answered, run: runId };
    return mapAwaitable(this.#hold.charge(charged, amount, at), ({ remaining }) => {
      call.creditsRemaining = remaining;
    });
  }

  release(): Awaitable<void> {
    return this.#hold.release();
  }
}

/** The call as it is recorded. @param at now, in milliseconds */
export function toAnsweredCall(call: Call, status: number, at: number): AnsweredCall {
  const { startedAt, principal, operation = null, requestId, sharedLimit } = call;
  const answered = {
    at: formatTime(startedAt),
    keyId: principal.keyId,
    operation,
    requestId,
    status,
    milliseconds: Math.max(0, at - startedAt),
  };
  return sharedLimit === undefined ? answered : { ...answered, budget: sharedLimit };
}

/** Credits that are reserved before it is known whether the call will need them. */
export interface EarlyHold {
  /** The hold, once, for a call that needs exactly these credits. For other amounts it is released. */
  take(maxCost: number): Promise<Hold> | undefined;
  /** Releases a hold that was not taken. */
  drop(): void;
}

export function reserveEarly(early: number, reserve: () => Awaitable<Hold>): EarlyHold {
  let holding: Promise<Hold> | undefined = (async () => reserve())();
  // The caller of `take` gets the error.
  holding.catch(() => {});
  function drop(): void {
    void holding?.then((hold) => hold.release()).catch(() => {});
    holding = undefined;
  }

  return {
    take(maxCost) {
      // Release first: otherwise the call could wait for its own hold.
      if (maxCost !== early) {
        drop();
        return;
      }
      const reserved = holding;
      holding = undefined;
      return reserved;
    },
    drop,
  };
}
