import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { developmentCustomerId } from '../../../../src/platform/payments/development-payments.ts';
import { createStripePayments } from '../../../../src/platform/payments/stripe-payments.ts';
import { type AgentServer, type AgentServerOptions, BOOTSTRAP_KEY, serveAgent } from '../../../api/agent/serving.ts';
import { BASE_URL } from '../../../api/http/serving.ts';
import { serveStripeDouble } from '../../../platform/payments/stripe-double.ts';

const TOPUP = '/api/agent/credits/topup';
const servers: AgentServer[] = [];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'll-payments-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function serve(options: AgentServerOptions = {}) {
  const server = await serveAgent(options);
  servers.push(server);
  return server;
}
/** A key of an account with this card on file at the development adapter. */
async function keyWith(server: AgentServer, card: string | null, plan = 'payg') {
  const { key, record } = await server.newKey({ plan });
  const { accountId } = record;
  if (card !== null) {
    const onFile = { customer: developmentCustomerId(accountId), paymentMethod: card };
    await server.billingRegistry.putOnFile(accountId, 'development', onFile);
  }
  return { key, accountId };
}
const topUpsOf = async ({ log }: AgentServer, accountId: number) =>
  (await log.readStream(`account-${accountId}`)).filter(({ type }) => type === 'CreditsToppedUp');

describe('GET /api/agent/credit-packs', () => {
  it('shows the packs of the configuration, free', async () => {
    const packs = [
      { id: 4, name: 'Tiny', credits: 10, price_cents: 100, currency: 'eur' },
      { id: 2, name: 'Huge', credits: 9_000_000, price_cents: 99_000, currency: 'usd' },
    ];
    const server = await serve({ packs });

    const { status, body, credits } = await server.ask('/api/agent/credit-packs');

    expect({ status, body, credits }).toEqual({ status: 200, body: { packs, total: 2 }, credits: 0 });
  });

  it('is open at a balance of 0, and to the operator`s key', async () => {
    const server = await serve();
    const { key } = await keyWith(server, null);

    expect(await server.get('/api/agent/credit-packs', key)).toMatchObject({ total: 3 });
    expect(await server.get('/api/agent/credit-packs', BOOTSTRAP_KEY)).toMatchObject({ total: 3 });
  });
});

