import type { GiftKind, PlanChanged } from '../src/domain/accounts/account-event-data.ts';
import { createAccountEvent, type LedgerEvent } from '../src/domain/accounts/account-events.ts';
import type { Ledger } from '../src/domain/accounts/credit-ledger.ts';
import { formatTime, startOfMonth, startOfNextMonth } from '../src/domain/primitives/time.ts';

export const decidePlanChange = (change: Omit<PlanChanged, 'at'>, now: number): LedgerEvent[] => [
  createAccountEvent('PlanChanged', { ...change, at: formatTime(now) }),
];

/** The rest of a month on a plan, paid for. */
interface PaidRestOfMonth {
  readonly accountId: number;
  readonly plan: string;
  /** `2026-11` */
  readonly month: string;
  /** The payment's id at the provider: it brings its credits once. */
  readonly payment: string;
  readonly credits: number;
  readonly by: number | null;
}

/**
 * The credits stand in the ledger before the account is on the plan: were it on the plan first, whoever looks at the
 * balance in between would enter the whole month's besides. Nothing where this payment has brought them already.
 */
export function decidePaidRestOfMonth(ledger: Ledger, paid: PaidRestOfMonth, now: number): LedgerEvent[] {
  const { accountId, plan, month, payment, credits, by } = paid;
  const grant = `monthly.${month}.${payment}`;
  if (ledger.made.includes(grant)) return [];
  const at = formatTime(now);
  const expiresAt = formatTime(startOfNextMonth(startOfMonth(month)));
  return [
    createAccountEvent('CreditsGranted', { accountId, at, grant, kind: 'monthly', credits, expiresAt }),
    createAccountEvent('PlanChanged', { accountId, at, plan, by, reason: 'paid' }),
  ];
}

/** Credits beside the plan, which never expire. */
interface Gift {
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
  return [createAccountEvent('CreditsGranted', { ...gift, at: formatTime(now), expiresAt: null })];
}

/** The provider could not collect an invoice; nothing where that is known. */
export function decideInvoiceDeclined(
  ledger: Ledger,
  declined: { readonly accountId: number; readonly invoice: string; readonly hostedInvoiceUrl: string | null },
  now: number,
): LedgerEvent[] {
  if (ledger.declined.invoices.includes(declined.invoice)) return [];
  return [createAccountEvent('InvoiceDeclined', { ...declined, at: formatTime(now) })];
}

/** An invoice was paid; nothing where none is known to be declined, for then it changes nothing. */
export function decideInvoicePaid(
  ledger: Ledger,
  paid: { readonly accountId: number; readonly invoice: string },
  now: number,
): LedgerEvent[] {
  if (ledger.declined.invoices.length === 0) return [];
  return [createAccountEvent('InvoicePaid', { ...paid, at: formatTime(now) })];
}
