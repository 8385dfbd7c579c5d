import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';

/** Mode bits that allow others anything. */
const OF_OTHERS = 0o077;

/**
 * Restricts a data folder and its files to their owner. The folder comes first: after that, nobody else can replace a
 * file before it is changed. Links are not followed. Files are not opened, since closing a locked file would free its
 * lock.
 * @param folder its real path
 * @returns the paths that stay open to others: another user owns them, or the disk has no modes
 */
export function restrictToOwner(folder: string): readonly string[] {
  // Windows has no modes.
  if (process.getuid === undefined) return [];
  const open = change(folder, 0o700, (mode) => mode !== 0o700) ? [] : [folder];
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats || stats.isSymbolicLink()) continue;
    if (!change(path, stats.isDirectory() ? 0o700 : 0o600, isOpen, stats)) open.push(path);
  }
  return open;
}

const isOpen = (mode: number): boolean => (mode & OF_OTHERS) !== 0;

/** @returns whether only the owner can use the path now */
function change(path: string, to: number, needed: (mode: number) => boolean, stats: Stats = lstatSync(path)): boolean {
  if (!needed(stats.mode & 0o777)) return true;
  try {
    chmodSync(path, to);
  } catch (error) {
    // The file is gone (SQLite deletes its own files when they are closed), so it is open to nobody.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
  }
  const after = lstatSync(path, { throwIfNoEntry: false });
  return !after || !isOpen(after.mode & 0o777);
}

/** A line for each path that `restrictToOwner` could not change. */
export const describeUnrestricted = (path: string): string =>
  `${path} is open to other users, and its mode cannot be changed: change its owner or its mode yourself`;

/** Whether only this user (or root) can use the file. @param uid of this process */
export function isOnlyOwners({ mode, uid: owner }: Pick<Stats, 'mode' | 'uid'>, uid: number | undefined): boolean {
  return uid === undefined || ((owner === uid || owner === 0) && !isOpen(mode & 0o777));
}

/** Whether others can create files in the folder. */
export const isWritableByOthers = (folder: string): boolean =>
  process.getuid !== undefined && (lstatSync(folder).mode & 0o022) !== 0;
