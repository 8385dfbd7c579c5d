import type { Coupon } from '../customer-billing.ts';

export type NewCoupon = Pick<Coupon, 'code' | 'kind' | 'value' | 'maxUses' | 'expiresAt' | 'createdAt'>;

/** What has become of a code. `unknown`: none such, ended, switched off or used up. */
export type Redemption =
  | { readonly outcome: 'redeemed'; readonly couponId: number; readonly kind: Coupon['kind']; readonly value: number }
  | { readonly outcome: 'unknown' | 'known' | 'waits' };

/** Credits of a coupon that are not known to stand in the ledger yet. */
export interface OpenRedemption {
  readonly couponId: number;
  readonly accountId: number;
  readonly credits: number;
}

/** Coupons, and who has redeemed them. Codes are in capitals. Several processes may use it at once. */
export interface CouponRegistry {
  /** The newest first. */
  list(): Promise<readonly Coupon[]>;
  /** Its id; undefined: the code is known. */
  create(coupon: NewCoupon): Promise<number | undefined>;
  /** False: there is no such coupon. */
  setActive(id: number, isActive: boolean): Promise<boolean>;
  remove(id: number): Promise<boolean>;

  /**
   * Once for an account, and no more often than the coupon may be used, however many ask at once. A percent coupon then
   * waits; `waits`: another one does. `known`: the account has redeemed it before.
   */
  redeem(code: string, accountId: number, at: string): Promise<Redemption>;
  /** The credits stand in the ledger. */
  endRedemption(couponId: number, accountId: number): Promise<void>;
  openRedemptions(): Promise<readonly OpenRedemption[]>;
  /** Of one that waits, also where a payment under way has taken it; null: none. */
  waitingPercent(accountId: number): Promise<number | null>;

  /**
   * A try of this moment, which counts among the wrong ones until it is taken back.
   * @param now milliseconds
   * @returns `id`; or, where there are as many as there may be, when the first of them counts no more
   */
  countTry(accountId: number, now: number): Promise<{ readonly id: number } | { readonly until: number }>;
  takeBackTry(id: number): Promise<void>;
}

/** Wrong codes in so many milliseconds. */
export const WRONG_MOST = 10;
export const WRONG_WITHIN = 3_600_000;
