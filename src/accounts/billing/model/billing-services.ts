import type { Pack } from '../../../platform/settings/plans-and-packs.ts';

/** What an account has and owes, for its owner's page. Times are ISO 8601; money is in cents of `currency`. */
export interface BillingOverview {
  /** Slug and name. */
  readonly plan: { readonly slug: string; readonly name: string };
  /** Growth was cancelled: the next plan, and its first day (the 1st of a month, UTC); null: growth continues. */
  readonly ends: { readonly at: string; readonly plan: string } | null;
  /** The price and credits of growth for a whole month. */
  readonly growth: { readonly priceCents: number; readonly currency: string; readonly monthlyCredits: number };
  /** The price and credits of growth for the rest of this month. */
  readonly growthToday: { readonly priceCents: number; readonly credits: number };
  /** The card on file; null: none. */
  readonly card: { readonly label: string } | null;
  readonly autoRecharge: {
    readonly enabled: boolean;
    readonly threshold: number | null;
    readonly packId: number | null;
    readonly monthlyCapCents: number | null;
    /** Why auto-recharge was turned off; null: no notice. */
    readonly notice: string | null;
  };
  /** The percent of the coupon that waits for the next charge; null: none. */
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
  /** `open`: the charge was declined and will be repeated later. */
  readonly status: 'paid' | 'declined' | 'open';
  readonly line: string;
  readonly priceCents: number;
  readonly discountCents: number;
  readonly totalCents: number;
  readonly currency: string;
  /** The customer at the time of payment. */
  readonly customerName: string | null;
  readonly customerEmail: string | null;
  readonly card: string | null;
  /** Made with the development adapter: no money moved. */
  readonly isTest: boolean;
}

/** Which invoices of an account are wanted. */
export interface InvoicePart {
  /** Only invoices with lower ids. */
  readonly before?: number | undefined;
  readonly limit?: number;
}

export interface BillingRequest {
  readonly accountId: number;
  readonly userId: number;
  readonly requestId: string;
  /** From a form that takes money: the same key again gives the same answer, and charges once. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * What an account's owner can do with its money. Rules and numbers: `web.md`, "Billing". A refused action throws
 * `RefusedError` with 402, 403 or 422, and with the form's field that is wrong, if there is one.
 */
export interface CustomerBilling {
  overview(accountId: number): Promise<BillingOverview>;
  /** Newest first, at most 50 or `limit`. */
  invoices(accountId: number, part?: InvoicePart): Promise<readonly Invoice[]>;
  /** Only invoices of this account. */
  invoice(accountId: number, invoiceId: number): Promise<Invoice | undefined>;
  /** A PDF; undefined if this account has no paid invoice with that id. */
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
  /** Answers with a sentence for the owner. */
  redeemCoupon(act: BillingRequest, code: string): Promise<string>;
  /** The credits of the one-time reward: 100, or 0 if it was given before. */
  rewardDocsVisit(act: BillingRequest): Promise<number>;
  setupIntent(
    act: BillingRequest,
  ): Promise<{ readonly client_secret: string; readonly publishable_key: string | null }>;
  setPaymentMethod(act: BillingRequest, paymentMethod: string): Promise<void>;
  removePaymentMethod(act: BillingRequest): Promise<void>;
  /** Stripe's URL; null with the development adapter. */
  portal(act: BillingRequest, returnTo: string): Promise<string | null>;
  /**
   * For a deleted account: ends the subscription and auto-recharge, and takes the card off file at the provider. The
   * ledger stays.
   */
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

/** The staff member who acts. */
export interface StaffRequest {
  readonly userId: number;
  readonly requestId: string;
}

/** As forms give it: null means no limit; an absent member stays as it is. */
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

export interface CustomerPage {
  readonly customers: readonly Customer[];
  /** Older ones follow. */
  readonly hasMore: boolean;
}

/**
 * What staff can do with accounts, plans and coupons. Each action is an event in the log, with its user and reason.
 * Throws `RefusedError` as above.
 */
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
  /**
   * 50 customers a page, newest first. `q` is part of an e-mail address, in any case, or the account's id.
   * @param before the lowest id of the page in front of it
   */
  customers(page: number, q: string, before?: number): Promise<CustomerPage>;
  customer(accountId: number): Promise<Customer | undefined>;
  /** Changes the plan, or grants credits, or both. */
  entitle(
    act: StaffRequest,
    accountId: number,
    given: { readonly plan?: string; readonly credits?: number; readonly reason?: string },
  ): Promise<void>;
  /** The plans in force, each with its number of accounts. */
  plans(): Promise<
    readonly {
      readonly slug: string;
      readonly plan: Readonly<Record<string, unknown>>;
      readonly accounts: number;
      readonly isBuiltIn: boolean;
    }[]
  >;
  /** Changes a plan of the configuration, everywhere within a second. A new slug makes a new plan. */
  changePlan(act: StaffRequest, slug: string, change: PlanChange): Promise<void>;
  deletePlan(act: StaffRequest, slug: string): Promise<void>;
  freeDailyCap(): Promise<number | null>;
  setFreeDailyCap(act: StaffRequest, cap: number | null): Promise<void>;
}
