import type { OnFile, Provider } from '../../payments/payments.ts';

/** An account, as its credits need it. Times are ISO 8601. */
export interface BilledAccount {
  readonly id: number;
  /** Slug. */
  readonly plan: string;
  readonly createdAt: string;
  /** What the operator has granted in the place of the plan's credits. */
  readonly order: { readonly credits: number; readonly at: string } | null;
}

/**
 * `pending`: asked for, or about to be. `unclear`: the provider's answer was lost, and the client was told so; it is
 * only looked for, never asked for again by itself. The others are final: `done` has its credits; `declined` and
 * `failed` took no money.
 */
export type PaymentState = 'pending' | 'unclear' | 'done' | 'declined' | 'failed';

/** A pack that is bought: all that its charge needs, so that it can be asked for again in the same words. */
export interface PackPayment {
  /** The provider's idempotency key. */
  readonly key: string;
  readonly provider: Provider;
  readonly accountId: number;
  /** What stands for the `Idempotency-Key` of the client; null where it gave none. */
  readonly clientKey: string | null;
  /** The how many-th payment under the client's key: a declined one is followed by another. */
  readonly attempt: number;
  readonly customer: string;
  readonly paymentMethod: string;
  readonly packId: number;
  readonly packName: string;
  readonly credits: number;
  readonly priceCents: number;
  readonly currency: string;
  readonly keyId: number;
  readonly requestId: string;
  readonly state: PaymentState;
  /** The payment's id at the provider, once it is known. */
  readonly payment: string | null;
  readonly reason: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}
export type NewPackPayment = Omit<PackPayment, 'state' | 'payment' | 'reason' | 'updatedAt'>;

export interface KnownInvoice {
  readonly provider: Provider;
  readonly id: string;
  readonly accountId: number;
  readonly status: 'declined' | 'paid';
  readonly hostedInvoiceUrl: string | null;
  readonly updatedAt: string;
}

/** The customer is on file of another account. */
export class CustomerTaken extends Error {
  readonly code = 'customer_taken';
}

/** What is known of accounts as customers. What returned is on disk. */
export interface BillingRegistry {
  account(id: number): Promise<BilledAccount | undefined>;
  onFile(accountId: number, provider: Provider): Promise<OnFile | undefined>;
  /** In the place of what was on file there. @throws CustomerTaken */
  putOnFile(accountId: number, provider: Provider, onFile: OnFile): Promise<void>;
  /** Id of the account. */
  accountOfCustomer(provider: Provider, customer: string): Promise<number | undefined>;

  /** It begins pending. @throws Error where its key is known */
  addPayment(payment: NewPackPayment): Promise<PackPayment>;
  payment(key: string): Promise<PackPayment | undefined>;
  /** The last one under the client's key. */
  lastPayment(accountId: number, clientKey: string): Promise<PackPayment | undefined>;
  settlePayment(
    key: string,
    settled: Pick<PackPayment, 'state' | 'updatedAt'> & Partial<Pick<PackPayment, 'payment' | 'reason'>>,
  ): Promise<void>;
  /** Those that are pending or unclear, the oldest first. */
  openPayments(): Promise<readonly PackPayment[]>;

  invoice(provider: Provider, id: string): Promise<KnownInvoice | undefined>;
  /** In the place of what was known of it. */
  putInvoice(invoice: KnownInvoice): Promise<void>;
}
