import { Worker } from 'node:worker_threads';
import { endWithLine } from '../composition/environment.ts';

export interface ProjectionThreadInput {
  /** The path of the database. */
  readonly file: string;
}

export type ProjectionThreadOutput =
  | { readonly done: true }
  | { readonly failure: string }
  /** The disk failed for this file, so nobody knows what it holds. `code` is SQLite's. */
  | { readonly broken: string; readonly message: string; readonly code: string | undefined };

export interface ProjectionThread {
  /** Waits until everything that is in the log now is projected. A failure does no harm: the next start of the server
   *  continues. @returns the reason of a failure */
  finish(): Promise<string | undefined>;
}

/**
 * Projects in a second thread what this thread appends. So two processors share the work, and the documents are ready soon
 * after the last message. The caller holds the folder's lock until the thread has finished.
 */
export function projectInThread(file: string, end = endWithLine): ProjectionThread {
  const work: ProjectionThreadInput = { file };
  const worker = new Worker(new URL('./project-worker.js', import.meta.url), { workerData: work });
  const ended = new Promise<string | undefined>((resolve) => {
    let last: ProjectionThreadOutput | undefined;
    worker.on('message', (message: ProjectionThreadOutput) => {
      if ('broken' in message) end(message.broken, Object.assign(new Error(message.message), { code: message.code }));
      last = message;
    });
    worker.on('error', (error) => resolve(error.message));
    worker.on('exit', () => resolve(last && 'failure' in last ? last.failure : undefined));
  });
  return {
    finish() {
      worker.postMessage('that is all');
      return ended;
    },
  };
}
