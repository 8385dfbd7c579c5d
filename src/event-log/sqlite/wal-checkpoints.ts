import { Worker } from 'node:worker_threads';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { DatabaseWatch, SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';

/** A message from the worker thread: an error of the disk. */
export interface CheckpointWorkerMessage {
  readonly file: string;
  readonly message: string;
  /** SQLite's. */
  readonly code: string;
}

export interface CheckpointWorkerData {
  /** The files of the databases. */
  readonly files: readonly string[];
}

/**
 * Checkpoints the databases in a worker thread, so that no request waits for it.
 * @param onFailed the thread has ended; from then on commits checkpoint, as they do without the thread
 * @param watchOf gets the disk's errors, as from a connection of this thread
 */
export function startCheckpointWorker(
  files: readonly string[],
  onFailed: (error: Error) => void,
  watchOf: (file: string) => Pick<DatabaseWatch, 'onFailure'> = () => ({ onFailure: (error) => error }),
): { stop(): Promise<void> } {
  const work: CheckpointWorkerData = { files };
  const worker = new Worker(new URL('./checkpoint-worker.js', import.meta.url), { workerData: work });
  worker.on('error', onFailed);
  const watches = new Map(files.map((file) => [file, watchOf(file)]));
  worker.on('message', ({ file, message, code }: CheckpointWorkerMessage) => {
    watches.get(file)!.onFailure(Object.assign(new Error(message), { code }));
  });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  return {
    stop() {
      worker.postMessage('that is all');
      return ended;
    },
  };
}

/** The pause between two checkpoints, in milliseconds. Each moves at most some hundred pages. */
const CHECKPOINT_INTERVAL_MS = 250;

/**
 * Repeatedly moves commits from the write-ahead file into the database, as far as no reader blocks it. SQLite also does
 * this in a commit when the write-ahead file is long. Little is left to do then, so the committing process does not
 * block.
 * @param database a separate connection in a separate thread, whose watch gets the errors
 * @returns the function that stops it
 */
export function repeatWalCheckpoints(database: SqliteDatabase, setTimer: SetTimer): () => void {
  const move = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').raw();
  let cancel = (): void => {};
  function schedule(): void {
    cancel = setTimer(() => {
      // Another connection is at work, or the disk is full. A later checkpoint moves the rest.
      try {
        move.get();
      } catch {
        // The watch has told what matters.
      }
      schedule();
    }, CHECKPOINT_INTERVAL_MS);
  }
  schedule();
  return () => cancel();
}
