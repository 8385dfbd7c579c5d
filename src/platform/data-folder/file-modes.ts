import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';

/** Bits of a mode that let others than the owner do anything. */
const OF_OTHERS = 0o077;

/**
 * Makes what lies in a data folder its owner's alone, the folder itself first: from then on nobody else can put
 * something of theirs in the place of what is changed next. Links are not followed. Files are not opened: to close
 * one that is locked would free its lock.
 * @param folder its real path
 * @returns what stays open to others, since it belongs to somebody else or lies on a disk that takes no modes
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

/** @returns whether nobody but the owner can use it now */
function change(path: string, to: number, needed: (mode: number) => boolean, stats: Stats = lstatSync(path)): boolean {
  if (!needed(stats.mode & 0o777)) return true;
  try {
    chmodSync(path, to);
  } catch (error) {
    // A file that is gone by now (SQLite removes its own when they are closed) is open to nobody.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
  }
  const after = lstatSync(path, { throwIfNoEntry: false });
  return !after || !isOpen(after.mode & 0o777);
}

/** A line for each that `closeToOthers` could not change. */
export const describeUnrestricted = (path: string): string =>
  `${path} is open to other users, and its mode cannot be changed: change its owner or its mode yourself`;

/** What belongs to this user (or to root), and to nobody else besides. @param uid of this process */
export function isOnlyOwners({ mode, uid: owner }: Pick<Stats, 'mode' | 'uid'>, uid: number | undefined): boolean {
  return uid === undefined || ((owner === uid || owner === 0) && !isOpen(mode & 0o777));
}

/** Whether others can put something of theirs into the folder. */
export const isWritableByOthers = (folder: string): boolean =>
  process.getuid !== undefined && (lstatSync(folder).mode & 0o022) !== 0;
