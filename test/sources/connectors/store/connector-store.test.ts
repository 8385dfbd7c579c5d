import { openSqliteDatabase } from '../../../../src/platform/sqlite/sqlite-database.ts';
import { openRegistry } from '../../../../src/server/composition/registry.ts';
import { createMemoryConnectorStore } from '../../../../src/sources/connectors/store/memory-connector-store.ts';
import { createSqlConnectorStore } from '../../../../src/sources/connectors/store/sql-connector-store.ts';
import { temporaryFolder } from '../../../event-log/temporary-folder.ts';
import { behindFaultyNetwork } from '../../../support/faulty/behind-faulty-network.ts';
import { createFaultyNetwork } from '../../../support/faulty/faulty-network.ts';
import { keptFeedsContract } from './connector-store.contract.ts';

const folder = temporaryFolder();
let files = 0;

keptFeedsContract('in memory', async () => {
  const kept = createMemoryConnectorStore();
  return { kept, another: async () => kept, close: async () => {} };
});

keptFeedsContract('far away', async () => {
  const near = createMemoryConnectorStore();
  const process = (seed: number) => behindFaultyNetwork(near, createFaultyNetwork({ seed }));
  return { kept: process(1), another: async () => process(2), close: async () => {} };
});

keptFeedsContract('SQLite', async () => {
  const file = folder.path(`feeds-${++files}.db`);
  const open = () => openRegistry(openSqliteDatabase({ file, synchronous: 'normal' }));
  const registries = [await open(), await open()];
  return {
    kept: createSqlConnectorStore(registries[0]!),
    another: async () => createSqlConnectorStore(registries[1]!),
    close: async () => void (await Promise.all(registries.map((registry) => registry.destroy()))),
  };
});
