import { createMemoryKeys } from '../../src/accounts/keys/memory-keys.ts';
import { sqliteKeys } from '../../src/accounts/keys/sqlite-keys.ts';
import { openRegistry } from '../../src/composition/registry.ts';
import { openSqliteDatabase } from '../../src/sqlite/sqlite-database.ts';
import { createFar } from '../far/far.ts';
import { createFarKeys } from '../far/far-keys.ts';
import { temporaryFolder } from '../log/temporary-folder.ts';
import { keyRegistryContract } from './key-registry.contract.ts';

const folder = temporaryFolder();
let files = 0;

keyRegistryContract('SQLite', async () => {
  const file = folder.path(`keys-${++files}.db`);
  const open = () => openRegistry(openSqliteDatabase({ file, synchronous: 'normal' }));
  const databases = [await open()];
  return {
    registry: sqliteKeys(databases[0]!),
    async another() {
      databases.push(await open());
      return sqliteKeys(databases.at(-1)!);
    },
    close: async () => void (await Promise.all(databases.map((database) => database.destroy()))),
  };
});

keyRegistryContract('in memory', async () => {
  const registry = createMemoryKeys();
  return { registry, another: async () => registry, close: async () => {} };
});

keyRegistryContract('far away', async () => {
  const near = createMemoryKeys();
  const process = (seed: number) => createFarKeys(near, createFar({ seed }));
  return { registry: process(1), another: async () => process(2), close: async () => {} };
});
