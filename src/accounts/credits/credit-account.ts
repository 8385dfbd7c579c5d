import { isDeepStrictEqual } from 'node:util';
import {
  countForKey,
  decideCharge,
  decideDue,
  decideRefusal,
  nextDueTime,
  spendableByKey,
  spendableCredits,
} from '../../../commands/credit-decisions.ts';
import type { ApiError } from '../../api/calls/api-errors.ts';
import type { AnsweredCall } from '../../domain/accounts/account-event-data.ts';
import type { LedgerEvent } from '../../domain/accounts/account-events.ts';
import { applyCharge, applyLedgerEvent, type Ledger } from '../../domain/accounts/credit-ledger.ts';
import { type AccountTerms, isUnlimited, type KeyCap } from '../../domain/accounts/credit-terms.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';
import { alwaysOpenGate, type WriteGate } from '../../platform/clock/write-gate.ts';
import { toBalance, toCreditRefusalError } from './credit-answers.ts';
import type { Balance, Charged, Hold } from './credits.ts';
import type { LedgerWriter } from './ledger-writer.ts';

/** What a hold occupies. */
interface Held {
  /** 0 if the account's credits are unlimited. */
  readonly credits: number;
  readonly maxCost: number;
  readonly keyCap: KeyCap | undefined;
}

/** Each call has one while it waits for the disk. A class is smaller: closures would be five objects. */
class AccountHold implements Hold, Held {
  readonly #account: CreditAccount;
  readonly credits: number;
  readonly maxCost: number;
  readonly keyCap: KeyCap | undefined;

  constructor(account: CreditAccount, credits: number, maxCost: number, keyCap: KeyCap | undefined) {
    this.#account = account;
    this.credits = credits;
    this.maxCost = maxCost;
    this.keyCap = keyCap;
  }

  charge(call: AnsweredCall, credits: number, at?: number): Awaitable<Charged> {
    return this.#account.charge(this, call, credits, at);
  }

  release(): void {
    this.#account.release(this);
  }
}

interface Waiting {
  readonly maxCost: number;
  readonly keyCap: KeyCap | undefined;
  readonly resolve: (hold: Hold) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * An account's credits while calls run: the logged ledger, the charges on their way to the log, and the credits
 * reserved for calls in flight. No step waits between reading the balance and changing it, so no two calls get the same
 * credit.
 */
export class CreditAccount {
  readonly #writer: LedgerWriter;
  readonly #now: () => number;
  readonly #gate: WriteGate;
  #terms: AccountTerms;
  #ledger: Ledger;
  #held = 0;
  /** Credits held by calls of keys with a cap, by the id of the key. */
  readonly #heldByKey = new Map<number, number>();
  readonly #waiting: Waiting[] = [];
  #dueAt = Number.NEGATIVE_INFINITY;
  #failed: unknown;

  constructor(terms: AccountTerms, ledger: Ledger, writer: LedgerWriter, now: () => number, gate = alwaysOpenGate) {
    this.#terms = terms;
    this.#ledger = ledger;
    this.#writer = writer;
    this.#now = now;
    this.#gate = gate;
  }

  get isIdle(): boolean {
    return this.#held === 0 && this.#waiting.length === 0;
  }

