import { Worker } from 'node:worker_threads';
import { endWithLine } from '../composition/environment.ts';

export interface ProjectionThreadInput {
  /** The database. */
  readonly file: string;
}

export type ProjectionThreadOutput =
  | { readonly done: true }
  | { readonly failure: string }
  /** Nobody can answer for what this file holds. */
  | { readonly broken: string; readonly message: string };

export interface ProjectionThread {
  /** Waits until all that is in the log by now can be read. What has failed is no harm: the next start of the server
   *  goes on where it ended. @returns why it could not, if so */
  finish(): Promise<string | undefined>;
}

/**
 * Projects in a thread of its own what this one appends to the log, so that both share the work of two processors
 * and the documents are there soon after the last message. The caller holds the folder's lock until it has finished.
 */
export function projectInThread(file: string, end = endWithLine): ProjectionThread {
  const work: ProjectionThreadInput = { file };
  const worker = new Worker(new URL('./project-worker.js', import.meta.url), { workerData: work });
  const ended = new Promise<string | undefined>((resolve) => {
    let last: ProjectionThreadOutput | undefined;
    worker.on('message', (message: ProjectionThreadOutput) => {
      if ('broken' in message) end(message.broken, new Error(message.message));
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
