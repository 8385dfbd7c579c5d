import type { Pack } from '../../../platform/settings/plans-and-packs.ts';

/** What an account has and owes, for its owner's page. Times are ISO 8601, money in cents of `currency`. */
export interface BillingOverview {
  /** Slug and name. */
  readonly plan: { readonly slug: string; readonly name: string };
  /** Growth was left: the plan from this day on (the 1st of a month, UTC); null: it goes on. */
  readonly ends: { readonly at: string; readonly plan: string } | null;
  /** Of growth, for a whole month. */
  readonly growth: { readonly priceCents: number; readonly currency: string; readonly monthlyCredits: number };
  /** What growth would cost and bring today, for the rest of this month. */
  readonly growthToday: { readonly priceCents: number; readonly credits: number };
  /** The card on file; null: none. */
  readonly card: { readonly label: string } | null;
  readonly autoRecharge: {
    readonly enabled: boolean;
    readonly threshold: number | null;
    readonly packId: number | null;
    readonly monthlyCapCents: number | null;
    /** Why it was turned off, as a notice; null: nothing to tell. */
    readonly notice: string | null;
  };
  /** Of a percent coupon that waits for the next charge; null: none. */
  readonly waitingPercent: number | null;
  /** Two invoices were declined: paid calls are refused. */
  readonly paymentFailed: boolean;
  readonly packs: readonly Pack[];
  readonly testMode: boolean;
}

export interface Invoice {
  readonly id: number;
  /** `LL-2026-000001`. */
  readonly number: string;
  readonly accountId: number;
  readonly at: string;
  /** `paid`, `declined`, `open` (asked for again later). */
  readonly status: 'paid' | 'declined' | 'open';
  readonly line: string;
  readonly priceCents: number;
  readonly discountCents: number;
  readonly totalCents: number;
  readonly currency: string;
  /** As they were when it was paid. */
  readonly customerName: string | null;
  readonly customerEmail: string | null;
  readonly card: string | null;
  /** The development adapter: no money moved. */
  readonly isTest: boolean;
}

export interface BillingRequest {
  readonly accountId: number;
  readonly userId: number;
  readonly requestId: string;
  /** Of the form, where it takes money: the same one again gives the same answer and charges once. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * What the owner of an account does with its money. Rules and numbers: `web.md`, "Billing". What is not done throws
 * `Refused` (`domain/refused-act.ts`) with 402, 422 or 403 and, where one is to blame, the form's field.
 */
export interface CustomerBilling {
  overview(accountId: number): Promise<BillingOverview>;
  /** The newest first. */
  invoices(accountId: number): Promise<readonly Invoice[]>;
  /** Of this account only. */
  invoice(accountId: number, invoiceId: number): Promise<Invoice | undefined>;
  /** A PDF; undefined where there is no paid invoice of that id of this account. */
  receipt(
    accountId: number,
    invoiceId: number,
  ): Promise<{ readonly number: string; readonly pdf: Uint8Array } | undefined>;
  subscribe(act: BillingRequest, plan: string): Promise<void>;
  cancel(act: BillingRequest): Promise<void>;
  topUp(act: BillingRequest, packId: number): Promise<void>;
  setAutoRecharge(
    act: BillingRequest,
    given:
      | { readonly enabled: false }
      | {
          readonly enabled: true;
          readonly threshold: number;
          readonly packId: number;
          readonly monthlyCapCents: number;
        },
  ): Promise<void>;
  /** What it has brought, in a sentence. */
  redeemCoupon(act: BillingRequest, code: string): Promise<string>;
  /** Credits of the one-time reward: 100, or 0 where it was given before. */
  rewardDocsVisit(act: BillingRequest): Promise<number>;
  setupIntent(
    act: BillingRequest,
  ): Promise<{ readonly client_secret: string; readonly publishable_key: string | null }>;
  setPaymentMethod(act: BillingRequest, paymentMethod: string): Promise<void>;
  removePaymentMethod(act: BillingRequest): Promise<void>;
  /** Stripe's address; null with the development adapter. */
  portal(act: BillingRequest, returnTo: string): Promise<string | null>;
  /** The account is deleted: subscription and auto-recharge end, the provider forgets the card; the ledger stays. */
  closeAccount(accountId: number): Promise<void>;
}

export interface Coupon {
  readonly id: number;
  readonly code: string;
  readonly kind: 'credits' | 'percent';
  readonly value: number;
  readonly maxUses: number | null;
  readonly uses: number;
  readonly expiresAt: string | null;
  readonly isActive: boolean;
  readonly createdAt: string;
}

/** Who of the staff does it, and why. */
export interface StaffRequest {
  readonly userId: number;
  readonly requestId: string;
}

/** As forms give it: empty is no limit, absent leaves what is. */
export interface PlanChange {
  readonly name?: string;
  readonly requests_per_minute?: number | null;
  readonly max_api_keys?: number | null;
  readonly initial_credits?: number | null;
  readonly monthly_credits?: number;
  readonly daily_credit_cap?: number | null;
  readonly price_cents?: number;
}

export interface Customer {
  readonly accountId: number;
  readonly email: string | null;
  readonly plan: string;
  readonly createdAt: string;
}

/** What staff do with accounts, plans and coupons. Each is a fact in the log, with who and why. `Refused` as above. */
export interface StaffBilling {
  coupons(): Promise<readonly Coupon[]>;
  createCoupon(
    act: StaffRequest,
    coupon: {
      readonly code: string;
      readonly kind: string;
      readonly value: number;
      readonly maxUses: number | null;
      readonly expiresAt: string | null;
    },
  ): Promise<void>;
  /** False: there is no such coupon. */
  setCouponActive(act: StaffRequest, couponId: number, isActive: boolean): Promise<boolean>;
  deleteCoupon(act: StaffRequest, couponId: number): Promise<boolean>;
  /** The account's rows of customers: 50 a page, the newest first; `q` is found in e-mail, without case, or is the id. */
  customers(page: number, q: string): Promise<{ readonly customers: readonly Customer[]; readonly total: number }>;
  customer(accountId: number): Promise<Customer | undefined>;
  /** Puts the account on a plan, or grants credits, or both. */
  entitle(
    act: StaffRequest,
    accountId: number,
    given: { readonly plan?: string; readonly credits?: number; readonly reason?: string },
  ): Promise<void>;
  /** Plans in force, by slug; how many accounts are on each, and whether it is built in. */
  plans(): Promise<
    readonly {
      readonly slug: string;
      readonly plan: Readonly<Record<string, unknown>>;
      readonly accounts: number;
      readonly isBuiltIn: boolean;
    }[]
  >;
  /** Over CONFIG, in force within a second everywhere. A new slug makes a plan. */
  changePlan(act: StaffRequest, slug: string, change: PlanChange): Promise<void>;
  deletePlan(act: StaffRequest, slug: string): Promise<void>;
  freeDailyCap(): Promise<number | null>;
  setFreeDailyCap(act: StaffRequest, cap: number | null): Promise<void>;
}
