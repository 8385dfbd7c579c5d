import type { PaymentHold } from '../billing-registry.ts';

/** The plan that is charged by the month. */
export const GROWTH = 'growth';
/** The plan after it, where nobody says another. */
export const AFTER_GROWTH = 'free';

/** Of an account on growth. Times are ISO 8601 with milliseconds: they are compared as text. */
export interface Subscription {
  readonly accountId: number;
  /** `2026-12`: the first month that is neither charged nor given up. */
  readonly month: string;
  /** How often its charge was declined. */
  readonly tries: number;
  readonly isCharged: boolean;
  /** The plan after growth, and the first month on it; null: growth goes on. */
  readonly ends: { readonly plan: string; readonly month: string } | null;
  readonly dueAt: string;
}

/** Which plan accounts are on, and what comes with the next month. Payments begin and move subscriptions as they end. */
export interface SubscriptionRegistry {
  find(accountId: number): Promise<Subscription | undefined>;
  /** Growth ends with the month; false: the account is not on it. @param month the next one */
  leave(accountId: number, plan: string, month: string): Promise<boolean>;
  /** It goes on after all. */
  stay(accountId: number): Promise<void>;
  /** Puts the account on another plan now; what it had subscribed to is over. False: there is no such account. */
  changePlan(accountId: number, plan: string): Promise<boolean>;
  /** Nothing comes with the next month any more; the plan stays as it is. */
  forget(accountId: number): Promise<void>;
  /** Ids of accounts, those first whose time came first. */
  due(now: string): Promise<readonly number[]>;
  /** Undefined: it is not due any more, or another process is at it. */
  claim(accountId: number, hold: PaymentHold, now: string): Promise<Subscription | undefined>;
  /** Something is to be done later, and by anybody. @param month the one that it is for now */
  postpone(accountId: number, dueAt: string, month: string): Promise<void>;
}
