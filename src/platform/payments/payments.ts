/** Who takes the money. */
export type PaymentProvider = 'development' | 'stripe';

/** What stands on file of an account at the provider. */
export interface CustomerOnFile {
  /** The account's name at the provider. */
  readonly customer: string;
  /** Null: the one that the provider itself has as the customer's default. */
  readonly paymentMethod: string | null;
}

/** Money to be taken without the customer being there. Asked for twice with one key, it is taken once. */
export interface Charge {
  readonly accountId: number;
  readonly customer: string;
  readonly paymentMethod: string;
  /** In the smallest unit of the currency. */
  readonly amountCents: number;
  /** ISO 4217, in small letters. */
  readonly currency: string;
  readonly description: string;
  readonly idempotencyKey: string;
}

/** What has become of a charge. Only `paid` has taken money, and nothing else ever will under its key. */
export type ChargeOutcome =
  | { readonly outcome: 'paid'; readonly payment: string }
  | { readonly outcome: 'declined'; readonly reason: string }
  | { readonly outcome: 'payment_method_required'; readonly reason: string }
  /** The provider did not even try: a fault of the operator's or of this server, not of the customer. */
  | { readonly outcome: 'refused'; readonly reason: string };

/** With what a page lets somebody type a card in; its script reads these names. */
export interface CardSetup {
  /** For the provider's own card form, this once. */
  readonly client_secret: string;
  /** Whose form it is; null: there is none. */
  readonly publishable_key: string | null;
}

/** What has become of a payment method that somebody gave. Only `on_file` changes what is charged from now on. */
export type CardOutcome =
  /** The label is for people: `Visa ending in 4242`. */
  | { readonly outcome: 'on_file'; readonly onFile: CustomerOnFile; readonly label: string }
  | { readonly outcome: 'declined'; readonly reason: string }
  /** There is none of that name, it is somebody else's, or it is no card. */
  | { readonly outcome: 'unknown_payment_method'; readonly reason: string }
  /** As of a charge: a fault of the operator's or of this server. */
  | { readonly outcome: 'refused'; readonly reason: string };

/** What a provider tells of an invoice. */
export interface InvoiceNotice {
  readonly kind: 'declined' | 'paid';
  readonly invoice: string;
  readonly customer: string;
  /** Where the customer can pay it. */
  readonly hostedInvoiceUrl: string | null;
}

/** What came as a notice is none of the provider's. */
export class InvalidNotice extends Error {
  readonly code = 'notice_refused';
}

export interface InvoiceNotices {
  /**
   * @param body as it came, since the signature is of these bytes
   * @returns null for what tells nothing of an invoice
   * @throws NoticeRefused
   */
  read(body: Uint8Array, signature: string | undefined): InvoiceNotice | null;
}

/** What somebody does at the page with the card of an account, without money being taken. */
export interface Cards {
  /**
   * The account's customer at the provider: the known one, where it is still there, or else a new one.
   * Whoever asks keeps it; one that was made and is not kept has no card and does no harm.
   * @param known as it was kept
   * @throws when the provider cannot be asked
   */
  customerOf(accountId: number, known: string | null): Promise<string>;
  /** @throws when the provider cannot be asked */
  setupIntent(customer: string): Promise<CardSetup>;
  /**
   * Attaches it to the customer and makes it the default. Asked for again, it gives the same. What was on file before
   * stays with the provider until `takeOffFile`.
   * @throws when it cannot be known what has become of it
   */
  putOnFile(customer: string, paymentMethod: string): Promise<CardOutcome>;
  /**
   * The provider forgets the card. One that it has not is taken off already.
   * @throws when it cannot be known whether it has
   */
  takeOffFile(onFile: CustomerOnFile): Promise<void>;
  /**
   * The address of the provider's own page for this customer; null: there is none.
   * @param returnTo an address of ours, to which that page leads back
   * @throws when the provider cannot be asked
   */
  portal(customer: string, returnTo: string): Promise<string | null>;
}

/** Takes payments. */
export interface Payments extends Cards {
  readonly provider: PaymentProvider;
  /** For the operator, when the server starts. */
  readonly description: string;
  /** What an account is charged with; null: nothing. */
  methodOf(onFile: CustomerOnFile): Promise<string | null>;
  /** @throws when it cannot be known what has become of the charge: the money may have been taken */
  charge(charge: Charge): Promise<ChargeOutcome>;
  /**
   * What became of a charge that was asked for at some time, without asking for it again; null: it was never made.
   * @param since milliseconds: it was not asked for earlier
   * @throws when it cannot be known
   */
  find(charge: Charge, since: number): Promise<ChargeOutcome | null>;
  /** Absent: nobody sends any. */
  readonly notices?: InvoiceNotices;
}
