import type { Kysely } from 'kysely';
import { SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';

export interface SubscriptionTable {
  account_id: number;
  /** `2026-12`: the first month that is neither charged nor given up. */
  month: string;
  /** How often its charge was declined. */
  tries: number;
  /** 0: nobody is charged, since staff or the operator have put the account on the plan; it only ends. */
  is_charged: number;
  /** The plan after growth, and the first month on it; null: growth goes on. */
  ends_plan: string | null;
  ends_month: string | null;
  /** When something is to be done for `month`. */
  due_at: string;
  /** Who does it, and until when. */
  owner: string | null;
  held_until: string | null;
}

export interface SubscriptionTables {
  subscriptions: SubscriptionTable;
}

/** Beside those of the keys, which hold the accounts and their plans. */
export async function createSubscriptionTables(
  { schema }: Kysely<any>,
  { types: { integer } }: SqlDialect = SQLITE,
): Promise<void> {
  await schema
    .createTable('subscriptions')
    .ifNotExists()
    .addColumn('account_id', integer, (column) => column.primaryKey().references('accounts.id'))
    .addColumn('month', 'text', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('is_charged', 'integer', (column) => column.notNull())
    .addColumn('ends_plan', 'text')
    .addColumn('ends_month', 'text')
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('owner', 'text')
    .addColumn('held_until', 'text')
    .execute();
  await schema.createIndex('subscriptions_by_due').ifNotExists().on('subscriptions').columns(['due_at']).execute();
}
