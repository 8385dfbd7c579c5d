import { describe } from 'vitest';
import { sqlBilling } from '../../../src/accounts/billing/sql-billing.ts';
import { sqlBillingStores } from '../../../src/accounts/billing/sql-billing-stores.ts';
import { sqlKeys } from '../../../src/accounts/keys/sql-keys.ts';
import type { Postgres } from '../../../src/platform/postgres/open-postgres.ts';
import { POSTGRES } from '../../../src/platform/sql/dialects.ts';
import { withoutPostgres } from '../../platform/postgres/postgres-server.ts';
import { registryRows } from '../../platform/postgres/registry-rows.ts';
import { billingStoresContract } from './billing-stores.contract.ts';

describe.skipIf(withoutPostgres !== '')(`the stores of billing on PostgreSQL ${withoutPostgres}`, () => {
  const rows = registryRows();
  const of = ({ db, locking }: Postgres) => ({
    billing: sqlBilling(db, locking, POSTGRES),
    stores: sqlBillingStores(db, locking, POSTGRES),
  });

  billingStoresContract('PostgreSQL', async () => {
    const postgres = await rows.empty();
    return {
      ...of(postgres),
      another: async () => of(rows.another()),
      keys: sqlKeys(postgres.db, postgres.locking),
      async suspend(accountId) {
        await postgres.db.updateTable('accounts').set({ suspended_at: 'now' }).where('id', '=', accountId).execute();
      },
      close: async () => {},
    };
  });
});
