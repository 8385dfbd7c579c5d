import { creditAmount } from '../../../domain/accounts/format-credits.ts';
import type { CustomerOnFile, PaymentProvider } from '../../../platform/payments/payments.ts';

/** An account, as far as its credits need it. Times are ISO 8601. */
export interface BilledAccount {
  readonly id: number;
  /** Slug. */
  readonly plan: string;
  readonly createdAt: string;
  /** Credits that the operator granted in place of the plan's credits. */
  readonly order: { readonly credits: number; readonly at: string } | null;
  /** When the plan ends; absent: it does not end. */
  readonly planUntil?: string;
  /** The account's keys are refused; absent: they are accepted. */
  readonly isSuspended?: true;
  /** One of the account's addresses has received the free plan's credits before; absent: none has. */
  readonly isFreeGrantUsed?: true;
}

/**
 * `pending`: the charge was requested, or is about to be. `unclear`: the provider's answer was lost, and the client was
 * told so. Such a charge is only looked up, never repeated by the server. The other states are final: `done` has its
 * credits; `declined` and `failed` took no money.
 */
export type PaymentState = 'pending' | 'unclear' | 'done' | 'declined' | 'failed';

/**
 * The reason for a payment; absent: a pack that somebody buys. `automatic`: a pack bought because credits ran low.
 * `growth`: the rest of the current month on growth. `month`: a whole month on growth, paid at its start.
 */
export type PaymentPurpose = 'automatic' | 'growth' | 'month';

/** A payment. It holds everything that its charge needs, so that a repeated charge is identical. */
export interface PaymentRecord {
  /** The idempotency key at the provider. */
  readonly key: string;
  readonly provider: PaymentProvider;
  readonly accountId: number;
  /** Derived from the client's `Idempotency-Key`; null if the client sent none. */
  readonly clientKey: string | null;
  /** Counts the payments under the client's key: after a declined one comes another. */
  readonly attempt: number;
  readonly customer: string;
  readonly paymentMethod: string;
  readonly purpose?: PaymentPurpose;
  /** `2026-11`: the month paid for (`growth`, `month`), or the month in which the pack was bought (`automatic`). */
  readonly month?: string;
  /** The user who buys on a page. */
  readonly userId?: number;
  /** 0: not a pack. */
  readonly packId: number;
  /** The name of the pack, or of the plan. */
  readonly packName: string;
  readonly credits: number;
  /** Before any discount. */
  readonly priceCents: number;
  /** From the coupon that this charge has claimed; absent: no discount. */
  readonly discountCents?: number;
  readonly currency: string;
  /** 0: no API key was used. */
  readonly keyId: number;
  readonly requestId: string;
  readonly state: PaymentState;
  /** The payment's id at the provider, once known. */
  readonly payment: string | null;
  readonly reason: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}
export type NewPaymentRecord = Omit<PaymentRecord, 'state' | 'payment' | 'reason' | 'updatedAt' | 'discountCents'>;

/** The amount to charge. */
export const paymentTotal = ({ priceCents, discountCents = 0 }: PaymentRecord): number => priceCents - discountCents;

/** How a payment ended, and the data for its invoice. */
export interface PaymentOutcome {
  readonly key: string;
  readonly state: 'done' | 'declined' | 'failed';
  /** The payment's id at the provider. */
  readonly payment?: string;
  readonly reason?: string;
  readonly at: string;
  /** What was sold, as text for the invoice. */
  readonly line: string;
  readonly isTest: boolean;
  readonly card: string | null;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
}

/** Not final: the payment still needs work. */
export const isPaymentOpen = ({ state }: Pick<PaymentRecord, 'state'>): boolean => OPEN_PAYMENT_STATES.includes(state);
export const OPEN_PAYMENT_STATES: readonly PaymentState[] = ['pending', 'unclear'];

/** The process that works on an open payment. No other process does so until the lease ends. */
export interface ProcessLease {
  /** Names one process. A process that replaces another may have the same name; then it continues at once. */
  readonly owner: string;
  readonly until: string;
}

