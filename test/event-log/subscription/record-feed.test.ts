import { openSqliteLog } from '../../../src/event-log/sqlite/sqlite-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { createLogFeed } from '../../../src/event-log/subscription/log-feed.ts';
import { createFar } from '../../support/far/far.ts';
import { createFarFeed } from '../../support/far/far-feed.ts';
import { createFarLog } from '../../support/far/far-log.ts';
import { recordFeedContract } from './record-feed.contract.ts';

let seed = 0;

recordFeedContract('a log in memory', async () => {
  const log = createMemoryLog();
  return { log, feed: createLogFeed(log) };
});
recordFeedContract('a log in SQLite', async () => {
  const log = openSqliteLog({ file: ':memory:' });
  return { log, feed: createLogFeed(log) };
});
recordFeedContract('a far log', async () => {
  const log = createFarLog(createMemoryLog(), createFar({ seed: ++seed }));
  return { log, feed: createLogFeed(log) };
});
recordFeedContract('far, in three partitions', async () => {
  const far = createFar({ seed: ++seed });
  const log = createFarLog(createMemoryLog(), far);
  return { log, feed: createFarFeed(log, far, 3) };
});
