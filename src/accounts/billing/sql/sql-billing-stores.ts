import { type Kysely, sql } from 'kysely';
import { likePattern, SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';
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
    async list(page, q) {
      const text = q.trim().toLowerCase();
      const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
      const isFound = sql<boolean>`(email like ${likePattern(text)} escape '\\' or id = ${id ?? null})`;
      const listed = rows().$if(text !== '', (query) => query.where(isFound));
      const { total } = await database
        .selectFrom('accounts')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .$if(text !== '', (query) => query.where(isFound))
        .executeTakeFirstOrThrow();
      const customers = await listed
        .orderBy('id', 'desc')
        .limit(CUSTOMERS_PER_PAGE)
        .offset((page - 1) * CUSTOMERS_PER_PAGE)
        .execute();
      return { customers, total: Number(total) };
    },
  };
}
