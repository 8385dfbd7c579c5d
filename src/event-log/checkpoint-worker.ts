import { parentPort, workerData } from 'node:worker_threads';
import { realTimer } from '../platform/async/timer.ts';
import { openSqliteDatabase, watchDiskErrors } from '../platform/sqlite/sqlite-database.ts';
import {
  type CheckpointWorkerData,
  type CheckpointWorkerMessage,
  repeatWalCheckpoints,
} from './sqlite/wal-checkpoints.ts';

const ends = (workerData as CheckpointWorkerData).files.map((file) => {
  const watch = watchDiskErrors(({ message, code }) =>
    parentPort!.postMessage({ file, message, code } satisfies CheckpointWorkerMessage),
  );
  const database = openSqliteDatabase({ file, mustExist: true, cacheMib: 1, watch });
  const end = repeatWalCheckpoints(database, realTimer);
  return () => {
    end();
    database.close();
  };
});
parentPort!.once('message', () => {
  for (const end of ends) end();
  parentPort!.close();
});
