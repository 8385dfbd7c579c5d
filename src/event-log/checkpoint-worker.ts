import { parentPort, workerData } from 'node:worker_threads';
import { realTimer } from '../platform/async/timer.ts';
import { openSqliteDatabase } from '../platform/sqlite/sqlite-database.ts';
import {
  type CheckpointWorkerData,
  type CheckpointWorkerMessage,
  repeatWalCheckpoints,
} from './sqlite/wal-checkpoints.ts';

const ends = (workerData as CheckpointWorkerData).files.map((file) => {
  const database = openSqliteDatabase({ file, mustExist: true, cacheMib: 1 });
  const end = repeatWalCheckpoints(database, realTimer, ({ message }) => {
    const failure: CheckpointWorkerMessage = { flushFailed: message, file };
    parentPort!.postMessage(failure);
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
