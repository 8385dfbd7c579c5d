import type { CustomerOnFile, PaymentProvider } from '../../../platform/payments/payments.ts';

/** An account, as its credits need it. Times are ISO 8601. */
export interface BilledAccount {
  readonly id: number;
  /** Slug. */
  readonly plan: string;
  readonly createdAt: string;
  /** What the operator has granted in the place of the plan's credits. */
  readonly order: { readonly credits: number; readonly at: string } | null;
  /** When the plan ends; absent: it goes on. */
  readonly planUntil?: string;
  /** Its keys open nothing; absent: they do. */
  readonly isSuspended?: true;
  /** The free plan's credits were granted to one of its addresses before; absent: they were not. */
  readonly isFreeGrantUsed?: true;
}

/**
 * `pending`: asked for, or about to be. `unclear`: the provider's answer was lost, and the client was told so; it is
 * only looked for, never asked for again by itself. The others are final: `done` has its credits; `declined` and
 * `failed` took no money.
 */
export type PaymentState = 'pending' | 'unclear' | 'done' | 'declined' | 'failed';

/**
 * What money is taken for; absent: a pack that somebody asks for. `automatic`: a pack, since credits have run low.
 * `growth`: the rest of a month on growth, from now on. `month`: a whole month of it, at its beginning.
 */
export type PaymentPurpose = 'automatic' | 'growth' | 'month';

/** Something that is bought: all that its charge needs, so that it can be asked for again in the same words. */
export interface PaymentRecord {
  /** The provider's idempotency key. */
  readonly key: string;
  readonly provider: PaymentProvider;
  readonly accountId: number;
  /** What stands for the `Idempotency-Key` of the client; null where it gave none. */
  readonly clientKey: string | null;
  /** The how many-th payment under the client's key: a declined one is followed by another. */
  readonly attempt: number;
  readonly customer: string;
  readonly paymentMethod: string;
  readonly purpose?: PaymentPurpose;
  /** `2026-11`: of the purposes `growth` and `month`, and when an automatic one was bought. */
  readonly month?: string;
  /** Who asks for it at a page. */
  readonly userId?: number;
  /** 0: it is no pack. */
  readonly packId: number;
  /** Of the pack, or of the plan. */
  readonly packName: string;
  readonly credits: number;
  /** Before the discount. */
  readonly priceCents: number;
  /** By a coupon that this charge has taken; absent: none. */
  readonly discountCents?: number;
  readonly currency: string;
  /** 0: no key has asked for it. */
  readonly keyId: number;
  readonly requestId: string;
  readonly state: PaymentState;
  /** The payment's id at the provider, once it is known. */
  readonly payment: string | null;
  readonly reason: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}
export type NewPaymentRecord = Omit<PaymentRecord, 'state' | 'payment' | 'reason' | 'updatedAt' | 'discountCents'>;

/** What is charged. */
export const paymentTotal = ({ priceCents, discountCents = 0 }: PaymentRecord): number => priceCents - discountCents;

/** How a payment ends, and what is known of it then. */
export interface PaymentOutcome {
  readonly key: string;
  readonly state: 'done' | 'declined' | 'failed';
  /** The payment's id at the provider. */
  readonly payment?: string;
  readonly reason?: string;
  readonly at: string;
  /** What was sold, for the invoice. */
  readonly line: string;
  readonly isTest: boolean;
  readonly card: string | null;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
}

/** Not final: there is something to be done for it. */
export const isPaymentOpen = ({ state }: Pick<PaymentRecord, 'state'>): boolean => OPEN_PAYMENT_STATES.includes(state);
export const OPEN_PAYMENT_STATES: readonly PaymentState[] = ['pending', 'unclear'];

/** Who works on an open payment: nobody else does, until then. */
export interface ProcessLease {
  /** Names one process. One that takes the place of another may have its name, and goes on at once. */
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

/** The customer is on file of another account. */
export class CustomerAlreadyLinked extends Error {
  readonly code = 'customer_taken';
}

/** What is known of accounts as customers. What returned is on disk. Several processes may use it at once. */
export interface BillingRegistry {
  account(id: number): Promise<BilledAccount | undefined>;
  /** In any case of letters. */
  accountByEmail(email: string): Promise<BilledAccount | undefined>;
  onFile(accountId: number, provider: PaymentProvider): Promise<CustomerOnFile | undefined>;
  /** In the place of what was on file there. @throws CustomerTaken */
  putOnFile(accountId: number, provider: PaymentProvider, onFile: CustomerOnFile, label?: string): Promise<void>;
  /** Id of the account. */
  accountOfCustomer(provider: PaymentProvider, customer: string): Promise<number | undefined>;

  /** Label of the card that a page has put on file there, for people; null: it has none. */
  cardLabel(accountId: number, provider: PaymentProvider): Promise<string | null>;
  /** The card there is taken off file; its customer stays. */
  takeOffFile(accountId: number, provider: PaymentProvider): Promise<void>;

  /**
   * It begins pending, and held. A percent coupon that waits is taken by it, and lowers it. One of each purpose is under
   * way for an account at a time; an automatic one begins only where auto-recharge allows it at this moment.
   * @returns undefined: another of its purpose is under way, or it is not allowed
   * @throws Error where its key is known (`isAlreadyThere`)
   */
  addPayment(payment: NewPaymentRecord, hold: ProcessLease): Promise<PaymentRecord | undefined>;
  /** The one that is under way. */
  paymentUnderWay(accountId: number, purpose: PaymentPurpose): Promise<PaymentRecord | undefined>;
  payment(key: string): Promise<PaymentRecord | undefined>;
  /** The last one under the client's key. */
  lastPayment(accountId: number, clientKey: string): Promise<PaymentRecord | undefined>;
  /** Nobody knows what has become of an open one. */
  markUnclear(key: string, reason: string, at: string): Promise<void>;
  /**
   * Ends one that is open, all at once: with its invoice where money was taken (or a month's could not be), its coupon
   * spent or waiting again, and with what a plan's month or auto-recharge becomes by it.
   * @returns false: it had ended before, and nothing is changed
   */
  endPayment(end: PaymentOutcome): Promise<boolean>;
  /** Those that are pending or unclear, the oldest first. */
  openPayments(): Promise<readonly PaymentRecord[]>;
  /**
   * Holds a payment that is open, however many ask at once: for whoever held it before, or for anybody when that hold is
   * over.
   * @param now ISO 8601. The clocks of all processes are taken for the same
   * @returns the payment as it is now; `held`: another one works on it; undefined: it is not open, or not known
   */
  claimOpenPayment(key: string, hold: ProcessLease, now: string): Promise<PaymentRecord | 'held' | undefined>;

  invoice(provider: PaymentProvider, id: string): Promise<ProviderInvoice | undefined>;
  /** In the place of what was known of it. */
  putInvoice(invoice: ProviderInvoice): Promise<void>;
}

/** What is bought, in words. From the row alone: asked for again, it is asked for in the same ones. */
export function invoiceLineOf({ purpose, month, credits, packName }: Omit<PaymentRecord, 'state'>): string {
  switch (purpose) {
    case 'growth':
      return `${packName} plan, rest of ${month} (${credits} credits)`;
    case 'month':
      return `${packName} plan, ${month}`;
    default:
      return `${credits} credits (${packName})`;
  }
}
