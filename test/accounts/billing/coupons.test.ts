import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountTermsOfBilled } from '../../../src/accounts/billing/account-terms.ts';
import { DEFAULT_PLANS } from '../../../src/platform/settings/plans-and-packs.ts';
import { createDyingProcess, ProcessDied } from './payments/dying-process.ts';
import { createMemoryProvider, type MemoryProvider } from './payments/memory-payment-provider.ts';
import { openShop, PACK, type Shop } from './payments/shop.ts';
import { grantsOf, readLedgerOf, requestOf } from './shop-helpers.ts';

const STAFF = { userId: 1, requestId: 'r' };
const OPEN = { maxUses: null, expiresAt: null };
const CREDITS = { ...OPEN, code: 'gift', kind: 'credits', value: 500 };
const HALF = { ...OPEN, code: 'HALF', kind: 'percent', value: 50 };

let shop: Shop;
let bank: MemoryProvider;
beforeEach(async () => {
  shop = await openShop();
  bank = createMemoryProvider();
});
afterEach(() => shop.close());

const terms = async () => accountTermsOfBilled((await shop.registry.account(shop.accountId))!, DEFAULT_PLANS);

async function otherAccount(name: string): Promise<number> {
  const key = {
    name,
    prefix: `llk_${name}`,
    hash: name,
    scopes: ['all'],
    createdAt: new Date(shop.clock.time).toISOString(),
  };
  return (await shop.keys.create({ ...key, expiresAt: null, account: 'own', plan: 'payg' })).accountId;
}

describe('a coupon for credits', () => {
  it('gives its credits at once, in any case of letters, once per account', async () => {
    const { customerBilling, staffBilling, book } = shop.start(bank.payments);
    await staffBilling.createCoupon(STAFF, CREDITS);
    expect(await customerBilling.redeemCoupon(requestOf(shop), ' Gift ')).toContain('500');
    expect(await book.remaining(await terms())).toBe(500);
    await expect(customerBilling.redeemCoupon(requestOf(shop), 'GIFT')).rejects.toMatchObject({ status: 422 });
    expect((await grantsOf(shop)).map(([, credits]) => credits)).toEqual([500]);
    expect((await staffBilling.coupons())[0]).toMatchObject({ code: 'GIFT', uses: 1 });
  });

  it('is not used more often than allowed, even by several accounts at once, and once by each', async () => {
    const { customerBilling, staffBilling } = shop.start(bank.payments);
    await staffBilling.createCoupon(STAFF, { ...CREDITS, maxUses: 3 });
    const accounts = [shop.accountId, ...(await Promise.all(['a', 'b', 'c', 'd', 'e'].map(otherAccount)))];
    const asked = [...accounts, ...accounts].map((accountId) =>
      customerBilling.redeemCoupon({ ...requestOf(shop), accountId }, 'GIFT').then(
        () => accountId,
        () => undefined,
      ),
    );
    const redeemed = (await Promise.all(asked)).filter((one) => one !== undefined);
    expect([redeemed.length, new Set(redeemed).size]).toEqual([3, 3]);
    expect((await staffBilling.coupons())[0]).toMatchObject({ uses: 3 });
  });

  it('gives its credits once, at whatever step the process dies', async () => {
    await shop.start(bank.payments).staffBilling.createCoupon(STAFF, CREDITS);
    const whole = createDyingProcess();
    const accountId = await otherAccount('whole');
    await shop.start(bank.payments, whole).customerBilling.redeemCoupon({ ...requestOf(shop), accountId }, 'GIFT');
    expect(whole.steps).toContain('after appendAll');
    for (let diesAt = 0; diesAt < whole.steps.length; diesAt++) {
      const of = { accountId: await otherAccount(`dies${diesAt}`), log: shop.log };
      const dying = shop.start(bank.payments, createDyingProcess(diesAt));
      await expect(dying.customerBilling.redeemCoupon(requestOf(of), 'GIFT')).rejects.toThrow(ProcessDied);
      const next = shop.start(bank.payments);
      await next.coupons.resume();
      await next.customerBilling.redeemCoupon(requestOf(of), 'GIFT').catch(() => {});
      expect((await grantsOf(of)).map(([, credits]) => credits)).toEqual([500]);
    }
  });
});

describe('a coupon that gives nothing', () => {
  it('has the same message if it is unknown, expired, switched off or used up', async () => {
    const { customerBilling, staffBilling } = shop.start(bank.payments);
    await staffBilling.createCoupon(STAFF, { ...CREDITS, code: 'ENDED', expiresAt: '2020-01-01' });
    await staffBilling.createCoupon(STAFF, { ...CREDITS, code: 'OFF' });
    await staffBilling.createCoupon(STAFF, { ...CREDITS, code: 'ONCE', maxUses: 1 });
    const off = (await staffBilling.coupons()).find(({ code }) => code === 'OFF')!;
    expect(await staffBilling.setCouponActive(STAFF, off.id, false)).toBe(true);
    await customerBilling.redeemCoupon({ ...requestOf(shop), accountId: await otherAccount('other') }, 'ONCE');
    const messages = new Set<string>();
    for (const code of ['NONE', 'ENDED', 'OFF', 'ONCE', 'no such code!']) {
      const error = await customerBilling.redeemCoupon(requestOf(shop), code).catch((caught) => caught);
      expect(error).toMatchObject({ status: 422, fields: { code: expect.any(String) } });
      messages.add(error.message);
    }
    expect(messages.size).toBe(1);
    expect(await readLedgerOf(shop)).toEqual([]);
  });

  it('is 429 after ten wrong codes in an hour, also for a right code, until the first is an hour old', async () => {
    const { customerBilling, staffBilling } = shop.start(bank.payments);
    await staffBilling.createCoupon(STAFF, CREDITS);
    const wrong = () => customerBilling.redeemCoupon(requestOf(shop), 'WRONG');
    const all = await Promise.allSettled(Array.from({ length: 15 }, wrong));
    const statuses = all.map((one) => (one.status === 'rejected' ? one.reason.status : 200));
    expect(statuses.filter((status) => status === 422)).toHaveLength(10);
    const refused = customerBilling.redeemCoupon(requestOf(shop), 'GIFT');
    await expect(refused).rejects.toMatchObject({ status: 429, retryAfter: 3600 });
    shop.clock.time += 3_600_000;
    expect(await customerBilling.redeemCoupon(requestOf(shop), 'GIFT')).toContain('500');
  });
});

