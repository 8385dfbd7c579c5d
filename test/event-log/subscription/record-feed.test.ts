import { openSqliteLog } from '../../../src/event-log/sqlite/sqlite-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { createLogFeed } from '../../../src/event-log/subscription/log-feed.ts';
import { createFaultyFeed } from '../../support/faulty/faulty-feed.ts';
import { createFaultyLog } from '../../support/faulty/faulty-log.ts';
import { createFaultyNetwork } from '../../support/faulty/faulty-network.ts';
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
  const log = createFaultyLog(createMemoryLog(), createFaultyNetwork({ seed: ++seed }));
  return { log, feed: createLogFeed(log) };
});
recordFeedContract('far, in three partitions', async () => {
  const far = createFaultyNetwork({ seed: ++seed });
  const log = createFaultyLog(createMemoryLog(), far);
  return { log, feed: createFaultyFeed(log, far, 3) };
});
