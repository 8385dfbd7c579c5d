import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type BillingRegistry,
  CustomerAlreadyLinked,
  type NewPaymentRecord,
  type PaymentOutcome,
  type ProviderInvoice,
} from '../../../../src/accounts/billing/model/billing-registry.ts';
import type { KeyRegistry } from '../../../../src/accounts/keys/key-registry.ts';

export interface OpenedBilling {
  readonly billing: BillingRegistry;
  /** The same, as another process has it. */
  another(): Promise<BillingRegistry>;
  /** Of the accounts. */
  readonly keys: KeyRegistry;
  close(): Promise<void>;
}

const time = (minute: number): string => new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString();
const HOLD = { owner: 'a', until: time(5) };

/** What every adapter of the registry of billing must do. `open` gives a new one. */
export function billingRegistryContract(name: string, open: () => Promise<OpenedBilling>): void {
  describe(`registry of billing: ${name}`, () => {
    let opened: OpenedBilling;
    let billing: BillingRegistry;
    let accountId: number;
    let otherId: number;
    let prefixes = 0;
    const newAccount = async (email: string, credits?: number) => {
      const key = { name: 'k', prefix: `llk_${++prefixes}`, hash: 'h', scopes: ['all'], createdAt: time(0) };
      const account = { email };
      const made = await opened.keys.create({ ...key, expiresAt: null, account, plan: 'payg', credits });
      return made.accountId;
    };
    beforeEach(async () => {
      opened = await open();
      ({ billing } = opened);
      accountId = await newAccount('a@x.example');
      otherId = await newAccount('b@x.example', 500);
    });
    afterEach(() => opened.close());

    const bought = (given: Partial<NewPaymentRecord> = {}): NewPaymentRecord => ({
      key: 'k1',
      provider: 'stripe',
      accountId,
      clientKey: 'client',
      attempt: 1,
      customer: 'cus_1',
      paymentMethod: 'pm_1',
      packId: 1,
      packName: 'Small',
      credits: 5000,
      priceCents: 1000,
      currency: 'usd',
      keyId: 1,
      requestId: 'r',
      createdAt: time(0),
      ...given,
    });

    const ended = (key: string, given: Partial<PaymentOutcome>): PaymentOutcome => ({
      key,
      state: 'done',
      at: time(2),
      line: 'credits',
      isTest: false,
      card: null,
      customerName: null,
      customerEmail: null,
      ...given,
    });

    it('finds an account by its id, and by its e-mail in any case of letters', async () => {
      const account = { id: accountId, plan: 'payg', createdAt: time(0), order: null };
      expect(await billing.account(accountId)).toEqual(account);
      expect(await billing.accountByEmail(' A@X.example')).toEqual(account);
      expect(await billing.account(otherId)).toMatchObject({ order: { credits: 500, at: time(0) } });
      expect([await billing.account(12_345), await billing.accountByEmail('c@x.example')]).toEqual([
        undefined,
        undefined,
      ]);
    });

    it('stores one customer per account and provider, and each customer for one account only', async () => {
      expect(await billing.onFile(accountId, 'stripe')).toBeUndefined();
      await billing.putOnFile(accountId, 'stripe', { customer: 'cus_1', paymentMethod: null });
      await billing.putOnFile(accountId, 'stripe', { customer: 'cus_2', paymentMethod: 'pm_2' });
      expect(await billing.onFile(accountId, 'stripe')).toEqual({ customer: 'cus_2', paymentMethod: 'pm_2' });
      expect(await billing.onFile(accountId, 'development')).toBeUndefined();
      expect(await billing.accountOfCustomer('stripe', 'cus_2')).toBe(accountId);
      expect(await billing.accountOfCustomer('stripe', 'cus_1')).toBeUndefined();
      const taken = billing.putOnFile(otherId, 'stripe', { customer: 'cus_2', paymentMethod: null });
      await expect(taken).rejects.toThrow(CustomerAlreadyLinked);
      expect(await billing.onFile(otherId, 'stripe')).toBeUndefined();
      await billing.putOnFile(otherId, 'development', { customer: 'cus_2', paymentMethod: null });
    });

    it('stores a payment from start to end, once per key', async () => {
      const begun = { ...bought(), state: 'pending', payment: null, reason: null, updatedAt: time(0) };
      expect(await billing.addPayment(bought(), HOLD)).toEqual(begun);
      await expect(billing.addPayment(bought({ attempt: 2 }), HOLD)).rejects.toThrow();
      expect(await (await opened.another()).payment('k1')).toEqual(begun);
      expect(await billing.payment('k2')).toBeUndefined();
      await billing.markUnclear('k1', 'lost', time(1));
      expect(await billing.endPayment(ended('k1', { payment: 'pi_1', at: time(2) }))).toBe(true);
      const settled = { state: 'done', payment: 'pi_1', reason: 'lost', updatedAt: time(2) };
      expect(await billing.payment('k1')).toEqual({ ...begun, ...settled });
      expect(await billing.endPayment(ended('k1', { payment: 'pi_2', at: time(3) }))).toBe(false);
      await billing.markUnclear('k1', 'lost', time(3));
      expect(await billing.payment('k1')).toEqual({ ...begun, ...settled });
      expect(await billing.endPayment(ended('k2', {}))).toBe(false);
    });

    it('knows the last payment under a client’s key', async () => {
      for (const [key, attempt] of [
        ['k1', 1],
        ['k3', 3],
        ['k2', 2],
      ] as const) {
        await billing.addPayment(bought({ key, attempt }), HOLD);
      }
      expect(await billing.lastPayment(accountId, 'client')).toMatchObject({ key: 'k3' });
      expect(await billing.lastPayment(otherId, 'client')).toBeUndefined();
      expect(await billing.lastPayment(accountId, 'another')).toBeUndefined();
    });

    it('lists the open payments, oldest first', async () => {
      const states = ['pending', 'unclear', 'done', 'declined', 'failed', 'pending'] as const;
      for (const [i, state] of states.entries()) {
        await billing.addPayment(bought({ key: `k${i}`, attempt: i + 1, createdAt: time(9 - i) }), HOLD);
        if (state === 'unclear') await billing.markUnclear(`k${i}`, 'lost', time(9));
        else if (state !== 'pending') await billing.endPayment(ended(`k${i}`, { state, at: time(9) }));
      }
      expect((await billing.openPayments()).map(({ key }) => key)).toEqual(['k5', 'k1', 'k0']);
    });

    it('leases an open payment to one process at a time: to the one that began it, and to others when its lease has ended', async () => {
      const claim = (owner: string, minute: number) =>
        billing.claimOpenPayment('k1', { owner, until: time(minute + 5) }, time(minute));
      expect(await claim('a', 0)).toBeUndefined();
      const begun = await billing.addPayment(bought(), HOLD);
      expect(await claim('b', 4)).toBe('held');
      expect(await claim('a', 4)).toEqual(begun);
      expect(await claim('b', 8)).toBe('held');
      expect(await claim('b', 9)).toEqual(begun);
      expect(await claim('a', 10)).toBe('held');
      await billing.markUnclear('k1', 'lost', time(10));
      expect(await claim('a', 13)).toBe('held');
      expect(await claim('a', 14)).toMatchObject({ state: 'unclear', reason: 'lost' });
      await billing.endPayment(ended('k1', { at: time(15) }));
      expect([await claim('a', 15), await claim('b', 15)]).toEqual([undefined, undefined]);
    });

    it('gives an open payment to only one of several claims at the same time', async () => {
      await billing.addPayment(bought(), HOLD);
      const processes = [billing, await opened.another()];
      const claims = Array.from({ length: 10 }, (_, i) =>
        processes[i % 2]!.claimOpenPayment('k1', { owner: `process ${i}`, until: time(20) }, time(10)),
      );
      const answers = await Promise.all(claims);
      expect(answers.filter((answer) => answer === 'held')).toHaveLength(9);
    });

    it('stores the last known state of an invoice', async () => {
      const invoice: ProviderInvoice = {
        provider: 'stripe',
        id: 'in_1',
        accountId,
        status: 'declined',
        hostedInvoiceUrl: 'https://pay.example/1',
        updatedAt: time(0),
      };
      await billing.putInvoice(invoice);
      expect(await billing.invoice('stripe', 'in_1')).toEqual(invoice);
      const paid: ProviderInvoice = { ...invoice, status: 'paid', hostedInvoiceUrl: null, updatedAt: time(1) };
      await billing.putInvoice(paid);
      expect(await billing.invoice('stripe', 'in_1')).toEqual(paid);
      expect(await billing.invoice('development', 'in_1')).toBeUndefined();
    });
  });
}
