import { describe } from 'vitest';
import { sqlUsedStates } from '../../../src/web/account/github/used-states.ts';
import { withoutPostgres } from '../../platform/postgres/postgres-server.ts';
import { registryRows } from '../../platform/postgres/registry-rows.ts';
import { usedStatesContract } from './used-states.contract.ts';

describe.skipIf(withoutPostgres !== '')(`states of OAuth on PostgreSQL ${withoutPostgres}`, () => {
  const rows = registryRows();

  usedStatesContract('PostgreSQL', async () => ({
    used: sqlUsedStates((await rows.empty()).db),
    another: async () => sqlUsedStates(rows.another().db),
    close: async () => {},
  }));
});
