/** Domain events of accounts. Times are ISO 8601; credits come in halves. */

interface AccountFact {
  readonly accountId: number;
  readonly at: string;
}

/**
 * How a grant came about. Of one account each `grant` stands once: `initial.PLAN`, `monthly.2026-11` (a whole month),
 * `monthly.2026-11.PAYMENT` (the rest of one that was paid for), `order.TIME`, `pack.PAYMENT`, `coupon.ID`, `reward.NAME`,
 * `admin.REQUEST`.
 */
export type GrantKind = 'initial' | 'monthly' | 'order' | 'pack' | GiftKind;

/** Given beside the plan: what an operator orders takes none of it away, and it never expires. */
export const GIFT_KINDS = ['coupon', 'reward', 'admin'] as const;
export type GiftKind = (typeof GIFT_KINDS)[number];

export interface CreditsGranted extends AccountFact {
  readonly grant: string;
  readonly kind: Exclude<GrantKind, 'pack'>;
  readonly credits: number;
  /** When what is left of it is gone; null: never. */
  readonly expiresAt: string | null;
  /** The user of the staff who gave it, and why. */
  readonly by?: number;
  readonly reason?: string;
}

/** The account was put on another plan. */
export interface PlanChanged extends AccountFact {
  /** Slug. */
  readonly plan: string;
  /** The user who did it, its own or one of the staff; null: the month's end has brought what was asked for before. */
  readonly by: number | null;
  readonly reason: PlanChangeReason;
}
/** `subscribed`: by its owner; `paid`: growth was paid for; `ended`: growth has ended with its month. */
type PlanChangeReason = 'subscribed' | 'paid' | 'ended' | 'staff';

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
export const callsInRecord = (data: CreditsCharged | CallsAnswered): readonly (AnsweredCall | ChargedCall)[] =>
  'charges' in data ? data.charges : data.calls;

/** One call of a client that was answered. */
export interface AnsweredCall {
  /** When it came in. */
  readonly at: string;
  /** Null: of a session, such as the playground's. */
  readonly keyId: number | null;
  /** Null when it fitted none. */
  readonly operation: string | null;
  readonly requestId: string;
  readonly status: number;
  /** From its coming in to its answer. */
  readonly milliseconds: number;
  /** The limit that it shared with others of its kind. */
  readonly budget?: string;
  /** Of a charge: what a call with an `Idempotency-Key` ran under. All runs of one name are paid for once. */
  readonly run?: string;
}

export interface ChargedCall extends AnsweredCall {
  /** When it was charged, where that is another millisecond than `at`. */
  readonly chargedAt?: string;
  readonly credits: number;
  /** How many of these were bought ones; absent: none. */
  readonly bought?: number;
  /** They count for a daily cap. */
  readonly capped?: true;
}
