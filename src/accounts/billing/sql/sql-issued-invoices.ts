import { type Generated, type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import { SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';
import { type QuerySteps, queryRows } from '../../../platform/sql/query-runner.ts';
import type { Invoice } from '../model/billing-services.ts';
import type { IssuedInvoiceStore } from '../model/billing-stores.ts';

const INVOICES_PER_PAGE = 50;

/** A store in a relational database. */
export function createSqlIssuedInvoices(registry: Kysely<any>): IssuedInvoiceStore {
  const database = registry as Kysely<IssuedInvoiceTables>;
  const ofAccount = (accountId: number) =>
    database.selectFrom('issued_invoices').selectAll().where('account_id', '=', accountId);
  return {
    async ofAccount(accountId, { before, limit = INVOICES_PER_PAGE } = {}) {
      const wanted = ofAccount(accountId).$if(before !== undefined, (query) => query.where('id', '<', before!));
      return (await wanted.orderBy('id', 'desc').limit(limit).execute()).map(toInvoice);
    },
    async find(accountId, id) {
      const row = await ofAccount(accountId).where('id', '=', id).executeTakeFirst();
      return row && toInvoice(row);
    },
    async owedMonth(accountId) {
      const row = await ofAccount(accountId)
        .where('month', 'is not', null)
        .where('status', 'in', ['open', 'declined'])
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && { month: row.month!, priceCents: row.price_cents, currency: row.currency, line: row.line };
    },
    async forgetCustomer(accountId) {
      await database
        .updateTable('issued_invoices')
        .set({ customer_name: null, customer_email: null })
        .where('account_id', '=', accountId)
        .execute();
    },
  };
}

type IssuedInvoiceContent = Omit<Insertable<IssuedInvoiceTable>, 'id' | 'number'>;

/**
 * Issues an invoice, or updates the invoice of the same subject. Runs in the transaction that ends the payment: the
 * number and the row are stored together, so a crash leaves no gap in the numbers.
 */
export function* issueInvoice(registry: Kysely<any>, content: IssuedInvoiceContent): QuerySteps<void> {
  const database = registry as Kysely<IssuedInvoiceTables>;
  const { subject, account_id: _account, line: _line, ...changed } = content;
  const [updated] = yield* queryRows(
    database.updateTable('issued_invoices').set(changed).where('subject', '=', subject).returning('id'),
  );
  if (updated) return;
  const year = new Date(content.at).getUTCFullYear();
  // Until the transaction ends, no other invoice gets a number of this year.
  const [counter] = yield* queryRows(
    database
      .insertInto('invoice_numbers')
      .values({ year, last: 1 })
      .onConflict((conflict) => conflict.column('year').doUpdateSet({ last: sql`invoice_numbers.last + 1` }))
      .returning('last'),
  );
  yield* queryRows(
    database.insertInto('issued_invoices').values({ ...content, number: formatInvoiceNumber(year, counter!.last) }),
  );
}

const formatInvoiceNumber = (year: number, position: number): string =>
  `LL-${year}-${String(position).padStart(6, '0')}`;

const toInvoice = (row: Selectable<IssuedInvoiceTable>): Invoice => ({
  id: row.id,
  number: row.number,
  accountId: row.account_id,
  at: row.at,
  status: row.status,
  line: row.line,
  priceCents: row.price_cents,
  discountCents: row.discount_cents,
  totalCents: row.total_cents,
  currency: row.currency,
  customerName: row.customer_name,
  customerEmail: row.customer_email,
  card: row.card,
  isTest: row.is_test === 1,
});

interface IssuedInvoiceTable {
  id: Generated<number>;
  /** `LL-2026-000001`. */
  number: string;
  /** What the invoice is for: a payment, or a month of an account. */
  subject: string;
  account_id: number;
  at: string;
  status: 'paid' | 'declined' | 'open';
  /** For the invoice of a month; null: the invoice is for one payment. */
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
  /** The last number given in this year. */
  last: number;
}

interface IssuedInvoiceTables {
  issued_invoices: IssuedInvoiceTable;
  invoice_numbers: InvoiceNumberTable;
}

/** Needs the tables of the keys: these reference `accounts`. */
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
