import { describe } from 'vitest';
import { createSqlKeys } from '../../../src/accounts/keys/sql-keys.ts';
import type { Postgres } from '../../../src/platform/postgres/open-postgres.ts';
import { POSTGRES } from '../../../src/platform/sql/dialects.ts';
import { postgresServer, withoutPostgres } from '../../platform/postgres/postgres-server.ts';
import { registryRows } from '../../platform/postgres/registry-rows.ts';
import { trialsContract } from './trials.contract.ts';
import { trialsProperty } from './trials.property.ts';

describe.skipIf(withoutPostgres !== '')(`on PostgreSQL ${withoutPostgres}`, () => {
  const rows = registryRows(postgresServer());
  const store = ({ db, locking }: Postgres) => ({
    database: db,
    runner: locking,
    dialect: POSTGRES,
    keys: createSqlKeys(db, locking),
  });
  const open = async () => ({
    store: async () => store(await rows.empty()),
    another: async () => store(rows.another()),
    close: async () => {},
  });
  trialsContract('PostgreSQL', open);
  trialsProperty('PostgreSQL', open, 30);
});
