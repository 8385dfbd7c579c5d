import { type Kysely, type Selectable, sql } from 'kysely';
import { rowsOf, type Steps } from '../../../platform/sql/query-runner.ts';
import type { KeyTables } from '../../keys/key-tables.ts';
import type { NewPackPayment } from '../billing-registry.ts';
import type { BillingTables } from '../billing-tables.ts';
import type { RechargeRegistry, RechargeSettings } from './recharge-registry.ts';
import type { AutoRechargeTable, AutoRechargeTables } from './recharge-tables.ts';

type Tables = AutoRechargeTables & Pick<BillingTables, 'payments'> & Pick<KeyTables, 'accounts'>;

/** In a relational database, through the query builder. Every change is one statement. */
export function sqlRecharges(registry: Kysely<any>): RechargeRegistry {
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
    async turnOn(accountId, { threshold, packId, monthlyCapCents }, at) {
      const set = { threshold, pack_id: packId, monthly_cap_cents: monthlyCapCents };
      const row = { is_on: 1, ...set, notice: null, updated_at: at };
      await database
        .insertInto('auto_recharges')
        .values({ account_id: accountId, ...row })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
        .execute();
    },
    async turnOff(accountId, notice, at) {
      await database
        .updateTable('auto_recharges')
        .set({ is_on: 0, notice, updated_at: at })
        .where('account_id', '=', accountId)
        .execute();
    },
    async turnedOn() {
      const rows = await database.selectFrom('auto_recharges').selectAll().where('is_on', '=', 1).execute();
      return new Map(rows.map((row) => [row.account_id, settingsOf(row)]));
    },
    async noteCharged(accountIds) {
      await database
        .insertInto('charged_elsewhere')
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
    async takeCharged() {
      // Mostly there is none, and a look takes no turn to write.
      const some = await database.selectFrom('charged_elsewhere').select('account_id').limit(1).execute();
      if (some.length === 0) return [];
      const taken = await database.deleteFrom('charged_elsewhere').returning('account_id').execute();
      return taken.map((row) => row.account_id);
    },
  };
}

const settingsOf = (row: Selectable<AutoRechargeTable>): RechargeSettings => ({
  threshold: row.threshold,
  packId: row.pack_id,
  monthlyCapCents: row.monthly_cap_cents,
});

/**
 * Whether an account may buy this pack by itself now: it wants it, it is not suspended, and with it the month's automatic
 * purchases stay within its cap, at their full prices. In the transaction that begins the payment, and alone at it.
 */
export function* mayRecharge(registry: Kysely<any>, payment: NewPackPayment): Steps<boolean> {
  const database = registry as Kysely<Tables>;
  const { accountId, packId, priceCents, month } = payment;
  const [wanted] = yield* rowsOf(
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
  const [bought] = yield* rowsOf(
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

/** A charge was declined. In the transaction that ends the payment. */
export function* stopRecharge(registry: Kysely<any>, accountId: number, notice: string, at: string): Steps<void> {
  const database = registry as Kysely<Tables>;
  yield* rowsOf(
    database
      .updateTable('auto_recharges')
      .set({ is_on: 0, notice, updated_at: at })
      .where('account_id', '=', accountId),
  );
}
