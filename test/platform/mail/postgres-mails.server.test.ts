import { describe } from 'vitest';
import { sqlMails } from '../../../src/platform/mail/sql-mails.ts';
import { withoutPostgres } from '../postgres/postgres-server.ts';
import { registryRows } from '../postgres/registry-rows.ts';
import { keptMailsContract } from './kept-mails.contract.ts';

describe.skipIf(withoutPostgres !== '')(`mails on PostgreSQL ${withoutPostgres}`, () => {
  const rows = registryRows();

  keptMailsContract('PostgreSQL', async () => ({
    kept: sqlMails((await rows.empty()).db),
    another: async () => sqlMails(rows.another().db),
    close: async () => {},
  }));
});
