import { lstatSync, type Stats } from 'node:fs';
import { isOnlyOwners } from '../../platform/data-folder/file-modes.ts';
import { controlSocket } from '../../platform/data-folder/folder-paths.ts';

/** Another user may listen on the socket, so nothing is sent to it. */
class ForeignSocket extends Error {
  readonly code = 'foreign_socket';
}

/**
 * Checks that the folder has a socket of this user only, before anything is sent to it. Anybody who can write to the folder
 * could listen in the server's place, and would get keys and messages.
 * @param folder its real path
 * @param uid of this process
 * @returns false if there is no socket
 * @throws ForeignSocket
 */
export function hasOwnSocket(folder: string, uid = process.getuid?.()): boolean {
  const path = controlSocket(folder);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isSocket() && !stats?.isSymbolicLink()) return false;
  if (stats.isSymbolicLink()) throw new ForeignSocket(`${path} is a link: nothing was sent there`);
  assertOwnSocket(path, stats, uid);
  assertOwnSocket(folder, undefined, uid);
  return true;
}

/** @throws ForeignSocket */
export function assertOwnSocket(path: string, stats: Stats = lstatSync(path), uid = process.getuid?.()): void {
  if (isOnlyOwners(stats, uid)) return;
  const whose = `it belongs to user ${stats.uid}, with mode ${(stats.mode & 0o777).toString(8).padStart(3, '0')}`;
  throw new ForeignSocket(`${path} is not this user's alone (${whose}): nothing was sent to the server`);
}
