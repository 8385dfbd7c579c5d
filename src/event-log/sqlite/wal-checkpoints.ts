import { Worker } from 'node:worker_threads';
import type { SetTimer } from '../../platform/async/timer.ts';
import { classifyDiskError } from '../../platform/sqlite/disk-errors.ts';
import type { SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';

/** What the thread says. */
export interface CheckpointWorkerMessage {
  /** A flush has failed, with this error. */
  readonly flushFailed: string;
  readonly file: string;
}

export interface CheckpointWorkerData {
  /** The databases. */
  readonly files: readonly string[];
}

/**
 * Moves what is committed into the databases in a thread of its own, so that no request waits for it.
 * @param onFailed the thread has ended; from then on commits do it, as they do without it
 * @param onFlushFailed what was committed may not come to the disk any more
 */
export function startCheckpointWorker(
  files: readonly string[],
  onFailed: (error: Error) => void,
  onFlushFailed: (error: Error, file: string) => void,
): { stop(): Promise<void> } {
  const work: CheckpointWorkerData = { files };
  const worker = new Worker(new URL('./checkpoint-worker.js', import.meta.url), { workerData: work });
  worker.on('error', onFailed);
  worker.on('message', ({ flushFailed, file }: CheckpointWorkerMessage) => onFlushFailed(new Error(flushFailed), file));
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  return {
    stop() {
      worker.postMessage('that is all');
      return ended;
    },
  };
}

/** Between two looks, in milliseconds: some hundred pages at most are moved at a time. */
const CHECKPOINT_INTERVAL_MS = 250;

/**
 * Moves what was committed from the write-ahead file into the database, again and again, as far as no reader is in the
 * way. SQLite has a commit do that once the file is long enough; little is left for it then, and the process that
 * commits does not stand still for it.
 * @param database a connection of its own, in a thread of its own
 * @param onFlushFailed a flush has failed: after that the system may say of any later one that it has succeeded
 * @returns what ends it
 */
export function repeatWalCheckpoints(
  database: SqliteDatabase,
  setTimer: SetTimer,
  onFlushFailed: (error: Error) => void = () => {},
): () => void {
  const move = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').raw();
  let cancel = (): void => {};
  function again(): void {
    cancel = setTimer(() => {
      // Somebody else is at it, or the disk is full: a later one moves what this one has not.
      try {
        move.get();
      } catch (error) {
        if (classifyDiskError(error) === 'flush') onFlushFailed(error as Error);
      }
      again();
    }, CHECKPOINT_INTERVAL_MS);
  }
  again();
  return () => cancel();
}
