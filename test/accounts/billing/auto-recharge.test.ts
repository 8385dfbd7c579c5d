import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountTermsOfBilled } from '../../../src/accounts/billing/account-terms.ts';
import { createChargedAccountNotifier } from '../../../src/accounts/billing/charged-account-notifier.ts';
import { DEFAULT_PLANS } from '../../../src/platform/settings/plans-and-packs.ts';
import { createDyingProcess } from './payments/dying-process.ts';
import { createMemoryProvider, type MemoryProvider } from './payments/memory-payment-provider.ts';
import { openShop, PACK, type Shop } from './payments/shop.ts';
import { callAt, foldLedgerOf, requestOf } from './shop-helpers.ts';

const ON = { enabled: true, threshold: 4000, packId: PACK.id, monthlyCapCents: 3000 } as const;

let shop: Shop;
let bank: MemoryProvider;
beforeEach(async () => {
  shop = await openShop();
  bank = createMemoryProvider();
});
afterEach(() => shop.close());

const terms = async () => accountTermsOfBilled((await shop.registry.account(shop.accountId))!, DEFAULT_PLANS);
type Process = ReturnType<Shop['start']>;

async function spend({ book, autoRecharges }: Process, credits: number): Promise<void> {
  const hold = await book.reserve(await terms(), credits);
  await hold.charge(callAt(shop.clock.time), credits);
  await autoRecharges.settled();
}

async function turnedOn(settings: typeof ON = ON, process = shop.start(bank.payments)): Promise<Process> {
  await process.buy();
  await process.customerBilling.setAutoRecharge(requestOf(shop), settings);
  return process;
}

