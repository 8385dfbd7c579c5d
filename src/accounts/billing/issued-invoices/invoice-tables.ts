import type { Generated, Kysely } from 'kysely';
import { SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';

export interface IssuedInvoiceTable {
  id: Generated<number>;
  /** `LL-2026-000001`. */
  number: string;
  /** What it is for: a payment, or a month of an account. */
  subject: string;
  account_id: number;
  at: string;
  status: 'paid' | 'declined' | 'open';
  /** Of a month's; null: it is for one payment. */
  month: string | null;
  line: string;
  price_cents: number;
  discount_cents: number;
  total_cents: number;
  currency: string;
  customer_name: string | null;
  customer_email: string | null;
  card: string | null;
  is_test: number;
}

interface InvoiceNumberTable {
  year: number;
  /** The last number that was given in it. */
  last: number;
}

export interface IssuedInvoiceTables {
  issued_invoices: IssuedInvoiceTable;
  invoice_numbers: InvoiceNumberTable;
}

/** Beside those of the keys, which hold the accounts. */
export async function createIssuedInvoiceTables(
  { schema }: Kysely<any>,
  { types: { integer, id } }: SqlDialect = SQLITE,
): Promise<void> {
  await schema
    .createTable('issued_invoices')
    .ifNotExists()
    .addColumn('id', integer, id)
    .addColumn('number', 'text', (column) => column.notNull().unique())
    .addColumn('subject', 'text', (column) => column.notNull().unique())
    .addColumn('account_id', integer, (column) => column.notNull().references('accounts.id'))
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('month', 'text')
    .addColumn('line', 'text', (column) => column.notNull())
    .addColumn('price_cents', integer, (column) => column.notNull())
    .addColumn('discount_cents', integer, (column) => column.notNull())
    .addColumn('total_cents', integer, (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('customer_name', 'text')
    .addColumn('customer_email', 'text')
    .addColumn('card', 'text')
    .addColumn('is_test', 'integer', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('issued_invoices_by_account')
    .ifNotExists()
    .on('issued_invoices')
    .columns(['account_id', 'id'])
    .execute();
  await schema
    .createTable('invoice_numbers')
    .ifNotExists()
    .addColumn('year', 'integer', (column) => column.primaryKey())
    .addColumn('last', 'integer', (column) => column.notNull())
    .execute();
}
