import { describe } from 'vitest';
import { sqlKeys } from '../../src/accounts/keys/sql-keys.ts';
import type { Postgres } from '../../src/postgres/open-postgres.ts';
import { POSTGRES } from '../../src/sql/dialects.ts';
import { withoutPostgres } from '../postgres/postgres-server.ts';
import { registryRows } from '../postgres/registry-rows.ts';
import { peopleContract } from './people.contract.ts';

describe.skipIf(withoutPostgres !== '')(`people on PostgreSQL ${withoutPostgres}`, () => {
  const rows = registryRows();
  const store = ({ db, locking }: Postgres) => ({
    ...{ database: db, runner: locking, dialect: POSTGRES, keys: sqlKeys(db, locking) },
  });

  peopleContract('PostgreSQL', async () => ({
    store: store(await rows.empty()),
    another: async () => store(rows.another()),
    close: async () => {},
  }));
});
