import type { Plan } from '../../../platform/settings/plans-and-packs.ts';
import type { ProcessLease } from './billing-registry.ts';
import type { Coupon, Customer, CustomerPage, Invoice, InvoicePart } from './billing-services.ts';

/** What the registry stores about accounts' money, apart from payments. */
export interface BillingStores {
  readonly coupons: CouponStore;
  readonly subscriptions: SubscriptionStore;
  readonly autoRecharges: AutoRechargeStore;
  readonly issuedInvoices: IssuedInvoiceStore;
  readonly planChanges: PlanChangeStore;
  readonly customers: CustomerStore;
  readonly rewards: RewardStore;
}

export interface AutoRechargeSettings {
  /** A pack is bought when fewer credits than this are left. */
  readonly threshold: number;
  readonly packId: number;
  readonly monthlyCapCents: number;
}

interface AutoRecharge extends AutoRechargeSettings {
  readonly isOn: boolean;
  readonly notice: string | null;
}

/** Which accounts buy packs automatically. Payments check this when they begin; a declined one turns it off. */
export interface AutoRechargeStore {
  /** Undefined: auto-recharge was never turned on. */
  find(accountId: number): Promise<AutoRecharge | undefined>;
  enable(accountId: number, settings: AutoRechargeSettings, at: string): Promise<void>;
  /** Turns auto-recharge off, with a notice for the owner. */
  disable(accountId: number, notice: string | null, at: string): Promise<void>;
  /** The accounts with auto-recharge on, by id, with their settings. */
  listEnabled(): Promise<ReadonlyMap<number, AutoRechargeSettings>>;
  /** Notes accounts charged by a process that buys no packs itself. Only accounts with auto-recharge on are noted. */
  noteCharged(accountIds: readonly number[]): Promise<void>;
  /** Returns and clears the noted accounts. Each note goes to one process only. */
  drainCharged(): Promise<readonly number[]>;
}

export type NewCoupon = Pick<Coupon, 'code' | 'kind' | 'value' | 'maxUses' | 'expiresAt' | 'createdAt'>;

/** The result of redeeming a code. `unknown`: the code does not exist, has expired, is switched off or used up. */
export type Redemption =
  | { readonly outcome: 'redeemed'; readonly couponId: number; readonly kind: Coupon['kind']; readonly value: number }
  | { readonly outcome: 'unknown' | 'known' | 'waits' };

/** Credits of a coupon that may not be in the ledger yet. */
export interface OpenRedemption {
  readonly couponId: number;
  readonly accountId: number;
  readonly credits: number;
}

/** Coupons and their redemptions. Codes are in upper case. Several processes may use the store at once. */
export interface CouponStore {
  /** Newest first. */
  list(): Promise<readonly Coupon[]>;
  /** The coupon's id; undefined: the code exists already. */
  create(coupon: NewCoupon): Promise<number | undefined>;
  /** False: there is no such coupon. */
  setActive(id: number, isActive: boolean): Promise<boolean>;
  remove(id: number): Promise<boolean>;

  /**
   * Redeems a coupon once per account and at most `maxUses` times, even with requests at the same time. A percent
   * coupon then waits for the next charge. `waits`: another coupon already waits. `known`: the account has redeemed
   * this one before.
   */
  redeem(code: string, accountId: number, at: string): Promise<Redemption>;
  /** The credits are in the ledger. */
  endRedemption(couponId: number, accountId: number): Promise<void>;
  openRedemptions(): Promise<readonly OpenRedemption[]>;
  /** The percent of the waiting coupon, even if a payment in progress has claimed it; null: none. */
  waitingPercent(accountId: number): Promise<number | null>;

  /**
   * Counts an attempt, which is treated as a wrong one until it is forgotten.
   * @param now milliseconds
   * @returns `id`; or, if the limit is reached, the time when the oldest attempt expires
   */
  countAttempt(accountId: number, now: number): Promise<{ readonly id: number } | { readonly until: number }>;
  forgetAttempt(id: number): Promise<void>;
}

