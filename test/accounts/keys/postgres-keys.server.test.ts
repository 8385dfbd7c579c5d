import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createAuthenticator } from '../../../src/accounts/keys/authenticator.ts';
import { issueKey } from '../../../src/accounts/keys/key-registry.ts';
import { createSqlKeys } from '../../../src/accounts/keys/sql-keys.ts';
import type { Postgres } from '../../../src/platform/postgres/open-postgres.ts';
import { withoutPostgres } from '../../platform/postgres/postgres-server.ts';
import { registryRows } from '../../platform/postgres/registry-rows.ts';
import { keyRegistryContract } from './key-registry.contract.ts';

describe.skipIf(withoutPostgres !== '')(`keys on PostgreSQL ${withoutPostgres}`, () => {
  const rows = registryRows();
  const keys = ({ db, locking }: Postgres) => createSqlKeys(db, locking);

  keyRegistryContract('PostgreSQL', async () => ({
    registry: keys(await rows.empty()),
    another: async () => keys(rows.another()),
    close: async () => {},
  }));

  it('a key that one process has made works at once at another, and one that it has revoked is refused half a second later', async () => {
    const clock = { time: Date.parse('2026-03-01T12:00:00Z') };
    const now = () => clock.time;
    const [here, there] = [keys(await rows.empty()), keys(rows.another())];
    const authenticate = createAuthenticator({ registry: there, pepper: 'pepper', now, onError: () => {} });
    const maker = { registry: here, random: randomBytes, pepper: 'pepper', now };
    const { key, record } = await issueKey(maker, { name: 'n', scopes: ['all'], expiresAt: null, account: 'own' });
    expect((await authenticate(key)).keyId).toBe(record.id);
    await here.revoke(record.id, new Date(now()).toISOString());
    clock.time += 500;
    await expect((async () => authenticate(key))()).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
