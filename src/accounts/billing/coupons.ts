import { decideGift } from '../../../commands/billing-decisions.ts';
import type { AccountTerms } from '../../domain/accounts/credit-terms.ts';
import { invalidField, RefusedError } from '../../domain/primitives/domain-errors.ts';
import { alwaysOpenGate, type WriteGate } from '../../platform/clock/write-gate.ts';
import type { Credits } from '../credits/credits.ts';
import type { CouponStore, OpenRedemption } from './model/billing-stores.ts';
import { toIsoTime } from './model/subscription-schedule.ts';

interface CouponsParts {
  readonly registry: CouponStore;
  readonly credits: Pick<Credits, 'record'>;
  /** Of an account that exists. */
  readonly termsOf: (accountId: number) => Promise<AccountTerms>;
  /** Milliseconds. */
  readonly now: () => number;
  /** Closed, nothing is redeemed: its credits could not be entered. Absent: it is open. */
  readonly gate?: WriteGate | undefined;
}

/** Codes that bring credits, or lower the next charge. */
export interface Coupons {
  /** What it has brought, in a sentence. @throws Refused 422, and 429 after too many wrong codes */
  redeem(accountId: number, code: string): Promise<string>;
  /** Gives the credits that a crash has kept from their ledgers. */
  resume(): Promise<void>;
}

export const COUPON_CODE = /^[A-Z0-9_-]{3,40}$/;
/** Codes are compared without case. */
export const normalizeCouponCode = (text: string): string => text.trim().toUpperCase();

export function createCoupons({ registry, credits, termsOf, now, gate = alwaysOpenGate }: CouponsParts): Coupons {
  /** The redemption's row comes first: were the credits first, a crash between the two would bring them for nothing. */
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
      // Counted before it is looked at, so that no two at once share a last try.
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
          return `The coupon has brought ${value.toLocaleString('en-US')} credits.`;
        }
      }
    },
    async resume() {
      if (!gate.isOpen) return;
      for (const open of await registry.openRedemptions()) await give(open);
    },
  };
}
