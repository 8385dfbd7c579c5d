import { decideGift } from '../../../commands/billing-decisions.ts';
import type { AccountTerms } from '../../domain/accounts/credit-terms.ts';
import { creditAmount } from '../../domain/accounts/format-credits.ts';
import { invalidField, RefusedError } from '../../domain/primitives/domain-errors.ts';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { alwaysOpenGate, type WriteGate } from '../../platform/clock/write-gate.ts';
import type { Credits } from '../credits/credits.ts';
import type { CouponStore, OpenRedemption } from './model/billing-stores.ts';

interface CouponsParts {
  readonly registry: CouponStore;
  readonly credits: Pick<Credits, 'record'>;
  /** The terms of an account. Throws if there is no such account. */
  readonly termsOf: (accountId: number) => Promise<AccountTerms>;
  /** Milliseconds. */
  readonly now: () => number;
  /** While it is closed, no coupon is redeemed, since the credits could not be recorded. Default: open. */
  readonly gate?: WriteGate | undefined;
}

/** Codes that give credits, or lower the next charge. */
export interface Coupons {
  /** Answers with a sentence for the owner. @throws RefusedError 422, or 429 after too many wrong codes */
  redeem(accountId: number, code: string): Promise<string>;
  /** Gives the credits of redemptions that a crash interrupted. */
  resume(): Promise<void>;
}

export const COUPON_CODE = /^[A-Z0-9_-]{3,40}$/;
/** Codes are compared without regard to case. */
export const normalizeCouponCode = (text: string): string => text.trim().toUpperCase();

export function createCoupons({ registry, credits, termsOf, now, gate = alwaysOpenGate }: CouponsParts): Coupons {
  /**
   * The redemption's row comes first. If the credits came first, a crash between the two would give them without a
   * redemption.
   */
  async function give({ couponId, accountId, credits: amount }: OpenRedemption): Promise<void> {
    const gift = { accountId, grant: `coupon.${couponId}`, kind: 'coupon', credits: amount } as const;
    await credits.record(await termsOf(accountId), (ledger) => decideGift(ledger, gift, now()));
    await registry.endRedemption(couponId, accountId);
  }

  async function redemptionOf(code: string, accountId: number) {
    if (!COUPON_CODE.test(code)) return { outcome: 'unknown' } as const;
    return registry.redeem(code, accountId, toIsoTime(now()));
  }

  return {
    async redeem(accountId, text) {
      gate.assertOpen();
      const at = now();
      // Count the attempt before checking the code, so that two requests at once cannot share the last attempt.
      const counted = await registry.countAttempt(accountId, at);
      if ('until' in counted) {
        const retryAfter = Math.max(1, Math.ceil((counted.until - at) / 1000));
        throw new RefusedError(429, 'Too many wrong coupon codes. Try again later.', { retryAfter });
      }
      const redemption = await redemptionOf(normalizeCouponCode(text), accountId);
      if (redemption.outcome === 'unknown')
        throw invalidField('code', 'There is no such coupon, or it can no longer be used.');
      await registry.forgetAttempt(counted.id);
      switch (redemption.outcome) {
        case 'known':
          throw invalidField('code', 'You have redeemed this coupon before.');
        case 'waits':
          throw invalidField('code', 'Another coupon waits for your next charge. Use that one first.');
        case 'redeemed': {
          const { couponId, kind, value } = redemption;
          if (kind === 'percent') return `Your next charge will be ${value}% lower.`;
          await give({ couponId, accountId, credits: value });
          return `The coupon has brought ${creditAmount(value)}.`;
        }
      }
    },
    async resume() {
      if (!gate.isOpen) return;
      for (const open of await registry.openRedemptions()) await give(open);
    },
  };
}
