import { setTimeout } from 'node:timers/promises';
import { FolderInUse, holderName, lockFolder } from '../data-folder/lock.ts';
import { serverListens } from './control-client.ts';

const RETRY_MS = 100;

/**
 * Does a piece of work that writes to a folder: hands it to the server that holds the folder, or else takes the
 * lock and does it here, after another command that has it.
 * @param folder its real path
 * @param say tells the operator what is waited for, once for each holder
 */
export async function asWriter<T>(
  folder: string,
  command: string,
  say: (text: string) => void,
  work: { readonly handOver: () => Promise<T>; readonly alone: () => Promise<T> },
): Promise<T> {
  let told = '';
  for (;;) {
    if (await serverListens(folder)) return work.handOver();
    try {
      const lock = lockFolder(folder, command);
      try {
        return await work.alone();
      } finally {
        lock.release();
      }
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
      const waiting = `waiting for ${holderName(error.holder)}, which holds the data folder`;
      if (waiting !== told) say(waiting);
      told = waiting;
    }
    await setTimeout(RETRY_MS);
  }
}
