import type { OnFile, Provider } from '../../payments/payments.ts';

/** An account, as its credits need it. Times are ISO 8601. */
export interface BilledAccount {
  readonly id: number;
  /** Slug. */
  readonly plan: string;
  readonly createdAt: string;
  /** What the operator has granted in the place of the plan's credits. */
  readonly order: { readonly credits: number; readonly at: string } | null;
  /** The free plan's credits were granted to one of its addresses before; absent: they were not. */
  readonly isFreeGrantUsed?: true;
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

/** Not final: there is something to be done for it. */
export const isOpen = ({ state }: Pick<PackPayment, 'state'>): boolean => OPEN_STATES.includes(state);
export const OPEN_STATES: readonly PaymentState[] = ['pending', 'unclear'];

/** Who works on an open payment: nobody else does, until then. */
export interface PaymentHold {
  /** Names one process. One that takes the place of another may have its name, and goes on at once. */
  readonly owner: string;
  readonly until: string;
}

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

/** What is known of accounts as customers. What returned is on disk. Several processes may use it at once. */
export interface BillingRegistry {
  account(id: number): Promise<BilledAccount | undefined>;
  /** In any case of letters. */
  accountByEmail(email: string): Promise<BilledAccount | undefined>;
  onFile(accountId: number, provider: Provider): Promise<OnFile | undefined>;
  /** In the place of what was on file there. @throws CustomerTaken */
  putOnFile(accountId: number, provider: Provider, onFile: OnFile): Promise<void>;
  /** Id of the account. */
  accountOfCustomer(provider: Provider, customer: string): Promise<number | undefined>;

  /** It begins pending, and held. @throws Error where its key is known */
  addPayment(payment: NewPackPayment, hold: PaymentHold): Promise<PackPayment>;
  payment(key: string): Promise<PackPayment | undefined>;
  /** The last one under the client's key. */
  lastPayment(accountId: number, clientKey: string): Promise<PackPayment | undefined>;
  settlePayment(
    key: string,
    settled: Pick<PackPayment, 'state' | 'updatedAt'> & Partial<Pick<PackPayment, 'payment' | 'reason'>>,
  ): Promise<void>;
  /** Those that are pending or unclear, the oldest first. */
  openPayments(): Promise<readonly PackPayment[]>;
  /**
   * Holds a payment that is open, however many ask at once: for whoever held it before, or for anybody when that hold is
   * over.
   * @param now ISO 8601. The clocks of all processes are taken for the same
   * @returns the payment as it is now; `held`: another one works on it; undefined: it is not open, or not known
   */
  claimOpenPayment(key: string, hold: PaymentHold, now: string): Promise<PackPayment | 'held' | undefined>;

  invoice(provider: Provider, id: string): Promise<KnownInvoice | undefined>;
  /** In the place of what was known of it. */
  putInvoice(invoice: KnownInvoice): Promise<void>;
}
