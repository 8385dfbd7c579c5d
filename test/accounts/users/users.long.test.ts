import { createSqliteKeys } from '../../../src/accounts/keys/sql-keys.ts';
import { SQLITE } from '../../../src/platform/sql/dialects.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createSqliteRunner } from '../../../src/platform/sqlite/sqlite-runner.ts';
import { openRegistry } from '../../../src/server/composition/registry.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { usersContract } from './users.contract.ts';
import type { UserStore } from './users-world.ts';

const folder = temporaryFolder();
let files = 0;

usersContract('SQLite', async () => {
  const file = folder.path(`people-${++files}.db`);
  const opened: { destroy(): Promise<void> }[] = [];
  async function open(): Promise<UserStore> {
    const connection = openSqliteDatabase({ file, synchronous: 'normal' });
    const database = await openRegistry(connection);
    opened.push(database);
    return { database, runner: createSqliteRunner(connection), dialect: SQLITE, keys: createSqliteKeys(database) };
  }
  return {
    store: await open(),
    another: open,
    close: async () => void (await Promise.all(opened.map((one) => one.destroy()))),
  };
});
