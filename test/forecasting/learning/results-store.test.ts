import { createMemoryResultsStore } from '../../../src/forecasting/learning/memory-results-store.ts';
import { openSqliteResultsStore } from '../../../src/forecasting/learning/sqlite-results-store.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createFaultyNetwork } from '../../support/faulty/faulty-network.ts';
import { createFaultyResultsStore } from '../../support/faulty/faulty-results-store.ts';
import { resultsStoreContract } from './results-store.contract.ts';

const nothing = async () => {};
resultsStoreContract('in memory', async () => ({ kept: createMemoryResultsStore(), close: nothing }));
resultsStoreContract('SQLite', async () => {
  const database = openSqliteDatabase({ file: ':memory:' });
  return { kept: openSqliteResultsStore(database), close: async () => void database.close() };
});
resultsStoreContract('far away', async () => ({
  kept: createFaultyResultsStore(createMemoryResultsStore(), createFaultyNetwork()),
  close: nothing,
}));
