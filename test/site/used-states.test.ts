import { openRegistry } from '../../src/composition/registry.ts';
import { sqlUsedStates } from '../../src/site/github/used-states.ts';
import { openSqliteDatabase } from '../../src/sqlite/sqlite-database.ts';
import { temporaryFolder } from '../log/temporary-folder.ts';
import { usedStatesContract } from './used-states.contract.ts';

const folder = temporaryFolder();
let files = 0;

usedStatesContract('SQLite', async () => {
  const file = folder.path(`states-${++files}.db`);
  const open = () => openRegistry(openSqliteDatabase({ file, synchronous: 'normal' }));
  const registries = [await open(), await open()];
  return {
    used: sqlUsedStates(registries[0]!),
    another: async () => sqlUsedStates(registries[1]!),
    close: async () => void (await Promise.all(registries.map((registry) => registry.destroy()))),
  };
});
