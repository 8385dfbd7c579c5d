import { describe } from 'vitest';
import { createSqlUsedOauthStates } from '../../../../src/web/account/github/used-oauth-states.ts';
import { withoutPostgres } from '../../../platform/postgres/postgres-server.ts';
import { registryRows } from '../../../platform/postgres/registry-rows.ts';
import { usedOauthStatesContract } from './used-oauth-states.contract.ts';

describe.skipIf(withoutPostgres !== '')(`states of OAuth on PostgreSQL ${withoutPostgres}`, () => {
  const rows = registryRows();

  usedOauthStatesContract('PostgreSQL', async () => ({
    used: createSqlUsedOauthStates((await rows.empty()).db),
    another: async () => createSqlUsedOauthStates(rows.another().db),
    close: async () => {},
  }));
});
