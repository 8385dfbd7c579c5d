import { afterEach, describe, expect, it } from 'vitest';
import { type AgentServer, type AgentServerOptions, serveAgent } from '../../api/agent/serving.ts';
import { BASE_URL } from '../../api/http/serving.ts';
import { createMemoryProvider } from './payments/memory-payment-provider.ts';

const servers: AgentServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(plan = 'free', options: AgentServerOptions = {}) {
  const server = await serveAgent(options);
  servers.push(server);
  const { key, record } = await server.newKey({ plan });
  const call = (requestId: string) => server.ask('/v1/sports', { key, headers: { 'x-request-id': requestId } });
  const left = async () => (await server.get('/api/agent/credits', key)).total_remaining as number;
  return { ...server, ...server.billing.administration, key, accountId: record.accountId, call, left };
}

describe('a refund', () => {
  it('gives back the charge of a call', async () => {
    const { call, refund, accountId, left } = await serve();
    await call('first');
    await call('second');
    expect(await left()).toBe(998);

    const told = await refund(accountId, 'first', 'the answer was wrong');

    expect(told).toEqual({
      account_id: accountId,
      request_id: 'first',
      operation: 'list_sports',
      credits: 1,
      balance: 999,
    });
    expect(await left()).toBe(999);
  });

  it('is in the ledger with its reason', async () => {
    const { call, refund, accountId, log } = await serve();
    await call('first');

    await refund(accountId, 'first', 'the answer was wrong');

    expect((await log.readStream(`account-${accountId}`)).at(-1)).toMatchObject({
      type: 'CreditsRefunded',
      data: { credits: 1, requestId: 'first', reason: 'the answer was wrong' },
    });
  });

  it('is made once', async () => {
    const { call, refund, accountId, left } = await serve();
    await call('first');

    const tries = await Promise.allSettled([1, 2, 3].map(() => refund(accountId, 'first', 'twice')));

    expect(await left()).toBe(1000);
    expect(tries.map(({ status }) => status)).toContain('fulfilled');
    await expect(refund(accountId, 'first', 'again')).rejects.toThrow('was taken back before');
  });

  it('finds a charge far back in the ledger', async () => {
    const { call, refund, accountId, credits, plans } = await serve();
    await call('first');
    const terms = {
      accountId,
      createdAt: 0,
      plan: 'free',
      initialCredits: plans['free']!.initial_credits,
      monthlyCredits: 0,
      creditsExpireHours: null,
      dailyCap: null,
      order: null,
    };
    for (let i = 0; i < 1010; i++) {
      const invoice = { accountId, at: '2026-03-01T12:00:00Z', invoice: `in_${i}` };
      const meta = { partition: `account-${accountId}` };
      await credits.record(terms, () => [{ type: 'InvoicePaid', version: 1, data: invoice, meta }]);
    }
    await call('last');

    expect(await refund(accountId, 'first', 'old')).toMatchObject({ credits: 1 });
    expect(await refund(accountId, 'last', 'new')).toMatchObject({ credits: 1 });
  });

  it.each([
    ['of an account that there is not', 999, 'first', 'there is no account 999'],
    ['of a call that was never made', 2, 'other', 'was charged nothing for the request other'],
    ['of a call that cost nothing', 2, 'free', 'was charged nothing for the request free'],
    ['of an id that stands for two calls', 2, 'twice', 'more than one call of account 2 has the id twice'],
  ])('%s is refused', async (_, account, requestId, message) => {
    const { call, ask, key, refund, accountId } = await serve();
    expect(accountId).toBe(2);
    await call('first');
    await call('twice');
    await call('twice');
    await ask('/v1/health', { key, headers: { 'x-request-id': 'free' } });

    await expect(refund(account, requestId, 'why')).rejects.toThrow(message);
  });

  it('is refused if nothing was taken from a balance', async () => {
    const { call, refund, accountId } = await serve('enterprise');
    await call('first');

    await expect(refund(accountId, 'first', 'why')).rejects.toThrow('without a limit');
  });
});

describe('invoices of the development adapter', () => {
  it('are declined and paid by the operator', async () => {
    const { invoice, accountId, call } = await serve('growth');
    const first = await invoice(accountId, 'declined');
    const second = await invoice(accountId, 'declined');
    expect(first).toMatchObject({ account_id: accountId, status: 'declined' });
    expect(second['invoice']).not.toBe(first['invoice']);

    const refused = await call('r1');
    expect(refused.body.error).toMatchObject({
      code: 'payment_failed',
      hosted_invoice_url: second['hosted_invoice_url'],
    });
    expect(second['hosted_invoice_url']).toBe(`${BASE_URL}/billing#${second['invoice']}`);
    expect(await invoice(accountId, 'paid')).toMatchObject({ invoice: second['invoice'], status: 'paid' });

    expect((await call('r2')).status).toBe(200);
  });

  it('are refused for an unknown account, and if no invoice is declined', async () => {
    const { invoice, accountId } = await serve('growth');

    await expect(invoice(999, 'declined')).rejects.toThrow('there is no account 999');
    await expect(invoice(accountId, 'paid')).rejects.toThrow(`account ${accountId} has no declined invoice`);
  });

  it('are refused with a provider that sends invoices itself', async () => {
    const { invoice, accountId } = await serve('growth', { payments: createMemoryProvider().payments });

    await expect(invoice(accountId, 'declined')).rejects.toThrow('invoices are those of stripe');
  });
});
