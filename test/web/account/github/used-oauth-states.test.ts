import { openSqliteDatabase } from '../../../../src/platform/sqlite/sqlite-database.ts';
import { openRegistry } from '../../../../src/server/composition/registry.ts';
import { createSqlUsedOauthStates } from '../../../../src/web/account/github/used-oauth-states.ts';
import { temporaryFolder } from '../../../event-log/temporary-folder.ts';
import { usedOauthStatesContract } from './used-oauth-states.contract.ts';

const folder = temporaryFolder();
let files = 0;

usedOauthStatesContract('SQLite', async () => {
  const file = folder.path(`states-${++files}.db`);
  const open = () => openRegistry(openSqliteDatabase({ file, synchronous: 'normal' }));
  const registries = [await open(), await open()];
  return {
    used: createSqlUsedOauthStates(registries[0]!),
    another: async () => createSqlUsedOauthStates(registries[1]!),
    close: async () => void (await Promise.all(registries.map((registry) => registry.destroy()))),
  };
});
