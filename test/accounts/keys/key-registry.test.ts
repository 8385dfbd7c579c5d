import { Kysely, type SqliteDatabase as KyselySqlite, SqliteDialect } from 'kysely';
import { expect, it } from 'vitest';
import { createKeyTables, type KeyTables } from '../../../src/accounts/keys/key-tables.ts';
import { createSqliteKeys } from '../../../src/accounts/keys/sql-keys.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { openRegistry } from '../../../src/server/composition/registry.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { createFaultyKeys } from '../../support/faulty/faulty-keys.ts';
import { createFaultyNetwork } from '../../support/faulty/faulty-network.ts';
import { keyRegistryContract } from './key-registry.contract.ts';

const folder = temporaryFolder();
let files = 0;

keyRegistryContract('SQLite', async () => {
  const file = folder.path(`keys-${++files}.db`);
  const open = () => openRegistry(openSqliteDatabase({ file, synchronous: 'normal' }));
  const databases = [await open()];
  return {
    registry: createSqliteKeys(databases[0]!),
    async another() {
      databases.push(await open());
      return createSqliteKeys(databases.at(-1)!);
    },
    close: async () => void (await Promise.all(databases.map((database) => database.destroy()))),
  };
});

keyRegistryContract('far away', async () => {
  const database = await openRegistry(openSqliteDatabase({ file: ':memory:' }));
  const near = createSqliteKeys(database);
  const process = (seed: number) => createFaultyKeys(near, createFaultyNetwork({ seed }));
  return { registry: process(1), another: async () => process(2), close: () => database.destroy() };
});

it('fault 16: the cost of making, finding, listing and revoking keys does not grow with the revoked keys', async () => {
  const database = openSqliteDatabase({ file: folder.path('plans.db'), synchronous: 'normal' });
  const asked: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];
  const registry = new Kysely<KeyTables>({
    dialect: new SqliteDialect({ database: database as unknown as KyselySqlite }),
    log: ({ query }) => void asked.push(query),
  });
  await createKeyTables(registry);
  asked.length = 0;
  const keys = createSqliteKeys(registry);
  const at = '2026-03-01T12:00:00.000Z';
  const key = { name: 'x', hash: 'c0ffee', scopes: ['nba'], createdAt: at, expiresAt: null };
  const { id, accountId } = await keys.create({ ...key, prefix: 'llk_1', account: 'own' });
  // A new account has no keys to look at.
  asked.length = 0;
  const made = { ...key, account: { id: accountId }, maxKeys: 3, madeBy: id, making: { maxKeys: 1, since: '' } };
  await keys.create({ ...made, prefix: 'llk_2' });
  await expect(keys.create({ ...made, prefix: 'llk_3' })).rejects.toThrow();
  await keys.find(id);
  await keys.listMatching({ accountId, revokedAfter: at, mostRevoked: 100, without: ['all'] });
  await keys.revokedSince(accountId, at);
  await keys.revoke(id, at, accountId);
  const plans = asked.flatMap(({ sql, parameters }) => {
    const rows = database.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[];
    return rows.map(({ detail }) => detail);
  });
  expect(plans.filter((line) => /^SCAN (?!CONSTANT|newest)/.test(line))).toEqual([]);
  // By its account alone it would still look at all that were revoked.
  expect(plans.filter((line) => /api_keys.*\(account_id=\?\)/.test(line))).toEqual([]);
  expect(plans.filter((line) => line.includes('api_keys_by_revoked_at')).length).toBeGreaterThan(0);
  expect(plans.filter((line) => line.includes('api_keys_by_counted_at')).length).toBeGreaterThan(0);
  await registry.destroy();
});
