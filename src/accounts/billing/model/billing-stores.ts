import type { Plan } from '../../../platform/settings/plans-and-packs.ts';
import type { ProcessLease } from './billing-registry.ts';
import type { Coupon, Customer, Invoice } from './billing-services.ts';

/** What the registry holds of accounts' money beside payments. */
export interface BillingStores {
  readonly coupons: CouponStore;
  readonly subscriptions: SubscriptionStore;
  readonly autoRecharges: AutoRechargeStore;
  readonly issuedInvoices: IssuedInvoiceStore;
  readonly planChanges: PlanChangeStore;
  readonly customers: CustomerStore;
}

export interface AutoRechargeSettings {
  /** Credits: below it a pack is bought. */
  readonly threshold: number;
  readonly packId: number;
  readonly monthlyCapCents: number;
}

interface AutoRecharge extends AutoRechargeSettings {
  readonly isOn: boolean;
  readonly notice: string | null;
}

/** Which accounts buy packs by themselves. Payments ask it as they begin, and a decline turns it off as they end. */
export interface AutoRechargeStore {
  /** Undefined: it was never turned on. */
  find(accountId: number): Promise<AutoRecharge | undefined>;
  enable(accountId: number, settings: AutoRechargeSettings, at: string): Promise<void>;
  /** With what there is to tell of it. */
  disable(accountId: number, notice: string | null, at: string): Promise<void>;
  /** Those that have it on, by their ids, with what their owners want. */
  listEnabled(): Promise<ReadonlyMap<number, AutoRechargeSettings>>;
  /** Accounts that a process has charged which buys nothing itself: others look at those that have it on. */
  noteCharged(accountIds: readonly number[]): Promise<void>;
  /** What was noted, once: to whoever asks first. */
  drainCharged(): Promise<readonly number[]>;
}

export type NewCoupon = Pick<Coupon, 'code' | 'kind' | 'value' | 'maxUses' | 'expiresAt' | 'createdAt'>;

/** What has become of a code. `unknown`: none such, ended, switched off or used up. */
export type Redemption =
  | { readonly outcome: 'redeemed'; readonly couponId: number; readonly kind: Coupon['kind']; readonly value: number }
  | { readonly outcome: 'unknown' | 'known' | 'waits' };

/** Credits of a coupon that are not known to stand in the ledger yet. */
export interface OpenRedemption {
  readonly couponId: number;
  readonly accountId: number;
  readonly credits: number;
}

/** Coupons, and who has redeemed them. Codes are in capitals. Several processes may use it at once. */
export interface CouponStore {
  /** The newest first. */
  list(): Promise<readonly Coupon[]>;
  /** Its id; undefined: the code is known. */
  create(coupon: NewCoupon): Promise<number | undefined>;
  /** False: there is no such coupon. */
  setActive(id: number, isActive: boolean): Promise<boolean>;
  remove(id: number): Promise<boolean>;

  /**
   * Once for an account, and no more often than the coupon may be used, however many ask at once. A percent coupon then
   * waits; `waits`: another one does. `known`: the account has redeemed it before.
   */
  redeem(code: string, accountId: number, at: string): Promise<Redemption>;
  /** The credits stand in the ledger. */
  endRedemption(couponId: number, accountId: number): Promise<void>;
  openRedemptions(): Promise<readonly OpenRedemption[]>;
  /** Of one that waits, also where a payment under way has taken it; null: none. */
  waitingPercent(accountId: number): Promise<number | null>;

  /**
   * A try of this moment, which counts among the wrong ones until it is taken back.
   * @param now milliseconds
   * @returns `id`; or, where there are as many as there may be, when the first of them counts no more
   */
  countAttempt(accountId: number, now: number): Promise<{ readonly id: number } | { readonly until: number }>;
  forgetAttempt(id: number): Promise<void>;
}

/** Wrong codes in so many milliseconds. */
export const MAX_WRONG_COUPON_CODES = 10;
export const WRONG_COUPON_CODE_WINDOW = 3_600_000;

export const CUSTOMERS_PER_PAGE = 50;

/** Accounts as staff see them. */
export interface CustomerStore {
  find(accountId: number): Promise<Customer | undefined>;
  /** The newest first. @param page from 1 @param q part of an e-mail without case, or an id; empty: all */
  list(page: number, q: string): Promise<{ readonly customers: readonly Customer[]; readonly total: number }>;
}

/** A month that could not be charged yet. */
interface OwedMonth {
  readonly month: string;
  readonly priceCents: number;
  readonly currency: string;
  readonly line: string;
}

/** Invoices that were issued: one for each charge of money. Payments make them, as they end. */
export interface IssuedInvoiceStore {
  /** The newest first. */
  ofAccount(accountId: number): Promise<readonly Invoice[]>;
  /** Of this account only. */
  find(accountId: number, id: number): Promise<Invoice | undefined>;
  /** The last month that the account owes; undefined: none. */
  owedMonth(accountId: number): Promise<OwedMonth | undefined>;
  /** Whose they were is erased: the account is deleted. */
  forgetCustomer(accountId: number): Promise<void>;
}

/** Members of a plan that staff have changed; null: the plan is deleted. */
export type PlanContent = Partial<Plan> | null;

/** What staff have changed of the configuration's plans. Several processes may use it at once. */
export interface PlanChangeStore {
  all(): Promise<ReadonlyMap<string, PlanContent>>;
  /** These members over what was changed before, or over nothing where the plan was deleted. */
  change(slug: string, members: Partial<Plan>): Promise<void>;
  /** False: an account is on it. */
  remove(slug: string): Promise<boolean>;
  /** How many accounts are on each plan. */
  accounts(): Promise<ReadonlyMap<string, number>>;
}

/** The plan that is charged by the month. */
export const GROWTH_PLAN = 'growth';
/** The plan after it, where nobody says another. */
export const PLAN_AFTER_GROWTH = 'free';

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
export interface SubscriptionStore {
  find(accountId: number): Promise<Subscription | undefined>;
  /** Growth ends with the month; false: the account is not on it. @param month the next one */
  scheduleEnd(accountId: number, plan: string, month: string): Promise<boolean>;
  /** It goes on after all. */
  cancelEnd(accountId: number): Promise<void>;
  /** Puts the account on another plan now; what it had subscribed to is over. False: there is no such account. */
  changePlan(accountId: number, plan: string): Promise<boolean>;
  /** Nothing comes with the next month any more; the plan stays as it is. */
  remove(accountId: number): Promise<void>;
  /** Ids of accounts, those first whose time came first. */
  listDue(now: string): Promise<readonly number[]>;
  /** Undefined: it is not due any more, or another process is at it. */
  claim(accountId: number, hold: ProcessLease, now: string): Promise<Subscription | undefined>;
  /** Something is to be done later, and by anybody. @param month the one that it is for now */
  postpone(accountId: number, dueAt: string, month: string): Promise<void>;
}