  /** The account's current terms. */
  set terms(terms: AccountTerms) {
    if (terms === this.#terms) return;
    if (!isDeepStrictEqual(terms, this.#terms)) this.#dueAt = Number.NEGATIVE_INFINITY;
    this.#terms = terms;
  }

  get ledger(): Ledger {
    this.#settleDue(this.#now());
    return this.#ledger;
  }

  /**
   * Undefined if credits are unlimited. @param at now, in milliseconds: reading the clock ten times would slow a call
   * down
   */
  remaining(at = this.#now()): number | undefined {
    if (isUnlimited(this.#terms)) return undefined;
    this.#settleDue(at);
    return this.#ledger.balance;
  }

  get balance(): Balance {
    const now = this.#now();
    this.#settleDue(now);
    return toBalance(this.#terms, this.#ledger, now);
  }

  /**
   * Reserves the maximum cost of a call. If only other reservations stand in the way, waits for them.
   * @throws ApiError with status 402
   */
  reserve(maxCost: number, at = this.#now(), keyCap?: KeyCap): Awaitable<Hold> {
    if (this.#failed !== undefined) throw this.#failed;
    const refusal = this.#refusal(maxCost, at, keyCap);
    if (refusal) throw refusal;
    if (this.#waiting.length === 0 && this.#fits(maxCost, at) && this.#fitsKey(maxCost, at, keyCap))
      return this.#hold(maxCost, keyCap);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ maxCost, keyCap, resolve, reject });
      // The others may wait for the caps of their keys alone.
      this.#wake();
    });
  }

  /** Called by the hold: charges the call's cost and ends the reservation. */
  charge(hold: Held, call: AnsweredCall, credits: number, at = this.#now()): Awaitable<Charged> {
    this.#free(hold);
    if (this.#failed !== undefined) return Promise.reject(this.#failed);
    const written = credits > 0 ? this.#charge(call, credits, at, hold.keyCap) : undefined;
    this.#wake();
    const charged = { remaining: this.remaining(at) };
    return written === undefined ? charged : written.then(() => charged);
  }

  /** Called by the hold: the call has failed. */
  release(hold: Held): void {
    this.#free(hold);
    this.#wake();
  }

  /** Records events that the caller decides on from the current state. Resolves when they are on disk. */
  async record(decide: (ledger: Ledger) => readonly LedgerEvent[]): Promise<void> {
    if (this.#failed !== undefined) throw this.#failed;
    this.#settleDue(this.#now());
    const written = decide(this.#ledger).map((event) => this.#write(event));
    // New credits may expire sooner than the known ones.
    if (written.length > 0) this.#dueAt = Number.NEGATIVE_INFINITY;
    this.#wake();
    await Promise.all(written);
  }

  /** The log lacks a charge of this account, so this state is no longer valid. */
  fail(error: unknown): void {
    this.#failed = error ?? new Error('the ledger could not be written');
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failed);
  }

  #hold(maxCost: number, keyCap: KeyCap | undefined): Hold {
    const held = isUnlimited(this.#terms) ? 0 : maxCost;
    this.#held += held;
    if (keyCap) this.#heldByKey.set(keyCap.keyId, this.#heldBy(keyCap) + maxCost);
    return new AccountHold(this, held, maxCost, keyCap);
  }

  #free({ credits, maxCost, keyCap }: Held): void {
    this.#held -= credits;
    if (!keyCap) return;
    const left = this.#heldBy(keyCap) - maxCost;
    if (left > 0) this.#heldByKey.set(keyCap.keyId, left);
    else this.#heldByKey.delete(keyCap.keyId);
  }

  #heldBy({ keyId }: KeyCap): number {
    return this.#heldByKey.get(keyId) ?? 0;
  }

  #charge(call: AnsweredCall, credits: number, at: number, keyCap: KeyCap | undefined): Promise<void> {
    const unlimited = isUnlimited(this.#terms);
    const decided = decideCharge(this.#terms, this.#ledger, call, credits, at);
    const charge = keyCap ? countForKey(decided, at) : decided;
    applyCharge(this.#ledger, charge, unlimited);
    return this.#writer.charge(this.#terms.accountId, charge, unlimited);
  }

  #refusal(maxCost: number, at: number, keyCap: KeyCap | undefined): ApiError | undefined {
    this.#settleDue(at);
    const refusal = decideRefusal(this.#terms, this.#ledger, maxCost, at, keyCap);
    return refusal === null ? undefined : toCreditRefusalError(refusal, maxCost);
  }

  #fits(maxCost: number, at: number): boolean {
    return spendableCredits(this.#terms, this.#ledger, at) - this.#held >= maxCost;
  }

  #fitsKey(maxCost: number, at: number, keyCap: KeyCap | undefined): boolean {
    return !keyCap || spendableByKey(this.#ledger, keyCap, at) - this.#heldBy(keyCap) >= maxCost;
  }

  /**
   * In order of arrival, so that small calls do not overtake a large one forever. Who waits for the cap of a key lets
   * the calls of other keys pass.
   */
  #wake(): void {
    const full = new Set<number>();
    for (let index = 0; index < this.#waiting.length; ) {
      const { maxCost, keyCap, resolve, reject } = this.#waiting[index]!;
      const at = this.#now();
      const refusal = this.#refusal(maxCost, at, keyCap);
      if (!refusal && !this.#fits(maxCost, at)) return;
      if (!refusal && keyCap && (full.has(keyCap.keyId) || !this.#fitsKey(maxCost, at, keyCap))) {
        full.add(keyCap.keyId);
        index++;
        continue;
      }
      this.#waiting.splice(index, 1);
      if (refusal) reject(refusal);
      else resolve(this.#hold(maxCost, keyCap));
    }
  }

  #settleDue(at: number): void {
    if (at < this.#dueAt || !this.#gate.isOpen) return;
    // The call may have begun while the clock was ahead. Use the earlier time, since expired credits never come back.
    const now = Math.min(at, this.#now());
    if (now < this.#dueAt) return;
    for (const event of decideDue(this.#terms, this.#ledger, this.#held, now)) void this.#write(event);
    this.#dueAt = nextDueTime(this.#terms, this.#ledger, now);
  }

  #write(event: LedgerEvent): Promise<void> {
    applyLedgerEvent(this.#ledger, event);
    return this.#writer.write(event);
  }
}
