import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountTermsOfBilled } from '../../../src/accounts/billing/account-terms.ts';
import { readLedgerRecords } from '../../../src/accounts/credits/ledger-reader.ts';
import { DAY, HOUR } from '../../../src/domain/primitives/time.ts';
import { DEFAULT_PLANS } from '../../../src/platform/settings/plans-and-packs.ts';
import { ledgerEntries } from '../../../src/server/cli/audit-account.ts';
import { createDyingProcess, ProcessDied } from './payments/dying-process.ts';
import { createMemoryProvider, type MemoryProvider } from './payments/memory-payment-provider.ts';
import { openShop, PACK, type Shop } from './payments/shop.ts';
import { callAt, foldLedgerOf, grantsOf, readLedgerOf, requestOf } from './shop-helpers.ts';

/** 16 of November's 30 days are left, today included. */
const MIDDLE = Date.parse('2026-11-15T12:00:00Z');
const PRICE = 2614;
const CREDITS = 26_667;

let shop: Shop;
let bank: MemoryProvider;
beforeEach(async () => {
  shop = await openShop();
  shop.clock.time = MIDDLE;
  bank = createMemoryProvider();
});
afterEach(() => shop.close());

const terms = async () => accountTermsOfBilled((await shop.registry.account(shop.accountId))!, DEFAULT_PLANS);
const planOf = async () => (await shop.registry.account(shop.accountId))!.plan;
const at = (text: string) => {
  shop.clock.time = Date.parse(text);
};

describe('growth started within a month', () => {
  it('charges and grants the share of the remaining days, with an invoice, and the full amount from the next 1st on', async () => {
    const { customerBilling, book, subscriptions } = shop.start(bank.payments);
    expect((await customerBilling.overview(shop.accountId)).growthToday).toEqual({
      priceCents: PRICE,
      credits: CREDITS,
    });
    await customerBilling.subscribe(requestOf(shop, 'form-1'), 'growth');

    expect([bank.taken(), await planOf()]).toEqual([PRICE, 'growth']);
    expect(await book.remaining(await terms())).toBe(CREDITS);
    expect(await customerBilling.invoices(shop.accountId)).toMatchObject([
      {
        number: 'LL-2026-000001',
        status: 'paid',
        totalCents: PRICE,
        customerName: 'Ada',
        customerEmail: 'ada@x.example',
      },
    ]);

    at('2026-12-01T00:00:00Z');
    expect(await book.remaining(await terms())).toBe(50_000);
    await subscriptions.doDue();
    await subscriptions.doDue();
    expect(bank.taken()).toBe(PRICE + 4900);
    await book.flush();
    expect((await grantsOf(shop)).map(([, credits]) => credits)).toEqual([CREDITS, 50_000]);
    expect((await customerBilling.invoices(shop.accountId))[0]).toMatchObject({
      number: 'LL-2026-000002',
      totalCents: 4900,
    });
    expect(await book.remaining(await terms())).toBe((await foldLedgerOf(shop)).balance);
  });

  it('charges once for one form, even if it is sent twice at the same time', async () => {
    const { customerBilling } = shop.start(bank.payments);
    const forms = ['a', 'a', 'b'].map((key) => customerBilling.subscribe(requestOf(shop, key), 'growth'));
    await Promise.all(forms);
    expect([bank.taken(), bank.asked.length]).toEqual([PRICE, 1]);
  });

  it('changes nothing without a card or after a decline, even if the same form is sent again', async () => {
    const { customerBilling } = shop.start(bank.payments);
    for (const method of [null, 'pm_empty']) {
      await shop.registry.putOnFile(shop.accountId, 'stripe', { customer: 'cus_1', paymentMethod: method });
      await expect(customerBilling.subscribe(requestOf(shop, 'x'), 'growth')).rejects.toMatchObject({ status: 402 });
    }
    await expect(customerBilling.subscribe(requestOf(shop, 'x'), 'growth')).rejects.toMatchObject({ status: 402 });
    expect([bank.taken(), bank.asked.length, await planOf()]).toEqual([0, 1, 'payg']);
    expect(await customerBilling.invoices(shop.accountId)).toEqual([]);
    expect(await readLedgerOf(shop)).toEqual([]);
  });

  it('is refused with 422 for a plan that cannot be chosen', async () => {
    const { customerBilling } = shop.start(bank.payments);
    await expect(customerBilling.subscribe(requestOf(shop), 'enterprise')).rejects.toMatchObject({ status: 422 });
  });
});

