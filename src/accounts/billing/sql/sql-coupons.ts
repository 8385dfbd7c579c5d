import { type Generated, type Kysely, type Selectable, sql } from 'kysely';
import { isUniqueViolation, SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';
import { type QueryRunner, type QuerySteps, queryRows } from '../../../platform/sql/query-runner.ts';
import { selectAccountsOfSameAddress } from '../../users/recovery-tables.ts';
import type { Coupon } from '../model/billing-services.ts';
import {
  type CouponStore,
  MAX_WRONG_COUPON_CODES,
  type Redemption,
  WRONG_COUPON_CODE_WINDOW,
} from '../model/billing-stores.ts';

/** A store in a relational database. @param runner its transactions are atomic */
export function createSqlCoupons(registry: Kysely<any>, runner: QueryRunner, dialect: SqlDialect): CouponStore {
  const database = registry as Kysely<CouponTables>;

  function* redeem(code: string, accountId: number, at: string): QuerySteps<Redemption> {
    // Of two codes redeemed at once by one account only one may wait.
    yield dialect.lock(`coupons of account ${accountId}`);
    const [coupon] = yield* queryRows(database.selectFrom('coupons').selectAll().where('code', '=', code));
    if (!coupon) return { outcome: 'unknown' };
    const { id: couponId, kind, value } = coupon;
    const [redeemed] = yield* queryRows(
      database
        .selectFrom('coupon_redemptions')
        .select('at')
        .where('coupon_id', '=', couponId)
        .where(({ or, eb }) =>
          or([
            eb('account_id', '=', accountId),
            // A deleted account of the same address counts: a new one would get the coupon again.
            eb('account_id', 'in', selectAccountsOfSameAddress(registry, accountId)),
          ]),
        ),
    );
    if (redeemed) return { outcome: 'known' };
    const [waiting] = yield* queryRows(
      database.selectFrom('waiting_coupons').select('coupon_id').where('account_id', '=', accountId),
    );
    // Check the conditions in the statement that counts the use: other requests may use up the coupon meanwhile.
    const used = database
      .updateTable('coupons')
      .set({ uses: sql`uses + 1` })
      .where('id', '=', couponId)
      .where('is_active', '=', 1)
      .where(({ or, eb, ref }) => or([eb('max_uses', 'is', null), eb('uses', '<', ref('max_uses'))]))
      .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
      .returning('id');
    if (kind === 'percent' && waiting) return isRedeemable(coupon, at) ? { outcome: 'waits' } : { outcome: 'unknown' };
    if ((yield* queryRows(used)).length === 0) return { outcome: 'unknown' };
    const openCredits = kind === 'credits' ? value : null;
    yield* queryRows(
      database
        .insertInto('coupon_redemptions')
        .values({ coupon_id: couponId, account_id: accountId, at, open_credits: openCredits }),
    );
    if (kind === 'percent') {
      const row = { account_id: accountId, coupon_id: couponId, percent: value, payment_key: null };
      yield* queryRows(database.insertInto('waiting_coupons').values(row));
    }
    return { outcome: 'redeemed', couponId, kind, value };
  }

  function* countAttempt(
    accountId: number,
    now: number,
  ): QuerySteps<{ readonly id: number } | { readonly until: number }> {
    yield dialect.lock(`coupons of account ${accountId}`);
    yield* queryRows(
      database
        .deleteFrom('wrong_coupons')
        .where('account_id', '=', accountId)
        .where('at', '<=', now - WRONG_COUPON_CODE_WINDOW),
    );
    const attempts = yield* queryRows(
      database
        .selectFrom('wrong_coupons')
        .select('at')
        .where('account_id', '=', accountId)
        .orderBy('at', 'desc')
        .limit(MAX_WRONG_COUPON_CODES),
    );
    if (attempts.length >= MAX_WRONG_COUPON_CODES) return { until: attempts.at(-1)!.at + WRONG_COUPON_CODE_WINDOW };
    const [inserted] = yield* queryRows(
      database.insertInto('wrong_coupons').values({ account_id: accountId, at: now }).returning('id'),
    );
    return { id: inserted!.id };
  }

  return {
    async list() {
      return (await database.selectFrom('coupons').selectAll().orderBy('id', 'desc').execute()).map(toCoupon);
    },
    async create({ code, kind, value, maxUses, expiresAt, createdAt }) {
      const row = { code, kind, value, max_uses: maxUses, expires_at: expiresAt, created_at: createdAt };
      const insert = database
        .insertInto('coupons')
        .values({ ...row, uses: 0, is_active: 1 })
        .returning('id');
      try {
        return (await insert.executeTakeFirstOrThrow()).id;
      } catch (error) {
        if (isUniqueViolation(error)) return undefined;
        throw error;
      }
    },
    async setActive(id, isActive) {
      const { numUpdatedRows } = await database
        .updateTable('coupons')
        .set({ is_active: isActive ? 1 : 0 })
        .where('id', '=', id)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async remove(id) {
      const { numDeletedRows } = await database.deleteFrom('coupons').where('id', '=', id).executeTakeFirst();
      return numDeletedRows > 0n;
    },
    redeem: (code, accountId, at) => runner.transact(() => redeem(code, accountId, at)),
    async endRedemption(couponId, accountId) {
      await database
        .updateTable('coupon_redemptions')
        .set({ open_credits: null })
        .where('coupon_id', '=', couponId)
        .where('account_id', '=', accountId)
        .execute();
    },
    async openRedemptions() {
      const rows = await database
        .selectFrom('coupon_redemptions')
        .selectAll()
        .where('open_credits', 'is not', null)
        .execute();
      return rows.map((row) => ({ couponId: row.coupon_id, accountId: row.account_id, credits: row.open_credits! }));
    },
    async waitingPercent(accountId) {
      const row = await database
        .selectFrom('waiting_coupons')
        .select('percent')
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return row?.percent ?? null;
    },
    countAttempt: (accountId, now) => runner.transact(() => countAttempt(accountId, now)),
    async forgetAttempt(id) {
      await database.deleteFrom('wrong_coupons').where('id', '=', id).execute();
    },
  };
}

const isRedeemable = (coupon: Selectable<CouponTable>, at: string): boolean =>
  coupon.is_active === 1 &&
  (coupon.max_uses === null || coupon.uses < coupon.max_uses) &&
  (coupon.expires_at === null || coupon.expires_at > at);

const toCoupon = (row: Selectable<CouponTable>): Coupon => ({
  id: row.id,
  code: row.code,
  kind: row.kind,
  value: row.value,
  maxUses: row.max_uses,
  uses: row.uses,
  expiresAt: row.expires_at,
  isActive: row.is_active === 1,
  createdAt: row.created_at,
});

interface CouponTable {
  id: Generated<number>;
  /** Upper case. */
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
  /** Credits that may not be in the ledger yet; null: the redemption is complete. */
  open_credits: number | null;
}

/** A percent coupon that waits for the account's next charge. An account has at most one. */
interface WaitingCouponTable {
  account_id: number;
  coupon_id: number;
  percent: number;
  /** The payment that has claimed the coupon. If the payment takes no money, the coupon waits again. */
  payment_key: string | null;
}

interface WrongCouponTable {
  id: Generated<number>;
  account_id: number;
  /** Milliseconds. */
  at: number;
}

interface CouponTables {
  coupons: CouponTable;
  coupon_redemptions: RedemptionTable;
  waiting_coupons: WaitingCouponTable;
  wrong_coupons: WrongCouponTable;
}

/** Needs the tables of the keys: these reference `accounts`. A redemption outlives its coupon. */
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

/** Claims the waiting coupon for this payment, and returns its percent. Undefined: no coupon waits. */
export function* claimWaitingCoupon(
  registry: Kysely<any>,
  accountId: number,
  paymentKey: string,
): QuerySteps<number | undefined> {
  const database = registry as Kysely<CouponTables>;
  const [claimed] = yield* queryRows(
    database
      .updateTable('waiting_coupons')
      .set({ payment_key: paymentKey })
      .where('account_id', '=', accountId)
      .where('payment_key', 'is', null)
      .returning('percent'),
  );
  return claimed?.percent;
}

/** Deletes the coupon if its payment took money; otherwise the coupon waits again. */
export function* settleWaitingCoupon(registry: Kysely<any>, paymentKey: string, isSpent: boolean): QuerySteps<void> {
  const database = registry as Kysely<CouponTables>;
  yield* queryRows<unknown>(
    isSpent
      ? database.deleteFrom('waiting_coupons').where('payment_key', '=', paymentKey)
      : database.updateTable('waiting_coupons').set({ payment_key: null }).where('payment_key', '=', paymentKey),
  );
}
