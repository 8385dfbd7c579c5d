import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDyingProcess, ProcessDied } from './payments/dying-process.ts';
import { createMemoryProvider, type MemoryProvider } from './payments/memory-payment-provider.ts';
import { openShop, PACK, type Shop } from './payments/shop.ts';
import { requestOf } from './shop-helpers.ts';

let shop: Shop;
let bank: MemoryProvider;
beforeEach(async () => {
  shop = await openShop();
  bank = createMemoryProvider();
});
afterEach(() => shop.close());

const numbered = (year: number, count: number) =>
  Array.from({ length: count }, (_, index) => `LL-${year}-${String(index + 1).padStart(6, '0')}`);

it('invoices of a UTC year are numbered without gaps, even if processes die or several accounts buy at once', async () => {
  shop.clock.time = Date.parse('2026-12-31T23:59:50Z');
  const steps = createDyingProcess();
  await shop.start(bank.payments, steps).customerBilling.topUp(requestOf(shop), PACK.id);
  for (let diesAt = 0; diesAt < steps.steps.length; diesAt++) {
    const dying = shop.start(bank.payments, createDyingProcess(diesAt));
    await expect(dying.customerBilling.topUp(requestOf(shop), PACK.id)).rejects.toThrow(ProcessDied);
    const processes = ['b', 'c'].map((owner) => shop.start(bank.payments, createDyingProcess(), owner));
    await Promise.all(processes.map(({ customerBilling }) => customerBilling.topUp(requestOf(shop), PACK.id)));
  }
  shop.clock.time = Date.parse('2027-01-01T00:10:00Z');
  const last = shop.start(bank.payments);
  await last.packPayments.resume();
  await last.buy();
  const numbers = (await last.customerBilling.invoices(shop.accountId, { limit: 100 }))
    .map(({ number }) => number)
    .sort();
  const of = (year: number) => numbers.filter((number) => number.includes(String(year)));
  expect(of(2026)).toEqual(numbered(2026, of(2026).length));
  expect(of(2027)).toEqual(numbered(2027, of(2027).length));
  // Each charge of money has one, and nothing else has.
  expect(numbers.length * PACK.price_cents).toBe(bank.taken());
});

it("only an account's own paid invoices have a receipt", async () => {
  const { customerBilling } = shop.start(bank.payments);
  await customerBilling.topUp(requestOf(shop), PACK.id);
  const [invoice] = await customerBilling.invoices(shop.accountId);
  const receipt = await customerBilling.receipt(shop.accountId, invoice!.id);
  expect(receipt).toMatchObject({ number: invoice!.number });
  expect(Buffer.from(receipt!.pdf).subarray(0, 5).toString()).toBe('%PDF-');
  expect(await customerBilling.receipt(shop.accountId + 1, invoice!.id)).toBeUndefined();
  expect(await customerBilling.receipt(shop.accountId, invoice!.id + 1)).toBeUndefined();
});

it("a closed account is not charged any more, and its invoices lose the customer's data", async () => {
  const { customerBilling, subscriptions } = shop.start(bank.payments);
  await customerBilling.subscribe(requestOf(shop), 'growth');
  const taken = bank.taken();
  await customerBilling.closeAccount(shop.accountId);
  shop.clock.time += 70 * 86_400_000;
  await subscriptions.doDue();
  expect(bank.taken()).toBe(taken);
  expect(await customerBilling.overview(shop.accountId)).toMatchObject({ card: null, plan: { slug: 'free' } });
  expect((await customerBilling.invoices(shop.accountId))[0]).toMatchObject({
    customerName: null,
    customerEmail: null,
  });
});

it('the same pack form charges once, and answers 422 for another pack', async () => {
  const { customerBilling } = shop.start(bank.payments);
  await Promise.all([1, 2].map(() => customerBilling.topUp(requestOf(shop, 'form'), PACK.id)));
  expect(bank.taken()).toBe(PACK.price_cents);
  await expect(customerBilling.topUp(requestOf(shop, 'form'), 2)).rejects.toMatchObject({ status: 422 });
  await expect(customerBilling.topUp(requestOf(shop), 99)).rejects.toMatchObject({ status: 422 });
});
