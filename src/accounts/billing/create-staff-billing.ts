import { decideGift } from '../../../commands/billing-decisions.ts';
import type { AccountTerms } from '../../domain/accounts/credit-terms.ts';
import { createStaffActed, STAFF_STREAM, type StaffActed } from '../../domain/accounts/staff-events.ts';
import { invalidField, RefusedError } from '../../domain/primitives/domain-errors.ts';
import { ownValue } from '../../domain/primitives/own-properties.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import { type EventLog, requireAllAppended } from '../../event-log/port/event-log.ts';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { DEFAULT_PLANS, planSchema } from '../../platform/settings/plans-and-packs.ts';
import type { Credits } from '../credits/credits.ts';
import type { Plans } from './account-terms.ts';
import { COUPON_CODE, normalizeCouponCode } from './coupons.ts';
import { type LivePlans, NEW_PLAN_DEFAULTS } from './live-plans.ts';
import { isIntegerWithin } from './model/amount-rules.ts';
import type { PlanChange, StaffBilling, StaffRequest } from './model/billing-services.ts';
import type { CouponStore, CustomerStore, NewCoupon, PlanChangeStore } from './model/billing-stores.ts';
import type { Subscriptions } from './subscriptions.ts';

interface StaffBillingParts {
  readonly log: Pick<EventLog, 'appendAll'>;
  readonly coupons: CouponStore;
  readonly customers: CustomerStore;
  readonly planChanges: PlanChangeStore;
  readonly livePlans: Pick<LivePlans, 'plans' | 'refresh'>;
  readonly subscriptions: Pick<Subscriptions, 'change'>;
  readonly credits: Pick<Credits, 'record'>;
  /** The terms of an account. Throws if there is no such account. */
  readonly termsOf: (accountId: number) => Promise<AccountTerms>;
  /** Gives ids that nothing else uses. */
  readonly newId: () => string;
  /** Milliseconds. */
  readonly now: () => number;
}

const MOST_CREDITS = 1_000_000;
const LONGEST_REASON = 500;
const SLUG = /^[a-z0-9_-]{1,40}$/;
const MOST: Readonly<Record<string, number>> = { credits: MOST_CREDITS, percent: 100 };

