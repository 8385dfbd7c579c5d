import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BillingRegistry, NewPaymentRecord } from '../../../../src/accounts/billing/model/billing-registry.ts';
import type { BillingStores, NewCoupon } from '../../../../src/accounts/billing/model/billing-stores.ts';
import type { KeyRegistry } from '../../../../src/accounts/keys/key-registry.ts';

export interface OpenedStores {
  readonly billing: BillingRegistry;
  readonly stores: BillingStores;
  /** The same, as another process has them. */
  another(): Promise<{ readonly billing: BillingRegistry; readonly stores: BillingStores }>;
  readonly keys: KeyRegistry;
  /** An account's keys open nothing any more. */
  suspend(accountId: number): Promise<void>;
  close(): Promise<void>;
}

const time = (minute: number): string => new Date(Date.UTC(2026, 10, 15, 12, minute)).toISOString();
const HOLD = { owner: 'a', until: time(5) };

/** What every adapter of the stores of billing must do. `open` gives new ones. */
export function billingStoresContract(name: string, open: () => Promise<OpenedStores>): void {
  describe(`stores of billing: ${name}`, () => {
    let opened: OpenedStores;
    let billing: BillingRegistry;
    let stores: BillingStores;
    let accountId: number;
    let prefixes = 0;
    const newAccount = async (email: string, plan = 'payg') => {
      const key = { name: 'k', prefix: `llk_${++prefixes}`, hash: 'h', scopes: ['all'], createdAt: time(0) };
      return (await opened.keys.create({ ...key, expiresAt: null, account: { email }, plan })).accountId;
    };
    beforeEach(async () => {
      opened = await open();
      ({ billing, stores } = opened);
      accountId = await newAccount('a@x.example');
    });
    afterEach(() => opened.close());

    let keys = 0;
    const bought = (given: Partial<NewPaymentRecord> = {}): NewPaymentRecord => ({
      key: `k${++keys}`,
      provider: 'stripe',
      accountId,
      clientKey: null,
      attempt: 1,
      customer: 'cus_1',
      paymentMethod: 'pm_1',
      packId: 1,
      packName: 'Small',
      credits: 5000,
      priceCents: 1000,
      currency: 'usd',
      keyId: 0,
      requestId: 'r',
      createdAt: time(0),
      ...given,
    });
    const growth = (given: Partial<NewPaymentRecord> = {}) =>
      bought({ purpose: 'growth', month: '2026-11', packId: 0, packName: 'Growth', ...given });
    const monthly = (given: Partial<NewPaymentRecord> = {}) => growth({ purpose: 'month', month: '2026-12', ...given });
    const end = (key: string, state: 'done' | 'declined' | 'failed' = 'done', at = time(1), one = billing) =>
      one.endPayment({
        key,
        state,
        at,
        line: 'a line',
        isTest: true,
        card: 'Test card ok',
        customerName: 'Ada',
        customerEmail: 'a@x.example',
      });
    const coupon = (given: Partial<NewCoupon> = {}): NewCoupon => ({
      code: 'GIFT',
      kind: 'credits',
      value: 500,
      maxUses: null,
      expiresAt: null,
      createdAt: time(0),
      ...given,
    });

    it('begins one payment per purpose and account at a time, and another one after its end', async () => {
      const processes = [billing, (await opened.another()).billing];
      const begun = await Promise.all([0, 1, 2, 3].map((i) => processes[i % 2]!.addPayment(growth(), HOLD)));
      const [one] = begun.filter((payment) => payment !== undefined);
      expect(begun.filter((payment) => payment !== undefined)).toHaveLength(1);
      expect(await billing.paymentUnderWay(accountId, 'growth')).toEqual(one);
      expect(await billing.addPayment(monthly(), HOLD)).toBeDefined();
      await end(one!.key, 'declined');
      expect(await billing.paymentUnderWay(accountId, 'growth')).toBeUndefined();
      expect(await billing.addPayment(growth({ accountId: await newAccount('b@x.example') }), HOLD)).toBeDefined();
      expect(await billing.addPayment(growth(), HOLD)).toBeDefined();
    });

    it('ends a payment once, with its invoice, even if several processes end it at once', async () => {
      const { key } = (await billing.addPayment(bought(), HOLD))!;
      const other = (await opened.another()).billing;
      const ends = await Promise.all([1, 2, 3, 4].map((i) => end(key, 'done', time(1), i % 2 ? billing : other)));
      expect(ends.filter((isEnded) => isEnded)).toHaveLength(1);
      const [invoice, ...more] = await stores.issuedInvoices.ofAccount(accountId);
      expect(more).toEqual([]);
      expect(invoice).toEqual({
        id: invoice!.id,
        number: 'LL-2026-000001',
        accountId,
        at: time(1),
        status: 'paid',
        line: 'a line',
        priceCents: 1000,
        discountCents: 0,
        totalCents: 1000,
        currency: 'usd',
        customerName: 'Ada',
        customerEmail: 'a@x.example',
        card: 'Test card ok',
        isTest: true,
      });
      expect(await stores.issuedInvoices.find(accountId, invoice!.id)).toEqual(invoice);
      expect(await stores.issuedInvoices.find(accountId + 1, invoice!.id)).toBeUndefined();
      await stores.issuedInvoices.forgetCustomer(accountId);
      const forgotten = { customerName: null, customerEmail: null };
      expect(await stores.issuedInvoices.ofAccount(accountId)).toEqual([{ ...invoice, ...forgotten }]);
    });

    it('numbers the invoices of a year without gaps, even if several payments end at once', async () => {
      const other = (await opened.another()).billing;
      const payments = await Promise.all(Array.from({ length: 12 }, () => billing.addPayment(bought(), HOLD)));
      await Promise.all(
        payments.map((payment, i) =>
          end(
            payment!.key,
            i % 4 === 3 ? 'declined' : 'done',
            i % 2 ? time(1) : '2027-01-01T00:00:00.000Z',
            i % 3 ? billing : other,
          ),
        ),
      );
      const numbers = (await stores.issuedInvoices.ofAccount(accountId)).map(({ number }) => number).sort();
      const of = (year: number, count: number) => Array.from({ length: count }, (_, i) => `LL-${year}-00000${i + 1}`);
      expect(numbers).toEqual([...of(2026, 3), ...of(2027, 6)]);
    });

    it('puts an account on growth when the rest of a month is paid, and charges the next month once', async () => {
      const { key } = (await billing.addPayment(growth(), HOLD))!;
      expect(await stores.subscriptions.find(accountId)).toBeUndefined();
      await end(key);
      expect(await billing.account(accountId)).toMatchObject({ plan: 'growth' });
      const dueAt = '2026-12-01T00:00:00.000Z';
      const begun = { accountId, month: '2026-12', tries: 0, isCharged: true, ends: null, dueAt };
      expect(await stores.subscriptions.find(accountId)).toEqual(begun);
      expect(await stores.subscriptions.listDue('2026-11-30T23:59:59.999Z')).toEqual([]);
      expect(await stores.subscriptions.listDue(dueAt)).toEqual([accountId]);
      const until = '2026-12-01T00:05:00.000Z';
      const others = [stores, (await opened.another()).stores];
      const claims = await Promise.all(
        [0, 1, 2, 3].map((i) => others[i % 2]!.subscriptions.claim(accountId, { owner: `p${i}`, until }, dueAt)),
      );
      expect(claims.filter((claim) => claim !== undefined)).toEqual([begun]);
      expect(await stores.subscriptions.claim(accountId, { owner: 'z', until }, until)).toEqual(begun);

      const december = (await billing.addPayment(monthly(), HOLD))!;
      await end(december.key, 'done', dueAt);
      const next = { month: '2027-01', tries: 0, dueAt: '2027-01-01T00:00:00.000Z' };
      expect(await stores.subscriptions.find(accountId)).toMatchObject(next);
      expect(await stores.issuedInvoices.owedMonth(accountId)).toBeUndefined();
    });

    it('charges a declined month once more, and updates its one invoice', async () => {
      await end((await billing.addPayment(growth(), HOLD))!.key);
      const dueAt = '2026-12-01T00:00:00.000Z';
      const statuses = async () => (await stores.issuedInvoices.ofAccount(accountId)).map(({ status }) => status);
      await end((await billing.addPayment(monthly(), HOLD))!.key, 'failed', dueAt);
      expect(await stores.subscriptions.find(accountId)).toMatchObject({ tries: 0, dueAt: '2026-12-01T01:00:00.000Z' });
      await end((await billing.addPayment(monthly(), HOLD))!.key, 'declined', dueAt);
      expect(await stores.subscriptions.find(accountId)).toMatchObject({ tries: 1, dueAt: '2026-12-04T00:00:00.000Z' });
      expect(await statuses()).toEqual(['open', 'paid']);
      await end((await billing.addPayment(monthly(), HOLD))!.key, 'declined', '2026-12-04T00:00:00.000Z');
      expect(await stores.subscriptions.find(accountId)).toMatchObject({ month: '2027-01', tries: 0 });
      expect(await statuses()).toEqual(['declined', 'paid']);
      expect(await stores.issuedInvoices.owedMonth(accountId)).toMatchObject({ month: '2026-12', priceCents: 1000 });
      await end((await billing.addPayment(monthly(), HOLD))!.key, 'done', '2026-12-05T00:00:00.000Z');
      expect(await statuses()).toEqual(['paid', 'paid']);
      expect(await stores.subscriptions.find(accountId)).toMatchObject({ month: '2027-01', tries: 0 });
    });

    it('ends growth with its month, or continues it after all, whoever pays for it', async () => {
      const { subscriptions } = stores;
      expect(await subscriptions.scheduleEnd(accountId, 'free', '2026-12')).toBe(false);
      await end((await billing.addPayment(growth(), HOLD))!.key);
      const entitled = await newAccount('b@x.example', 'growth');
      for (const id of [accountId, entitled]) {
        expect(await subscriptions.scheduleEnd(id, 'payg', '2026-12')).toBe(true);
        const ends = { plan: 'payg', month: '2026-12' };
        expect(await subscriptions.find(id)).toMatchObject({ ends, dueAt: '2026-12-01T00:00:00.000Z' });
        expect(await billing.account(id)).toMatchObject({ planUntil: '2026-12-01T00:00:00.000Z' });
        await subscriptions.cancelEnd(id);
        expect((await billing.account(id))!.planUntil).toBeUndefined();
      }
      expect(await subscriptions.find(accountId)).toMatchObject({ ends: null, isCharged: true });
      expect(await subscriptions.find(entitled)).toBeUndefined();
      await subscriptions.scheduleEnd(accountId, 'free', '2026-12');
      expect(await subscriptions.changePlan(accountId, 'free')).toBe(true);
      expect(await subscriptions.find(accountId)).toBeUndefined();
      expect(await billing.account(accountId)).toEqual({
        id: accountId,
        plan: 'free',
        createdAt: time(0),
        order: null,
      });
      expect(await subscriptions.changePlan(12_345, 'free')).toBe(false);
    });

    it('stores coupons and counts their uses, even if several accounts redeem them at once', async () => {
      const { coupons } = stores;
      const other = (await opened.another()).stores.coupons;
      const id = (await coupons.create(coupon({ maxUses: 2 })))!;
      expect(await coupons.create(coupon({ value: 1 }))).toBeUndefined();
      const accounts = await Promise.all(['c', 'd', 'e', 'f'].map((letter) => newAccount(`${letter}@x.example`)));
      const outcomes = await Promise.all(
        [...accounts, ...accounts].map((account, i) => (i % 2 ? coupons : other).redeem('GIFT', account, time(1))),
      );
      expect(outcomes.filter(({ outcome }) => outcome === 'redeemed')).toHaveLength(2);
      expect(await coupons.list()).toMatchObject([{ id, code: 'GIFT', uses: 2, maxUses: 2, isActive: true }]);
      const open = await coupons.openRedemptions();
      expect(open.map(({ credits }) => credits)).toEqual([500, 500]);
      for (const one of open) await coupons.endRedemption(one.couponId, one.accountId);
      expect(await coupons.openRedemptions()).toEqual([]);
      expect(await coupons.redeem('GIFT', open[0]!.accountId, time(2))).toEqual({ outcome: 'known' });
      expect([await coupons.setActive(id, false), await coupons.remove(id), await coupons.remove(id)]).toEqual([
        true,
        true,
        false,
      ]);
      expect(await coupons.redeem('GIFT', accountId, time(2))).toEqual({ outcome: 'unknown' });
    });

    it('treats expired and switched-off coupons as unknown', async () => {
      const { coupons } = stores;
      await coupons.create(coupon({ code: 'ENDED', expiresAt: time(1) }));
      expect(await coupons.redeem('ENDED', accountId, time(1))).toEqual({ outcome: 'unknown' });
      expect(await coupons.redeem('ENDED', accountId, time(0))).toMatchObject({ outcome: 'redeemed' });
      const off = (await coupons.create(coupon({ code: 'OFF' })))!;
      await coupons.setActive(off, false);
      expect(await coupons.redeem('OFF', accountId, time(0))).toEqual({ outcome: 'unknown' });
    });

    it('lets one percent coupon wait; a payment claims it, and it waits again if no money is taken', async () => {
      const { coupons } = stores;
      for (const code of ['HALF', 'OTHER']) await coupons.create(coupon({ code, kind: 'percent', value: 50 }));
      const both = await Promise.all(['HALF', 'OTHER'].map((code) => coupons.redeem(code, accountId, time(1))));
      expect(both.map(({ outcome }) => outcome).sort()).toEqual(['redeemed', 'waits']);
      const payments = await Promise.all([1, 2, 3].map(() => billing.addPayment(bought({ priceCents: 999 }), HOLD)));
      const [lower, ...more] = payments.filter((payment) => payment!.discountCents !== undefined);
      expect([lower!.discountCents, more]).toEqual([499, []]);
      expect(await billing.payment(lower!.key)).toEqual(lower);
      expect(await coupons.waitingPercent(accountId)).toBe(50);
      await end(lower!.key, 'declined');
      const again = await billing.addPayment(bought(), HOLD);
      expect(again).toMatchObject({ discountCents: 500 });
      await end(again!.key);
      expect(await coupons.waitingPercent(accountId)).toBeNull();
      expect((await stores.issuedInvoices.ofAccount(accountId))[0]).toMatchObject({
        discountCents: 500,
        totalCents: 500,
      });
    });

    it('counts at most ten attempts an hour, even with attempts at the same time', async () => {
      const { coupons } = stores;
      const other = (await opened.another()).stores.coupons;
      const at = Date.parse(time(0));
      const tries = await Promise.all(
        Array.from({ length: 14 }, (_, i) => (i % 2 ? coupons : other).countAttempt(accountId, at)),
      );
      const counted = tries.flatMap((one) => ('id' in one ? [one.id] : []));
      expect(counted).toHaveLength(10);
      expect(tries.filter((one) => 'until' in one)[0]).toEqual({ until: at + 3_600_000 });
      await coupons.forgetAttempt(counted[0]!);
      expect(await coupons.countAttempt(accountId, at + 1)).toMatchObject({ id: expect.any(Number) });
      expect(await coupons.countAttempt(accountId, at + 3_599_999)).toEqual({ until: at + 3_600_000 });
      expect(await coupons.countAttempt(accountId, at + 3_600_000)).toMatchObject({ id: expect.any(Number) });
    });

    it('lets an account buy automatically within its cap, one payment at a time, and not while it is suspended', async () => {
      const { autoRecharges } = stores;
      const other = (await opened.another()).billing;
      const automatic = (given: Partial<NewPaymentRecord> = {}) =>
        bought({ purpose: 'automatic', month: '2026-11', ...given });
      expect(await billing.addPayment(automatic(), HOLD)).toBeUndefined();
      await autoRecharges.enable(accountId, { threshold: 10, packId: 1, monthlyCapCents: 2500 }, time(0));
      expect(await autoRecharges.listEnabled()).toEqual(
        new Map([[accountId, { threshold: 10, packId: 1, monthlyCapCents: 2500 }]]),
      );
      expect(await billing.addPayment(automatic({ packId: 2 }), HOLD)).toBeUndefined();
      for (let i = 0; i < 2; i++) {
        const all = await Promise.all([billing, other, billing].map((one) => one.addPayment(automatic(), HOLD)));
        const begun = all.filter((payment) => payment !== undefined);
        expect(begun).toHaveLength(1);
        await end(begun[0]!.key);
      }
      expect(await billing.addPayment(automatic(), HOLD)).toBeUndefined();
      await opened.suspend(accountId);
      expect(await billing.addPayment(automatic({ month: '2026-12' }), HOLD)).toBeUndefined();
    });

    it('returns each noted account once, and only accounts with auto-recharge on', async () => {
      const { autoRecharges } = stores;
      const other = (await opened.another()).stores.autoRecharges;
      const off = await newAccount('off@x.example');
      const settings = { threshold: 10, packId: 1, monthlyCapCents: 2500 };
      await autoRecharges.enable(accountId, settings, time(0));
      await autoRecharges.enable(off, settings, time(0));
      await autoRecharges.disable(off, null, time(1));
      expect(await autoRecharges.drainCharged()).toEqual([]);
      await other.noteCharged([accountId, off, 999_999]);
      await other.noteCharged([accountId]);
      expect((await Promise.all([autoRecharges.drainCharged(), other.drainCharged()])).flat()).toEqual([accountId]);
      expect(await autoRecharges.drainCharged()).toEqual([]);
    });

    it('turns auto-recharge off with a notice when an automatic payment is declined', async () => {
      const { autoRecharges } = stores;
      expect(await autoRecharges.find(accountId)).toBeUndefined();
      const settings = { threshold: 10, packId: 1, monthlyCapCents: 2500 };
      await autoRecharges.enable(accountId, settings, time(0));
      const payment = await billing.addPayment(bought({ purpose: 'automatic', month: '2026-11' }), HOLD);
      await end(payment!.key, 'declined');
      expect(await autoRecharges.find(accountId)).toEqual({
        ...settings,
        isOn: false,
        notice: expect.stringContaining('off'),
      });
      expect((await autoRecharges.listEnabled()).size).toBe(0);
      await autoRecharges.enable(accountId, { ...settings, threshold: 20 }, time(1));
      expect(await autoRecharges.find(accountId)).toEqual({ ...settings, threshold: 20, isOn: true, notice: null });
      await autoRecharges.disable(accountId, null, time(2));
      expect(await autoRecharges.find(accountId)).toMatchObject({ isOn: false, notice: null });
    });

    it('stores plan changes member by member, and deletes no plan in use', async () => {
      const { planChanges } = stores;
      const other = (await opened.another()).stores.planChanges;
      await Promise.all([planChanges.change('pro', { name: 'Pro' }), other.change('pro', { price_cents: 900 })]);
      expect(await planChanges.all()).toEqual(new Map([['pro', { name: 'Pro', price_cents: 900 }]]));
      const on = await newAccount('p@x.example', 'pro');
      expect(await planChanges.accounts()).toEqual(
        new Map([
          ['payg', 1],
          ['pro', 1],
        ]),
      );
      expect(await planChanges.remove('pro')).toBe(false);
      await stores.subscriptions.changePlan(on, 'free');
      expect(await planChanges.remove('pro')).toBe(true);
      expect((await planChanges.all()).get('pro')).toBeNull();
    });

    it('lists customers, newest first, by part of their address in any case, or by id', async () => {
      const { customers } = stores;
      const many = [];
      for (let i = 0; i < 51; i++) many.push(await newAccount(`user_${i}@y.example`));
      const all = await customers.list(1, '');
      expect([all.hasMore, all.customers.length, all.customers[0]!.accountId]).toEqual([true, 50, many.at(-1)]);
      const second = await customers.list(2, '');
      expect([second.hasMore, second.customers.length]).toEqual([false, 2]);
      expect(await customers.list(2, '', all.customers.at(-1)!.accountId)).toEqual(second);
      const found = await customers.list(1, 'USER_1@');
      expect(found).toMatchObject({
        hasMore: false,
        customers: [{ email: 'user_1@y.example', plan: 'payg', createdAt: time(0) }],
      });
      expect((await customers.list(1, '%')).customers).toEqual([]);
      expect((await customers.list(1, String(accountId))).customers.map((one) => one.accountId)).toContain(accountId);
      expect(await customers.find(accountId)).toMatchObject({ accountId, email: 'a@x.example' });
      expect(await customers.find(99_999)).toBeUndefined();
    });
  });
}
