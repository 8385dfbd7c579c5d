import { describe, expect, it } from 'vitest';
import { createSqlKeys } from '../../../src/accounts/keys/sql-keys.ts';
import { openPostgres, type Postgres } from '../../../src/platform/postgres/open-postgres.ts';
import { POSTGRES } from '../../../src/platform/sql/dialects.ts';
import { moveRows } from '../../../src/server/cluster/moving/move-rows.ts';
import { REGISTRY_MIGRATIONS } from '../../../src/server/cluster/registry-migrations.ts';
import { postgresServer, withoutPostgres } from '../../platform/postgres/postgres-server.ts';
import { registryRows } from '../../platform/postgres/registry-rows.ts';
import { composed } from '../../support/composed.ts';
import { usersContract } from './users.contract.ts';
import { begun, CHEAP, createUsersWorld, EMAIL, PASSWORD } from './users-world.ts';

describe.skipIf(withoutPostgres !== '')(`people on PostgreSQL ${withoutPostgres}`, () => {
  const postgresDatabase = postgresServer();
  const rows = registryRows(postgresDatabase);
  const store = ({ db, locking }: Postgres) => ({
    database: db,
    runner: locking,
    dialect: POSTGRES,
    keys: createSqlKeys(db, locking),
  });

  usersContract('PostgreSQL', async () => ({
    store: store(await rows.empty()),
    another: async () => store(rows.another()),
    close: async () => {},
  }));

  it('given a folder that moves into a cluster, then its users sign in there, with the same account', async () => {
    const { database, server, close } = await composed({ replacements: { hashing: CHEAP } });
    const { operators } = server.people.users;
    const { user } = await operators.create({ email: EMAIL, staff: true, password: PASSWORD });
    const postgres = openPostgres(await postgresDatabase.database(), { migrations: REGISTRY_MIGRATIONS });
    await moveRows({ from: database, to: postgres.db, origin: 'folder', position: '0' });
    await close();
    const world = createUsersWorld(store(postgres));
    expect(begun(await world.signIn()).session.user).toEqual(user);
    const next = await world.signedUp('bob@example.com');
    expect(next.user.id).toBe(user.id + 1);
    await world.close();
    await postgres.close();
  });
});
