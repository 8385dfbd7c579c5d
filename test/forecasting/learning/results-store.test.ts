import { createMemoryResultsStore } from '../../../src/forecasting/learning/memory-results-store.ts';
import { openSqliteResultsStore } from '../../../src/forecasting/learning/sqlite-results-store.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createFar } from '../../support/far/far.ts';
import { farKeptResults } from '../../support/far/far-kept-results.ts';
import { keptResultsContract } from './results-store.contract.ts';

const nothing = async () => {};
keptResultsContract('in memory', async () => ({ kept: createMemoryResultsStore(), close: nothing }));
keptResultsContract('SQLite', async () => {
  const database = openSqliteDatabase({ file: ':memory:' });
  return { kept: openSqliteResultsStore(database), close: async () => void database.close() };
});
keptResultsContract('far away', async () => ({
  kept: farKeptResults(createMemoryResultsStore(), createFar()),
  close: nothing,
}));
