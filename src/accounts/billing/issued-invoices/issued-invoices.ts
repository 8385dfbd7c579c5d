import type { Invoice } from '../customer-billing.ts';

/** A month that could not be charged yet. */
export interface OwedMonth {
  readonly month: string;
  readonly priceCents: number;
  readonly currency: string;
  readonly line: string;
}

/** Invoices that were issued: one for each charge of money. Payments make them, as they end. */
export interface IssuedInvoices {
  /** The newest first. */
  ofAccount(accountId: number): Promise<readonly Invoice[]>;
  /** Of this account only. */
  find(accountId: number, id: number): Promise<Invoice | undefined>;
  /** The last month that the account owes; undefined: none. */
  owedMonth(accountId: number): Promise<OwedMonth | undefined>;
  /** Whose they were is erased: the account is deleted. */
  forgetCustomer(accountId: number): Promise<void>;
}
