import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountTermsOfBilled, planOf } from '../../../src/accounts/billing/account-terms.ts';
import { createLivePlans, mergePlanChanges } from '../../../src/accounts/billing/live-plans.ts';
import { DEFAULT_PLANS } from '../../../src/platform/settings/plans-and-packs.ts';
import { createMemoryProvider } from './payments/memory-payment-provider.ts';
import { openShop, type Shop } from './payments/shop.ts';
import { grantsOf, readLedgerOf } from './shop-helpers.ts';

const BY = { userId: 3, requestId: 'request-9' };

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

const staff = () => shop.start(createMemoryProvider().payments).staffBilling;
const terms = async () => accountTermsOfBilled((await shop.registry.account(shop.accountId))!, DEFAULT_PLANS);
const acts = async () => (await shop.log.readStream('staff')).map(({ data }) => data);

describe('what staff do with an account', () => {
  it('grants credits for a reason and changes the plan, and is in the log with user and reason', async () => {
    const process = shop.start(createMemoryProvider().payments);
    await process.staffBilling.entitle(BY, shop.accountId, { plan: 'free', credits: 50, reason: 'an outage' });
    expect((await grantsOf(shop)).map(([, credits]) => credits)).toEqual([50]);
    expect(await process.book.remaining(await terms())).toBe(1050);
    const told = (await readLedgerOf(shop)).slice(0, 2).map(({ data }) => data);
    expect(told).toMatchObject([
      { kind: 'admin', by: 3, reason: 'an outage', expiresAt: null },
      { plan: 'free', by: 3, reason: 'staff' },
    ]);
    expect(await acts()).toMatchObject([
      {
        userId: 3,
        requestId: 'request-9',
        act: 'account_entitled',
        subject: String(shop.accountId),
        reason: 'an outage',
        details: { plan: 'free', credits: 50 },
      },
    ]);
    // Again it is another grant, under whatever request id.
    await process.staffBilling.entitle(BY, shop.accountId, { credits: 50, reason: 'another' });
    expect(await process.book.remaining(await terms())).toBe(1100);
  });

  it.each([
    [{ credits: 10 }, 'reason'],
    [{ credits: 0, reason: 'x' }, 'credits'],
    [{ credits: 1_000_001, reason: 'x' }, 'credits'],
    [{ credits: 1.5, reason: 'x' }, 'credits'],
    [{ plan: 'none' }, 'plan'],
    [{}, 'plan'],
  ])('refuses %o, and does nothing', async (given, field) => {
    const refused = staff().entitle(BY, shop.accountId, given);
    await expect(refused).rejects.toMatchObject({ status: 422, fields: { [field]: expect.any(String) } });
    expect([await readLedgerOf(shop), await acts()]).toEqual([[], []]);
  });

  it('is 404 for an unknown account', async () => {
    await expect(staff().entitle(BY, 999, { plan: 'free' })).rejects.toMatchObject({ status: 404 });
  });
});

describe('coupons', () => {
  const NEW = { code: ' new-1 ', kind: 'percent', value: 10, maxUses: 5, expiresAt: '2030-01-31' };

  it('are created, switched and deleted, each action logged with its user', async () => {
    const billing = staff();
    await billing.createCoupon(BY, NEW);
    const [coupon] = await billing.coupons();
    expect(coupon).toMatchObject({
      code: 'NEW-1',
      kind: 'percent',
      value: 10,
      maxUses: 5,
      uses: 0,
      expiresAt: '2030-01-31T00:00:00.000Z',
      isActive: true,
    });
    expect(await billing.setCouponActive(BY, coupon!.id, false)).toBe(true);
    expect((await billing.coupons())[0]).toMatchObject({ isActive: false });
    expect(await billing.deleteCoupon(BY, coupon!.id)).toBe(true);
    expect(await billing.coupons()).toEqual([]);
    expect([await billing.deleteCoupon(BY, coupon!.id), await billing.setCouponActive(BY, 7, true)]).toEqual([
      false,
      false,
    ]);
    const done = (await acts()) as readonly { readonly act: string }[];
    expect(done.map(({ act }) => act)).toEqual(['coupon_created', 'coupon_switched', 'coupon_deleted']);
  });

  it.each([
    ['code', { code: 'ab' }],
    ['code', { code: 'A B C' }],
    ['kind', { kind: 'free' }],
    ['value', { value: 101 }],
    ['value', { value: 0 }],
    ['value', { kind: 'credits', value: 1_000_001 }],
    ['max_uses', { maxUses: 0 }],
    ['expires_at', { expiresAt: 'tomorrow' }],
    ['expires_at', { expiresAt: '2030-02-31' }],
  ])('are refused for a wrong %s: %o', async (field, wrong) => {
    const refused = staff().createCoupon(BY, { ...NEW, ...wrong });
    await expect(refused).rejects.toMatchObject({ status: 422, fields: { [field]: expect.any(String) } });
  });

  it('have unique codes, regardless of case', async () => {
    const billing = staff();
    await billing.createCoupon(BY, NEW);
    const again = billing.createCoupon(BY, { ...NEW, code: 'NEW-1' });
    await expect(again).rejects.toMatchObject({ status: 422, fields: { code: expect.any(String) } });
  });
});

