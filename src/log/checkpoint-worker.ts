import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts';
import { realTimer } from '../time/timer.ts';
import { moveCommitted, type ToCheckpoint } from './checkpoints.ts';

const { file } = workerData as ToCheckpoint;
const database = openSqliteDatabase({ file, cacheMib: 1 });
const end = moveCommitted(database, realTimer);
parentPort!.once('message', () => {
  end();
  database.close();
  parentPort!.close();
});
