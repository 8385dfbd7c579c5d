import { type Kysely, type Selectable, sql } from 'kysely';
import type { PaymentProvider } from '../../../platform/payments/payments.ts';
import { SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';
import { addMissingColumns } from '../../../platform/sqlite/schema-upgrades.ts';
import type { PaymentPurpose, PaymentRecord, PaymentState } from '../model/billing-registry.ts';

interface CustomerTable {
  account_id: number;
  provider: string;
  customer: string;
  payment_method: string | null;
  /** The card's label for people, if a page has put the card on file. */
  label: string | null;
}

interface PaymentTable {
  key: string;
  provider: string;
  account_id: number;
  client_key: string | null;
  attempt: number;
  customer: string;
  payment_method: string;
  pack_id: number;
  pack_name: string;
  credits: number;
  price_cents: number;
  currency: string;
  key_id: number;
  request_id: string;
  state: PaymentState;
  payment: string | null;
  reason: string | null;
  created_at: string;
  updated_at: string;
  /** The process that works on the payment, and until when. Null: the payment began before leases existed. */
  owner: string | null;
  held_until: string | null;
  /** Null: a pack that somebody buys. */
  purpose: PaymentPurpose | null;
  month: string | null;
  user_id: number | null;
  discount_cents: number | null;
}

interface InvoiceTable {
  provider: string;
  id: string;
  account_id: number;
  status: string;
  hosted_invoice_url: string | null;
  updated_at: string;
}

export interface BillingTables {
  customers: CustomerTable;
  payments: PaymentTable;
  invoices: InvoiceTable;
}

/** Needs the tables of the keys: these reference `accounts`. */
export async function createBillingTables(database: Kysely<any>, dialect: SqlDialect = SQLITE): Promise<void> {
  const { integer } = dialect.types;
  const { schema } = database;
  await schema
    .createTable('customers')
    .ifNotExists()
    .addColumn('account_id', integer, (column) => column.notNull().references('accounts.id'))
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('customer', 'text', (column) => column.notNull())
    .addColumn('payment_method', 'text')
    .addColumn('label', 'text')
    .addPrimaryKeyConstraint('customers_key', ['account_id', 'provider'])
    .addUniqueConstraint('customers_by_name', ['provider', 'customer'])
    .execute();
  await schema
    .createTable('payments')
    .ifNotExists()
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('account_id', integer, (column) => column.notNull().references('accounts.id'))
    .addColumn('client_key', 'text')
    .addColumn('attempt', integer, (column) => column.notNull())
    .addColumn('customer', 'text', (column) => column.notNull())
    .addColumn('payment_method', 'text', (column) => column.notNull())
    .addColumn('pack_id', integer, (column) => column.notNull())
    .addColumn('pack_name', 'text', (column) => column.notNull())
    .addColumn('credits', integer, (column) => column.notNull())
    .addColumn('price_cents', integer, (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('key_id', integer, (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('payment', 'text')
    .addColumn('reason', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addColumn('owner', 'text')
    .addColumn('held_until', 'text')
    .addColumn('purpose', 'text')
    .addColumn('month', 'text')
    .addColumn('user_id', integer)
    .addColumn('discount_cents', integer)
    .execute();
  if (dialect === SQLITE) {
    await addMissingColumns(database, 'payments', {
      owner: 'text',
      held_until: 'text',
      purpose: 'text',
      month: 'text',
      user_id: 'integer',
      discount_cents: 'integer',
    });
    await addMissingColumns(database, 'customers', { label: 'text' });
    await createUnderWayIndex(database);
  }
  const index = (name: string, columns: string[]) =>
    schema.createIndex(name).ifNotExists().on('payments').columns(columns).execute();
  await index('payments_by_client_key', ['account_id', 'client_key', 'attempt']);
  await index('payments_by_state', ['state', 'created_at']);
  await schema
    .createTable('invoices')
    .ifNotExists()
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('account_id', integer, (column) => column.notNull().references('accounts.id'))
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('hosted_invoice_url', 'text')
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('invoices_key', ['provider', 'id'])
    .execute();
}

/** For a registry created when only packs could be bought. */
export async function addPaymentPurposes(database: Kysely<any>): Promise<void> {
  await sql`alter table payments
    add column if not exists purpose text,
    add column if not exists month text,
    add column if not exists user_id bigint,
    add column if not exists discount_cents bigint`.execute(database);
  await sql`alter table customers add column if not exists label text`.execute(database);
  await createUnderWayIndex(database);
}

/** An account has at most one payment in progress of each purpose, even with requests at the same time. */
async function createUnderWayIndex({ schema }: Kysely<any>): Promise<void> {
  await schema
    .createIndex('payments_under_way')
    .ifNotExists()
    .unique()
    .on('payments')
    .columns(['account_id', 'purpose'])
    .where(sql<boolean>`state in ('pending', 'unclear') and purpose is not null`)
    .execute();
}

export const toPaymentRow = (payment: PaymentRecord): Omit<PaymentTable, 'owner' | 'held_until'> => ({
  key: payment.key,
  provider: payment.provider,
  account_id: payment.accountId,
  client_key: payment.clientKey,
  attempt: payment.attempt,
  customer: payment.customer,
  payment_method: payment.paymentMethod,
  pack_id: payment.packId,
  pack_name: payment.packName,
  credits: payment.credits,
  price_cents: payment.priceCents,
  currency: payment.currency,
  key_id: payment.keyId,
  request_id: payment.requestId,
  state: payment.state,
  payment: payment.payment,
  reason: payment.reason,
  created_at: payment.createdAt,
  updated_at: payment.updatedAt,
  purpose: payment.purpose ?? null,
  month: payment.month ?? null,
  user_id: payment.userId ?? null,
  discount_cents: null,
});

export const toPayment = (row: Selectable<PaymentTable>): PaymentRecord => ({
  key: row.key,
  provider: row.provider as PaymentProvider,
  accountId: row.account_id,
  clientKey: row.client_key,
  attempt: row.attempt,
  customer: row.customer,
  paymentMethod: row.payment_method,
  packId: row.pack_id,
  packName: row.pack_name,
  credits: row.credits,
  priceCents: row.price_cents,
  currency: row.currency,
  keyId: row.key_id,
  requestId: row.request_id,
  state: row.state,
  payment: row.payment,
  reason: row.reason,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  ...(row.purpose !== null && { purpose: row.purpose }),
  ...(row.month !== null && { month: row.month }),
  ...(row.user_id !== null && { userId: row.user_id }),
  ...(row.discount_cents !== null && { discountCents: row.discount_cents }),
});
