/** The payment provider. */
export type PaymentProvider = 'development' | 'stripe';

/** An account's customer and payment method at the provider. */
export interface CustomerOnFile {
  /** The account's customer id at the provider. */
  readonly customer: string;
  /** Null: the customer's default at the provider. */
  readonly paymentMethod: string | null;
}

/** A charge while the customer is not present. Charges with the same key take the money once. */
export interface Charge {
  readonly accountId: number;
  readonly customer: string;
  readonly paymentMethod: string;
  /** In the smallest unit of the currency. */
  readonly amountCents: number;
  /** ISO 4217, in lower case. */
  readonly currency: string;
  readonly description: string;
  readonly idempotencyKey: string;
}

/** The outcome of a charge. Only `paid` has taken money; the other outcomes never will under this key. */
export type ChargeOutcome =
  | { readonly outcome: 'paid'; readonly payment: string }
  | { readonly outcome: 'declined'; readonly reason: string }
  | { readonly outcome: 'payment_method_required'; readonly reason: string }
  /** The provider did not try: an error of the operator or of this server, not of the customer. */
  | { readonly outcome: 'refused'; readonly reason: string };

/** What a page needs for its card form. The page's script reads these names. */
export interface CardSetup {
  /** For one use of the provider's card form. */
  readonly client_secret: string;
  /** The key for the provider's card form; null: there is no form. */
  readonly publishable_key: string | null;
}

/** The result for a payment method that a customer gave. Only `on_file` changes what is charged from now on. */
export type CardOutcome =
  /** The label is for people: `Visa ending in 4242`. */
  | { readonly outcome: 'on_file'; readonly onFile: CustomerOnFile; readonly label: string }
  | { readonly outcome: 'declined'; readonly reason: string }
  /** It does not exist, belongs to another customer, or is not a card. */
  | { readonly outcome: 'unknown_payment_method'; readonly reason: string }
  /** As for a charge: an error of the operator or of this server. */
  | { readonly outcome: 'refused'; readonly reason: string };

/** A provider's notice about an invoice. */
export interface InvoiceNotice {
  readonly kind: 'declined' | 'paid';
  readonly invoice: string;
  readonly customer: string;
  /** Where the customer can pay it. */
  readonly hostedInvoiceUrl: string | null;
}

/** The notice is not from the provider. */
export class InvalidNotice extends Error {
  readonly code = 'notice_refused';
}

export interface InvoiceNotices {
  /**
   * @param body the original bytes, since they are signed
   * @returns null if the notice is not about an invoice
   * @throws InvalidNotice
   */
  read(body: Uint8Array, signature: string | undefined): InvoiceNotice | null;
}

/** What a customer can do with the account's card. No money is taken. */
export interface Cards {
  /**
   * The account's customer at the provider: the known one if it still exists, otherwise a new one. The caller stores
   * it. A new customer that is not stored has no card and does no harm.
   * @param known the stored customer
   * @throws if the provider cannot be reached
   */
  customerOf(accountId: number, known: string | null): Promise<string>;
  /** @throws if the provider cannot be reached */
  setupIntent(customer: string): Promise<CardSetup>;
  /**
   * Attaches the payment method to the customer and makes it the default. Repeating this gives the same result. The
   * earlier method stays with the provider until `takeOffFile`.
   * @throws if the outcome is unknown
   */
  putOnFile(customer: string, paymentMethod: string): Promise<CardOutcome>;
  /**
   * Removes the card at the provider. A card that the provider does not have counts as removed.
   * @throws if the outcome is unknown
   */
  takeOffFile(onFile: CustomerOnFile): Promise<void>;
  /**
   * The URL of the provider's own page for this customer; null: there is none.
   * @param returnTo the URL that the page leads back to
   * @throws if the provider cannot be reached
   */
  portal(customer: string, returnTo: string): Promise<string | null>;
}

export interface Payments extends Cards {
  readonly provider: PaymentProvider;
  /** For the operator, when the server starts. */
  readonly description: string;
  /** The payment method to charge; null: none. */
  methodOf(onFile: CustomerOnFile): Promise<string | null>;
  /** @throws if the outcome is unknown: the money may have been taken */
  charge(charge: Charge): Promise<ChargeOutcome>;
  /**
   * Looks up the outcome of an earlier charge without repeating it; null: the charge was never made.
   * @param since milliseconds: the charge was not requested earlier
   * @throws if the outcome is unknown
   */
  find(charge: Charge, since: number): Promise<ChargeOutcome | null>;
  /** Absent: the provider sends none. */
  readonly notices?: InvoiceNotices;
}
