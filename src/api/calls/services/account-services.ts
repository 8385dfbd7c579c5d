import type { Pack } from '../../../platform/settings/plans-and-packs.ts';
import type { Principal } from '../principal.ts';

/** The request that a call came with. */
export interface CallReference {
  readonly requestId: string;
  /** As sent by the client. */
  readonly idempotencyKey?: string | undefined;
  /** For the answer's header. An operation that changes the balance updates it. */
  creditsRemaining?: number;
  /** For the answer's header, beside the ids that the pipeline resolves. */
  mergedInto?: readonly number[];
}

/** Credits of an account, as in `GET /api/agent/credits`; null: no limit. */
export interface CreditBalance {
  /** Slug of the plan. */
  readonly tier: string;
  readonly credits_used: number;
  readonly credit_limit: number | null;
  readonly bonus_credits: number;
  readonly total_remaining: number | null;
  readonly is_trial: boolean;
  readonly is_trial_expired: boolean;
}

/** An API key without its secret. Times are ISO 8601. */
export interface KeyListing {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  /** Credits that it may be charged in 24 hours; null: no cap. */
  readonly max_credits_a_day: number | null;
  readonly is_active: boolean;
}

export interface CreatedKey {
  readonly id: number;
  readonly name: string;
  /** The secret; null if it was shown before. */
  readonly key: string | null;
  readonly scopes: readonly string[];
  /** Credits that it may be charged in 24 hours; null: no cap. */
  readonly max_credits_a_day: number | null;
  readonly created_at: string;
}

/** The highest daily cap of a key. */
export const MAX_CREDITS_A_DAY = 1_000_000_000;

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly maxCreditsADay?: number | undefined;
  /** Id of the run, see `OperationContext`. */
  readonly run?: string | undefined;
}

/** What an account has called on some UTC days, as in `GET /api/agent/usage`. */
export interface AccountUsage {
  /** First and last UTC date. */
  readonly from: string;
  readonly to: string;
  /** Every day, oldest first. */
  readonly days: readonly {
    readonly date: string;
    readonly calls: number;
    readonly errors: number;
    readonly credits: number;
  }[];
  /** Most calls first; null: the requests matched no operation. */
  readonly endpoints: readonly { readonly endpoint: string | null; readonly calls: number; readonly credits: number }[];
  /** Most calls first; null: calls in sessions. */
  readonly keys: readonly { readonly key_id: number | null; readonly calls: number; readonly credits: number }[];
}

export const LEDGER_LINE_TYPES = [
  'charge',
  'grant',
  'top_up',
  'expiry',
  'refund',
  'plan_change',
  'invoice_declined',
  'invoice_paid',
] as const;

/** A line of an account's ledger, as in `GET /api/agent/ledger`. */
export interface AccountLedgerLine {
  /** Grows with time. */
  readonly id: number;
  /** ISO 8601. */
  readonly at: string;
  readonly type: (typeof LEDGER_LINE_TYPES)[number];
  /** The change of the balance; negative for a charge. */
  readonly credits: number;
  readonly about: string | null;
  readonly request_id: string | null;
  readonly key_id: number | null;
}

/**
 * Account operations: the port behind `/api/agent`. A key can see and revoke only keys that it could have created,
 * itself included.
 */
export interface AccountServices {
  /** @throws ApiError rate_limit_exceeded, key_limit_reached, forbidden */
  createKey(principal: Principal, key: NewKey): Promise<CreatedKey>;
  listKeys(principal: Principal): Promise<readonly KeyListing[]>;
  /** @throws ApiError not_found */
  revokeKey(principal: Principal, id: number): Promise<void>;
  balance(principal: Principal): Promise<CreditBalance>;
  /**
   * @param days the last so many UTC days
   * @throws UnavailableError while the usage of accounts is put together
   */
  usage(principal: Principal, days: number): Promise<AccountUsage>;
  /**
   * Newest first.
   * @param page `afterId`: only lines with smaller ids
   */
  ledger(
    principal: Principal,
    page: { readonly afterId: number | undefined; readonly limit: number },
  ): Promise<readonly AccountLedgerLine[]>;
  readonly packs: readonly Pack[];
  /**
   * Buys a pack with the stored payment method.
   * @throws ApiError card_declined, payment_method_required, bad_request for an unknown pack
   */
  topUp(principal: Principal, packId: number, call: CallReference): Promise<CreditBalance>;
}
