import { type Kysely, type Selectable, sql } from 'kysely';
import { SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';
import { type QuerySteps, queryRows } from '../../../platform/sql/query-runner.ts';
import type { StoredRename } from '../../../platform/sql/stored-rename.ts';
import type { KeyTables } from '../../keys/key-tables.ts';
import type { NewPaymentRecord } from '../model/billing-registry.ts';
import type { AutoRechargeSettings, AutoRechargeStore } from '../model/billing-stores.ts';
import type { BillingTables } from './billing-tables.ts';

type Tables = AutoRechargeTables & Pick<BillingTables, 'payments'> & Pick<KeyTables, 'accounts'>;

/** A store in a relational database. Every change is one statement. */
export function createSqlAutoRecharges(registry: Kysely<any>): AutoRechargeStore {
  const database = registry as Kysely<Tables>;
  return {
    async find(accountId) {
      const row = await database
        .selectFrom('auto_recharges')
        .selectAll()
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return row && { ...settingsOf(row), isOn: row.is_on === 1, notice: row.notice };
    },
    async enable(accountId, { threshold, packId, monthlyCapCents }, at) {
      const set = { threshold, pack_id: packId, monthly_cap_cents: monthlyCapCents };
      const row = { is_on: 1, ...set, notice: null, updated_at: at };
      await database
        .insertInto('auto_recharges')
        .values({ account_id: accountId, ...row })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
        .execute();
    },
    async disable(accountId, notice, at) {
      await database
        .updateTable('auto_recharges')
        .set({ is_on: 0, notice, updated_at: at })
        .where('account_id', '=', accountId)
        .execute();
    },
    async listEnabled() {
      const rows = await database.selectFrom('auto_recharges').selectAll().where('is_on', '=', 1).execute();
      return new Map(rows.map((row) => [row.account_id, settingsOf(row)]));
    },
    async noteCharged(accountIds) {
      await database
        .insertInto('charged_accounts')
        .columns(['account_id'])
        .expression(
          database
            .selectFrom('auto_recharges')
            .select('account_id')
            .where('account_id', 'in', [...accountIds])
            .where('is_on', '=', 1),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    async drainCharged() {
      // Usually there is none, and a read takes no write lock.
      const some = await database.selectFrom('charged_accounts').select('account_id').limit(1).execute();
      if (some.length === 0) return [];
      const deleted = await database.deleteFrom('charged_accounts').returning('account_id').execute();
      return deleted.map((row) => row.account_id);
    },
  };
}

const settingsOf = (row: Selectable<AutoRechargeTable>): AutoRechargeSettings => ({
  threshold: row.threshold,
  packId: row.pack_id,
  monthlyCapCents: row.monthly_cap_cents,
});

/**
 * Whether an account may buy this pack automatically now: auto-recharge is on for this pack, the account is not
 * suspended, and the month's automatic purchases stay within the cap, at full prices. Runs in the transaction that
 * begins the payment, under its lock.
 */
export function* isRechargeAllowed(registry: Kysely<any>, payment: NewPaymentRecord): QuerySteps<boolean> {
  const database = registry as Kysely<Tables>;
  const { accountId, packId, priceCents, month } = payment;
  const [wanted] = yield* queryRows(
    database
      .selectFrom('auto_recharges')
      .innerJoin('accounts', 'accounts.id', 'auto_recharges.account_id')
      .select('monthly_cap_cents')
      .where('account_id', '=', accountId)
      .where('is_on', '=', 1)
      .where('pack_id', '=', packId)
      .where('suspended_at', 'is', null),
  );
  if (!wanted) return false;
  const [bought] = yield* queryRows(
    database
      .selectFrom('payments')
      .select(sql<number>`coalesce(sum(price_cents), 0)`.as('cents'))
      .where('account_id', '=', accountId)
      .where('purpose', '=', 'automatic')
      .where('month', '=', month!)
      .where('state', 'in', ['pending', 'unclear', 'done']),
  );
  return Number(bought!.cents) + priceCents <= wanted.monthly_cap_cents;
}

/** For a declined charge. Runs in the transaction that ends the payment. */
export function* disableAutoRecharge(
  registry: Kysely<any>,
  accountId: number,
  notice: string,
  at: string,
): QuerySteps<void> {
  const database = registry as Kysely<Tables>;
  yield* queryRows(
    database
      .updateTable('auto_recharges')
      .set({ is_on: 0, notice, updated_at: at })
      .where('account_id', '=', accountId),
  );
}

interface AutoRechargeTable {
  account_id: number;
  is_on: number;
  threshold: number;
  pack_id: number;
  monthly_cap_cents: number;
  /** Why it was turned off. */
  notice: string | null;
  updated_at: string;
}

interface AutoRechargeTables {
  auto_recharges: AutoRechargeTable;
  /** Accounts that are to be checked. */
  charged_accounts: { account_id: number };
}

/** Needs the tables of the keys: these reference `accounts`. */
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

/** The name that earlier versions stored. */
export const CHARGED_ACCOUNTS_RENAME: StoredRename = { from: 'charged_elsewhere', to: 'charged_accounts' };

/** A later addition to the schema. */
export async function createChargedAccountsTable({ schema }: Kysely<any>, dialect: SqlDialect = SQLITE): Promise<void> {
  const { from, to } = CHARGED_ACCOUNTS_RENAME;
  await schema
    // On PostgreSQL this is a step that never changes: a later one renames the table.
    .createTable(dialect === SQLITE ? to : from)
    .ifNotExists()
    .addColumn('account_id', dialect.types.integer, (column) => column.primaryKey())
    .execute();
}
