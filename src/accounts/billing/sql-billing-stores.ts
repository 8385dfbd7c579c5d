import type { Kysely } from 'kysely';
import { SQLITE, type SqlDialect } from '../../platform/sql/dialects.ts';
import type { QueryRunner } from '../../platform/sql/query-runner.ts';
import { createAutoRechargeTables, createChargedElsewhereTable } from './auto-recharge/recharge-tables.ts';
import { sqlRecharges } from './auto-recharge/sql-recharges.ts';
import type { BillingStores } from './billing-stores.ts';
import { createCouponTables } from './coupons/coupon-tables.ts';
import { sqlCoupons } from './coupons/sql-coupons.ts';
import { sqlCustomers } from './customers/sql-customers.ts';
import { createIssuedInvoiceTables } from './issued-invoices/invoice-tables.ts';
import { sqlIssuedInvoices } from './issued-invoices/sql-issued-invoices.ts';
import { createPlanChangeTables } from './plans/plan-tables.ts';
import { sqlPlanChanges } from './plans/sql-plan-changes.ts';
import { sqlSubscriptions } from './subscriptions/sql-subscriptions.ts';
import { createSubscriptionTables } from './subscriptions/subscription-tables.ts';

/** Beside those of the keys, which hold the accounts. */
export async function createBillingStoreTables(database: Kysely<any>, dialect: SqlDialect = SQLITE): Promise<void> {
  await createCouponTables(database, dialect);
  await createSubscriptionTables(database, dialect);
  await createAutoRechargeTables(database, dialect);
  await createChargedElsewhereTable(database, dialect);
  await createIssuedInvoiceTables(database, dialect);
  await createPlanChangeTables(database, dialect);
}

/** In a relational database. @param runner its transactions go through or leave nothing */
export const sqlBillingStores = (registry: Kysely<any>, runner: QueryRunner, dialect: SqlDialect): BillingStores => ({
  coupons: sqlCoupons(registry, runner, dialect),
  subscriptions: sqlSubscriptions(registry, runner, dialect),
  recharges: sqlRecharges(registry),
  issuedInvoices: sqlIssuedInvoices(registry),
  planChanges: sqlPlanChanges(registry, runner, dialect),
  customers: sqlCustomers(registry),
});
