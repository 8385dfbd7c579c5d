import { describe } from 'vitest';
import { createSqlIdempotencyStore } from '../../../../src/api/calls/idempotency/sql-idempotency-store.ts';
import { POSTGRES } from '../../../../src/platform/sql/dialects.ts';
import { withoutPostgres } from '../../../platform/postgres/postgres-server.ts';
import { registryRows } from '../../../platform/postgres/registry-rows.ts';
import { rememberedAnswersContract } from './idempotency-store.contract.ts';

describe.skipIf(withoutPostgres !== '')(`remembered answers on PostgreSQL ${withoutPostgres}`, () => {
  const rows = registryRows();

  rememberedAnswersContract('PostgreSQL', async () => {
    await rows.empty();
    let processes = 0;
    return {
      open: async () => createSqlIdempotencyStore(rows.another(processes++).db, POSTGRES),
      close: async () => {},
    };
  });
});
