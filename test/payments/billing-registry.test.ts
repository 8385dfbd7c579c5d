import { expect, it } from 'vitest';
import type { NewPackPayment } from '../../src/accounts/billing/billing-registry.ts';
import { createMemoryBilling } from '../../src/accounts/billing/memory-billing.ts';
import { openSqliteBilling } from '../../src/accounts/billing/sql-billing.ts';
import { createMemoryKeys, type MemoryAccounts } from '../../src/accounts/keys/memory-keys.ts';
import { sqliteKeys } from '../../src/accounts/keys/sql-keys.ts';
import { openRegistry } from '../../src/composition/registry.ts';
import { openSqliteDatabase } from '../../src/sqlite/sqlite-database.ts';
import { createFar } from '../far/far.ts';
import { createFarBilling } from '../far/far-billing.ts';
import { temporaryFolder } from '../log/temporary-folder.ts';
import { billingRegistryContract } from './billing-registry.contract.ts';

const folder = temporaryFolder();
let files = 0;
const open = (file: string) => openRegistry(openSqliteDatabase({ file, synchronous: 'normal' }));

billingRegistryContract('SQLite', async () => {
  const file = folder.path(`billing-${++files}.db`);
  const databases = [await open(file)];
  return {
    billing: await openSqliteBilling(databases[0]!),
    async another() {
      databases.push(await open(file));
      return openSqliteBilling(databases.at(-1)!);
    },
    keys: sqliteKeys(databases[0]!),
    close: async () => void (await Promise.all(databases.map((database) => database.destroy()))),
  };
});

billingRegistryContract('in memory', async () => {
  const accounts: MemoryAccounts = new Map();
  const billing = createMemoryBilling(accounts);
  return { billing, another: async () => billing, keys: createMemoryKeys(accounts), close: async () => {} };
});

billingRegistryContract('far away', async () => {
  const accounts: MemoryAccounts = new Map();
  const near = createMemoryBilling(accounts);
  const process = (seed: number) => createFarBilling(near, createFar({ seed }));
  return {
    billing: process(1),
    another: async () => process(2),
    keys: createMemoryKeys(accounts),
    close: async () => {},
  };
});

it('an open payment of an earlier version, which knew no holds, can be claimed', async () => {
  const file = folder.path('earlier.db');
  const before = await open(file);
  await sqliteKeys(before).create({
    name: 'k',
    prefix: 'llk_1',
    hash: 'h',
    scopes: ['all'],
    createdAt: '2026-03-01T12:00:00.000Z',
    expiresAt: null,
    account: 'own',
  });
  await openSqliteBilling(before);
  await before.destroy();
  const earlier = openSqliteDatabase({ file });
  for (const column of ['owner', 'held_until']) earlier.exec(`ALTER TABLE payments DROP COLUMN ${column}`);
  earlier.exec(`INSERT INTO payments VALUES ('k1', 'stripe', 1, NULL, 1, 'cus_1', 'pm_1', 1, 'Small', 5000, 1000, 'usd', 1,
    'r', 'pending', NULL, NULL, '2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.000Z')`);
  earlier.close();

  const registry = await open(file);
  const billing = await openSqliteBilling(registry);
  const hold = { owner: 'a', until: '2026-03-01T12:05:00.000Z' };
  expect(await billing.claimOpenPayment('k1', hold, '2026-03-01T12:00:00.000Z')).toMatchObject({ key: 'k1' });
  await registry.destroy();
});

it('a payment whose claim lost its answer is held: the claim can be repeated, by its owner alone', async () => {
  const accounts: MemoryAccounts = new Map();
  const near = createMemoryBilling(accounts);
  const [at, until] = ['2026-03-01T12:00:00.000Z', '2026-03-01T12:05:00.000Z'];
  for (let seed = 1; seed <= 20; seed++) {
    const key = `k${seed}`;
    await near.addPayment(paymentOf(key, at), { owner: 'dead', until: at });
    const far = createFarBilling(near, createFar({ seed, lost: 0.6 }));
    const claim = (): ReturnType<typeof far.claimOpenPayment> =>
      far.claimOpenPayment(key, { owner: 'a', until }, at).catch(claim);
    expect(await claim()).toMatchObject({ key });
    expect(await near.claimOpenPayment(key, { owner: 'b', until }, at)).toBe('held');
  }
});

const paymentOf = (key: string, createdAt: string): NewPackPayment => ({
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
