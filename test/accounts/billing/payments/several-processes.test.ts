import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Payments } from '../../../../src/platform/payments/payments.ts';
import { createDyingProcess, ProcessDied } from './dying-process.ts';
import { createMemoryProvider, type MemoryProvider } from './memory-payment-provider.ts';
import { openShop, PACK, type Shop } from './shop.ts';

const MINUTE = 60_000;

let shop: Shop;
let bank: MemoryProvider;
beforeEach(async () => {
  shop = await openShop();
  bank = createMemoryProvider();
});
afterEach(() => shop.close());

/** A bank that answers a charge when it is told to. */
function slowBank() {
  let answer = (): void => {};
  let isAsked = (): void => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const answers = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const payments: Payments = {
    ...bank.payments,
    async charge(charge) {
      isAsked();
      await answers;
      return bank.payments.charge(charge);
    },
  };
  return { payments, asked, answer };
}

describe('a payment leased by one process', () => {
  it('is left alone by a process that starts meanwhile, which checks again a minute later', async () => {
    const slow = slowBank();
    const buying = shop.start(slow.payments, createDyingProcess(), 'a').buy('mine');
    await slow.asked;

    const other = shop.start(bank.payments, createDyingProcess(), 'b');
    await other.packPayments.resume();
    expect(bank.asked).toEqual([]);
    expect(other.timers).toHaveLength(1);

    slow.answer();
    await buying;
    await other.packPayments.resume();
    expect(bank.asked).toHaveLength(1);
    expect(await shop.credits()).toBe(PACK.credits);
  });

  it('is not begun again when the client repeats the call at another process', async () => {
    const slow = slowBank();
    const buying = shop.start(slow.payments, createDyingProcess(), 'a').buy('mine');
    await slow.asked;

    const other = shop.start(bank.payments, createDyingProcess(), 'b');
    await expect(other.buy('mine')).rejects.toMatchObject({ message: expect.stringContaining('not known yet') });
    expect(bank.asked).toEqual([]);

    slow.answer();
    await buying;
    await other.buy('mine');
    expect(bank.taken()).toBe(PACK.price_cents);
    expect(await shop.credits()).toBe(PACK.credits);
  });

  it('is completed by another process when the first has died and its lease has ended', async () => {
    await expect(shop.start(bank.payments, createDyingProcess('after charge'), 'a').buy('mine')).rejects.toThrow(
      ProcessDied,
    );

    const other = shop.start(bank.payments, createDyingProcess(), 'b');
    await other.packPayments.resume();
    expect(await shop.credits()).toBe(0);
    shop.clock.time += 5 * MINUTE;
    await other.packPayments.resume();
    expect(bank.taken()).toBe(PACK.price_cents);
    expect(await shop.credits()).toBe(PACK.credits);
  });

  it('adds its credits once when several processes resume it at once', async () => {
    await expect(shop.start(bank.payments, createDyingProcess('before charge'), 'a').buy('mine')).rejects.toThrow(
      ProcessDied,
    );
    shop.clock.time += 5 * MINUTE;
    const processes = ['b', 'c', 'd'].map((owner) => shop.start(bank.payments, createDyingProcess(), owner));
    await Promise.all(processes.map(({ packPayments }) => packPayments.resume()));
    expect(bank.asked).toHaveLength(1);
    expect(await shop.credits()).toBe(PACK.credits);
  });
});
