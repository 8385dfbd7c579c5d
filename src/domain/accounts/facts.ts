import type { AnsweredCall, ChargedCall } from './calls.ts';

/** Domain events of accounts. Times are ISO 8601; credits come in halves. */

interface AccountFact {
  readonly accountId: number;
  readonly at: string;
}

/**
 * How a grant came about. Of one account each `grant` stands once: `initial.PLAN`, `monthly.2026-11`, `order.TIME`,
 * `pack.PAYMENT`.
 */
export type GrantKind = 'initial' | 'monthly' | 'order' | 'pack';

export interface CreditsGranted extends AccountFact {
  readonly grant: string;
  readonly kind: Exclude<GrantKind, 'pack'>;
  readonly credits: number;
  /** When what is left of it is gone; null: never. */
  readonly expiresAt: string | null;
}

/** Bought once, for money; never expires. */
export interface CreditsToppedUp extends AccountFact {
  readonly grant: string;
  readonly credits: number;
  readonly packId: number;
  /** The payment's id at the provider. */
  readonly payment: string;
  readonly priceCents: number;
  readonly currency: string;
  readonly keyId?: number;
  readonly requestId?: string;
}

/** What was left of a grant is gone. */
export interface CreditsExpired extends AccountFact {
  readonly grant: string;
  readonly credits: number;
}

/** Calls that were charged together: one record for all of an account's that came into the log together. */
export interface CreditsCharged {
  readonly accountId: number;
  readonly charges: readonly ChargedCall[];
  /** The account's credits have no limit: its balance is none. */
  readonly unlimited?: true;
}

/** A charge is taken back: `requestId` names the call. */
export interface CreditsRefunded extends AccountFact {
  readonly credits: number;
  /** How many of these go back to the bought ones. */
  readonly bought: number;
  readonly requestId: string;
  readonly reason: string;
}

/** The provider could not collect an invoice. */
export interface InvoiceDeclined extends AccountFact {
  readonly invoice: string;
  readonly hostedInvoiceUrl: string | null;
}

export interface InvoicePaid extends AccountFact {
  readonly invoice: string;
}

/** Calls that cost nothing: for the account's usage. */
export interface CallsAnswered {
  readonly accountId: number;
  readonly calls: readonly AnsweredCall[];
}

/** The calls that a record tells of, whether they cost something or not. */
export const callsOf = (data: CreditsCharged | CallsAnswered): readonly (AnsweredCall | ChargedCall)[] =>
  'charges' in data ? data.charges : data.calls;
