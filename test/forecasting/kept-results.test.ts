import { createMemoryKeptResults } from '../../src/forecasting/memory-kept-results.ts';
import { openSqliteKeptResults } from '../../src/forecasting/sqlite-kept-results.ts';
import { openSqliteDatabase } from '../../src/platform/sqlite/sqlite-database.ts';
import { createFar } from '../support/far/far.ts';
import { farKeptResults } from '../support/far/far-kept-results.ts';
import { keptResultsContract } from './kept-results.contract.ts';

const nothing = async () => {};
keptResultsContract('in memory', async () => ({ kept: createMemoryKeptResults(), close: nothing }));
keptResultsContract('SQLite', async () => {
  const database = openSqliteDatabase({ file: ':memory:' });
  return { kept: openSqliteKeptResults(database), close: async () => void database.close() };
});
keptResultsContract('far away', async () => ({
  kept: farKeptResults(createMemoryKeptResults(), createFar()),
  close: nothing,
}));
