import { setTimeout } from 'node:timers/promises';
import { describeUnrestricted, restrictToOwner } from '../../platform/data-folder/file-modes.ts';
import { describeHolder, FolderInUse, lockFolder } from '../../platform/data-folder/folder-lock.ts';
import { isServerListening } from './control-client.ts';
import { assertOwnSocket } from './socket-owner.ts';

const RETRY_MS = 100;

/**
 * Does a piece of work that writes to a folder: hands it to the server that holds the folder, or else takes the
 * lock and does it here, after another command that has it.
 * @param folder its real path
 * @param say tells the operator what is waited for, once for each holder, and what stays open to other users
 * @throws ForeignSocket
 */
export async function withWriter<T>(
  folder: string,
  command: string,
  say: (text: string) => void,
  work: { readonly handOver: () => Promise<T>; readonly alone: () => Promise<T> },
): Promise<T> {
  let told = '';
  for (;;) {
    if (await isServerListening(folder)) return work.handOver();
    try {
      const lock = lockFolder(folder, command);
      try {
        for (const path of restrictToOwner(folder)) say(describeUnrestricted(path));
        return await work.alone();
      } finally {
        lock.release();
      }
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
      // A server opens no door in a folder that others write to, and would be waited for in vain.
      assertOwnSocket(folder);
      const waiting = `waiting for ${describeHolder(error.holder)}, which holds the data folder`;
      if (waiting !== told) say(waiting);
      told = waiting;
    }
    await setTimeout(RETRY_MS);
  }
}
