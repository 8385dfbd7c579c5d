import { afterEach, describe, expect, it } from 'vitest';
import { createStripePayments } from '../../../src/platform/payments/stripe-payments.ts';
import { type AgentServer, serveAgent } from '../../api/agent/serving.ts';
import { BASE_URL } from '../../api/http/serving.ts';
import { invoiceEvent, stripeSignature } from '../../platform/payments/stripe-double.ts';

const SECRET = 'whsec_test';
const DOOR = '/billing/stripe';
const servers: AgentServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(payments = createStripePayments({ secretKey: 'sk_test_double', webhookSecret: SECRET })) {
  const server = await serveAgent({ payments });
  servers.push(server);
  const { key, record } = await server.newKey({ plan: 'growth' });
  const { accountId } = record;
  await server.billingRegistry.putOnFile(accountId, 'stripe', { customer: 'cus_1', paymentMethod: null });
  /** As Stripe sends it. */
  async function send(body: string, signature = stripeSignature(body, SECRET)) {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    const response = await fetch(server.url + DOOR, { method: 'POST', headers, body });
    return { status: response.status, body: (await response.json()) as any };
  }
  const notice = (kind: 'declined' | 'paid', id: string, more: object = {}) => {
    const type = kind === 'paid' ? 'invoice.paid' : 'invoice.payment_failed';
    return send(invoiceEvent(type, { id, customer: 'cus_1', ...more }));
  };
  const statusOfPriced = async () => (await server.ask('/v1/sports', { key })).status;
  const facts = async () =>
    (await server.log.readStream(`account-${accountId}`))
      .filter(({ type }) => type.startsWith('Invoice'))
      .map(({ type, data }) => `${type} ${(data as { invoice: string }).invoice}`);
  return { ...server, key, accountId, send, notice, statusOfPriced, facts };
}

describe('declined invoices', () => {
  it('refuse paid calls once there are two, while the account can still be managed', async () => {
    const server = await serve();

    expect(await server.notice('declined', 'in_1')).toEqual({ status: 200, body: { received: true } });
    expect(await server.statusOfPriced()).toBe(200);
    await server.notice('declined', 'in_2');

    const { status, body } = await server.ask('/v1/sports', { key: server.key });
    expect(status).toBe(402);
    expect(body.error).toMatchObject({
      code: 'payment_failed',
      hosted_invoice_url: 'https://invoice.example/in_2',
      billing_url: `${BASE_URL}/billing`,
      upgrade_url: `${BASE_URL}/billing#plans`,
    });
    for (const path of ['/api/agent/credits', '/api/agent/credit-packs', '/api/agent/keys', '/v1/health']) {
      expect([path, (await server.ask(path, { key: server.key })).status]).toEqual([path, 200]);
    }
  });

  it('no longer count when one is paid', async () => {
    const server = await serve();
    await server.notice('declined', 'in_1');
    await server.notice('declined', 'in_2');

    await server.notice('paid', 'in_2');

    expect(await server.statusOfPriced()).toBe(200);
    await server.notice('declined', 'in_3');
    expect(await server.statusOfPriced()).toBe(200);
    await server.notice('declined', 'in_4');
    expect(await server.statusOfPriced()).toBe(402);
  });

  it('count once, however often Stripe sends the notice', async () => {
    const server = await serve();

    for (let attempt = 0; attempt < 3; attempt++) await server.notice('declined', 'in_1');

    expect(await server.statusOfPriced()).toBe(200);
    expect(await server.facts()).toEqual(['InvoiceDeclined in_1']);
  });
});

describe('a notice that is sent again', () => {
  it('changes nothing', async () => {
    const server = await serve();
    await server.notice('declined', 'in_1');
    await server.notice('declined', 'in_2');
    await server.notice('paid', 'in_1');
    await server.notice('declined', 'in_3');
    await server.notice('declined', 'in_4');
    const before = await server.facts();

    // The paid one again, and what was said of it before: neither tells of in_3 and in_4.
    for (const [kind, id] of [
      ['paid', 'in_1'],
      ['declined', 'in_1'],
      ['declined', 'in_4'],
    ] as const) {
      expect((await server.notice(kind, id)).status).toBe(200);
    }

    expect(await server.facts()).toEqual(before);
    expect(await server.statusOfPriced()).toBe(402);
  });

  it('changes nothing if two come at the same moment', async () => {
    const server = await serve();

    await Promise.all(Array.from({ length: 4 }, () => server.notice('declined', 'in_1')));
    await Promise.all([server.notice('paid', 'in_1'), server.notice('paid', 'in_1')]);

    expect(await server.facts()).toEqual(['InvoiceDeclined in_1', 'InvoicePaid in_1']);
  });

  it('is accepted if it could not be stored the first time', async () => {
    const server = await serve();
    const { putInvoice } = server.billingRegistry;
    server.billingRegistry.putInvoice = () => Promise.reject(new Error('the disk is full'));
    expect((await server.notice('declined', 'in_1')).status).toBe(500);

    server.billingRegistry.putInvoice = putInvoice;
    expect((await server.notice('declined', 'in_1')).status).toBe(200);

    expect(await server.facts()).toEqual(['InvoiceDeclined in_1']);
    server.failures.length = 0;
  });
});

describe('POST /billing/stripe', () => {
  it('acknowledges unrelated notices, and logs unknown customers', async () => {
    const server = await serve();

    expect((await server.notice('declined', 'in_1', { customer: 'cus_other' })).status).toBe(200);
    expect((await server.send(invoiceEvent('customer.created', { id: 'cus_2' }))).status).toBe(200);

    expect(server.told).toMatchObject([{ level: 'warn', customer: 'cus_other', invoice: 'in_1' }]);
    expect(await server.facts()).toEqual([]);
  });

  it('refuses a request that Stripe has not signed', async () => {
    const server = await serve();
    const body = invoiceEvent('invoice.payment_failed', { id: 'in_1', customer: 'cus_1' });

    for (const signature of [
      '',
      't=1,v1=00',
      stripeSignature(body, 'whsec_other'),
      stripeSignature(`${body} `, SECRET),
    ]) {
      const answer = await server.send(body, signature);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'bad_request']);
    }
    expect(await server.facts()).toEqual([]);
  });

  it('accepts only POST, with a bounded body', async () => {
    const server = await serve();

    const read = await fetch(server.url + DOOR);
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
    const large = await server.send('x'.repeat(1024 * 1024 + 1));
    expect([large.status, large.body.error.code]).toEqual([413, 'payload_too_large']);
  });

  it('is 404 without a webhook secret', async () => {
    const server = await serve(createStripePayments({ secretKey: 'sk_test_double', webhookSecret: undefined }));

    expect((await server.notice('declined', 'in_1')).status).toBe(404);
    expect((await fetch(server.url + DOOR)).status).toBe(404);
  });
});
