import type { Kysely, Selectable } from 'kysely';
import type { Provider } from '../../payments/payments.ts';
import { isAlreadyThere } from '../../sql/already-there.ts';
import type { KeyTables } from '../keys/key-tables.ts';
import {
  type BilledAccount,
  type BillingRegistry,
  CustomerTaken,
  type KnownInvoice,
  OPEN_STATES,
  type PackPayment,
  type PaymentHold,
} from './billing-registry.ts';
import { type BillingTables, createBillingTables, type PaymentTable } from './billing-tables.ts';

/** With its tables made where they are missing. */
export async function openSqliteBilling(registry: Kysely<any>): Promise<BillingRegistry> {
  await createBillingTables(registry);
  return sqlBilling(registry);
}

/** In a relational database, through the query builder. Every change is one statement, as with the keys. */
export function sqlBilling(registry: Kysely<any>): BillingRegistry {
  const database = registry as Kysely<BillingTables & Pick<KeyTables, 'accounts'>>;
  const accounts = () => database.selectFrom('accounts').selectAll();
  return {
    async account(id) {
      return toAccount(await accounts().where('id', '=', id).executeTakeFirst());
    },
    async accountByEmail(email) {
      return toAccount(await accounts().where('email', '=', email.trim().toLowerCase()).executeTakeFirst());
    },
    async onFile(accountId, provider) {
      const row = await database
        .selectFrom('customers')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('provider', '=', provider)
        .executeTakeFirst();
      return row && { customer: row.customer, paymentMethod: row.payment_method };
    },
    async putOnFile(accountId, provider, { customer, paymentMethod }) {
      const values = { customer, payment_method: paymentMethod };
      const put = database
        .insertInto('customers')
        .values({ account_id: accountId, provider, ...values })
        .onConflict((conflict) => conflict.columns(['account_id', 'provider']).doUpdateSet(values));
      try {
        await put.execute();
      } catch (error) {
        if (!isAlreadyThere(error)) throw error;
        throw new CustomerTaken(`the customer ${customer} is on file of another account`);
      }
    },
    async accountOfCustomer(provider, customer) {
      const row = await database
        .selectFrom('customers')
        .select('account_id')
        .where('provider', '=', provider)
        .where('customer', '=', customer)
        .executeTakeFirst();
      return row?.account_id;
    },

    async addPayment(payment, hold) {
      const begun = { state: 'pending', payment: null, reason: null, updatedAt: payment.createdAt } as const;
      const row = { ...rowOf({ ...payment, ...begun }), ...holdOf(hold) };
      await database.insertInto('payments').values(row).execute();
      return toPayment(row);
    },
    async payment(key) {
      const row = await database.selectFrom('payments').selectAll().where('key', '=', key).executeTakeFirst();
      return row && toPayment(row);
    },
    async lastPayment(accountId, clientKey) {
      const row = await database
        .selectFrom('payments')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('client_key', '=', clientKey)
        .orderBy('attempt', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && toPayment(row);
    },
    async settlePayment(key, { state, payment, reason, updatedAt }) {
      await database
        .updateTable('payments')
        .set({ state, updated_at: updatedAt })
        .$if(payment !== undefined, (update) => update.set({ payment: payment! }))
        .$if(reason !== undefined, (update) => update.set({ reason: reason! }))
        .where('key', '=', key)
        .execute();
    },
    async openPayments() {
      const rows = await database
        .selectFrom('payments')
        .selectAll()
        .where('state', 'in', OPEN_STATES)
        .orderBy('created_at')
        .execute();
      return rows.map(toPayment);
    },
    async claimOpenPayment(key, hold, now) {
      const open = () => database.selectFrom('payments').select('key').where('key', '=', key);
      const claimed = await database
        .updateTable('payments')
        .set(holdOf(hold))
        .where('key', '=', key)
        .where('state', 'in', OPEN_STATES)
        .where((where) =>
          where.or([where('owner', 'is', null), where('owner', '=', hold.owner), where('held_until', '<=', now)]),
        )
        .returningAll()
        .executeTakeFirst();
      if (claimed) return toPayment(claimed);
      return (await open().where('state', 'in', OPEN_STATES).executeTakeFirst()) && 'held';
    },

    async invoice(provider, id) {
      const row = await database
        .selectFrom('invoices')
        .selectAll()
        .where('provider', '=', provider)
        .where('id', '=', id)
        .executeTakeFirst();
      if (!row) return undefined;
      const { account_id: accountId, hosted_invoice_url: hostedInvoiceUrl, updated_at: updatedAt } = row;
      return { provider, id, accountId, status: row.status as KnownInvoice['status'], hostedInvoiceUrl, updatedAt };
    },
    async putInvoice({ provider, id, accountId, status, hostedInvoiceUrl, updatedAt }) {
      const values = { account_id: accountId, status, hosted_invoice_url: hostedInvoiceUrl, updated_at: updatedAt };
      await database
        .insertInto('invoices')
        .values({ provider, id, ...values })
        .onConflict((conflict) => conflict.columns(['provider', 'id']).doUpdateSet(values))
        .execute();
    },
  };
}

function toAccount(row: Selectable<KeyTables['accounts']> | undefined): BilledAccount | undefined {
  if (!row) return undefined;
  const { id, plan, created_at: createdAt, granted_credits: credits, granted_at: at, free_grant_used: used } = row;
  const order = credits === null ? null : { credits, at: at ?? createdAt };
  return { id, plan, createdAt, order, ...(used === 1 && { isFreeGrantUsed: true as const }) };
}

const holdOf = ({ owner, until }: PaymentHold) => ({ owner, held_until: until });

const rowOf = (payment: PackPayment): Omit<PaymentTable, 'owner' | 'held_until'> => ({
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
});

const toPayment = (row: Selectable<PaymentTable>): PackPayment => ({
  key: row.key,
  provider: row.provider as Provider,
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
});
