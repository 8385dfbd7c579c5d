import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';

/** Mode bits that allow others anything. */
const OF_OTHERS = 0o077;

/** A path of a data folder, or the folder itself. */
interface FolderEntry {
  readonly path: string;
  readonly stats: Stats;
  /** The mode that only its owner can use. */
  readonly mode: number;
  /** Whether others can use it. */
  readonly isOpen: boolean;
}

/** The folder comes first. Links are not followed. @param folder its real path */
export function* folderEntries(folder: string): Generator<FolderEntry> {
  // Windows has no modes.
  if (process.getuid === undefined) return;
  const own = lstatSync(folder);
  yield { path: folder, stats: own, mode: 0o700, isOpen: (own.mode & 0o777) !== 0o700 };
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats || stats.isSymbolicLink()) continue;
    yield { path, stats, mode: stats.isDirectory() ? 0o700 : 0o600, isOpen: isOpen(stats.mode & 0o777) };
  }
}

/**
 * Restricts a data folder and its files to their owner. The folder comes first: after that, nobody else can replace a
 * file before it is changed. Files are not opened, since closing a locked file would free its lock.
 * @param folder its real path
 * @returns the paths that stay open to others: another user owns them, or the disk has no modes
 */
export function restrictToOwner(folder: string): readonly string[] {
  const open: string[] = [];
  for (const entry of folderEntries(folder)) if (entry.isOpen && !restrict(entry)) open.push(entry.path);
  return open;
}

const isOpen = (mode: number): boolean => (mode & OF_OTHERS) !== 0;

/** @returns whether only the owner can use the path now */
function restrict({ path, mode }: FolderEntry): boolean {
  try {
    chmodSync(path, mode);
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
