import { parentPort, workerData } from 'node:worker_threads';
import { realTimer } from '../platform/async/timer.ts';
import { openSqliteDatabase, watchDiskErrors } from '../platform/sqlite/sqlite-database.ts';
import {
  type CheckpointOrder,
  type CheckpointWorkerData,
  type CheckpointWorkerMessage,
  repeatWalCheckpoints,
} from './sqlite/wal-checkpoints.ts';

const ofFiles = (workerData as CheckpointWorkerData).files.map((file) => {
  const watch = watchDiskErrors(({ message, code }) =>
    parentPort!.postMessage({ file, message, code } satisfies CheckpointWorkerMessage),
  );
  const database = openSqliteDatabase({ file, mustExist: true, cacheMib: 1, watch });
  return { database, checkpoints: repeatWalCheckpoints(database, realTimer) };
});
parentPort!.on('message', (order: CheckpointOrder) => {
  if (order === 'wake') for (const { checkpoints } of ofFiles) checkpoints.wake();
  else {
    for (const { database, checkpoints } of ofFiles) {
      checkpoints.stop();
      database.close();
    }
    parentPort!.close();
  }
});
