import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Charge, InvalidNotice } from '../../../src/platform/payments/payments.ts';
import { createStripePayments } from '../../../src/platform/payments/stripe-payments.ts';
import { invoiceEvent, type StripeDouble, serveStripeDouble, stripeSignature } from './stripe-double.ts';

const SECRET = 'whsec_test';
let stripe: StripeDouble;
beforeEach(async () => {
  stripe = await serveStripeDouble();
  stripe.addCustomer('cus_1', ['pm_ok', 'pm_empty', 'pm_expired', 'pm_holder', 'pm_slow']);
});
afterEach(() => stripe.close());

const open = (more: Partial<Parameters<typeof createStripePayments>[0]> = {}) =>
  createStripePayments({
    secretKey: stripe.secretKey,
    webhookSecret: SECRET,
    publishableKey: 'pk_test_1',
    api: stripe.api,
    ...more,
  });
const charge = (more: Partial<Charge> = {}): Charge => ({
  accountId: 7,
  customer: 'cus_1',
  paymentMethod: 'pm_ok',
  amountCents: 1000,
  currency: 'usd',
  description: '5000 credits (Small)',
  idempotencyKey: 'key-1',
  ...more,
});

describe('payments by Stripe (against a double of its HTTP API)', () => {
  it('charges the payment method on file at once, with nobody there, under the given idempotency key', async () => {
    const outcome = await open().charge(charge());

    expect(outcome).toEqual({ outcome: 'paid', payment: 'pi_1' });
    expect(stripe.intents).toMatchObject([
      {
        amount: 1000,
        currency: 'usd',
        customer: 'cus_1',
        payment_method: 'pm_ok',
        description: '5000 credits (Small)',
        confirmed_off_session: true,
        metadata: { ledgerline_charge: 'key-1', ledgerline_account: '7' },
      },
    ]);
    expect(stripe.requests).toMatchObject([{ idempotencyKey: 'key-1' }]);
  });

  it('gives the same payment for the same key, and takes the money once', async () => {
    const outcomes = [await open().charge(charge()), await open().charge(charge())];

    expect(outcomes).toEqual(Array(2).fill({ outcome: 'paid', payment: 'pi_1' }));
    expect(stripe.taken()).toBe(1000);
  });

  it.each([
    ['pm_empty', 'insufficient_funds'],
    ['pm_expired', 'expired_card'],
    ['pm_holder', 'authentication_required'],
  ])('tells that %s was declined: %s', async (paymentMethod, reason) => {
    expect(await open().charge(charge({ paymentMethod }))).toEqual({ outcome: 'declined', reason });
    expect(stripe.taken()).toBe(0);
  });

  it.each([
    ['payment method', { paymentMethod: 'pm_detached' }],
    ['customer', { customer: 'cus_unknown' }],
  ])('needs a payment method where the %s is gone', async (_, more) => {
    expect(await open().charge(charge(more))).toMatchObject({ outcome: 'payment_method_required' });
  });

  it('tells what Stripe refuses for reasons that are not the customer`s', async () => {
    expect(await open().charge(charge({ amountCents: 10 }))).toMatchObject({ outcome: 'refused' });
    expect(await open({ secretKey: 'sk_test_wrong' }).charge(charge())).toMatchObject({ outcome: 'refused' });
  });

  it('takes the money once although the answer is lost on the way', async () => {
    stripe.faults.push('answer is lost');

    expect(await open().charge(charge())).toEqual({ outcome: 'paid', payment: 'pi_1' });
    expect(stripe.requests.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['key-1', 'key-1']);
    expect(stripe.taken()).toBe(1000);
  });

  it('does not know what became of a charge after a fault at Stripe, or while it is processed', async () => {
    stripe.faults.push('breaks');

    await expect(open().charge(charge())).rejects.toThrow('An unknown error occurred');
    await expect(open().charge(charge({ idempotencyKey: 'key-2', paymentMethod: 'pm_slow' }))).rejects.toThrow(
      'pi_1 is processing',
    );
  });

  it('does not take another charge under a key for the one that was asked for', async () => {
    await open().charge(charge());

    await expect(open().charge(charge({ amountCents: 4000 }))).rejects.toThrow('idempotent');
  });

  it('finds what became of a charge, among more than a page of others, without asking for it again', async () => {
    const payments = open();
    await payments.charge(charge());
    await payments.charge(charge({ idempotencyKey: 'key-2', paymentMethod: 'pm_empty' }));
    for (let i = 0; i < 101; i++) await payments.charge(charge({ idempotencyKey: `other-${i}` }));
    const made = stripe.intents.length;
    const since = Date.now() - 60_000;

    expect(await payments.find(charge(), since)).toEqual({ outcome: 'paid', payment: 'pi_1' });
    expect(await payments.find(charge({ idempotencyKey: 'key-2' }), since)).toEqual({
      outcome: 'declined',
      reason: 'insufficient_funds',
    });
    expect(await payments.find(charge({ idempotencyKey: 'key-3' }), since)).toBeNull();
    expect(stripe.intents).toHaveLength(made);
  });

  it('charges what is on file, or else the customer`s default payment method', async () => {
    stripe.addCustomer('cus_2', ['pm_ok'], null);
    const methodOf = (customer: string, paymentMethod: string | null = null) =>
      open().methodOf({ customer, paymentMethod });

    expect(await methodOf('cus_1', 'pm_empty')).toBe('pm_empty');
    expect(await methodOf('cus_1')).toBe('pm_ok');
    expect(await methodOf('cus_2')).toBeNull();
    expect(await methodOf('cus_unknown')).toBeNull();
  });

  it('says how it is set up, and nothing of its secrets', () => {
    expect(open().description).toBe('payments: Stripe, in test mode, no money moves');
    expect(open({ secretKey: 'sk_live_1', webhookSecret: undefined }).description).toBe(
      'payments: Stripe, live; invoices are not heard of (STRIPE_WEBHOOK_SECRET is unset)',
    );
    expect(open({ publishableKey: undefined }).description).toContain(
      'takes no cards (STRIPE_PUBLISHABLE_KEY is unset)',
    );
  });
});

