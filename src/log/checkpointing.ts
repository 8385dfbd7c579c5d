import { Worker } from 'node:worker_threads';

export interface ToCheckpoint {
  /** The database. */
  readonly file: string;
}

/**
 * Moves what is committed into the database in a thread of its own, so that no request waits for it.
 * @param onFailed the thread has ended; from then on commits do it, as they do without it
 */
export function checkpointBeside(file: string, onFailed: (error: Error) => void): { stop(): Promise<void> } {
  const work: ToCheckpoint = { file };
  const worker = new Worker(new URL('./checkpoint-worker.js', import.meta.url), { workerData: work });
  worker.on('error', onFailed);
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  return {
    stop() {
      worker.postMessage('that is all');
      return ended;
    },
  };
}