export interface ProviderInvoice {
  readonly provider: PaymentProvider;
  readonly id: string;
  readonly accountId: number;
  readonly status: 'declined' | 'paid';
  readonly hostedInvoiceUrl: string | null;
  readonly updatedAt: string;
}

/** Another account has this customer on file. */
export class CustomerAlreadyLinked extends Error {
  readonly code = 'customer_taken';
}

/**
 * The accounts as customers of payment providers. A write is on disk when its promise resolves. Several processes may
 * use the registry at once.
 */
export interface BillingRegistry {
  account(id: number): Promise<BilledAccount | undefined>;
  /** The case of letters does not matter. */
  accountByEmail(email: string): Promise<BilledAccount | undefined>;
  onFile(accountId: number, provider: PaymentProvider): Promise<CustomerOnFile | undefined>;
  /** Replaces the customer on file. @throws CustomerAlreadyLinked */
  putOnFile(accountId: number, provider: PaymentProvider, onFile: CustomerOnFile, label?: string): Promise<void>;
  /** The id of the account. */
  accountOfCustomer(provider: PaymentProvider, customer: string): Promise<number | undefined>;

  /** The label of the card on file, for people; null: it has none, since no page has put it on file. */
  cardLabel(accountId: number, provider: PaymentProvider): Promise<string | null>;
  /** Takes the card off file. The customer stays. */
  takeOffFile(accountId: number, provider: PaymentProvider): Promise<void>;

  /**
   * Begins a payment, pending and leased to the caller. It claims a waiting percent coupon, which lowers its price. An
   * account has at most one payment in progress of each purpose. An automatic payment begins only if auto-recharge
   * allows it now.
   * @returns undefined: another payment of this purpose is in progress, or this one is not allowed
   * @throws Error if a payment has this key (`isUniqueViolation`)
   */
  addPayment(payment: NewPaymentRecord, hold: ProcessLease): Promise<PaymentRecord | undefined>;
  /** The payment in progress. */
  paymentUnderWay(accountId: number, purpose: PaymentPurpose): Promise<PaymentRecord | undefined>;
  payment(key: string): Promise<PaymentRecord | undefined>;
  /** The last payment under the client's key. */
  lastPayment(accountId: number, clientKey: string): Promise<PaymentRecord | undefined>;
  /** Marks an open payment whose outcome is unknown. */
  markUnclear(key: string, reason: string, at: string): Promise<void>;
  /**
   * Ends an open payment in one transaction: with its invoice (if money was taken, or a month could not be paid), its
   * coupon spent or waiting again, and the effects on the plan or on auto-recharge.
   * @returns false: it had ended before, and nothing is changed
   */
  endPayment(end: PaymentOutcome): Promise<boolean>;
  /** The pending and the unclear payments, oldest first. */
  openPayments(): Promise<readonly PaymentRecord[]>;
  /**
   * Leases an open payment, even if several processes try at once: to the process that had the lease, or to any process
   * after that lease has ended.
   * @param now ISO 8601. All processes are assumed to have the same time
   * @returns the payment as it is now; `held`: another process has the lease; undefined: not open, or unknown
   */
  claimOpenPayment(key: string, hold: ProcessLease, now: string): Promise<PaymentRecord | 'held' | undefined>;

  invoice(provider: PaymentProvider, id: string): Promise<ProviderInvoice | undefined>;
  /** Replaces the stored invoice. */
  putInvoice(invoice: ProviderInvoice): Promise<void>;
}

/** The line of an invoice. */
export const invoiceLineOf = (payment: DescribedPayment): string => describePayment(payment, creditAmount);

/** For the provider. It uses only stored data, and never changes: a repeated charge must have the same text. */
export const paymentDescriptionOf = (payment: DescribedPayment): string =>
  describePayment(payment, (credits) => `${credits} credits`);

type DescribedPayment = Omit<PaymentRecord, 'state'>;

function describePayment(
  { purpose, month, credits, packName }: DescribedPayment,
  amountOf: (credits: number) => string,
): string {
  switch (purpose) {
    case 'growth':
      return `${packName} plan, rest of ${month} (${amountOf(credits)})`;
    case 'month':
      return `${packName} plan, ${month}`;
    default:
      return `${amountOf(credits)} (${packName})`;
  }
}