describe('a process that dies while growth starts', () => {
  it('leaves money, credits, invoice and plan exactly once, at whatever step it dies', async () => {
    const whole = createDyingProcess();
    await shop.start(bank.payments, whole).customerBilling.subscribe(requestOf(shop), 'growth');
    const steps = whole.steps.length;
    expect(whole.steps.filter((name) => /charge|appendAll|endPayment/.test(name))).toHaveLength(6);
    await shop.close();
    for (let diesAt = 0; diesAt < steps; diesAt++) {
      shop = await openShop();
      shop.clock.time = MIDDLE;
      bank = createMemoryProvider();
      await expect(
        shop
          .start(bank.payments, createDyingProcess(diesAt))
          .customerBilling.subscribe(requestOf(shop, 'form'), 'growth'),
      ).rejects.toThrow(ProcessDied);
      const next = shop.start(bank.payments);
      await next.packPayments.resume();
      const hasBegun = bank.taken() > 0;
      expect([bank.taken(), await planOf()]).toEqual(hasBegun ? [PRICE, 'growth'] : [0, 'payg']);
      // Whoever looks now is due nothing besides.
      const book = next.book;
      expect(await book.remaining(await terms())).toBe(hasBegun ? CREDITS : 0);
      expect(await next.customerBilling.invoices(shop.accountId)).toHaveLength(hasBegun ? 1 : 0);
      await next.customerBilling.subscribe(requestOf(shop, 'form'), 'growth');
      expect([bank.taken(), await planOf()]).toEqual([PRICE, 'growth']);
      expect(await grantsOf(shop)).toHaveLength(1);
      if (diesAt < steps - 1) await shop.close();
    }
  });
});

describe('a change of plan under load', () => {
  it('loses and doubles no credit: each call is charged once, and log, ledger and fold agree', async () => {
    const { customerBilling, book, buy } = shop.start(bank.payments);
    await buy();
    let charged = 0;
    const spend = async () => {
      for (let i = 0; i < 60; i++) {
        const hold = await book.reserve(await terms(), 3);
        await hold.charge(callAt(shop.clock.time), 2);
        charged += 2;
      }
    };
    const change = async () => {
      await customerBilling.subscribe(requestOf(shop), 'growth');
      await customerBilling.cancel(requestOf(shop));
      await customerBilling.subscribe(requestOf(shop), 'growth');
    };
    await Promise.all([spend(), spend(), spend(), change()]);
    await book.flush();
    expect(charged).toBe(360);
    const granted = (await grantsOf(shop)).reduce((sum, [, credits]) => sum + credits, 0);
    expect(granted).toBe(PACK.credits + CREDITS);
    expect(await book.remaining(await terms())).toBe(granted - charged);
    expect((await foldLedgerOf(shop)).balance).toBe(granted - charged);
  });
});

describe('leaving growth', () => {
  it('takes effect at the end of the month, without credits or a charge for the next month, whoever looks first', async () => {
    const { customerBilling, book, subscriptions } = shop.start(bank.payments);
    await customerBilling.subscribe(requestOf(shop), 'growth');
    await customerBilling.cancel(requestOf(shop));
    expect(await customerBilling.overview(shop.accountId)).toMatchObject({
      plan: { slug: 'growth' },
      ends: { at: '2026-12-01T00:00:00.000Z', plan: 'free' },
    });
    expect(await book.remaining(await terms())).toBe(CREDITS);

    at('2026-12-01T00:00:00Z');
    expect(await book.remaining(await terms())).toBe(0);
    await subscriptions.doDue();
    expect([bank.taken(), await planOf()]).toEqual([PRICE, 'free']);
    expect(await book.remaining(await terms())).toBe(1000);
    const changes = (await readLedgerOf(shop)).flatMap(({ type, data }) => (type === 'PlanChanged' ? [data] : []));
    expect(changes).toMatchObject([
      { plan: 'growth', by: 7, reason: 'paid' },
      { plan: 'free', by: null, reason: 'ended' },
    ]);
  });

  it('can be cancelled without a charge', async () => {
    const { customerBilling, subscriptions } = shop.start(bank.payments);
    await customerBilling.subscribe(requestOf(shop), 'growth');
    await customerBilling.subscribe(requestOf(shop), 'payg');
    expect((await customerBilling.overview(shop.accountId)).ends).toMatchObject({ plan: 'payg' });
    await customerBilling.subscribe(requestOf(shop), 'growth');
    expect((await customerBilling.overview(shop.accountId)).ends).toBeNull();
    expect(bank.taken()).toBe(PRICE);
    at('2026-12-01T00:00:01Z');
    await subscriptions.doDue();
    expect([bank.taken(), await planOf()]).toEqual([PRICE + 4900, 'growth']);
  });

  it('keeps the credits that never expire: packs, coupons, rewards and free credits', async () => {
    const { customerBilling, staffBilling, book, buy, subscriptions } = shop.start(bank.payments);
    await buy();
    await customerBilling.rewardDocsVisit(requestOf(shop));
    await staffBilling.entitle({ userId: 1, requestId: 'r' }, shop.accountId, { credits: 300, reason: 'sorry' });
    await customerBilling.subscribe(requestOf(shop), 'growth');
    const hold = await book.reserve(await terms(), 10);
    await hold.charge(callAt(shop.clock.time), 10);
    await customerBilling.cancel(requestOf(shop));
    at('2026-12-02T00:00:00Z');
    await subscriptions.doDue();
    // The month's credits were spent first, and are gone; free begins with its own.
    expect(await book.remaining(await terms())).toBe(PACK.credits + 100 + 300 + 1000);
    await book.flush();
    expect((await foldLedgerOf(shop)).balance).toBe(PACK.credits + 100 + 300 + 1000);
    // The audit sums up by itself, and comes to the same.
    const entries = [];
    for await (const entry of ledgerEntries(readLedgerRecords(shop.log, shop.accountId), false)) entries.push(entry);
    expect(entries.at(-1)!.balance).toBe(PACK.credits + 100 + 300 + 1000);
    expect(entries.filter(({ type }) => type === 'PlanChanged').map(({ credits }) => credits)).toEqual([0, 0]);
  });

  it('is 422 if there is no subscription', async () => {
    const { customerBilling } = shop.start(bank.payments);
    await expect(customerBilling.cancel(requestOf(shop))).rejects.toMatchObject({ status: 422 });
  });
});

