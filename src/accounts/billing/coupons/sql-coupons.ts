import { type Kysely, type Selectable, sql } from 'kysely';
import { isAlreadyThere } from '../../../platform/sql/already-there.ts';
import type { SqlDialect } from '../../../platform/sql/dialects.ts';
import { type QueryRunner, rowsOf, type Steps } from '../../../platform/sql/query-runner.ts';
import type { Coupon } from '../customer-billing.ts';
import { type CouponRegistry, type Redemption, WRONG_MOST, WRONG_WITHIN } from './coupon-registry.ts';
import type { CouponTable, CouponTables } from './coupon-tables.ts';

/** In a relational database, through the query builder. @param runner its transactions go through or leave nothing */
export function sqlCoupons(registry: Kysely<any>, runner: QueryRunner, dialect: SqlDialect): CouponRegistry {
  const database = registry as Kysely<CouponTables>;

  function* redeem(code: string, accountId: number, at: string): Steps<Redemption> {
    // Two codes of one account at once: only one of them may wait.
    yield dialect.lock(`coupons of account ${accountId}`);
    const [coupon] = yield* rowsOf(database.selectFrom('coupons').selectAll().where('code', '=', code));
    if (!coupon) return { outcome: 'unknown' };
    const { id: couponId, kind, value } = coupon;
    const [redeemed] = yield* rowsOf(
      database
        .selectFrom('coupon_redemptions')
        .select('at')
        .where('coupon_id', '=', couponId)
        .where('account_id', '=', accountId),
    );
    if (redeemed) return { outcome: 'known' };
    const [waiting] = yield* rowsOf(
      database.selectFrom('waiting_coupons').select('coupon_id').where('account_id', '=', accountId),
    );
    // Judged in the statement that counts it: others may use it up meanwhile.
    const used = database
      .updateTable('coupons')
      .set({ uses: sql`uses + 1` })
      .where('id', '=', couponId)
      .where('is_active', '=', 1)
      .where(({ or, eb, ref }) => or([eb('max_uses', 'is', null), eb('uses', '<', ref('max_uses'))]))
      .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
      .returning('id');
    if (kind === 'percent' && waiting) return isRedeemable(coupon, at) ? { outcome: 'waits' } : { outcome: 'unknown' };
    if ((yield* rowsOf(used)).length === 0) return { outcome: 'unknown' };
    const openCredits = kind === 'credits' ? value : null;
    yield* rowsOf(
      database
        .insertInto('coupon_redemptions')
        .values({ coupon_id: couponId, account_id: accountId, at, open_credits: openCredits }),
    );
    if (kind === 'percent') {
      const row = { account_id: accountId, coupon_id: couponId, percent: value, payment_key: null };
      yield* rowsOf(database.insertInto('waiting_coupons').values(row));
    }
    return { outcome: 'redeemed', couponId, kind, value };
  }

  function* countTry(accountId: number, now: number): Steps<{ readonly id: number } | { readonly until: number }> {
    yield dialect.lock(`coupons of account ${accountId}`);
    yield* rowsOf(
      database
        .deleteFrom('wrong_coupons')
        .where('account_id', '=', accountId)
        .where('at', '<=', now - WRONG_WITHIN),
    );
    const tries = yield* rowsOf(
      database
        .selectFrom('wrong_coupons')
        .select('at')
        .where('account_id', '=', accountId)
        .orderBy('at', 'desc')
        .limit(WRONG_MOST),
    );
    if (tries.length >= WRONG_MOST) return { until: tries.at(-1)!.at + WRONG_WITHIN };
    const [made] = yield* rowsOf(
      database.insertInto('wrong_coupons').values({ account_id: accountId, at: now }).returning('id'),
    );
    return { id: made!.id };
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
        if (isAlreadyThere(error)) return undefined;
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
    countTry: (accountId, now) => runner.transact(() => countTry(accountId, now)),
    async takeBackTry(id) {
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
