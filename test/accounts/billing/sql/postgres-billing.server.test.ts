import { describe, expect, it } from 'vitest';
import { createSqlBilling } from '../../../../src/accounts/billing/sql/sql-billing.ts';
import { createSqlBillingStores } from '../../../../src/accounts/billing/sql/sql-billing-stores.ts';
import { createSqlKeys } from '../../../../src/accounts/keys/sql-keys.ts';
import { POSTGRES } from '../../../../src/platform/sql/dialects.ts';
import { withoutPostgres } from '../../../platform/postgres/postgres-server.ts';
import { registryRows } from '../../../platform/postgres/registry-rows.ts';
import { createDyingProcess, ProcessDied } from '../payments/dying-process.ts';
import { createMemoryProvider } from '../payments/memory-payment-provider.ts';
import { openShop, PACK } from '../payments/shop.ts';
import { billingRegistryContract } from './sql-billing.contract.ts';

describe.skipIf(withoutPostgres !== '')(`billing on PostgreSQL ${withoutPostgres}`, () => {
  const rows = registryRows();

  billingRegistryContract('PostgreSQL', async () => {
    const { db, locking } = await rows.empty();
    return {
      billing: createSqlBilling(db, locking, POSTGRES),
      another: async () => createSqlBilling(rows.another().db, rows.another().locking, POSTGRES),
      keys: createSqlKeys(db, locking),
      close: async () => {},
    };
  });

  it('payments left open by a process are each charged once, even if several processes resume them at once', async () => {
    const { db, locking } = await rows.empty();
    const others = ['b', 'c', 'd'];
    const shop = await openShop('pm_ok', async () => ({
      keys: createSqlKeys(db, locking),
      billingOf: (owner) => {
        const one = rows.another(others.indexOf(owner ?? '') + 1);
        return createSqlBilling(one.db, one.locking, POSTGRES);
      },
      storesOf: (owner) => {
        const one = rows.another(others.indexOf(owner ?? '') + 1);
        return createSqlBillingStores(one.db, one.locking, POSTGRES);
      },
      close: async () => {},
    }));
    const bank = createMemoryProvider();
    const count = 8;
    for (let i = 0; i < count; i++) {
      const dying = shop.start(bank.payments, createDyingProcess(i % 2 ? 'before charge' : 'after charge'), 'a');
      await expect(dying.buy(`mine ${i}`)).rejects.toThrow(ProcessDied);
    }
    shop.clock.time += 5 * 60_000;
    const processes = others.map((owner) => shop.start(bank.payments, createDyingProcess(), owner));
    await Promise.all(processes.map(({ packPayments }) => packPayments.resume()));
    expect(bank.taken()).toBe(count * PACK.price_cents);
    expect(bank.asked).toHaveLength(count + count / 2);
    expect(await shop.credits()).toBe(count * PACK.credits);
    await shop.close();
  });
});
