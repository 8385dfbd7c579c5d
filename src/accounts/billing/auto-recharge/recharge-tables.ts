import type { Kysely } from 'kysely';
import { SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';

export interface AutoRechargeTable {
  account_id: number;
  is_on: number;
  threshold: number;
  pack_id: number;
  monthly_cap_cents: number;
  /** Why it was turned off. */
  notice: string | null;
  updated_at: string;
}

export interface AutoRechargeTables {
  auto_recharges: AutoRechargeTable;
  /** Accounts that are to be looked at. */
  charged_elsewhere: { account_id: number };
}

/** Beside those of the keys, which hold the accounts. */
export async function createAutoRechargeTables(
  { schema }: Kysely<any>,
  { types: { integer } }: SqlDialect = SQLITE,
): Promise<void> {
  await schema
    .createTable('auto_recharges')
    .ifNotExists()
    .addColumn('account_id', integer, (column) => column.primaryKey().references('accounts.id'))
    .addColumn('is_on', 'integer', (column) => column.notNull())
    .addColumn('threshold', integer, (column) => column.notNull())
    .addColumn('pack_id', integer, (column) => column.notNull())
    .addColumn('monthly_cap_cents', integer, (column) => column.notNull())
    .addColumn('notice', 'text')
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute();
  await schema.createIndex('auto_recharges_on').ifNotExists().on('auto_recharges').columns(['is_on']).execute();
}

/** It came later. */
export async function createChargedElsewhereTable(
  { schema }: Kysely<any>,
  { types: { integer } }: SqlDialect = SQLITE,
): Promise<void> {
  await schema
    .createTable('charged_elsewhere')
    .ifNotExists()
    .addColumn('account_id', integer, (column) => column.primaryKey())
    .execute();
}
