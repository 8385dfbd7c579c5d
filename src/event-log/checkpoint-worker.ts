import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteDatabase } from '../platform/sqlite/sqlite-database.ts';
import { realTimer } from '../platform/time/timer.ts';
import { type FromCheckpoints, moveCommitted, type ToCheckpoint } from './checkpoints.ts';

const ends = (workerData as ToCheckpoint).files.map((file) => {
  const database = openSqliteDatabase({ file, mustExist: true, cacheMib: 1 });
  const end = moveCommitted(database, realTimer, ({ message }) => {
    const said: FromCheckpoints = { flushFailed: message, file };
    parentPort!.postMessage(said);
  });
  return () => {
    end();
    database.close();
  };
});
parentPort!.once('message', () => {
  for (const end of ends) end();
  parentPort!.close();
});
