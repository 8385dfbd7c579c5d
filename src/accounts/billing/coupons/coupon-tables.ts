import type { Generated, Kysely } from 'kysely';
import { SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';

export interface CouponTable {
  id: Generated<number>;
  /** In capitals. */
  code: string;
  kind: 'credits' | 'percent';
  value: number;
  max_uses: number | null;
  uses: number;
  expires_at: string | null;
  is_active: number;
  created_at: string;
}

interface RedemptionTable {
  coupon_id: number;
  account_id: number;
  at: string;
  /** Of credits that are not known to stand in the ledger yet; null: it has come to its end. */
  open_credits: number | null;
}

/** A percent coupon that waits for the account's next charge of money: one at a time. */
interface WaitingCouponTable {
  account_id: number;
  coupon_id: number;
  percent: number;
  /** The payment that has taken it; it waits again where that takes no money. */
  payment_key: string | null;
}

interface WrongCouponTable {
  id: Generated<number>;
  account_id: number;
  /** Milliseconds. */
  at: number;
}

export interface CouponTables {
  coupons: CouponTable;
  coupon_redemptions: RedemptionTable;
  waiting_coupons: WaitingCouponTable;
  wrong_coupons: WrongCouponTable;
}

/** Beside those of the keys, which hold the accounts. A redemption outlives its coupon. */
export async function createCouponTables(
  { schema }: Kysely<any>,
  { types: { integer, id } }: SqlDialect = SQLITE,
): Promise<void> {
  await schema
    .createTable('coupons')
    .ifNotExists()
    .addColumn('id', integer, id)
    .addColumn('code', 'text', (column) => column.notNull().unique())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('value', integer, (column) => column.notNull())
    .addColumn('max_uses', integer)
    .addColumn('uses', integer, (column) => column.notNull())
    .addColumn('expires_at', 'text')
    .addColumn('is_active', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('coupon_redemptions')
    .ifNotExists()
    .addColumn('coupon_id', integer, (column) => column.notNull())
    .addColumn('account_id', integer, (column) => column.notNull().references('accounts.id'))
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('open_credits', integer)
    .addPrimaryKeyConstraint('coupon_redemptions_key', ['coupon_id', 'account_id'])
    .execute();
  await schema
    .createTable('waiting_coupons')
    .ifNotExists()
    .addColumn('account_id', integer, (column) => column.primaryKey().references('accounts.id'))
    .addColumn('coupon_id', integer, (column) => column.notNull())
    .addColumn('percent', integer, (column) => column.notNull())
    .addColumn('payment_key', 'text')
    .execute();
  await schema
    .createTable('wrong_coupons')
    .ifNotExists()
    .addColumn('id', integer, id)
    .addColumn('account_id', integer, (column) => column.notNull().references('accounts.id'))
    .addColumn('at', integer, (column) => column.notNull())
    .execute();
  await schema
    .createIndex('wrong_coupons_by_account')
    .ifNotExists()
    .on('wrong_coupons')
    .columns(['account_id', 'at'])
    .execute();
}
