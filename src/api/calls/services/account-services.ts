import type { Pack } from '../../../platform/settings/plans-and-packs.ts';
import type { Principal } from '../principal.ts';

/** The request that a call came with. */
export interface CallReference {
  readonly requestId: string;
  /** As the client gave it. */
  readonly idempotencyKey?: string | undefined;
  /** What the answer's header tells: whoever changes the balance brings it up to date. */
  creditsRemaining?: number;
}

/** Credits of an account, as `GET /api/agent/credits` tells them; null: no limit. */
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

/** A key, without its secret. Times are ISO 8601. */
export interface KeyListing {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly is_active: boolean;
}

export interface CreatedKey {
  readonly id: number;
  readonly name: string;
  /** The secret; null where it has been shown before. */
  readonly key: string | null;
  readonly scopes: readonly string[];
  readonly created_at: string;
}

/**
 * What an account does with itself: the port behind `/api/agent`. A key manages those that it could have made itself, its
 * own among them; the others are not there for it.
 */
export interface AccountServices {
  /**
   * @param key `run`: see `OperationContext`
   * @throws ApiError rate_limit_exceeded, key_limit_reached, forbidden
   */
  createKey(
    principal: Principal,
    key: { readonly name: string; readonly scopes: readonly string[]; readonly run?: string | undefined },
  ): Promise<CreatedKey>;
  listKeys(principal: Principal): Promise<readonly KeyListing[]>;
  /** @throws ApiError not_found */
  revokeKey(principal: Principal, id: number): Promise<void>;
  balance(principal: Principal): Promise<CreditBalance>;
  readonly packs: readonly Pack[];
  /**
   * Buys a pack with the payment method on file.
   * @throws ApiError card_declined, payment_method_required, bad_request for an unknown pack
   */
  topUp(principal: Principal, packId: number, call: CallReference): Promise<CreditBalance>;
}