describe('notices of invoices by Stripe', () => {
  const read = (body: string, signature: string | undefined = stripeSignature(body, SECRET)) =>
    open().notices!.read(Buffer.from(body), signature);

  it.each([
    ['invoice.payment_failed', 'declined'],
    ['invoice.paid', 'paid'],
  ])('reads %s as %s', (type, kind) => {
    expect(read(invoiceEvent(type, { id: 'in_1', customer: 'cus_1' }))).toEqual({
      kind,
      invoice: 'in_1',
      customer: 'cus_1',
      hostedInvoiceUrl: 'https://invoice.example/in_1',
    });
  });

  it('reads an expanded customer, and an invoice without a page', () => {
    const invoice = { id: 'in_1', customer: { id: 'cus_1', object: 'customer' }, hosted_invoice_url: null };
    expect(read(invoiceEvent('invoice.paid', invoice))).toMatchObject({ customer: 'cus_1', hostedInvoiceUrl: null });
  });

  it.each([
    ['other events', invoiceEvent('invoice.created', { id: 'in_1', customer: 'cus_1' })],
    ['an invoice over nothing', invoiceEvent('invoice.paid', { id: 'in_1', customer: 'cus_1', amount_due: 0 })],
    ['an invoice of nobody', invoiceEvent('invoice.paid', { id: 'in_1', customer: null })],
  ])('has nothing to tell of %s', (_, body) => {
    expect(read(body)).toBeNull();
  });

  it.each([
    ['without a signature', undefined],
    ['with an empty one', ''],
    ['signed with another secret', stripeSignature('{}', 'whsec_other')],
    ['signed for another body', stripeSignature('[]', SECRET)],
    ['signed long ago', stripeSignature('{}', SECRET, Date.now() - 600_000)],
  ])('refuses one %s', (_, signature) => {
    expect(() => open().notices!.read(Buffer.from('{}'), signature)).toThrow(InvalidNotice);
  });

  it('takes none where there is no secret to check them with', () => {
    expect(open({ webhookSecret: undefined }).notices).toBeUndefined();
  });
});
