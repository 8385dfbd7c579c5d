import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR } from '../../../../src/domain/primitives/time.ts';
import { createDyingProcess, ProcessDied } from './dying-process.ts';
import { createMemoryProvider, type MemoryProvider } from './memory-payment-provider.ts';
import { openShop, PACK, type Shop } from './shop.ts';

let shop: Shop;
let bank: MemoryProvider;
beforeEach(async () => {
  shop = await openShop();
  bank = createMemoryProvider();
});
afterEach(() => shop.close());

/** Every call of a purchase to what is outside of the process, before its effect and after it. */
const STEPS = [
  'lastPayment',
  'onFile',
  'methodOf',
  'addPayment',
  'charge',
  'account',
  'readStream',
  'appendAll',
  'cardLabel',
  'endPayment',
].flatMap((call) => [`before ${call}`, `after ${call}`]);

describe('a purchase during which the process dies', () => {
  it('takes these steps', async () => {
    const life = createDyingProcess();
    await shop.start(bank.payments, life).buy('mine');

    // Otherwise the tests below would not try all of them.
    expect(life.steps).toEqual(STEPS);
    expect(await shop.credits()).toBe(PACK.credits);
  });

  it.each(STEPS.slice(2))(
    '%s has its credits where the money was taken, once the next process runs',
    async (diesAt) => {
      await expect(shop.start(bank.payments, createDyingProcess(diesAt)).buy()).rejects.toThrow(ProcessDied);

      const next = shop.start(bank.payments);
      await next.packPayments.resume();
      await next.packPayments.resume();

      const wasAsked = STEPS.indexOf(diesAt) > STEPS.indexOf('before addPayment');
      expect(bank.taken()).toBe(wasAsked ? PACK.price_cents : 0);
      expect(await shop.credits()).toBe(wasAsked ? PACK.credits : 0);
      expect(await shop.registry.openPayments()).toEqual([]);
    },
  );

  it.each(STEPS)('%s: is paid once and credited once when the client repeats it with its key', async (diesAt) => {
    await expect(shop.start(bank.payments, createDyingProcess(diesAt)).buy('mine')).rejects.toThrow(ProcessDied);

    const next = shop.start(bank.payments);
    await Promise.all([next.packPayments.resume(), next.buy('mine'), next.buy('mine')]);

    expect(bank.taken()).toBe(PACK.price_cents);
    expect(await shop.credits()).toBe(PACK.credits);
    expect(await shop.registry.openPayments()).toEqual([]);
  });

  it('is repeated with identical data, although the card on file has changed', async () => {
    await expect(shop.start(bank.payments, createDyingProcess('after charge')).buy('mine')).rejects.toThrow();
    await shop.registry.putOnFile(shop.accountId, 'stripe', { customer: 'cus_9', paymentMethod: 'pm_new' });

    await shop.start(bank.payments).packPayments.resume();

    expect(bank.asked.length).toBe(2);
    expect(bank.asked[1]).toEqual(bank.asked[0]);
    expect(await shop.credits()).toBe(PACK.credits);
  });
});

describe('a payment that was left open', () => {
  /** Its row is there, and nothing else. */
  const leftOpen = () =>
    expect(shop.start(bank.payments, createDyingProcess('before charge')).buy('mine')).rejects.toThrow(ProcessDied);

  it('is charged at the next start', async () => {
    await leftOpen();

    await shop.start(bank.payments).packPayments.resume();

    expect(bank.taken()).toBe(PACK.price_cents);
    expect(await shop.credits()).toBe(PACK.credits);
  });

  it('is not charged when the provider may have forgotten its key', async () => {
    await leftOpen();
    shop.clock.time += 23 * HOUR;

    await shop.start(bank.payments).packPayments.resume();

    expect(bank.asked).toEqual([]);
    expect(await shop.registry.openPayments()).toEqual([]);
  });

  it('still adds its credits if the money was taken', async () => {
    await expect(shop.start(bank.payments, createDyingProcess('after charge')).buy('mine')).rejects.toThrow();
    shop.clock.time += 48 * HOUR;

    await shop.start(bank.payments).packPayments.resume();

    expect(bank.asked).toHaveLength(1);
    expect(await shop.credits()).toBe(PACK.credits);
    expect(await shop.registry.openPayments()).toEqual([]);
  });

  it('waits for a start with its own provider, which is logged', async () => {
    await leftOpen();
    const other = shop.start({ ...bank.payments, provider: 'development' });

    await other.packPayments.resume();

    expect(await shop.registry.openPayments()).toHaveLength(1);
    expect(other.told).toMatchObject([{ level: 'warn', provider: 'stripe', pack_id: PACK.id }]);
  });
});