describe('a percent coupon', () => {
  it('waits for the next charge, lowers only that charge, and is on its invoice', async () => {
    const { customerBilling, staffBilling, buy } = shop.start(bank.payments);
    await staffBilling.createCoupon(STAFF, { ...HALF, value: 33 });
    await customerBilling.redeemCoupon(requestOf(shop), 'half');
    expect((await customerBilling.overview(shop.accountId)).waitingPercent).toBe(33);
    await buy();
    await customerBilling.topUp(requestOf(shop), PACK.id);
    expect(bank.taken()).toBe(1000 - 330 + 1000);
    const invoices = await customerBilling.invoices(shop.accountId);
    expect(invoices.map(({ discountCents, totalCents }) => [discountCents, totalCents])).toEqual([
      [0, 1000],
      [330, 670],
    ]);
    expect((await customerBilling.overview(shop.accountId)).waitingPercent).toBeNull();
  });

  it('waits again if the charge is declined; only one waits at a time, even while it is claimed', async () => {
    const { customerBilling, staffBilling } = shop.start(bank.payments);
    await staffBilling.createCoupon(STAFF, HALF);
    await staffBilling.createCoupon(STAFF, { ...HALF, code: 'OTHER' });
    await customerBilling.redeemCoupon(requestOf(shop), 'HALF');
    await expect(customerBilling.redeemCoupon(requestOf(shop), 'OTHER')).rejects.toMatchObject({ status: 422 });
    await shop.registry.putOnFile(shop.accountId, 'stripe', { customer: 'cus_1', paymentMethod: 'pm_empty' });
    await expect(customerBilling.topUp(requestOf(shop), PACK.id)).rejects.toMatchObject({ status: 402 });
    expect((await customerBilling.overview(shop.accountId)).waitingPercent).toBe(50);
    expect((await staffBilling.coupons()).find(({ code }) => code === 'OTHER')).toMatchObject({ uses: 0 });
    await shop.registry.putOnFile(shop.accountId, 'stripe', { customer: 'cus_1', paymentMethod: 'pm_ok' });
    await customerBilling.topUp(requestOf(shop), PACK.id);
    expect(bank.taken()).toBe(500);
  });

  it('lowers only one of several charges at the same time', async () => {
    const { customerBilling, staffBilling } = shop.start(bank.payments);
    await staffBilling.createCoupon(STAFF, HALF);
    await customerBilling.redeemCoupon(requestOf(shop), 'HALF');
    const others = ['b', 'c'].map((owner) => shop.start(bank.payments, createDyingProcess(), owner));
    await Promise.all(others.map((one) => one.customerBilling.topUp(requestOf(shop), PACK.id)));
    expect(bank.taken()).toBe(1500);
  });

  it('needs no card if nothing is left to pay, for a pack and for growth', async () => {
    await shop.registry.putOnFile(shop.accountId, 'stripe', { customer: 'cus_1', paymentMethod: null });
    const { customerBilling, staffBilling, book } = shop.start(bank.payments);
    for (const code of ['ONE', 'TWO']) {
      await staffBilling.createCoupon(STAFF, { ...HALF, code, value: 100 });
      await customerBilling.redeemCoupon(requestOf(shop), code);
      if (code === 'ONE') await customerBilling.topUp(requestOf(shop), PACK.id);
      else await customerBilling.subscribe(requestOf(shop), 'growth');
    }
    expect(bank.asked).toEqual([]);
    expect(await book.remaining(await terms())).toBeGreaterThan(PACK.credits);
    const invoices = await customerBilling.invoices(shop.accountId);
    expect(invoices.map(({ status, totalCents, card }) => [status, totalCents, card])).toEqual([
      ['paid', 0, null],
      ['paid', 0, null],
    ]);
  });

  it('is neither lost nor spent twice if the process dies during the charge', async () => {
    const { staffBilling, customerBilling } = shop.start(bank.payments);
    await staffBilling.createCoupon(STAFF, HALF);
    await customerBilling.redeemCoupon(requestOf(shop), 'HALF');
    const dying = shop.start(bank.payments, createDyingProcess('after charge'));
    await expect(dying.customerBilling.topUp(requestOf(shop), PACK.id)).rejects.toThrow(ProcessDied);
    const next = shop.start(bank.payments);
    await next.packPayments.resume();
    await next.customerBilling.topUp(requestOf(shop), PACK.id);
    expect(bank.taken()).toBe(500 + 1000);
  });
});

describe('the reward for visiting the documentation', () => {
  it('is 100 credits once, even with requests at the same time', async () => {
    const { customerBilling, book } = shop.start(bank.payments);
    const given = await Promise.all([1, 2, 3].map(() => customerBilling.rewardDocsVisit(requestOf(shop))));
    expect(given.sort()).toEqual([0, 0, 100]);
    expect(await book.remaining(await terms())).toBe(100);
  });
});