describe('POST /api/agent/credits/topup', () => {
  it('buys a pack with the card on file, and answers with the balance', async () => {
    const server = await serve();
    const { key, accountId } = await keyWith(server, 'ok');
    expect((await server.ask('/v1/sports', { key })).body.error.code).toBe('insufficient_credits');

    const bought = await server.post(TOPUP, { pack_id: 1 }, { key, headers: { 'x-request-id': 'mine' } });

    const balance = {
      tier: 'payg',
      credits_used: 0,
      credit_limit: 0,
      bonus_credits: 5000,
      total_remaining: 5000,
      is_trial: false,
      is_trial_expired: false,
    };
    expect(bought).toMatchObject({ status: 200, credits: 0, body: balance });
    expect(bought.headers.get('x-credits-remaining')).toBe('5000');
    expect(await server.get('/api/agent/credits', key)).toEqual(balance);
    expect((await server.ask('/v1/sports', { key })).credits).toBe(1);
    expect(await topUpsOf(server, accountId)).toMatchObject([
      {
        data: {
          credits: 5000,
          packId: 1,
          payment: expect.stringMatching(/^development_/),
          priceCents: 1000,
          currency: 'usd',
          requestId: 'mine',
        },
      },
    ]);
  });

  it('adds to what the plan gives, and is another payment each time', async () => {
    const server = await serve();
    const { key, accountId } = await keyWith(server, 'ok', 'growth');

    // A request id is the client's choice, and no name of a purchase.
    const headers = { 'x-request-id': 'always-the-same' };
    await server.post(TOPUP, { pack_id: 1 }, { key, headers });
    const { body } = await server.post(TOPUP, { pack_id: 2 }, { key, headers });

    expect(body).toMatchObject({ credit_limit: 50_000, bonus_credits: 30_000, total_remaining: 80_000 });
    const payments = (await topUpsOf(server, accountId)).map(({ data }) => (data as { payment: string }).payment);
    expect(new Set(payments).size).toBe(2);
  });

  it.each([
    ['declined', 'declined', 'card_declined'],
    ['missing', null, 'payment_method_required'],
  ])('is 402 when the card is %s, says where to go, and changes nothing', async (_, card, code) => {
    const server = await serve();
    const { key, accountId } = await keyWith(server, card);

    const { status, body, credits } = await server.post(TOPUP, { pack_id: 1 }, { key });

    expect({ status, credits }).toEqual({ status: 402, credits: 0 });
    expect(body.error).toMatchObject({
      code,
      status: 402,
      upgrade_url: `${BASE_URL}/billing#plans`,
      topup_url: `${BASE_URL}/billing#credits`,
      billing_url: `${BASE_URL}/billing`,
    });
    expect(await topUpsOf(server, accountId)).toEqual([]);
    expect(await server.billingRegistry.openPayments()).toEqual([]);
  });

  it('is 400 for a pack that there is not', async () => {
    const server = await serve();
    const { key } = await keyWith(server, 'ok');

    for (const pack_id of [0, -1, 99, Number.MAX_SAFE_INTEGER]) {
      const { status, body } = await server.post(TOPUP, { pack_id }, { key });
      expect([status, body.error.code]).toEqual([400, 'bad_request']);
      expect(body.error.message).toContain(`pack_id: there is no pack ${pack_id}`);
    }
  });

  it.each([{}, { pack_id: '1' }, { pack_id: 1.5 }, { pack_id: null }, []])('is 422 for the body %j', async (body) => {
    const server = await serve();
    const { key, accountId } = await keyWith(server, 'ok');

    const answer = await server.post(TOPUP, body, { key });

    expect([answer.status, answer.body.error.errors[0].loc[0]]).toEqual([422, 'body']);
    expect(await topUpsOf(server, accountId)).toEqual([]);
  });

  it('is 403 for the operator`s key, which has no account', async () => {
    const server = await serve();

    const { status, body } = await server.post(TOPUP, { pack_id: 1 }, { key: BOOTSTRAP_KEY });

    expect([status, body.error.code]).toEqual([403, 'forbidden']);
  });

  it('buys once for one Idempotency-Key, however often and however close together it is sent', async () => {
    const server = await serve();
    const { key, accountId } = await keyWith(server, 'ok');
    const buy = () => server.post(TOPUP, { pack_id: 1 }, { key, headers: { 'idempotency-key': 'one' } });

    const answers = await Promise.all([buy(), buy(), buy()]);
    answers.push(await buy());

    expect(answers.map(({ status, body }) => [status, body.total_remaining])).toEqual(Array(4).fill([200, 5000]));
    expect(await topUpsOf(server, accountId)).toHaveLength(1);
    const another = await server.post(TOPUP, { pack_id: 2 }, { key, headers: { 'idempotency-key': 'one' } });
    expect(another.status).toBe(422);
  });

  it('keeps the keys of two accounts apart', async () => {
    const server = await serve();
    const headers = { 'idempotency-key': 'one' };
    for (const account of [await keyWith(server, 'ok'), await keyWith(server, 'ok')]) {
      const { body } = await server.post(TOPUP, { pack_id: 1 }, { key: account.key, headers });
      expect(body.total_remaining).toBe(5000);
    }
  });

  it('brings credits that the next server knows of', async () => {
    const file = join(folder, 'log.db');
    const first = await serve({ file });
    const { key } = await keyWith(first, 'ok');
    await first.post(TOPUP, { pack_id: 1 }, { key });
    await servers.pop()!.close();

    const next = await serve({ file });

    expect(await next.get('/api/agent/credits', key)).toMatchObject({ bonus_credits: 5000, total_remaining: 5000 });
  });

  it('goes through Stripe where that takes the payments (a double of its HTTP API)', async () => {
    const stripe = await serveStripeDouble();
    stripe.addCustomer('cus_1', ['pm_holder']);
    const { secretKey, api } = stripe;
    const server = await serve({ payments: createStripePayments({ secretKey, api, webhookSecret: undefined }) });
    const { key, record } = await server.newKey({ plan: 'payg' });
    const onFile = { customer: 'cus_1', paymentMethod: null };
    await server.billingRegistry.putOnFile(record.accountId, 'stripe', onFile);

    const declined = await server.post(TOPUP, { pack_id: 3 }, { key });
    stripe.setDefault('cus_1', 'pm_ok');
    stripe.faults.push('answer is lost');
    const bought = await server.post(TOPUP, { pack_id: 3 }, { key });

    expect(declined.body.error).toMatchObject({ code: 'card_declined', message: expect.stringContaining('bank') });
    expect(bought).toMatchObject({ status: 200, body: { total_remaining: 100_000 } });
    expect(stripe.taken()).toBe(12_000);
    expect(await topUpsOf(server, record.accountId)).toMatchObject([{ data: { payment: 'pi_2', priceCents: 12_000 } }]);
    await stripe.close();
  });

  it('says that it does not know where Stripe fails (a double), and finds out what became of it', async () => {
    const stripe = await serveStripeDouble();
    stripe.addCustomer('cus_1', ['pm_ok']);
    stripe.faults.push('breaks');
    const { secretKey, api } = stripe;
    const server = await serve({ payments: createStripePayments({ secretKey, api, webhookSecret: undefined }) });
    const { key, record } = await server.newKey({ plan: 'payg' });
    await server.billingRegistry.putOnFile(record.accountId, 'stripe', { customer: 'cus_1', paymentMethod: null });

    const { status, body } = await server.post(TOPUP, { pack_id: 1 }, { key });
    expect([status, body.error.code]).toEqual([500, 'internal_error']);
    expect(body.error.message).toContain('not known yet');
    expect(server.told).toMatchObject([{ level: 'error' }]);
    server.clock.time += 60_000;
    await server.billing.packPayments.resume();

    expect(await server.billingRegistry.openPayments()).toEqual([]);
    expect(await server.get('/api/agent/credits', key)).toMatchObject({ total_remaining: 0 });
    await stripe.close();
  });
});
