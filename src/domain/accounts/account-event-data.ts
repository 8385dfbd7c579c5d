/** The data of the domain events of accounts. Times are ISO 8601. Credits are multiples of 0.5. */

interface AccountEventBase {
  readonly accountId: number;
  readonly at: string;
}

/**
 * Why credits were granted. An account gets each `grant` name once: `initial.PLAN`, `monthly.2026-11` (a whole month),
 * `monthly.2026-11.PAYMENT` (the rest of a month that was paid for), `order.TIME`, `pack.PAYMENT`, `coupon.ID`,
 * `reward.NAME`, `admin.REQUEST`.
 */
export type GrantKind = 'initial' | 'monthly' | 'order' | 'pack' | GiftKind;

/** Grants beside the plan. They never expire, and an order of the operator does not replace them. */
export const GIFT_KINDS = ['coupon', 'reward', 'admin'] as const;
export type GiftKind = (typeof GIFT_KINDS)[number];

export interface CreditsGranted extends AccountEventBase {
  readonly grant: string;
  readonly kind: Exclude<GrantKind, 'pack'>;
  readonly credits: number;
  /** When the rest of the grant expires; null: never. */
  readonly expiresAt: string | null;
  /** The staff user who granted the credits. */
  readonly by?: number;
  readonly reason?: string;
}

/** The account was put on another plan. */
export interface PlanChanged extends AccountEventBase {
  /** Slug. */
  readonly plan: string;
  /**
   * The user who changed the plan: the owner or a staff user. Null: a scheduled change took effect at the end of the
   * month.
   */
  readonly by: number | null;
  readonly reason: PlanChangeReason;
}
/** `subscribed`: by the owner; `paid`: the growth plan was paid for; `ended`: the growth plan ended with its month. */
type PlanChangeReason = 'subscribed' | 'paid' | 'ended' | 'staff';

/** A credit pack was bought. Its credits never expire. */
export interface CreditsToppedUp extends AccountEventBase {
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

/** The rest of a grant expired. */
export interface CreditsExpired extends AccountEventBase {
  readonly grant: string;
  readonly credits: number;
}

/** Charged calls. One record holds all calls of an account that were written to the log together. */
export interface CreditsCharged {
  readonly accountId: number;
  readonly charges: readonly ChargedCall[];
  /** The account has unlimited credits, so that charges do not change its balance. */
  readonly unlimited?: true;
}

/** A charge was refunded: `requestId` names the call. */
export interface CreditsRefunded extends AccountEventBase {
  readonly credits: number;
  /** The part of the credits that was paid from bought credits. */
  readonly bought: number;
  readonly requestId: string;
  readonly reason: string;
  /** The charge counted against the daily cap of this key. */
  readonly ofKey?: { readonly keyId: number; readonly chargedAt: string };
}

/** The provider could not collect an invoice. */
export interface InvoiceDeclined extends AccountEventBase {
  readonly invoice: string;
  readonly hostedInvoiceUrl: string | null;
}

export interface InvoicePaid extends AccountEventBase {
  readonly invoice: string;
}

/** Calls that cost nothing, recorded for the usage of the account. */
export interface CallsAnswered {
  readonly accountId: number;
  readonly calls: readonly AnsweredCall[];
}

/** The calls of a record, with or without a price. */
export const callsInRecord = (data: CreditsCharged | CallsAnswered): readonly (AnsweredCall | ChargedCall)[] =>
  'charges' in data ? data.charges : data.calls;

/** One call of a client that was answered. */
export interface AnsweredCall {
  /** When the call arrived. */
  readonly at: string;
  /** Null: a call of a session, such as the playground's. */
  readonly keyId: number | null;
  /** Null: no operation matched. */
  readonly operation: string | null;
  readonly requestId: string;
  readonly status: number;
  /** From arrival to answer. */
  readonly milliseconds: number;
  /** The rate limit that the call counted against. */
  readonly budget?: string;
  /** For charges: identifies the runs of one `Idempotency-Key`. All runs of one name are charged once. */
  readonly run?: string;
}

export interface ChargedCall extends AnsweredCall {
  /** When the call was charged; absent if in the same millisecond as `at`. */
  readonly chargedAt?: string;
  readonly credits: number;
  /** The part that was paid from bought credits; absent: none. */
  readonly bought?: number;
  /** The credits count against the plan's daily cap. */
  readonly capped?: true;
  /** The credits count against the daily cap of the key. */
  readonly ofKey?: true;
}
