import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStripePayments } from '../../../src/platform/payments/stripe-payments.ts';
import { type StripeDouble, serveStripeDouble } from './stripe-double.ts';

let stripe: StripeDouble;
beforeEach(async () => {
  stripe = await serveStripeDouble();
  stripe.addCustomer('cus_1', []);
});
afterEach(() => stripe.close());

const open = (more: Partial<Parameters<typeof createStripePayments>[0]> = {}) =>
  createStripePayments({
    secretKey: stripe.secretKey,
    webhookSecret: undefined,
    publishableKey: 'pk_test_1',
    api: stripe.api,
    ...more,
  });

describe('the customer of an account at Stripe (against a double of its HTTP API)', () => {
  it('is made once it is needed, under the account`s number, and kept from then on', async () => {
    const payments = open();
    const customer = await payments.customerOf(7, null);

    expect(await payments.customerOf(7, customer)).toBe(customer);
    const making = stripe.requests.filter(({ method }) => method === 'POST');
    expect(making.map(({ body }) => Object.fromEntries(body))).toEqual([
      { description: 'Ledgerline account 7', 'metadata[ledgerline_account]': '7' },
    ]);
  });

  it('is made anew where Stripe does not know it, or where it was deleted there', async () => {
    stripe.cards.deleteCustomer('cus_1');

    expect(await open().customerOf(7, 'cus_1')).toBe('cus_made1');
    expect(await open().customerOf(7, 'cus_of_another_mode')).toBe('cus_made2');
  });
});

describe('a card on file at Stripe', () => {
  it('is set up by Stripe`s own form, for charges while nobody is there', async () => {
    expect(await open().setupIntent('cus_1')).toEqual({
      client_secret: 'seti_1_secret_double',
      publishable_key: 'pk_test_1',
    });
    expect(Object.fromEntries(stripe.requests[0]!.body)).toEqual({
      customer: 'cus_1',
      'allowed_payment_method_types[0]': 'card',
      usage: 'off_session',
    });
  });

  it('has no form without a publishable key', async () => {
    expect(await open({ publishableKey: undefined }).setupIntent('cus_1')).toMatchObject({ publishable_key: null });
  });

  it.each([
    ['the form has attached already', 'cus_1'],
    ['nobody has', null],
  ])('is one that %s: the customer`s default, and charged from then on', async (_, owner) => {
    stripe.cards.addCard('pm_1', owner);
    const payments = open();

    const outcome = await payments.putOnFile('cus_1', 'pm_1');

    const onFile = { customer: 'cus_1', paymentMethod: 'pm_1' };
    expect(outcome).toEqual({ outcome: 'on_file', onFile, label: 'Visa ending in 4242' });
    expect(stripe.cards.defaultOf('cus_1')).toBe('pm_1');
    expect(await payments.putOnFile('cus_1', 'pm_1')).toEqual(outcome);
    const charge = {
      accountId: 7,
      ...onFile,
      amountCents: 1000,
      currency: 'usd',
      description: 'a pack',
      idempotencyKey: 'key-1',
    };
    expect(await payments.charge(charge)).toMatchObject({ outcome: 'paid' });
  });

  it.each([
    [{ brand: 'amex', display_brand: 'american_express', last4: '0005' }, 'American Express ending in 0005'],
    [{ brand: 'visa', display_brand: 'cartes_bancaires', last4: '0006' }, 'Cartes Bancaires ending in 0006'],
    [{ brand: 'mastercard', display_brand: null, last4: '4444' }, 'Mastercard ending in 4444'],
    [{ brand: 'a_new_one', display_brand: null, last4: '0001' }, 'Card ending in 0001'],
  ])('has a label for people: %j', async (card, label) => {
    stripe.cards.addCard('pm_1', 'cus_1', { card });

    expect(await open().putOnFile('cus_1', 'pm_1')).toMatchObject({ label });
  });

  it('is not what Stripe declines', async () => {
    stripe.cards.addCard('pm_refused');

    expect(await open().putOnFile('cus_1', 'pm_refused')).toEqual({ outcome: 'declined', reason: 'generic_decline' });
    expect(stripe.cards.defaultOf('cus_1')).toBeNull();
  });

  it.each([
    ['unknown', 'pm_nowhere'],
    ['of another customer', 'pm_theirs'],
    ['no card', 'pm_bank'],
    ['no name of a payment method', 'pm_1/../../customers/cus_2'],
    ['empty', ''],
  ])('is not one that is %s, and nothing changes', async (_, id) => {
    stripe.addCustomer('cus_2', ['pm_theirs']);
    stripe.cards.addCard('pm_bank', null, { type: 'us_bank_account', card: undefined });

    expect(await open().putOnFile('cus_1', id)).toMatchObject({ outcome: 'unknown_payment_method' });
    expect(stripe.cards.defaultOf('cus_1')).toBeNull();
    expect(stripe.cards.ownerOf('pm_theirs')).toBe('cus_2');
    expect(stripe.cards.ownerOf('pm_bank')).toBeNull();
  });

  it('tells what is the operator`s fault', async () => {
    stripe.cards.addCard('pm_1');

    expect(await open({ secretKey: 'sk_test_wrong' }).putOnFile('cus_1', 'pm_1')).toMatchObject({ outcome: 'refused' });
    expect(await open().putOnFile('cus_gone', 'pm_1')).toMatchObject({ outcome: 'refused' });
  });

  it.each([
    ['by name', 'pm_1'],
    ['as the default', null],
  ])('is taken off %s, and off again without harm', async (_, paymentMethod) => {
    stripe.addCustomer('cus_2', ['pm_1']);

    await open().takeOffFile({ customer: 'cus_2', paymentMethod });
    await open().takeOffFile({ customer: 'cus_2', paymentMethod });
    await open().takeOffFile({ customer: 'cus_2', paymentMethod: 'pm_nowhere' });

    expect(stripe.cards.ownerOf('pm_1')).toBeNull();
    expect(stripe.cards.defaultOf('cus_2')).toBeNull();
  });

  it('is not known to be off while Stripe cannot be asked', async () => {
    await expect(
      open({ secretKey: 'sk_test_wrong' }).takeOffFile({ customer: 'cus_1', paymentMethod: 'pm_1' }),
    ).rejects.toThrow('Invalid API Key');
  });
});

describe('Stripe`s own page for a customer', () => {
  it('leads back to ours', async () => {
    const url = await open().portal('cus_1', 'https://odds.example/billing');

    expect(url).toMatch(/^https:\/\/billing\.stripe\.example\//);
    expect(stripe.requests.at(-1)!.body.get('return_url')).toBe('https://odds.example/billing');
  });

  it('is not there for a customer that is gone', async () => {
    expect(await open().portal('cus_nobody', 'https://odds.example/billing')).toBeNull();
  });

  it('fails aloud where the operator has not set it up', async () => {
    stripe.cards.withoutPortal();

    await expect(open().portal('cus_1', 'https://odds.example/billing')).rejects.toThrow('portal settings');
  });
});
