import { describe } from 'vitest';
import { createSqlBilling } from '../../../../src/accounts/billing/sql/sql-billing.ts';
import { createSqlBillingStores } from '../../../../src/accounts/billing/sql/sql-billing-stores.ts';
import { createSqlKeys } from '../../../../src/accounts/keys/sql-keys.ts';
import type { Postgres } from '../../../../src/platform/postgres/open-postgres.ts';
import { POSTGRES } from '../../../../src/platform/sql/dialects.ts';
import { withoutPostgres } from '../../../platform/postgres/postgres-server.ts';
import { registryRows } from '../../../platform/postgres/registry-rows.ts';
import { billingStoresContract } from './sql-billing-stores.contract.ts';

describe.skipIf(withoutPostgres !== '')(`the stores of billing on PostgreSQL ${withoutPostgres}`, () => {
  const rows = registryRows();
  const of = ({ db, locking }: Postgres) => ({
    billing: createSqlBilling(db, locking, POSTGRES),
    stores: createSqlBillingStores(db, locking, POSTGRES),
  });

  billingStoresContract('PostgreSQL', async () => {
    const postgres = await rows.empty();
    return {
      ...of(postgres),
      another: async () => of(rows.another()),
      keys: createSqlKeys(postgres.db, postgres.locking),
      async suspend(accountId) {
        await postgres.db.updateTable('accounts').set({ suspended_at: 'now' }).where('id', '=', accountId).execute();
      },
      close: async () => {},
    };
  });
});
