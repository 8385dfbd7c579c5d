import { openSqliteLog } from '../../../src/event-log/sqlite/sqlite-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { createFaultyLog } from '../../support/faulty/faulty-log.ts';
import { createFaultyNetwork } from '../../support/faulty/faulty-network.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { eventLogContract } from './event-log.contract.ts';

const folder = temporaryFolder();
let files = 0;

eventLogContract('memory', async (options) => createMemoryLog(options));
eventLogContract('sqlite', async (options) =>
  openSqliteLog({ ...options, file: folder.path(`contract-${files++}.db`) }),
);
eventLogContract('sqlite with the smallest groups and cache', async (options) =>
  openSqliteLog({ ...options, file: ':memory:', groupRecords: 2, cachedStreams: 1 }),
);
eventLogContract(
  'far',
  async (options) => createFaultyLog(createMemoryLog(options), createFaultyNetwork({ seed: files++ })),
  {
    skip: [
      {
        reason: 'each append of a call goes out by itself',
        tests: ['appends to several streams in order and with one recorded time'],
      },
      {
        reason: 'calls of one moment overtake each other',
        tests: [
          'refuses what cannot be stored, and only that',
          'agrees with a simple model, whatever calls share a moment',
          'disturbs no caller beside it by a conflict',
        ],
      },
    ],
  },
);
