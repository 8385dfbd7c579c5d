import { accountEvent, type LedgerEvent } from '../../src/domain/accounts/events.ts';
import type { Ledger } from '../../src/domain/accounts/ledger.ts';
import { formatTime } from '../../src/domain/time.ts';

/** The provider could not collect an invoice; nothing where that is known. */
export function decideInvoiceDeclined(
  ledger: Ledger,
  declined: { readonly accountId: number; readonly invoice: string; readonly hostedInvoiceUrl: string | null },
  now: number,
): LedgerEvent[] {
  if (ledger.declined.invoices.includes(declined.invoice)) return [];
  return [accountEvent('InvoiceDeclined', { ...declined, at: formatTime(now) })];
}

/** An invoice was paid; nothing where none is known to be declined, for then it changes nothing. */
export function decideInvoicePaid(
  ledger: Ledger,
  paid: { readonly accountId: number; readonly invoice: string },
  now: number,
): LedgerEvent[] {
  if (ledger.declined.invoices.length === 0) return [];
  return [accountEvent('InvoicePaid', { ...paid, at: formatTime(now) })];
}
