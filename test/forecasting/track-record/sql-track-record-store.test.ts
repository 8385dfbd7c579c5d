import { onTestFinished } from 'vitest';
import { createSqlTrackRecordStore } from '../../../src/forecasting/track-record/sql-track-record-store.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { openRegistry } from '../../../src/server/composition/registry.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { trackRecordStoreContract } from './track-record-store.contract.ts';

const folder = temporaryFolder();

trackRecordStoreContract('SQLite', async () => {
  const open = async () => {
    const registry = await openRegistry(openSqliteDatabase({ file: folder.path('record.db'), synchronous: 'normal' }));
    onTestFinished(() => registry.destroy());
    return createSqlTrackRecordStore(registry);
  };
  return [await open(), await open()];
});