/** Of a process that looks when it is told to. */
function plansOf() {
  const timers: (() => void)[] = [];
  const live = createLivePlans({
    configured: DEFAULT_PLANS,
    changes: shop.stores.planChanges,
    onError() {},
    setTimer(callback) {
      timers.push(callback);
      return () => {};
    },
  });
  return { live, timers };
}

describe('plans in force', () => {
  it("are the configured plans merged with staff's changes, everywhere after the next refresh", async () => {
    const [here, there] = [plansOf(), plansOf()];
    there.live.start();
    const billing = shop.start(createMemoryProvider().payments, undefined, undefined, here.live).staffBilling;
    await billing.changePlan(BY, 'growth', { price_cents: 5900, daily_credit_cap: null });
    await billing.changePlan(BY, 'pro', { name: 'Pro', requests_per_minute: null });
    await billing.setFreeDailyCap(BY, 300);
    expect(here.live.plans['growth']).toEqual({ ...DEFAULT_PLANS['growth'], price_cents: 5900 });
    expect(await billing.freeDailyCap()).toBe(300);
    expect(there.live.plans['free']).toEqual(DEFAULT_PLANS['free']);
    await there.live.refresh();
    expect(there.live.plans).toEqual(here.live.plans);
    expect(there.live.plans['free']).toMatchObject({ daily_credit_cap: 300 });
    await billing.setFreeDailyCap(BY, null);
    expect(await billing.freeDailyCap()).toBeNull();

    const listed = (await billing.plans()).map(({ slug, accounts, isBuiltIn }) => [slug, accounts, isBuiltIn]);
    expect(listed).toContainEqual(['payg', 1, true]);
    expect(listed).toContainEqual(['pro', 0, false]);
  });

  it('refuse invalid changes, and deletion of built-in, used or unknown plans', async () => {
    const { live } = plansOf();
    const billing = shop.start(createMemoryProvider().payments, undefined, undefined, live).staffBilling;
    await expect(billing.changePlan(BY, 'growth', { price_cents: -1 })).rejects.toMatchObject({
      status: 422,
      fields: { price_cents: expect.any(String) },
    });
    await expect(billing.changePlan(BY, 'new', {})).rejects.toMatchObject({
      status: 422,
      fields: { name: expect.any(String) },
    });
    await expect(billing.changePlan(BY, 'No Slug', { name: 'x' })).rejects.toMatchObject({ status: 422 });
    await expect(billing.deletePlan(BY, 'free')).rejects.toMatchObject({ status: 422 });
    await expect(billing.deletePlan(BY, 'none')).rejects.toMatchObject({ status: 404 });
    await billing.changePlan(BY, 'pro', { name: 'Pro' });
    await billing.entitle(BY, shop.accountId, { plan: 'pro' });
    await expect(billing.deletePlan(BY, 'pro')).rejects.toMatchObject({ status: 422 });
    await billing.entitle(BY, shop.accountId, { plan: 'payg' });
    await billing.deletePlan(BY, 'pro');
    expect(live.plans['pro']).toBeUndefined();
  });

  it('from the configuration can be deleted too, and return with a change', () => {
    const configured = { ...DEFAULT_PLANS, own: { ...DEFAULT_PLANS['payg']!, name: 'Own' } };
    expect(mergePlanChanges(configured, new Map([['own', null]]))['own']).toBeUndefined();
    const changed = mergePlanChanges(configured, new Map([['own', { price_cents: 5 }]]));
    expect(changed['own']).toMatchObject({ name: 'Own', price_cents: 5 });
  });
});

describe('a plan of any name', () => {
  const NAMES = ['__proto__', 'constructor', 'valueof', '__definegetter__', 'hasownproperty'];

  it.each(NAMES)('%s is in the list once it is made, changes no other, and can be deleted', async (slug) => {
    const { live } = plansOf();
    const billing = shop.start(createMemoryProvider().payments, undefined, undefined, live).staffBilling;
    const before = (await billing.plans()).map((one) => one.slug);
    await billing.changePlan(BY, slug, { name: 'Any', requests_per_minute: 7 });
    const made = (await billing.plans()).find((one) => one.slug === slug);
    expect(made).toMatchObject({ plan: { name: 'Any', requests_per_minute: 7 }, isBuiltIn: false });
    await billing.changePlan(BY, slug, { name: 'Other' });
    const changed = (await billing.plans()).find((one) => one.slug === slug);
    expect(changed).toMatchObject({ plan: { name: 'Other', requests_per_minute: 7 } });
    await billing.deletePlan(BY, slug);
    expect((await billing.plans()).map((one) => one.slug)).toEqual(before);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  it.each(Object.getOwnPropertyNames(Object.prototype))('%s is no plan of an account before', async (name) => {
    expect(planOf(DEFAULT_PLANS, name)).toBe(DEFAULT_PLANS['free']);
    const billing = await staff();
    const refused = billing.entitle(BY, shop.accountId, { plan: name });
    await expect(refused).rejects.toMatchObject({ status: 422, fields: { plan: expect.any(String) } });
    const coupon = { code: 'CODE', kind: name, value: 1, maxUses: null, expiresAt: null };
    const noCoupon = billing.createCoupon(BY, coupon as never);
    await expect(noCoupon).rejects.toMatchObject({ status: 422, fields: { kind: expect.any(String) } });
  });
});
