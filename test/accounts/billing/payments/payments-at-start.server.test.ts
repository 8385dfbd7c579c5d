import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../../src/api/client/index.ts';
import { invoiceEvent, stripeSignature } from '../../../platform/payments/stripe-double.ts';
import { reportOf, run, startServer, temporaryFolder } from '../../../server/cli/launching.ts';
import { openSqliteRegistry } from './sqlite-registry.ts';

async function newKey(folder: string, env: Record<string, string>, ...options: string[]) {
  const made = await run(['keys', 'create', '--name', 'n', '--data-dir', folder, ...options], { env });
  return reportOf(made) as { id: number; account_id: number; key: string };
}

describe('a started server', () => {
  it('adds the credits of a payment that the earlier server left open', async () => {
    const folder = temporaryFolder();
    const { id, account_id: accountId, key } = await newKey(folder, {}, '--plan', 'payg', '--card', 'ok');
    const registry = await openSqliteRegistry(join(folder, 'ledgerline.db'));
    const payment = {
      key: 'left-open',
      provider: 'development' as const,
      accountId,
      clientKey: null,
      attempt: 1,
      customer: `development-${accountId}`,
      paymentMethod: 'ok',
      packId: 1,
      packName: 'Small',
      credits: 5000,
      priceCents: 1000,
      currency: 'usd',
      keyId: id,
      requestId: 'r',
      createdAt: new Date().toISOString(),
    };
    const until = new Date(Date.now() + 60_000).toISOString();
    await registry.billing.addPayment(payment, { owner: 'server', until });
    await registry.close();

    const server = await startServer(folder, { LOG_LEVEL: 'info' });
    await server.has('a pack was paid for');

    const credits = await createClient({ baseUrl: server.url, apiKey: key }).getCredits();
    expect(credits).toMatchObject({ bonus_credits: 5000, total_remaining: 5000 });
  });

  it('takes payments by Stripe if a key is set, receives invoice notices, and never shows the secrets', async () => {
    const folder = temporaryFolder();
    const env = { STRIPE_SECRET_KEY: 'sk_test_hidden', STRIPE_WEBHOOK_SECRET: 'whsec_hidden', LOG_LEVEL: 'info' };
    const server = await startServer(folder, env);
    const { key } = await newKey(folder, env, '--plan', 'growth', '--customer', 'cus_1');

    for (const id of ['in_1', 'in_2']) {
      const body = invoiceEvent('invoice.payment_failed', { id, customer: 'cus_1' });
      const headers = { 'stripe-signature': stripeSignature(body, env.STRIPE_WEBHOOK_SECRET) };
      expect((await fetch(`${server.url}/billing/stripe`, { method: 'POST', headers, body })).status).toBe(200);
    }

    await expect(createClient({ baseUrl: server.url, apiKey: key }).listSports()).rejects.toMatchObject({
      status: 402,
      error: { hosted_invoice_url: 'https://invoice.example/in_2' },
    });
    server.child.kill('SIGTERM');
    const { stdout, stderr } = await server.ended;
    expect(stdout).toContain('payments: Stripe, in test mode');
    expect(stdout + stderr).not.toContain('hidden');
  });
});
