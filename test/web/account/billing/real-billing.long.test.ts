import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDevelopmentPayments } from '../../../../src/platform/payments/development-payments.ts';
import { createStripePayments } from '../../../../src/platform/payments/stripe-payments.ts';
import { linesOf, uncompressed } from '../../../accounts/billing/payments/pdf-text.ts';
import { openShop, type Shop } from '../../../accounts/billing/payments/shop.ts';
import { type StripeDouble, serveStripeDouble } from '../../../platform/payments/stripe-double.ts';
import { type ServedBilling, serveBilling } from './serve-billing.ts';

let shop: Shop;
let served: ServedBilling;
beforeEach(async () => {
  shop = await openShop();
  served = await serveBilling('development', shop.start(createDevelopmentPayments()).customerBilling);
  // The account of the shop is the one that `ada` owns.
  expect(shop.accountId).toBe(1);
});
afterEach(async () => {
  await served.close();
  await shop.close();
});

const statusOf = async (answer: Promise<Response>) => (await answer).status;
const invoicesOn = (page: string) => [...page.matchAll(/<td>(LL-\d{4}-\d{6})<\/td>/g)].map(([, number]) => number);

describe('the page of billing, before what it stands for', () => {
  it('charges a card that was put on file, once for a form, and gives the receipt', async () => {
    expect(await statusOf(served.post('/billing/payment-method', { payment_method: 'ok' }))).toBe(303);
    const form = { pack_id: '2', idempotency_key: 'form-1' };
    expect(await statusOf(served.post('/billing/topup', form))).toBe(303);
    expect(await statusOf(served.post('/billing/topup', form))).toBe(303);

    expect(await shop.credits()).toBe(25_000);
    const page = await served.read();
    expect(page).toContain('On file: <strong>Test card ok</strong>.');
    expect(invoicesOn(page)).toHaveLength(1);
    const receipt = await served.ask(/href="(\/billing\/invoices\/\d+\/receipt)"/.exec(page)![1]!);
    expect(receipt.headers.get('content-disposition')).toBe(`attachment; filename="${invoicesOn(page)[0]}.pdf"`);
    const lines = linesOf(uncompressed(new Uint8Array(await receipt.arrayBuffer())));
    expect(lines).toEqual(
      expect.arrayContaining([
        `Receipt ${invoicesOn(page)[0]}`,
        'TEST: no money moved',
        'Ada',
        'Test card ok',
        '$40.00',
      ]),
    );
  });

  it('is 402 without a card and with one that is declined, and has no receipt for it', async () => {
    expect(await statusOf(served.post('/billing/topup', { pack_id: '1' }))).toBe(402);
    expect(await statusOf(served.post('/billing/subscribe', { plan: 'growth' }))).toBe(402);
    await served.post('/billing/payment-method', { payment_method: 'declined' });
    expect(await statusOf(served.post('/billing/topup', { pack_id: '1' }))).toBe(402);

    expect(await shop.credits()).toBe(0);
    expect(await served.read()).not.toContain('/receipt"');
  });

  it('begins growth, says when it ends, and takes that back', async () => {
    await served.post('/billing/payment-method', { payment_method: 'ok' });
    expect(await statusOf(served.post('/billing/subscribe', { plan: 'growth', idempotency_key: 'g' }))).toBe(303);
    expect(await statusOf(served.post('/billing/payment-method/remove'))).toBe(422);

    await served.post('/billing/cancel');
    expect(await served.read()).toMatch(/It ends on <time datetime="\d{4}-\d\d-01T00:00:00.000Z">/);
    await served.post('/billing/subscribe', { plan: 'growth' });
    const page = await served.read();
    expect(page).toContain('Cancel Growth');
    expect(invoicesOn(page)).toHaveLength(1);
  });

  it.each([
    ['/billing/subscribe', { plan: 'enterprise' }, 'plan'],
    ['/billing/topup', { pack_id: '99' }, 'pack_id'],
    ['/billing/payment-method', { payment_method: 'pm_1' }, 'payment_method'],
    ['/billing/coupon', { code: 'NOPE' }, 'code'],
    ['/billing/auto-recharge', { enabled: 'on', threshold: '0', pack_id: '1', monthly_cap: '10' }, 'threshold'],
    ['/billing/auto-recharge', { enabled: 'on', threshold: '1', pack_id: '1', monthly_cap: '9.99' }, 'monthly_cap'],
  ])('%s with %j is 422, at its field', async (path, fields, name) => {
    const answer = await served.post(path, fields as unknown as Record<string, string>);

    expect(answer.status).toBe(422);
    expect(await answer.text()).toMatch(new RegExp(`name="${name}"[^>]*aria-invalid="true"`));
  });

  it('turns auto-recharge on with a card, and off with it', async () => {
    const wanted = { enabled: 'on', threshold: '500', pack_id: '1', monthly_cap: '50' };
    expect(await statusOf(served.post('/billing/auto-recharge', wanted))).toBe(422);
    await served.post('/billing/payment-method', { payment_method: 'ok' });
    expect(await statusOf(served.post('/billing/auto-recharge', wanted))).toBe(303);
    expect(await served.read()).toContain('It is <strong>on</strong>.');

    await served.post('/billing/payment-method/remove');
    expect(await served.read()).toContain('It is <strong>off</strong>.');
  });
});

