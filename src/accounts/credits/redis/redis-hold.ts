import { countForKey, createCharge } from '../../../../commands/credit-decisions.ts';
import type { AnsweredCall, ChargedCall } from '../../../domain/accounts/account-event-data.ts';
import { type AccountTerms, dailyCapOf, isUnlimited, type KeyCap } from '../../../domain/accounts/credit-terms.ts';
import { UnavailableError } from '../../../domain/primitives/domain-errors.ts';
import { pauseFor, type SetTimer } from '../../../platform/async/timer.ts';
import type { Charged, Hold } from '../credits.ts';
import type { LedgerWriter } from '../ledger-writer.ts';
import type { AccountScriptRunner } from './account-script-runner.ts';
import { type BoundedLogSink, ChargeLeaseExpired, ChargesInDoubt } from './bounded-log-sink.ts';
import type { CreditLease, CreditLeases } from './credit-leases.ts';
import { CONFIRM_CHARGE, DISCARD_CHARGE, RELEASE_HOLD, SETTLE } from './credit-scripts.ts';
import type { InDoubtResolver } from './in-doubt-resolver.ts';

/** How long a finished call waits until it can be settled, in milliseconds. */
const SETTLE_TIMEOUT = 4000;
const BUSY_PAUSE = 5;

export interface HoldParts {
  readonly scripts: AccountScriptRunner;
  readonly leases: CreditLeases;
  readonly writer: Pick<LedgerWriter, 'charge'>;
  readonly sink: Pick<BoundedLogSink, 'assertAnswering'>;
  readonly inDoubt: InDoubtResolver;
  readonly synchronize: (terms: AccountTerms) => Promise<unknown>;
  /** Credits of the account were freed. */
  readonly wake: (accountId: number) => void;
  readonly now: () => number;
  readonly steadyNow: () => number;
  readonly setTimer: SetTimer;
}

interface Settled {
  readonly charge: ChargedCall;
  readonly remaining: number | undefined;
  /** Absent for a free call. */
  readonly lease: CreditLease | undefined;
}

interface HeldCredits {
  readonly terms: AccountTerms;
  readonly id: string;
  readonly maxCost: number;
  readonly keyCap: KeyCap | undefined;
}

/** Credits that Redis holds for a call. */
export class RedisHold implements Hold {
  readonly #parts: HoldParts;
  readonly #terms: AccountTerms;
  readonly #id: string;
  readonly #maxCost: number;
  readonly #keyCap: KeyCap | undefined;
  /** Undefined if nothing limits what is charged. */
  readonly #lease: CreditLease | undefined;

  constructor(parts: HoldParts, { terms, id, maxCost, keyCap }: HeldCredits, requestedAt: number) {
    this.#parts = parts;
    this.#terms = terms;
    this.#id = id;
    this.#maxCost = maxCost;
    this.#keyCap = keyCap;
    const { accountId } = terms;
    if (keyCap || !isUnlimited(terms))
      this.#lease = parts.leases.add({ kind: 'hold', accountId, id, credits: maxCost }, requestedAt);
  }

  async charge(call: AnsweredCall, credits: number): Promise<Charged> {
    if (!this.#lease) return this.#chargeUnlimited(call, credits);
    try {
      this.#parts.sink.assertAnswering();
      // Another process may have run this request again and charged it. Fail, so that the client repeats the request
      // and gets that answer.
      if (call.run !== undefined && !this.#parts.leases.isFresh(this.#lease)) throw new ChargeLeaseExpired();
      return await this.#chargeHeld(call, credits).catch((error: unknown) => {
        // This process was paused: its charge was given up before anything was sent.
        if (error instanceof ChargeLeaseExpired && call.run === undefined) return this.#chargeHeld(call, credits);
        throw error;
      });
    } catch (error) {
      this.release();
      throw error;
    } finally {
      this.#parts.leases.drop(this.#lease);
      this.#parts.wake(this.#terms.accountId);
    }
  }

  release(): void {
    if (!this.#lease) return;
    const { leases, scripts, wake } = this.#parts;
    leases.drop(this.#lease);
    void scripts.send(RELEASE_HOLD, this.#terms.accountId, this.#id, this.#maxCost);
    wake(this.#terms.accountId);
  }

  async #chargeUnlimited(call: AnsweredCall, credits: number): Promise<Charged> {
    const { sink, writer, inDoubt, now } = this.#parts;
    if (credits === 0) return { remaining: undefined };
    sink.assertAnswering();
    const charge = createCharge(this.#terms, call, credits, 0, now());
    try {
      await writer.charge(this.#terms.accountId, charge, true);
    } catch (error) {
      if (error instanceof ChargesInDoubt) inDoubt.add(error, this.#terms, charge, () => {});
      throw error;
    }
    return { remaining: undefined };
  }

  async #chargeHeld(call: AnsweredCall, credits: number): Promise<Charged> {
    const { scripts, leases, writer, inDoubt, steadyNow } = this.#parts;
    const { accountId } = this.#terms;
    const { charge, remaining, lease } = await this.#settle(call, credits);
    if (!lease) return { remaining };
    const forget = (doubtLease: CreditLease) => {
      leases.drop(doubtLease);
      void scripts.send(DISCARD_CHARGE, accountId, 1, doubtLease.id, doubtLease.credits);
    };
    try {
      await writer.charge(accountId, charge, isUnlimited(this.#terms));
    } catch (error) {
      if (error instanceof ChargesInDoubt) {
        leases.drop(lease);
        // Keep a lease, so that no process reads the account from the log before the outcome is known.
        const doubtLease = leases.add({ ...lease, kind: 'doubt' }, steadyNow());
        void scripts.send(DISCARD_CHARGE, accountId, 0, lease.id, lease.credits);
        inDoubt.add(error, this.#terms, charge, () => forget(doubtLease));
      } else forget(lease);
      throw error;
    }
    leases.drop(lease);
    void scripts.send(CONFIRM_CHARGE, accountId, lease.id, lease.credits);
    return { remaining };
  }

  async #settle(call: AnsweredCall, credits: number): Promise<Settled> {
    const { scripts, leases, synchronize, steadyNow, setTimer } = this.#parts;
    const { accountId } = this.#terms;
    const deadline = steadyNow() + SETTLE_TIMEOUT;
    const cap = dailyCapOf(this.#terms) ?? '';
    const unlimited = isUnlimited(this.#terms);
    const caps = [unlimited ? 1 : 0, this.#keyCap?.credits ?? ''];
    const hold = [cap, leases.length, this.#id, this.#maxCost];
    for (;;) {
      const requestedAt = steadyNow();
      const reply = await scripts.run(SETTLE, accountId, ...hold, credits, ...caps);
      const [state, bought, remaining, at] = reply;
      if (state === 'ok') {
        const lease = { kind: 'charge' as const, accountId, id: this.#id, credits };
        const charge = createCharge(this.#terms, call, credits, Number(bought), Number(at));
        return {
          charge: this.#keyCap ? countForKey(charge, Number(at)) : charge,
          remaining: unlimited ? undefined : Number(remaining),
          lease: credits > 0 ? leases.add(lease, requestedAt) : undefined,
        };
      }
      if (state === 'lapsed') throw new UnavailableError('what was held back for this call is others’ by now', 1);
      if (steadyNow() > deadline)
        throw new UnavailableError('the balance of the account is being read from the log', 1);
      if (state === 'stale') await synchronize(this.#terms);
      else await pauseFor(setTimer, BUSY_PAUSE);
    }
  }
}