/** How many wrong codes are allowed in this many milliseconds. */
export const MAX_WRONG_COUPON_CODES = 10;
export const WRONG_COUPON_CODE_WINDOW = 3_600_000;

export const CUSTOMERS_PER_PAGE = 50;

/** Rewards that are given once. */
export interface RewardStore {
  /**
   * Claims a reward that an address gets once. False: another account, perhaps a deleted one, that has had an address of
   * this one has claimed it. True for the same account again.
   */
  claim(accountId: number, reward: string): Promise<boolean>;
}

/** The accounts, as staff see them. */
export interface CustomerStore {
  find(accountId: number): Promise<Customer | undefined>;
  /**
   * Newest first. @param page from 1 @param q part of an e-mail address in any case, or an id; empty: all accounts
   * @param before the lowest id of the page in front of it
   */
  list(page: number, q: string, before?: number): Promise<CustomerPage>;
}

/** A month that could not be charged yet. */
interface OwedMonth {
  readonly month: string;
  readonly priceCents: number;
  readonly currency: string;
  readonly line: string;
}

/** The issued invoices: one for each charge. Payments issue them when they end. */
export interface IssuedInvoiceStore {
  /** Newest first, at most 50 or `limit`. */
  ofAccount(accountId: number, part?: InvoicePart): Promise<readonly Invoice[]>;
  /** Only invoices of this account. */
  find(accountId: number, id: number): Promise<Invoice | undefined>;
  /** The last month that the account owes; undefined: none. */
  owedMonth(accountId: number): Promise<OwedMonth | undefined>;
  /** Erases the customer's name and address: the account is deleted. */
  forgetCustomer(accountId: number): Promise<void>;
}

/** The members of a plan that staff have changed; null: the plan is deleted. */
export type PlanContent = Partial<Plan> | null;

/** The changes that staff have made to the configured plans. Several processes may use the store at once. */
export interface PlanChangeStore {
  all(): Promise<ReadonlyMap<string, PlanContent>>;
  /** Merges these members with earlier changes, or stores them alone if the plan was deleted. */
  change(slug: string, members: Partial<Plan>): Promise<void>;
  /** False: an account is on this plan. */
  remove(slug: string): Promise<boolean>;
  /** The number of accounts on each plan. */
  accounts(): Promise<ReadonlyMap<string, number>>;
}

/** The plan that is charged monthly. */
export const GROWTH_PLAN = 'growth';
/** The default plan after growth. */
export const PLAN_AFTER_GROWTH = 'free';

/** The subscription of an account on growth. Times are ISO 8601 with milliseconds, since they are compared as text. */
export interface Subscription {
  readonly accountId: number;
  /** `2026-12`: the first month that is neither charged nor given up. */
  readonly month: string;
  /** How often the charge for the month was declined. */
  readonly tries: number;
  readonly isCharged: boolean;
  /** The plan after growth, and its first month; null: growth continues. */
  readonly ends: { readonly plan: string; readonly month: string } | null;
  readonly dueAt: string;
}

/**
 * The accounts' plans, and what is due with the next month. Payments start subscriptions and move them on when they
 * end.
 */
export interface SubscriptionStore {
  find(accountId: number): Promise<Subscription | undefined>;
  /** Growth ends with this month; false: the account is not on growth. @param month the next month */
  scheduleEnd(accountId: number, plan: string, month: string): Promise<boolean>;
  /** Growth continues after all. */
  cancelEnd(accountId: number): Promise<void>;
  /** Changes the plan now, and ends the subscription. False: there is no such account. */
  changePlan(accountId: number, plan: string): Promise<boolean>;
  /** Nothing is due with the next month any more. The plan stays. */
  remove(accountId: number): Promise<void>;
  /** Account ids, ordered by due time. */
  listDue(now: string): Promise<readonly number[]>;
  /** Undefined: it is no longer due, or another process works on it. */
  claim(accountId: number, hold: ProcessLease, now: string): Promise<Subscription | undefined>;
  /** Postpones the subscription, and ends its lease. @param month the month that is due now */
  postpone(accountId: number, dueAt: string, month: string): Promise<void>;
}