describe('the page of billing, before Stripe (a double of its HTTP API)', () => {
  let stripe: StripeDouble;
  let page: ServedBilling;
  beforeEach(async () => {
    stripe = await serveStripeDouble();
    const payments = createStripePayments({
      secretKey: stripe.secretKey,
      webhookSecret: undefined,
      publishableKey: 'pk_test_1',
      api: stripe.api,
    });
    page = await serveBilling('stripe', shop.start(payments).customerBilling);
  });
  afterEach(async () => {
    await page.close();
    await stripe.close();
  });

  it('puts a card on file and charges it', async () => {
    const setup = (await (await page.post('/billing/setup-intent')).json()) as { client_secret: string };
    expect(setup).toEqual({ client_secret: expect.stringMatching(/^seti_/), publishable_key: 'pk_test_1' });
    stripe.cards.addCard('pm_typed');
    expect(await statusOf(page.post('/billing/payment-method', { payment_method: 'pm_typed' }))).toBe(303);
    expect(await statusOf(page.post('/billing/topup', { pack_id: '1', idempotency_key: 'k' }))).toBe(303);

    expect(stripe.taken()).toBe(1000);
    expect(await page.read()).toContain('On file: <strong>Visa ending in 4242</strong>.');
    const portal = await page.ask('/billing/portal');
    expect(portal.headers.get('location')).toMatch(/^https:\/\/billing\.stripe\.example\//);
  });

  it('does not take a card that Stripe declines', async () => {
    stripe.cards.addCard('pm_refused');

    expect(await statusOf(page.post('/billing/payment-method', { payment_method: 'pm_refused' }))).toBe(402);
    expect(await page.read()).toContain('No card is on file.');
  });

  it('takes the money once where the answer of Stripe was lost, and the form is sent again', async () => {
    stripe.cards.addCard('pm_typed');
    await page.post('/billing/payment-method', { payment_method: 'pm_typed' });
    // The client of Stripe asks three times.
    stripe.faults.push('answer is lost', 'answer is lost', 'answer is lost');
    const lost = await page.post('/billing/topup', { pack_id: '1', idempotency_key: 'k' });
    expect(lost.status).toBe(409);
    expect(await lost.text()).toContain('name="idempotency_key" value="k"');

    const again = await page.post('/billing/topup', { pack_id: '1', idempotency_key: 'k' });
    expect(again.status).toBe(303);
    expect([stripe.taken(), await shop.credits()]).toEqual([1000, 5000]);
  });
});