describe('a month that cannot be charged', () => {
  it('is charged again after three days; two declines in a row stop paid calls until a card pays it', async () => {
    const { customerBilling, subscriptions, mails } = shop.start(bank.payments);
    await customerBilling.subscribe(requestOf(shop), 'growth');
    await shop.registry.putOnFile(shop.accountId, 'stripe', { customer: 'cus_1', paymentMethod: 'pm_empty' });
    const statuses = async () => (await customerBilling.invoices(shop.accountId)).map(({ status }) => status);
    const hasFailed = async () => (await customerBilling.overview(shop.accountId)).paymentFailed;

    at('2026-12-01T00:00:00Z');
    await subscriptions.doDue();
    expect([await statuses(), await hasFailed()]).toEqual([['open', 'paid'], false]);
    shop.clock.time += 3 * DAY - 1;
    await subscriptions.doDue();
    expect(bank.asked).toHaveLength(2);
    shop.clock.time += 1;
    await subscriptions.doDue();
    shop.clock.time += HOUR;
    await subscriptions.doDue();
    expect(bank.asked).toHaveLength(3);
    expect([await statuses(), await hasFailed()]).toEqual([['declined', 'paid'], true]);
    expect(mails).toEqual(['invoice_declined', 'invoice_declined']);

    await customerBilling.setPaymentMethod(requestOf(shop), 'pm_ok');
    expect([await statuses(), await hasFailed(), bank.taken()]).toEqual([['paid', 'paid'], false, PRICE + 4900]);
    expect((await customerBilling.invoices(shop.accountId))[0]).toMatchObject({ number: 'LL-2026-000002' });
    at('2027-01-01T00:00:00Z');
    await subscriptions.doDue();
    expect(bank.taken()).toBe(PRICE + 2 * 4900);
  });

  it('does not prevent leaving growth and paying for it anew', async () => {
    const { customerBilling, subscriptions } = shop.start(bank.payments);
    await customerBilling.subscribe(requestOf(shop), 'growth');
    await shop.registry.putOnFile(shop.accountId, 'stripe', { customer: 'cus_1', paymentMethod: 'pm_empty' });
    for (const time of ['2026-12-01T00:00:00Z', '2026-12-04T00:00:00Z']) {
      at(time);
      await subscriptions.doDue();
    }
    await customerBilling.cancel(requestOf(shop));
    at('2027-01-02T00:00:00Z');
    await subscriptions.doDue();
    expect(await customerBilling.overview(shop.accountId)).toMatchObject({
      plan: { slug: 'free' },
      paymentFailed: true,
    });
    await shop.registry.putOnFile(shop.accountId, 'stripe', { customer: 'cus_1', paymentMethod: 'pm_ok' });
    await customerBilling.subscribe(requestOf(shop), 'growth');
    expect(await customerBilling.overview(shop.accountId)).toMatchObject({
      plan: { slug: 'growth' },
      paymentFailed: false,
    });
  });

  it('counts as declined if there is no card', async () => {
    const { customerBilling, subscriptions } = shop.start(bank.payments);
    await customerBilling.subscribe(requestOf(shop), 'growth');
    await shop.registry.putOnFile(shop.accountId, 'stripe', { customer: 'cus_1', paymentMethod: null });
    at('2026-12-01T00:00:00Z');
    await subscriptions.doDue();
    expect((await customerBilling.invoices(shop.accountId))[0]).toMatchObject({ status: 'open', totalCents: 4900 });
  });

  it('is charged once, even if several processes look at once', async () => {
    const processes = ['a', 'b', 'c'].map((owner) => shop.start(bank.payments, createDyingProcess(), owner));
    await processes[0]!.customerBilling.subscribe(requestOf(shop), 'growth');
    at('2026-12-01T00:00:00Z');
    await Promise.all(processes.map(({ subscriptions }) => subscriptions.doDue()));
    expect(bank.taken()).toBe(PRICE + 4900);
  });
});

describe('free and pay as you go', () => {
  it('start at once, and keep the existing credits', async () => {
    const { customerBilling, book, buy } = shop.start(bank.payments);
    await buy();
    await customerBilling.subscribe(requestOf(shop), 'free');
    expect([await planOf(), await book.remaining(await terms())]).toEqual(['free', PACK.credits + 1000]);
    await customerBilling.subscribe(requestOf(shop), 'payg');
    expect([await planOf(), await book.remaining(await terms())]).toEqual(['payg', PACK.credits + 1000]);
    expect(bank.taken()).toBe(PACK.price_cents);
  });
});