export function createStaffBilling(parts: StaffBillingParts): StaffBilling {
  const { log, coupons, customers, planChanges, livePlans, subscriptions, credits, termsOf, newId, now } = parts;

  /**
   * Writes the action to the log before it is carried out. After a crash the log may have an action that was not
   * carried out.
   */
  async function note(
    by: StaffRequest,
    entry: Pick<StaffActed, 'act' | 'subject'> & Partial<StaffActed>,
  ): Promise<void> {
    const { userId, requestId } = by;
    const event = createStaffActed({ at: formatTime(now()), userId, requestId, reason: null, details: {}, ...entry });
    requireAllAppended(await log.appendAll([{ stream: STAFF_STREAM, events: [event], expected: 'any' }]));
  }

  async function createCoupon(act: StaffRequest, given: Parameters<StaffBilling['createCoupon']>[1]): Promise<void> {
    const coupon = validateNewCoupon(given, toIsoTime(now()));
    if ((await coupons.list()).some(({ code }) => code === coupon.code)) throw duplicateCodeError();
    const { code: subject, createdAt: _createdAt, ...details } = coupon;
    await note(act, { act: 'coupon_created', subject, details });
    if ((await coupons.create(coupon)) === undefined) throw duplicateCodeError();
  }

  async function isCoupon(id: number): Promise<boolean> {
    return (await coupons.list()).some((coupon) => coupon.id === id);
  }

  async function entitle(act: StaffRequest, accountId: number, given: Parameters<StaffBilling['entitle']>[2]) {
    const { plan, credits: amount, reason = '' } = given;
    if (!(await customers.find(accountId))) throw new RefusedError(404, 'There is no such account.');
    if (plan === undefined && amount === undefined) throw invalidField('plan', 'Choose a plan, or give credits.');
    const fields = {
      ...(plan !== undefined && !Object.hasOwn(livePlans.plans, plan) && { plan: 'There is no such plan.' }),
      ...(amount !== undefined &&
        !isIntegerWithin(amount, 1, MOST_CREDITS) && { credits: 'Give 1 to 1,000,000 credits.' }),
      ...(amount !== undefined && reason.trim() === '' && { reason: 'Say why credits are given.' }),
      ...(reason.length > LONGEST_REASON && { reason: `At most ${LONGEST_REASON} characters.` }),
    };
    if (Object.keys(fields).length > 0) throw new RefusedError(422, 'Nothing was changed.', { fields });
    await note(act, {
      act: 'account_entitled',
      subject: String(accountId),
      reason: reason.trim() || null,
      details: { ...(plan !== undefined && { plan }), ...(amount !== undefined && { credits: amount }) },
    });
    if (amount !== undefined) {
      const gift = { accountId, grant: `admin.${newId()}`, kind: 'admin', credits: amount } as const;
      const entry = { ...gift, by: act.userId, reason: reason.trim() };
      await credits.record(await termsOf(accountId), (ledger) => decideGift(ledger, entry, now()));
    }
    if (plan !== undefined && (await customers.find(accountId))?.plan !== plan) {
      await subscriptions.change(accountId, plan, act.userId, 'staff');
    }
  }

  async function changePlan(act: StaffRequest, slug: string, given: PlanChange): Promise<void> {
    if (!SLUG.test(slug)) throw invalidField('slug', 'Use 1 to 40 of a-z, 0-9, - and _.');
    const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    await livePlans.refresh();
    const judged = planSchema.safeParse({ ...NEW_PLAN_DEFAULTS, ...ownValue(livePlans.plans, slug), ...change });
    if (!judged.success) {
      const fields = Object.fromEntries(judged.error.issues.map(({ path, message }) => [path.join('.'), message]));
      throw new RefusedError(422, 'The plan was not changed.', { fields });
    }
    await note(act, { act: 'plan_changed', subject: slug, details: change });
    await planChanges.change(slug, change);
    await livePlans.refresh();
  }

  async function deletePlan(act: StaffRequest, slug: string): Promise<void> {
    await livePlans.refresh();
    if (!Object.hasOwn(livePlans.plans, slug)) throw new RefusedError(404, 'There is no such plan.');
    if (isBuiltIn(slug)) throw new RefusedError(422, 'A built-in plan cannot be deleted.');
    const inUse = () => new RefusedError(422, 'An account is on this plan.');
    if ((await planChanges.accounts()).has(slug)) throw inUse();
    await note(act, { act: 'plan_deleted', subject: slug });
    if (!(await planChanges.remove(slug))) throw inUse();
    await livePlans.refresh();
  }

  return {
    coupons: () => coupons.list(),
    createCoupon,
    async setCouponActive(act, id, isActive) {
      if (!(await isCoupon(id))) return false;
      await note(act, { act: 'coupon_switched', subject: String(id), details: { active: isActive } });
      return coupons.setActive(id, isActive);
    },
    async deleteCoupon(act, id) {
      if (!(await isCoupon(id))) return false;
      await note(act, { act: 'coupon_deleted', subject: String(id) });
      return coupons.remove(id);
    },
    customers: (page, q, before) => customers.list(page, q, before),
    customer: (accountId) => customers.find(accountId),
    entitle,
    async plans() {
      const [accounts] = await Promise.all([planChanges.accounts(), livePlans.refresh()]);
      return Object.entries(livePlans.plans as Plans).map(([slug, plan]) => ({
        slug,
        plan,
        accounts: accounts.get(slug) ?? 0,
        isBuiltIn: isBuiltIn(slug),
      }));
    },
    changePlan,
    deletePlan,
    async freeDailyCap() {
      await livePlans.refresh();
      return livePlans.plans['free']!.daily_credit_cap;
    },
    async setFreeDailyCap(act, cap) {
      if (cap !== null && !isIntegerWithin(cap, 1, Number.MAX_SAFE_INTEGER)) {
        throw invalidField('free_daily_cap', 'Give a whole number from 1, or nothing for no cap.');
      }
      await note(act, { act: 'setting_changed', subject: 'free_daily_cap', details: { free_daily_cap: cap } });
      await planChanges.change('free', { daily_credit_cap: cap });
      await livePlans.refresh();
    },
  };
}

/** @throws RefusedError 422 */
function validateNewCoupon(given: Parameters<StaffBilling['createCoupon']>[1], createdAt: string): NewCoupon {
  const { kind, value, maxUses, expiresAt } = given;
  const code = normalizeCouponCode(given.code);
  const max = ownValue(MOST, kind);
  const until = expiresAt === null ? null : parseUtcTime(expiresAt.trim());
  const fields = {
    ...(!COUPON_CODE.test(code) && { code: 'Use 3 to 40 of A-Z, 0-9, - and _.' }),
    ...(max === undefined && { kind: 'Choose credits or percent.' }),
    ...(max !== undefined && !isIntegerWithin(value, 1, max) && { value: `Give 1 to ${max.toLocaleString('en-US')}.` }),
    ...(maxUses !== null &&
      !isIntegerWithin(maxUses, 1, Number.MAX_SAFE_INTEGER) && { max_uses: 'Give a number from 1.' }),
    ...(Number.isNaN(until) && { expires_at: 'Give a UTC date or time, such as 2027-01-31 or 2027-01-31T12:00:00Z.' }),
  };
  if (Object.keys(fields).length > 0) throw new RefusedError(422, 'The coupon was not created.', { fields });
  return {
    code,
    kind: kind as NewCoupon['kind'],
    value,
    maxUses,
    expiresAt: until === null ? null : toIsoTime(until),
    createdAt,
  };
}

const UTC_TEXT = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z?)?$/;

/** Parses a UTC date (its start) or time from a form. NaN if the text is neither. */
function parseUtcTime(text: string): number {
  if (!UTC_TEXT.test(text)) return Number.NaN;
  const [date, time = '00:00'] = text.replace(/Z$/, '').split(/[T ]/);
  const found = Date.parse(`${date}T${time}Z`);
  // Some engines read 31 February as a day in March.
  return !Number.isNaN(found) && toIsoTime(found).startsWith(date!) ? found : Number.NaN;
}

const isBuiltIn = (slug: string): boolean => Object.hasOwn(DEFAULT_PLANS, slug);

const duplicateCodeError = (): RefusedError => invalidField('code', 'There is a coupon of this code already.');
