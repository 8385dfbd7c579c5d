import type { GiftKind, PlanChanged } from '../src/domain/accounts/account-event-data.ts';
import { createAccountEvent, type LedgerEvent } from '../src/domain/accounts/account-events.ts';
import type { Ledger } from '../src/domain/accounts/credit-ledger.ts';
import { formatTime, startOfMonth, startOfNextMonth } from '../src/domain/primitives/time.ts';

export const decidePlanChange = (change: Omit<PlanChanged, 'at'>, now: number): LedgerEvent[] => [
  createAccountEvent('PlanChanged', { ...change, at: formatTime(now) }),
];

/** The rest of a month on a plan, after payment. */
interface PaidRestOfMonth {
  readonly accountId: number;
  readonly plan: string;
  /** `2026-11` */
  readonly month: string;
  /** The id of the payment at the provider. A payment brings its credits once. */
  readonly payment: string;
  readonly credits: number;
  readonly by: number | null;
}

/**
 * The credits must be in the ledger before the account is on the plan: otherwise a reader of the balance in between
 * would also grant the whole month. No events if this payment already brought its credits.
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

/** Credits in addition to the plan. They never expire. */
interface Gift {
  readonly accountId: number;
  /** An account gets each name once. */
  readonly grant: string;
  readonly kind: GiftKind;
  readonly credits: number;
  /** The staff user who grants the credits. */
  readonly by?: number;
  readonly reason?: string;
}

/** No events if it was granted before. */
export function decideGift(ledger: Ledger, gift: Gift, now: number): LedgerEvent[] {
  if (ledger.made.includes(gift.grant)) return [];
  return [createAccountEvent('CreditsGranted', { ...gift, at: formatTime(now), expiresAt: null })];
}

/** The provider could not collect an invoice; no events if this is recorded already. */
export function decideInvoiceDeclined(
  ledger: Ledger,
  declined: { readonly accountId: number; readonly invoice: string; readonly hostedInvoiceUrl: string | null },
  now: number,
): LedgerEvent[] {
  if (ledger.declined.invoices.includes(declined.invoice)) return [];
  return [createAccountEvent('InvoiceDeclined', { ...declined, at: formatTime(now) })];
}

/** An invoice was paid; no events without a declined invoice, since nothing changes. */
export function decideInvoicePaid(
  ledger: Ledger,
  paid: { readonly accountId: number; readonly invoice: string },
  now: number,
): LedgerEvent[] {
  if (ledger.declined.invoices.length === 0) return [];
  return [createAccountEvent('InvoicePaid', { ...paid, at: formatTime(now) })];
}