describe('auto-recharge', () => {
  it('buys one pack when a charge leaves fewer credits than the threshold, and none before', async () => {
    const process = await turnedOn();
    await spend(process, 1000);
    expect(await process.book.remaining(await terms())).toBe(4000);
    await spend(process, 1);
    expect(await process.book.remaining(await terms())).toBe(3999 + PACK.credits);
    expect((await process.customerBilling.invoices(shop.accountId))[0]).toMatchObject({ totalCents: 1000 });
    await process.book.flush();
    expect((await foldLedgerOf(shop)).balance).toBe(3999 + PACK.credits);
  });

  it('never exceeds the cap of a UTC month, and starts anew with the next month', async () => {
    const process = await turnedOn({ ...ON, monthlyCapCents: 2999 } as never);
    for (let i = 0; i < 4; i++) await spend(process, 3000);
    // The first pack was bought by hand; the cap lets two of three more through.
    expect(bank.taken()).toBe(3000);
    const date = new Date(shop.clock.time);
    shop.clock.time = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
    await spend(process, 1);
    expect(bank.taken()).toBe(4000);
  });

  it('never buys two packs at once, even if several processes see the same charge', async () => {
    const first = await turnedOn();
    const others = ['b', 'c', 'd'].map((owner) => shop.start(bank.payments, createDyingProcess(), owner));
    await spend(first, 900);
    await Promise.all(others.map(({ autoRecharges }) => autoRecharges.refresh()));
    const low = { ...first, autoRecharges: { ...first.autoRecharges, settled: async () => {} } };
    await spend(low, 200);
    const all = [first, ...others];
    for (const { autoRecharges } of all) autoRecharges.noteCharge(shop.accountId);
    await Promise.all(all.map(({ autoRecharges }) => autoRecharges.settled()));
    expect(bank.taken()).toBe(2 * PACK.price_cents);
  });

  it('buys after a charge of a process that buys nothing itself, as soon as the registry has the note', async () => {
    const buyer = shop.start(bank.payments);
    await buyer.buy();
    // Nothing is noted of it here, as of a charge elsewhere.
    await spend(buyer, 1500);
    await buyer.customerBilling.setAutoRecharge(requestOf(shop), ON);
    const timers: (() => void)[] = [];
    const errors: unknown[] = [];
    const { autoRecharges } = shop.stores;
    const charged = createChargedAccountNotifier({
      registry: {
        noteCharged: (ids) =>
          errors.length === 0 ? Promise.reject(new Error('the registry is away')) : autoRecharges.noteCharged(ids),
      },
      setTimer: (callback) => {
        timers.push(callback);
        return () => {};
      },
      onError: (error) => errors.push(error),
    });
    await buyer.autoRecharges.refresh();
    await buyer.autoRecharges.settled();
    expect(bank.taken()).toBe(PACK.price_cents);

    charged.note(shop.accountId);
    timers.shift()!();
    await expect.poll(() => timers.length).toBe(1);
    expect(errors).toHaveLength(1);
    await charged.close();
    await buyer.autoRecharges.refresh();
    await buyer.autoRecharges.settled();
    expect(bank.taken()).toBe(2 * PACK.price_cents);
  });

  it('leaves unchecked accounts to other processes when it closes', async () => {
    const process = shop.start(bank.payments);
    await process.buy();
    await spend(process, 1500);
    await process.customerBilling.setAutoRecharge(requestOf(shop), ON);
    const other = shop.start(bank.payments, createDyingProcess(), 'other');
    await other.autoRecharges.refresh();
    other.autoRecharges.noteCharge(shop.accountId);
    await other.autoRecharges.close();
    await process.autoRecharges.refresh();
    await process.autoRecharges.settled();
    expect(bank.taken()).toBe(2 * PACK.price_cents);
  });

  it('repeats a failed check after a while', async () => {
    const process = await turnedOn();
    const { remaining } = process.book;
    process.book.remaining = () => Promise.reject(new Error('credits are away'));
    await spend(process, 1500);
    expect(bank.taken()).toBe(PACK.price_cents);
    process.book.remaining = remaining;
    for (const due of process.timers.splice(0)) due();
    await process.autoRecharges.settled();
    expect(bank.taken()).toBe(2 * PACK.price_cents);
  });

  it('is turned off by a decline, with a mail and a notice; calls continue while the balance lasts', async () => {
    const process = await turnedOn();
    await shop.registry.putOnFile(shop.accountId, 'stripe', { customer: 'cus_1', paymentMethod: 'pm_empty' });
    await spend(process, 1500);
    const { autoRecharge } = await process.customerBilling.overview(shop.accountId);
    expect(autoRecharge).toMatchObject({ enabled: false, notice: expect.stringContaining('turned off') });
    expect(process.mails).toEqual(['auto_recharge_declined']);
    await process.autoRecharges.refresh();
    await spend(process, 100);
    expect(bank.asked).toHaveLength(2);
  });

  it('buys nothing for an account without a card', async () => {
    const process = await turnedOn();
    await shop.registry.putOnFile(shop.accountId, 'stripe', { customer: 'cus_1', paymentMethod: null });
    await spend(process, 1500);
    expect(bank.taken()).toBe(PACK.price_cents);
    expect((await process.customerBilling.overview(shop.accountId)).autoRecharge.enabled).toBe(false);
  });

  it('needs a card and valid numbers', async () => {
    const { customerBilling } = shop.start(bank.payments);
    const wrong = { ...ON, threshold: 0, packId: 99, monthlyCapCents: 10_000_001 };
    await expect(customerBilling.setAutoRecharge(requestOf(shop), wrong)).rejects.toMatchObject({
      status: 422,
      fields: { threshold: expect.any(String), pack_id: expect.any(String), monthly_cap: expect.any(String) },
    });
    const low = { ...ON, monthlyCapCents: PACK.price_cents - 1 };
    await expect(customerBilling.setAutoRecharge(requestOf(shop), low)).rejects.toMatchObject({ status: 422 });
    await shop.registry.putOnFile(shop.accountId, 'stripe', { customer: 'cus_1', paymentMethod: null });
    await expect(customerBilling.setAutoRecharge(requestOf(shop), ON)).rejects.toMatchObject({ status: 422 });
  });

  it('ends when the card is removed, which is refused on growth', async () => {
    const process = await turnedOn();
    await process.customerBilling.removePaymentMethod(requestOf(shop));
    expect(await process.customerBilling.overview(shop.accountId)).toMatchObject({
      card: null,
      autoRecharge: { enabled: false, notice: null },
    });
    await process.customerBilling.setPaymentMethod(requestOf(shop), 'pm_ok');
    await process.customerBilling.subscribe(requestOf(shop), 'growth');
    await expect(process.customerBilling.removePaymentMethod(requestOf(shop))).rejects.toMatchObject({ status: 422 });
  });
});
