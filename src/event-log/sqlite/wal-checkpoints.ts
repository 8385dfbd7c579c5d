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

/** What the worker thread is told. */
export type CheckpointOrder = 'wake' | 'stop';

interface CheckpointWorker {
  /** Something was committed. A message to the thread a few times a second at most. */
  wake(): void;
  stop(): Promise<void>;
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
): CheckpointWorker {
  const work: CheckpointWorkerData = { files };
  const worker = new Worker(new URL('./checkpoint-worker.js', import.meta.url), { workerData: work });
  worker.on('error', onFailed);
  const watches = new Map(files.map((file) => [file, watchOf(file)]));
  worker.on('message', ({ file, message, code }: CheckpointWorkerMessage) => {
    watches.get(file)!.onFailure(Object.assign(new Error(message), { code }));
  });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  let toldAt = Number.NEGATIVE_INFINITY;
  return {
    wake() {
      // The thread stays awake for longer than this.
      if (performance.now() - toldAt < CHECKPOINT_INTERVAL_MS) return;
      toldAt = performance.now();
      worker.postMessage('wake' satisfies CheckpointOrder);
    },
    stop() {
      worker.postMessage('stop' satisfies CheckpointOrder);
      return ended;
    },
  };
}

/** The pause between two checkpoints, in milliseconds. Each moves at most some hundred pages. */
const CHECKPOINT_INTERVAL_MS = 250;
/** After so many checkpoints in a row that found nothing to move, they rest until somebody commits. */
const RESTS_AFTER = 4;

interface WalCheckpoints {
  /** Something was committed. */
  wake(): void;
  stop(): void;
}

/**
 * Repeatedly moves commits from the write-ahead file into the database, as far as no reader blocks it. SQLite also does
 * this in a commit when the write-ahead file is long. Little is left to do then, so the committing process does not
 * block.
 * @param database a separate connection in a separate thread, whose watch gets the errors
 */
export function repeatWalCheckpoints(database: SqliteDatabase, setTimer: SetTimer): WalCheckpoints {
  const move = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').raw();
  let cancel: (() => void) | undefined;
  let foundNothing = 0;
  let isStopped = false;

  function schedule(): void {
    cancel = setTimer(() => {
      cancel = undefined;
      foundNothing = isAllMoved() ? foundNothing + 1 : 0;
      if (foundNothing < RESTS_AFTER) schedule();
    }, CHECKPOINT_INTERVAL_MS);
  }

  function isAllMoved(): boolean {
    try {
      const [isBusy, pages, moved] = move.get() as readonly [number, number, number];
      return isBusy === 0 && pages === moved;
    } catch {
      // Another connection is at work, or the disk is full. A later checkpoint moves the rest. The watch has told what
      // matters.
      return false;
    }
  }

  schedule();
  return {
    wake() {
      foundNothing = 0;
      if (!cancel && !isStopped) schedule();
    },
    stop() {
      isStopped = true;
      cancel?.();
      cancel = undefined;
    },
  };
}
