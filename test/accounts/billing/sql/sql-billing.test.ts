import { expect, it } from 'vitest';
import type { NewPaymentRecord } from '../../../../src/accounts/billing/model/billing-registry.ts';
import { openSqliteDatabase } from '../../../../src/platform/sqlite/sqlite-database.ts';
import { temporaryFolder } from '../../../event-log/temporary-folder.ts';
import { createFaultyBilling } from '../../../support/faulty/faulty-billing.ts';
import { createFaultyNetwork } from '../../../support/faulty/faulty-network.ts';
import { openSqliteRegistry } from '../payments/sqlite-registry.ts';
import { billingRegistryContract } from './sql-billing.contract.ts';

const folder = temporaryFolder();
let files = 0;

billingRegistryContract('SQLite', async () => {
  const file = folder.path(`billing-${++files}.db`);
  const opened = [await openSqliteRegistry(file)];
  return {
    billing: opened[0]!.billing,
    async another() {
      opened.push(await openSqliteRegistry(file));
      return opened.at(-1)!.billing;
    },
    keys: opened[0]!.keys,
    close: async () => void (await Promise.all(opened.map(({ close }) => close()))),
  };
});

billingRegistryContract('far away', async () => {
  const near = await openSqliteRegistry();
  const process = (seed: number) => createFaultyBilling(near.billing, createFaultyNetwork({ seed }));
  return { billing: process(1), another: async () => process(2), keys: near.keys, close: near.close };
});

it('an open payment of an earlier version without leases can be claimed', async () => {
  const file = folder.path('earlier.db');
  const before = await openSqliteRegistry(file);
  await before.keys.create({
    name: 'k',
    prefix: 'llk_1',
    hash: 'h',
    scopes: ['all'],
    createdAt: '2026-03-01T12:00:00.000Z',
    expiresAt: null,
    account: 'own',
  });
  await before.close();
  const earlier = openSqliteDatabase({ file });
  earlier.exec('DROP INDEX payments_under_way');
  const later = ['owner', 'held_until', 'purpose', 'month', 'user_id', 'discount_cents'];
  for (const column of later) earlier.exec(`ALTER TABLE payments DROP COLUMN ${column}`);
  earlier.exec(`INSERT INTO payments VALUES ('k1', 'stripe', 1, NULL, 1, 'cus_1', 'pm_1', 1, 'Small', 5000, 1000, 'usd', 1,
    'r', 'pending', NULL, NULL, '2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.000Z')`);
  earlier.close();

  const { billing, close } = await openSqliteRegistry(file);
  const hold = { owner: 'a', until: '2026-03-01T12:05:00.000Z' };
  expect(await billing.claimOpenPayment('k1', hold, '2026-03-01T12:00:00.000Z')).toMatchObject({ key: 'k1' });
  await close();
});

it('a payment whose claim lost its answer is leased: only its owner can repeat the claim', async () => {
  const { billing: near, keys, close } = await openSqliteRegistry();
  const key = { name: 'k', prefix: 'llk_1', hash: 'h', scopes: ['all'], createdAt: '2026-03-01T12:00:00.000Z' };
  await keys.create({ ...key, expiresAt: null, account: 'own' });
  const [at, until] = ['2026-03-01T12:00:00.000Z', '2026-03-01T12:05:00.000Z'];
  for (let seed = 1; seed <= 20; seed++) {
    const key = `k${seed}`;
    await near.addPayment(paymentOf(key, at), { owner: 'dead', until: at });
    const far = createFaultyBilling(near, createFaultyNetwork({ seed, lost: 0.6 }));
    const claim = (): ReturnType<typeof far.claimOpenPayment> =>
      far.claimOpenPayment(key, { owner: 'a', until }, at).catch(claim);
    expect(await claim()).toMatchObject({ key });
    expect(await near.claimOpenPayment(key, { owner: 'b', until }, at)).toBe('held');
  }
  await close();
});

const paymentOf = (key: string, createdAt: string): NewPaymentRecord => ({
  key,
  provider: 'stripe',
  accountId: 1,
  clientKey: null,
  attempt: 1,
  customer: 'cus_1',
  paymentMethod: 'pm_1',
  packId: 1,
  packName: 'Small',
  credits: 5000,
  priceCents: 1000,
  currency: 'usd',
  keyId: 1,
  requestId: 'r',
  createdAt,
});
