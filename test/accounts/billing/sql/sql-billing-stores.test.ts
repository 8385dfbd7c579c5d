import { temporaryFolder } from '../../../event-log/temporary-folder.ts';
import { openSqliteRegistry } from '../payments/sqlite-registry.ts';
import { billingStoresContract } from './sql-billing-stores.contract.ts';

const folder = temporaryFolder();
let files = 0;

billingStoresContract('SQLite', async () => {
  const file = folder.path(`stores-${++files}.db`);
  const opened = [await openSqliteRegistry(file)];
  const { billing, stores, keys, database } = opened[0]!;
  return {
    billing,
    stores,
    keys,
    async another() {
      opened.push(await openSqliteRegistry(file));
      return opened.at(-1)!;
    },
    async suspend(accountId) {
      await database.updateTable('accounts').set({ suspended_at: 'now' }).where('id', '=', accountId).execute();
    },
    close: async () => void (await Promise.all(opened.map((one) => one.close()))),
  };
});
