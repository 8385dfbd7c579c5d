import { setTimeout } from 'node:timers/promises';
import { describeUnrestricted, restrictToOwner } from '../../platform/data-folder/file-modes.ts';
import { describeHolder, FolderInUse, lockFolder } from '../../platform/data-folder/folder-lock.ts';
import { isServerListening } from './control-client.ts';
import { assertOwnSocket } from './socket-owner.ts';

const RETRY_MS = 100;

/**
 * Does work that writes to a folder. Hands it to the server that holds the folder; without a server, waits for the lock and
 * does it here.
 * @param folder its real path
 * @param say prints what is waited for, once for each holder, and what is open to other users
 * @throws ForeignSocket
 */
export async function withWriter<T>(
  folder: string,
  command: string,
  say: (text: string) => void,
  work: { readonly handOver: () => Promise<T>; readonly alone: () => Promise<T> },
): Promise<T> {
  let lastWaiting = '';
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
      // A server opens no control endpoint in a folder that others can write to, so waiting for it would be in vain.
      assertOwnSocket(folder);
      const waiting = `waiting for ${describeHolder(error.holder)}, which holds the data folder`;
      if (waiting !== lastWaiting) say(waiting);
      lastWaiting = waiting;
    }
    await setTimeout(RETRY_MS);
  }
}
