import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import { rowsOf, type Steps } from '../../../platform/sql/query-runner.ts';
import type { Invoice } from '../customer-billing.ts';
import type { IssuedInvoiceTable, IssuedInvoiceTables } from './invoice-tables.ts';
import type { IssuedInvoices } from './issued-invoices.ts';

/** In a relational database, through the query builder. */
export function sqlIssuedInvoices(registry: Kysely<any>): IssuedInvoices {
  const database = registry as Kysely<IssuedInvoiceTables>;
  const ofAccount = (accountId: number) =>
    database.selectFrom('issued_invoices').selectAll().where('account_id', '=', accountId);
  return {
    async ofAccount(accountId) {
      return (await ofAccount(accountId).orderBy('id', 'desc').execute()).map(toInvoice);
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

export type IssuedContent = Omit<Insertable<IssuedInvoiceTable>, 'id' | 'number'>;

/**
 * Issues an invoice, or brings that of the same subject up to date. In the transaction that ends its payment: the number
 * is given with the row, or neither is, so that none is ever missing, whoever dies in between.
 */
export function* issueInvoice(registry: Kysely<any>, content: IssuedContent): Steps<void> {
  const database = registry as Kysely<IssuedInvoiceTables>;
  const { subject, account_id: _account, line: _line, ...changed } = content;
  const [known] = yield* rowsOf(
    database.updateTable('issued_invoices').set(changed).where('subject', '=', subject).returning('id'),
  );
  if (known) return;
  const year = new Date(content.at).getUTCFullYear();
  // Until the transaction ends, nobody else is given a number of this year.
  const [given] = yield* rowsOf(
    database
      .insertInto('invoice_numbers')
      .values({ year, last: 1 })
      .onConflict((conflict) => conflict.column('year').doUpdateSet({ last: sql`invoice_numbers.last + 1` }))
      .returning('last'),
  );
  yield* rowsOf(
    database.insertInto('issued_invoices').values({ ...content, number: invoiceNumber(year, given!.last) }),
  );
}

export const invoiceNumber = (year: number, place: number): string => `LL-${year}-${String(place).padStart(6, '0')}`;

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
