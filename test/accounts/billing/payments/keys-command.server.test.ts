import { describe, expect, it } from 'vitest';
import { type Ended, reportOf, run, startServer, temporaryFolder } from '../../../server/cli/launching.ts';

const keysIn =
  (folder: string, env: Record<string, string> = {}) =>
  (...args: string[]): Promise<Ended> =>
    run(['keys', ...args, '--data-dir', folder], { env });
type Keys = ReturnType<typeof keysIn>;

async function newKey(keys: Keys, ...options: string[]) {
  const { id, account_id, key } = reportOf(await keys('create', '--name', 'test', ...options));
  return { id, account: String(account_id), key: String(key) };
}
const callWith = (url: string, key: string) => ({
  async get(path: string, headers: Record<string, string> = {}) {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}`, ...headers } });
    return { status: response.status, body: (await response.json()) as any };
  },
  async topUp() {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: '{"pack_id":1}' };
    const response = await fetch(`${url}/api/agent/credits/topup`, init);
    return { status: response.status, body: (await response.json()) as any };
  },
});

describe('the keys command beside a server', () => {
  it('puts cards on file, declines invoices and refunds credits: the server knows at once', async () => {
    const folder = temporaryFolder();
    const server = await startServer(folder, { LOG_LEVEL: 'info' });
    const keys = keysIn(folder);
    expect(server.output()).toContain('NO MONEY MOVES');

    const good = await newKey(keys, '--plan', 'payg', '--card', 'ok');
    const bad = await newKey(keys, '--plan', 'payg', '--card', 'declined');
    const call = callWith(server.url, good.key);
    expect((await call.topUp()).body).toMatchObject({ total_remaining: 5000 });
    expect((await callWith(server.url, bad.key).topUp()).body.error.code).toBe('card_declined');

    expect((await call.get('/v1/sports', { 'x-request-id': 'mine' })).status).toBe(200);
    const refund = await keys('refund', good.account, 'mine', '--reason', 'it was wrong');
    expect(refund.stderr).toBe('');
    expect(reportOf(refund)).toMatchObject({ request_id: 'mine', credits: 1, balance: 5000 });
    expect((await call.get('/api/agent/credits')).body.total_remaining).toBe(5000);
    expect(await keys('refund', good.account, 'mine')).toMatchObject({
      code: 1,
      stderr: 'the charge of the request mine was taken back before\n',
    });

    await keys('invoice', good.account, 'declined');
    const { hosted_invoice_url: url } = reportOf(await keys('invoice', good.account, 'declined'));
    const refused = await call.get('/v1/sports');
    expect(refused.body.error).toMatchObject({ code: 'payment_failed', hosted_invoice_url: url });
    expect(String(url).startsWith(server.url)).toBe(true);
    await keys('invoice', good.account, 'paid');
    expect((await call.get('/v1/sports')).status).toBe(200);

    server.child.kill('SIGTERM');
    const { code, stderr } = await server.ended;
    expect(code).toBe(0);
    expect(stderr).toContain('NO MONEY MOVES');
  });
});

describe('the keys command without a server', () => {
  it('does the same, and the server that starts later knows', async () => {
    const folder = temporaryFolder();
    const keys = keysIn(folder);
    const { key, account } = await newKey(keys, '--plan', 'growth', '--card', 'ok');
    await keys('invoice', account, 'declined');
    expect((await keys('invoice', account, 'declined')).code).toBe(0);

    const server = await startServer(folder);
    const call = callWith(server.url, key);
    expect((await call.get('/v1/sports')).body.error.code).toBe('payment_failed');
    await keys('invoice', account, 'paid');
    expect((await call.get('/v1/sports', { 'x-request-id': 'mine' })).status).toBe(200);
    expect((await call.topUp()).body).toMatchObject({ bonus_credits: 5000 });
    server.child.kill('SIGTERM');
    await server.ended;

    expect(reportOf(await keys('refund', account, 'mine'))).toMatchObject({ credits: 1, balance: 55_000 });
    const verified = await run(['verify', '--data-dir', folder]);
    expect([verified.code, verified.stderr]).toEqual([0, '']);
  });

  it('puts a Stripe customer on file only if Stripe takes the payments, and for one account only', async () => {
    const folder = temporaryFolder();
    const [development, stripe] = [keysIn(folder), keysIn(folder, { STRIPE_SECRET_KEY: 'sk_test_1' })];
    const create = ['create', '--name', 'n'];

    expect(await stripe(...create, '--customer', 'cus_1', '--payment-method', 'pm_1')).toMatchObject({ code: 0 });
    expect(await stripe(...create, '--customer', 'cus_1')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'the customer cus_1 is on file of another account\n',
    });
    expect(await stripe(...create, '--card', 'ok')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^card: /),
    });
    expect(await development(...create, '--customer', 'cus_2')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^customer: .*STRIPE_SECRET_KEY/),
    });
    expect(await stripe('invoice', '1', 'declined')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('stripe'),
    });
    const listed = (await development('list')).stdout.trim().split('\n');
    // Nobody has seen the key whose customer was another's.
    expect(listed.map((line) => (JSON.parse(line) as { is_active: boolean }).is_active)).toEqual([true, false]);
  });

  it.each([
    [['create', '--name', 'n', '--card', 'gold'], '--card is ok or declined'],
    [['create', '--name', 'n', '--card', 'ok', '--customer', 'cus_1'], '--card and --customer exclude each other'],
    [['create', '--name', 'n', '--customer', 'me'], '--customer is a cus_... of Stripe'],
    [['create', '--name', 'n', '--payment-method', 'pm_1'], '--payment-method needs --customer'],
    [['create', 'n'], 'keys create takes no arguments, only options'],
    [['invoice', '1'], 'keys invoice takes an ACCOUNT, and declined or paid'],
    [['invoice', 'x', 'paid'], 'x is no id of an account'],
    [['invoice', '1', 'lost'], 'an invoice is declined or paid, not lost'],
    [['refund', '1'], 'keys refund takes an ACCOUNT and a REQUEST_ID'],
    [['refund', '0', 'r'], '0 is no id of an account'],
    [['refund', '1', 'r', '--reason', 'x'.repeat(501)], '--reason is longer than 500 characters'],
    [[], 'keys needs create, list, revoke, invoice or refund'],
    [['pay'], 'keys knows no pay'],
  ])('refuses %j in one line', async (args, message) => {
    const ended = await keysIn(temporaryFolder())(...args);

    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(/^[^\n]*\n$/);
    expect(ended.stderr.startsWith(message)).toBe(true);
  });
});
