import { accountEvent, type LedgerEvent } from '../../src/domain/accounts/events.ts';
import type { GiftKind } from '../../src/domain/accounts/facts.ts';
import type { Ledger } from '../../src/domain/accounts/ledger.ts';
import { formatTime } from '../../src/domain/time.ts';

/** Credits beside the plan, which never expire. */
export interface Gift {
  readonly accountId: number;
  /** Of one account each is given once. */
  readonly grant: string;
  readonly kind: GiftKind;
  readonly credits: number;
  /** The user of the staff who gives them, and why. */
  readonly by?: number;
  readonly reason?: string;
}

/** Nothing where it was given before. */
export function decideGift(ledger: Ledger, gift: Gift, now: number): LedgerEvent[] {
  if (ledger.made.includes(gift.grant)) return [];
  return [accountEvent('CreditsGranted', { ...gift, at: formatTime(now), expiresAt: null })];
}
