import { type Admission, type Call, freeReservation, type Reservation } from '../api/calls/pipeline/admission.ts';
import { SHARED_LIMIT_RULES } from '../api/limits/limit-rules.ts';
import type { CallLease, Limits, SharedLimit, WindowState } from '../api/limits/limits.ts';
import type { AnsweredCall } from '../domain/accounts/account-event-data.ts';
import type { AccountTerms } from '../domain/accounts/credit-terms.ts';
import { formatTime } from '../domain/primitives/time.ts';
import { type Awaitable, mapAwaitable } from '../platform/async/awaitable.ts';
import type { Credits, Hold } from './credits/credits.ts';
import { toLimitError } from './limit-errors.ts';

interface MeteredCall {
  readonly call: Call;
  readonly credits: Credits;
  /** Of its account; undefined where nothing is charged. */
  readonly terms: AccountTerms | undefined;
  readonly limits: Limits;
  /** Milliseconds. */
  readonly now: () => number;
  /** How the window of requests stands now. */
  readonly updateWindow: (counted: WindowState | undefined) => void;
  /** What is held back for it already. */
  readonly early?: EarlyHold | undefined;
}

/** What one call occupies of its key's limits, and of its account. Each call has one: as closures it would be many. */
export class MeteredAdmission implements Admission {
  readonly #metered: MeteredCall;
  readonly #lease: CallLease | undefined;
  #ofBudget: CallLease | undefined = undefined;

  /** @param lease absent: of a session, which has no limits */
  constructor(metered: MeteredCall, lease?: CallLease) {
    this.#metered = metered;
    this.#lease = lease;
  }

  enterSharedLimit(budget: SharedLimit): Awaitable<void> {
    const { call, limits, now } = this.#metered;
    const { keyId } = call.principal;
    if (keyId === null) return undefined;
    call.sharedLimit = budget;
    const at = now();
    const asked = limits.admit({ keyId, at, rules: SHARED_LIMIT_RULES[budget] });
    return mapAwaitable(asked, (verdict) => {
      if (!verdict.admitted) throw toLimitError(verdict, at);
      this.#ofBudget = verdict.lease;
    });
  }

  uncount(): Awaitable<void> {
    const ofBudget = this.#ofBudget?.uncount();
    return mapAwaitable(this.#lease?.uncount(), (counted) => {
      this.#metered.updateWindow(counted);
      return ofBudget instanceof Promise ? ofBudget.then(() => {}) : undefined;
    });
  }

  reserveCredits(most: number): Awaitable<Reservation> {
    const { call, credits, terms, now, early } = this.#metered;
    if (!terms) return freeReservation;
    const holding = early?.take(most) ?? credits.reserve(terms, most, now());
    return mapAwaitable(holding, (hold) => new CreditReservation(call, hold, now));
  }

  release(): void {
    this.#lease?.release();
    this.#ofBudget?.release();
    this.#metered.early?.drop();
  }
}

/** What one call holds of its account. */
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

  cancel(): Awaitable<void> {
    return this.#hold.release();
  }
}

/** What the ledger tells of a call. @param at now, in milliseconds */
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

/** Credits that are asked for before it is known whether the call gets as far as to need them. */
export interface EarlyHold {
  /** The hold, for whoever needs exactly these credits, once. For others it is given back. */
  take(most: number): Promise<Hold> | undefined;
  /** Gives back what nobody has taken. */
  drop(): void;
}

export function reserveEarly(early: number, reserve: () => Awaitable<Hold>): EarlyHold {
  let holding: Promise<Hold> | undefined = (async () => reserve())();
  // A refusal is told to who takes it.
  holding.catch(() => {});
  function drop(): void {
    void holding?.then((hold) => hold.release()).catch(() => {});
    holding = undefined;
  }

  return {
    take(most) {
      // Otherwise the call could wait for what it holds back itself.
      if (most !== early) {
        drop();
        return;
      }
      const taken = holding;
      holding = undefined;
      return taken;
    },
    drop,
  };
}
