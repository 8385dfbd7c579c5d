import type { Kysely } from 'kysely';
import { SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';
import { readPage } from '../../../platform/sql/newest-first.ts';
import type { QueryRunner } from '../../../platform/sql/query-runner.ts';
import type { KeyTables } from '../../keys/key-tables.ts';
import { type BillingStores, CUSTOMERS_PER_PAGE, type CustomerStore } from '../model/billing-stores.ts';
import { createAutoRechargeTables, createChargedAccountsTable, createSqlAutoRecharges } from './sql-auto-recharges.ts';
import { createCouponTables, createSqlCoupons } from './sql-coupons.ts';
import { createIssuedInvoiceTables, createSqlIssuedInvoices } from './sql-issued-invoices.ts';
import { createPlanChangeTables, createSqlPlanChanges } from './sql-plan-changes.ts';
import { createSqlRewards } from './sql-rewards.ts';
import { createSqlSubscriptions, createSubscriptionTables } from './sql-subscriptions.ts';

/** Needs the tables of the keys: these reference `accounts`. */
export async function createBillingStoreTables(database: Kysely<any>, dialect: SqlDialect = SQLITE): Promise<void> {
  await createCouponTables(database, dialect);
  await createSubscriptionTables(database, dialect);
  await createAutoRechargeTables(database, dialect);
  await createChargedAccountsTable(database, dialect);
  await createIssuedInvoiceTables(database, dialect);
  await createPlanChangeTables(database, dialect);
}

/** The stores in a relational database. @param runner its transactions are atomic */
export const createSqlBillingStores = (
  registry: Kysely<any>,
  runner: QueryRunner,
  dialect: SqlDialect,
): BillingStores => ({
  coupons: createSqlCoupons(registry, runner, dialect),
  subscriptions: createSqlSubscriptions(registry, runner, dialect),
  autoRecharges: createSqlAutoRecharges(registry),
  issuedInvoices: createSqlIssuedInvoices(registry),
  planChanges: createSqlPlanChanges(registry, runner, dialect),
  customers: createSqlCustomers(registry),
  rewards: createSqlRewards(registry, runner, dialect),
});

/** A store in a relational database. */
function createSqlCustomers(registry: Kysely<any>): CustomerStore {
  const database = registry as Kysely<Pick<KeyTables, 'accounts'>>;
  const rows = () =>
    database.selectFrom('accounts').select(['id as accountId', 'email', 'plan', 'created_at as createdAt']);

  return {
    async find(accountId) {
      return rows().where('id', '=', accountId).executeTakeFirst();
    },
    async list(page, q, before) {
      const text = q.trim().toLowerCase();
      const { rows: found, hasMore } = await readPage(
        async (below, limit) => {
          const all = rows().orderBy('id', 'desc').limit(limit);
          const read = await (below === undefined ? all : all.where('id', '<', below)).execute();
          return read.map((customer) => ({ id: customer.accountId, customer }));
        },
        { page, before, size: CUSTOMERS_PER_PAGE },
        ({ id, customer }) => text === '' || String(id) === text || (customer.email ?? '').includes(text),
      );
      return { customers: found.map(({ customer }) => customer), hasMore };
    },
  };
}
