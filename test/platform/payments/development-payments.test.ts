import { describe, expect, it } from 'vitest';
import { createDevelopmentPayments } from '../../../src/platform/payments/development-payments.ts';
import type { Charge } from '../../../src/platform/payments/payments.ts';

const charge = (paymentMethod: string, idempotencyKey = 'key-1'): Charge => ({
  accountId: 1,
  customer: 'development-1',
  paymentMethod,
  amountCents: 1000,
  currency: 'usd',
  description: 'a pack',
  idempotencyKey,
});

describe('the development adapter', () => {
  it('describes that no money moves', () => {
    expect(createDevelopmentPayments().description).toContain('NO MONEY MOVES');
  });

  it('pays with the card ok: one payment for each key, also after a restart', async () => {
    const first = await createDevelopmentPayments().charge(charge('ok'));
    const again = await createDevelopmentPayments().charge(charge('ok'));
    const other = await createDevelopmentPayments().charge(charge('ok', 'key-2'));

    expect(first).toEqual({ outcome: 'paid', payment: expect.stringMatching(/^development_\w{24}$/) });
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    expect(await createDevelopmentPayments().find(charge('ok'), 0)).toEqual(first);
  });

  it('declines the card declined', async () => {
    expect(await createDevelopmentPayments().charge(charge('declined'))).toMatchObject({ outcome: 'declined' });
  });

  it('has nothing to charge without a card', async () => {
    const payments = createDevelopmentPayments();

    expect(await payments.methodOf({ customer: 'development-1', paymentMethod: null })).toBeNull();
    expect(await payments.charge(charge('none'))).toMatchObject({ outcome: 'payment_method_required' });
    expect(payments.notices).toBeUndefined();
  });

  it.each(['ok', 'declined'])('puts the card %s on file of the account`s customer', async (card) => {
    const payments = createDevelopmentPayments();
    const customer = await payments.customerOf(7, null);

    expect(customer).toBe('development-7');
    expect(await payments.putOnFile(customer, card)).toEqual({
      outcome: 'on_file',
      onFile: { customer, paymentMethod: card },
      label: `Test card ${card}`,
    });
  });

  it('knows no other card, and has neither a card form nor a page of its own', async () => {
    const payments = createDevelopmentPayments();

    expect(await payments.putOnFile('development-7', 'pm_1')).toMatchObject({ outcome: 'unknown_payment_method' });
    expect(await payments.setupIntent('development-7')).toEqual({
      client_secret: 'development',
      publishable_key: null,
    });
    expect(await payments.portal('development-7', 'http://127.0.0.1/billing')).toBeNull();
  });
});
