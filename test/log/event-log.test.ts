import { createMemoryLog } from '../../src/log/memory-log.ts';
import { openSqliteLog } from '../../src/log/sqlite-log.ts';
import { eventLogContract } from './event-log.contract.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
let files = 0;

eventLogContract('memory', async (options) => createMemoryLog(options));
eventLogContract('sqlite', async (options) =>
  openSqliteLog({ ...options, file: folder.path(`contract-${files++}.db`) }),
);
eventLogContract('sqlite with the smallest groups and cache', async (options) =>
  openSqliteLog({ ...options, file: ':memory:', groupRecords: 2, cachedStreams: 1 }),
);
