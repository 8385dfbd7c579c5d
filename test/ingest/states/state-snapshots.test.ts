import { createMemoryStateSnapshots } from '../../../src/ingest/states/memory-state-snapshots.ts';
import { openSqliteStateSnapshots } from '../../../src/ingest/states/sqlite-state-snapshots.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createFaultyNetwork } from '../../support/faulty/faulty-network.ts';
import { createFaultyStateSnapshots } from '../../support/faulty/faulty-state-snapshots.ts';
import { stateSnapshotsContract } from './state-snapshots.contract.ts';

const nothing = async () => {};
stateSnapshotsContract('in memory', async () => ({ snapshots: createMemoryStateSnapshots(), close: nothing }));
stateSnapshotsContract('SQLite', async () => {
  const database = openSqliteDatabase({ file: ':memory:' });
  return { snapshots: openSqliteStateSnapshots(database), close: async () => void database.close() };
});
stateSnapshotsContract('far away', async () => ({
  snapshots: createFaultyStateSnapshots(createMemoryStateSnapshots(), createFaultyNetwork()),
  close: nothing,
}));
