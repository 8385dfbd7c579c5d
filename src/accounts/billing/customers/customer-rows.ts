import type { Customer } from '../customer-billing.ts';

export const CUSTOMERS_A_PAGE = 50;

/** Accounts as staff see them. */
export interface CustomerRows {
  find(accountId: number): Promise<Customer | undefined>;
  /** The newest first. @param page from 1 @param q part of an e-mail without case, or an id; empty: all */
  list(page: number, q: string): Promise<{ readonly customers: readonly Customer[]; readonly total: number }>;
}
