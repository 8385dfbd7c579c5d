import { onTestFinished } from 'vitest';
import { openRegistry } from '../../src/composition/registry.ts';
import { sqlKeptRecord } from '../../src/forecasting/sql-kept-record.ts';
import { openSqliteDatabase } from '../../src/sqlite/sqlite-database.ts';
import { temporaryFolder } from '../log/temporary-folder.ts';
import { keptRecordContract } from './kept-record.contract.ts';

const folder = temporaryFolder();

keptRecordContract('SQLite', async () => {
  const open = async () => {
    const registry = await openRegistry(openSqliteDatabase({ file: folder.path('record.db'), synchronous: 'normal' }));
    onTestFinished(() => registry.destroy());
    return sqlKeptRecord(registry);
  };
  return [await open(), await open()];
});
