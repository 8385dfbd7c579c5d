import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY } from '../../../../src/domain/primitives/time.ts';
import type { Payments } from '../../../../src/platform/payments/payments.ts';
import { createMemoryProvider, type MemoryProvider } from './memory-payment-provider.ts';
import { openShop, PACK, type Shop } from './shop.ts';

let shop: Shop;
let bank: MemoryProvider;
beforeEach(async () => {
  shop = await openShop();
  bank = createMemoryProvider();
});
afterEach(() => shop.close());

/** Its answers to charges are lost, before or after the charge is made. */
const losing = (when: 'before' | 'after'): Payments => ({
  ...bank.payments,
  async charge(charge) {
    if (when === 'after') await bank.payments.charge(charge);
    throw new Error('the connection broke');
  },
});
const MINUTE = 60_000;

describe('a charge whose answer was lost', () => {
  it('is reported to the client as unknown', async () => {
    const server = shop.start(losing('after'));

    await expect(server.buy()).rejects.toMatchObject({
      code: 'internal_error',
      message: expect.stringContaining('not known yet'),
    });
    expect(server.told).toMatchObject([{ level: 'error', pack_id: PACK.id, account_id: shop.accountId }]);
  });

  it('adds its credits a minute later if the charge was made', async () => {
    const server = shop.start(losing('after'));
    await expect(server.buy()).rejects.toThrow();

    expect(server.timers).toHaveLength(1);
    server.timers.shift()!();
    await server.packPayments.resume();

    expect(await shop.credits()).toBe(PACK.credits);
    expect(bank.asked).toHaveLength(1);
    expect(await shop.registry.openPayments()).toEqual([]);
  });

  it('is never repeated by the server if it was not made: the client may have paid in another way', async () => {
    const server = shop.start(losing('before'));
    await expect(server.buy()).rejects.toThrow();

    const next = shop.start(bank.payments);
    await next.packPayments.resume();
    // It may still be on its way to the provider.
    expect(await shop.registry.openPayments()).toHaveLength(1);
    expect(next.timers).toHaveLength(1);
    shop.clock.time += MINUTE;
    await next.packPayments.resume();

    expect(bank.asked).toEqual([]);
    expect(await shop.credits()).toBe(0);
    expect(await shop.registry.openPayments()).toEqual([]);
    expect(next.told).toMatchObject([{ level: 'warn', message: expect.stringContaining('never made') }]);
  });

  it.each(['before', 'after'] as const)(
    'is asked for again by its Idempotency-Key, and taken once (%s the charge)',
    async (when) => {
      await expect(shop.start(losing(when)).buy('mine')).rejects.toThrow();

      await shop.start(bank.payments).buy('mine');

      expect(bank.taken()).toBe(PACK.price_cents);
      expect(await shop.credits()).toBe(PACK.credits);
    },
  );

  it('stays open while the provider cannot be reached', async () => {
    await expect(shop.start(losing('after')).buy()).rejects.toThrow();
    const blind = shop.start({ ...bank.payments, find: () => Promise.reject(new Error('no connection')) });
    shop.clock.time += 2 * DAY;

    await blind.packPayments.resume();

    expect(await shop.registry.openPayments()).toHaveLength(1);
    expect(blind.timers).toHaveLength(1);
    await shop.start(bank.payments).packPayments.resume();
    expect(await shop.credits()).toBe(PACK.credits);
  });

  it('is left alone after the server stops', async () => {
    const server = shop.start(losing('after'));
    await expect(server.buy()).rejects.toThrow();

    await server.packPayments.close();
    server.timers.shift()!();
    await server.packPayments.resume();

    expect(await shop.registry.openPayments()).toHaveLength(1);
  });
});

describe('credits that the log refuses', () => {
  it('are added later, and the money is not taken again', async () => {
    const { appendAll } = shop.log;
    shop.log.appendAll = () => Promise.reject(new Error('the disk is full'));
    const server = shop.start(bank.payments);
    await expect(server.buy('mine')).rejects.toThrow('the disk is full');

    shop.log.appendAll = appendAll;
    expect(server.timers).toHaveLength(1);
    await server.packPayments.resume();

    expect(bank.taken()).toBe(PACK.price_cents);
    expect(await shop.credits()).toBe(PACK.credits);
  });
});

describe('an Idempotency-Key of the client', () => {
  it('means another purchase after a day', async () => {
    const server = shop.start(bank.payments);
    await server.buy('mine');
    shop.clock.time += DAY - 1;
    await server.buy('mine');
    expect(bank.taken()).toBe(PACK.price_cents);

    shop.clock.time += 1;
    await server.buy('mine');

    expect(bank.taken()).toBe(2 * PACK.price_cents);
    expect(await shop.credits()).toBe(2 * PACK.credits);
  });

  it('means the same purchase for the same pack only', async () => {
    const server = shop.start(losing('after'));
    await expect(server.buy('mine')).rejects.toThrow();

    await expect(shop.start(bank.payments).buy('mine', 2)).rejects.toMatchObject({ code: 'validation_error' });
    expect(bank.taken()).toBe(PACK.price_cents);
  });

  it('tries another card after a decline, and never repeats the declined charge', async () => {
    await shop.registry.putOnFile(shop.accountId, 'stripe', { customer: 'cus_1', paymentMethod: 'pm_empty' });
    const server = shop.start(bank.payments);
    await expect(server.buy('mine')).rejects.toMatchObject({ code: 'card_declined' });
    await shop.registry.putOnFile(shop.accountId, 'stripe', { customer: 'cus_1', paymentMethod: 'pm_ok' });

    await server.buy('mine');
    await server.buy('mine');

    expect(bank.asked.map(({ paymentMethod }) => paymentMethod)).toEqual(['pm_empty', 'pm_ok']);
    expect(new Set(bank.asked.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
    expect(await shop.credits()).toBe(PACK.credits);
  });

  it('is sent neither to the provider nor to the registry', async () => {
    const server = shop.start(bank.payments);
    await server.buy('mine');
    await server.buy();

    expect(JSON.stringify(bank.asked)).not.toContain('mine');
    expect(new Set(bank.asked.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
    const { key, clientKey } = (await shop.registry.payment(bank.asked[0]!.idempotencyKey))!;
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(clientKey).not.toContain('mine');
  });
});
