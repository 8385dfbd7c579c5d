import { describe } from 'vitest';
import { createSqlMailQueue } from '../../../src/platform/mail/sql-mail-queue.ts';
import { withoutPostgres } from '../postgres/postgres-server.ts';
import { registryRows } from '../postgres/registry-rows.ts';
import { keptMailsContract } from './mail-queue.contract.ts';

describe.skipIf(withoutPostgres !== '')(`mails on PostgreSQL ${withoutPostgres}`, () => {
  const rows = registryRows();

  keptMailsContract('PostgreSQL', async () => ({
    kept: createSqlMailQueue((await rows.empty()).db),
    another: async () => createSqlMailQueue(rows.another().db),
    close: async () => {},
  }));
});
