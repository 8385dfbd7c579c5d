import { type Kysely, type Selectable, sql } from 'kysely';
import { isUniqueViolation, SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';
import { type QueryRunner, type QuerySteps, queryRows } from '../../../platform/sql/query-runner.ts';
import type { KeyTables } from '../../keys/key-tables.ts';
import { couponDiscount } from '../model/amount-rules.ts';
import {
  type BilledAccount,
  type BillingRegistry,
  CustomerAlreadyLinked,
  type NewPaymentRecord,
  OPEN_PAYMENT_STATES,
  type PaymentRecord,
  type ProcessLease,
  type ProviderInvoice,
} from '../model/billing-registry.ts';
import { type BillingTables, createBillingTables, toPayment, toPaymentRow } from './billing-tables.ts';
import { isRechargeAllowed } from './sql-auto-recharges.ts';
import { createBillingStoreTables } from './sql-billing-stores.ts';
import { claimWaitingCoupon } from './sql-coupons.ts';
import { endPayment } from './sql-end-payment.ts';

/** Creates missing tables. @param runner its transactions are atomic */
export async function openSqliteBilling(registry: Kysely<any>, runner: QueryRunner): Promise<BillingRegistry> {
  await createBillingTables(registry);
  await createBillingStoreTables(registry);
  return createSqlBilling(registry, runner, SQLITE);
}

/** The part that other rooms read. */
export function createSqlBilledAccounts(registry: Kysely<any>): Pick<BillingRegistry, 'account' | 'accountByEmail'> {
  const database = registry as Kysely<Pick<KeyTables, 'accounts'>>;
  const accounts = () => database.selectFrom('accounts').selectAll();
  return {
    async account(id) {
      return toAccount(await accounts().where('id', '=', id).executeTakeFirst());
    },
    async accountByEmail(email) {
      return toAccount(await accounts().where('email', '=', email.trim().toLowerCase()).executeTakeFirst());
    },
  };
}

/** A store in a relational database. @param runner its transactions are atomic */
export function createSqlBilling(registry: Kysely<any>, runner: QueryRunner, dialect: SqlDialect): BillingRegistry {
  const database = registry as Kysely<BillingTables & Pick<KeyTables, 'accounts'>>;

  /**
   * The coupon is claimed with the row. A crash between the two would lose the coupon, or lower a charge that is never
   * made.
   */
  function* add(payment: NewPaymentRecord, hold: ProcessLease): QuerySteps<PaymentRecord | undefined> {
    const { key, accountId, purpose, priceCents } = payment;
    if (purpose === 'automatic') {
      yield dialect.lock(`automatic payments of account ${accountId}`);
      if (!(yield* isRechargeAllowed(registry, payment))) return undefined;
    }
    const begun = { state: 'pending', payment: null, reason: null, updatedAt: payment.createdAt } as const;
    const row = { ...toPaymentRow({ ...payment, ...begun }), ...holdOf(hold) };
    const insert = database.insertInto('payments').values(row);
    const onlyOne = insert.onConflict((conflict) =>
      conflict
        .columns(['account_id', 'purpose'])
        .where(sql<boolean>`state in ('pending', 'unclear') and purpose is not null`)
        .doNothing(),
    );
    const [inserted] = yield* queryRows((purpose === undefined ? insert : onlyOne).returning('key'));
    if (!inserted) return undefined;
    const percent = priceCents > 0 ? yield* claimWaitingCoupon(registry, accountId, key) : undefined;
    if (percent === undefined) return toPayment(row);
    const discount = { discount_cents: couponDiscount(priceCents, percent) };
    yield* queryRows(database.updateTable('payments').set(discount).where('key', '=', key));
    return toPayment({ ...row, ...discount });
  }

  return {
    ...createSqlBilledAccounts(registry),
    async onFile(accountId, provider) {
      const row = await database
        .selectFrom('customers')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('provider', '=', provider)
        .executeTakeFirst();
      return row && { customer: row.customer, paymentMethod: row.payment_method };
    },
    async putOnFile(accountId, provider, { customer, paymentMethod }, label) {
      const values = { customer, payment_method: paymentMethod, label: label ?? null };
      const put = database
        .insertInto('customers')
        .values({ account_id: accountId, provider, ...values })
        .onConflict((conflict) => conflict.columns(['account_id', 'provider']).doUpdateSet(values));
      try {
        await put.execute();
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw new CustomerAlreadyLinked(`the customer ${customer} is on file of another account`);
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

    async cardLabel(accountId, provider) {
      const row = await database
        .selectFrom('customers')
        .select('label')
        .where('account_id', '=', accountId)
        .where('provider', '=', provider)
        .executeTakeFirst();
      return row?.label ?? null;
    },
    async takeOffFile(accountId, provider) {
      await database
        .updateTable('customers')
        .set({ payment_method: null, label: null })
        .where('account_id', '=', accountId)
        .where('provider', '=', provider)
        .execute();
    },

    addPayment: (payment, hold) => runner.transact(() => add(payment, hold)),
    async paymentUnderWay(accountId, purpose) {
      const row = await database
        .selectFrom('payments')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('purpose', '=', purpose)
        .where('state', 'in', OPEN_PAYMENT_STATES)
        .executeTakeFirst();
      return row && toPayment(row);
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
    async markUnclear(key, reason, at) {
      await database
        .updateTable('payments')
        .set({ state: 'unclear', reason, updated_at: at })
        .where('key', '=', key)
        .where('state', 'in', OPEN_PAYMENT_STATES)
        .execute();
    },
    endPayment: (end) => runner.transact(() => endPayment(registry, end)),
    async openPayments() {
      const rows = await database
        .selectFrom('payments')
        .selectAll()
        .where('state', 'in', OPEN_PAYMENT_STATES)
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
        .where('state', 'in', OPEN_PAYMENT_STATES)
        .where((where) =>
          where.or([where('owner', 'is', null), where('owner', '=', hold.owner), where('held_until', '<=', now)]),
        )
        .returningAll()
        .executeTakeFirst();
      if (claimed) return toPayment(claimed);
      return (await open().where('state', 'in', OPEN_PAYMENT_STATES).executeTakeFirst()) && 'held';
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
      return { provider, id, accountId, status: row.status as ProviderInvoice['status'], hostedInvoiceUrl, updatedAt };
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
  return {
    id,
    plan,
    createdAt,
    order,
    // A folder opened read-only may come from an earlier version, which lacks these columns.
    ...(row.plan_until && { planUntil: row.plan_until }),
    ...(row.suspended_at && { isSuspended: true as const }),
    ...(used === 1 && { isFreeGrantUsed: true as const }),
  };
}

const holdOf = ({ owner, until }: ProcessLease) => ({ owner, held_until: until });
