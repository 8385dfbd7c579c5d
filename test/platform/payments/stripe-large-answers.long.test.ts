import { afterEach, describe, expect, it } from 'vitest';
import { createStripePayments } from '../../../src/platform/payments/stripe-payments.ts';
import { fakeHost } from '../../sources/connectors/fake-provider.ts';
import { longestBlocking, MAX_BLOCKING_MS } from '../../support/longest-blocking.ts';

const MIB = 1024 * 1024;
let host: Awaited<ReturnType<typeof fakeHost>> | undefined;
afterEach(() => host?.close());

/** What comes of a charge if Stripe's answer is this. */
async function charged(body: string) {
  host = await fakeHost((_, response) => response.writeHead(200, { 'stripe-should-retry': 'false' }).end(body));
  const payments = createStripePayments({
    secretKey: 'sk_test_1',
    webhookSecret: undefined,
    api: { protocol: 'http', host: '127.0.0.1', port: Number(new URL(host.address).port) },
  });
  const charge = {
    accountId: 7,
    customer: 'cus_1',
    paymentMethod: 'pm_1',
    amountCents: 1000,
    currency: 'usd',
  } as const;
  return longestBlocking(() =>
    payments
      .charge({ ...charge, description: 'Small', idempotencyKey: 'key-1' })
      .catch((error: Error) => error.constructor.name),
  );
}

describe('an answer of Stripe', () => {
  it.each([
    ['larger than any real one', () => JSON.stringify({ id: 'pi_1', status: 'succeeded', more: 'x'.repeat(5 * MIB) })],
    ['nested a million levels deep', () => `{"a":${'['.repeat(MIB)}${']'.repeat(MIB)}}`],
    ['that is no JSON', () => '<html>'],
  ])('%s leaves the charge open, and holds nobody up', async (_, body) => {
    const { result, longest } = await charged(body());
    expect(result).toMatch(/^Stripe\w*Error$/);
    expect(longest).toBeLessThan(MAX_BLOCKING_MS);
  });

  it('of some members more than are known is read', async () => {
    expect((await charged(JSON.stringify({ id: 'pi_1', status: 'succeeded', more: [[[{}]]] }))).result).toEqual({
      outcome: 'paid',
      payment: 'pi_1',
    });
  });
});
