import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { readdir, stat, statfs } from 'node:fs/promises';
import { constants } from 'node:os';
import { basename, join } from 'node:path';
import { databaseFile, journalFiles, probeFile } from './folder-paths.ts';

const { ENOSPC, EDQUOT, EFBIG } = constants.errno;
/** By number, since Node has no name for an exceeded quota. */
const NO_ROOM: ReadonlySet<unknown> = new Set([ENOSPC, EDQUOT, EFBIG].map((errno) => -errno));

/** Whether a write failed for lack of space: the disk is full, or a quota or a file size limit is reached. */
export const isDiskFull = (error: unknown): boolean =>
  NO_ROOM.has((error as { readonly errno?: unknown } | null)?.errno);

/**
 * Tests whether a file of `length` bytes in this folder could grow by `bytes`. The test uses a sparse file of its own,
 * which is deleted before this returns.
 * @throws any other error of the write
 */
export function hasSpaceFor(folder: string, length: number, bytes: number): boolean {
  const file = probeFile(folder);
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'w', 0o600);
    const piece = Buffer.alloc(bytes);
    for (let done = 0; done < bytes; ) done += writeSync(descriptor, piece, done, bytes - done, length + done);
    return true;
  } catch (error) {
    if (isDiskFull(error)) return false;
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
    rmSync(file, { force: true });
  }
}

/** The files of a data folder, by purpose. */
const FILE_KINDS = ['database', 'wal', 'journal', 'other'] as const;
type FileKind = (typeof FILE_KINDS)[number];

interface DiskUsage {
  /** Bytes. */
  readonly files: Readonly<Record<FileKind, number>>;
  /** Bytes that this user can still write. */
  readonly free: number;
}

/** The sizes of a data folder's files, and the free space. Subfolders are not counted. */
export async function readDiskUsage(folder: string): Promise<DiskUsage> {
  const files = { database: 0, wal: 0, journal: 0, other: 0 };
  const { bavail, bsize } = await statfs(folder);
  await Promise.all(
    (await readdir(folder)).map(async (name) => {
      // Journals and SQLite's own files come and go meanwhile.
      const found = await stat(join(folder, name)).catch(() => undefined);
      if (found?.isFile()) files[kindOf(name)] += found.size;
    }),
  );
  return { files, free: bavail * bsize };
}

function kindOf(name: string): FileKind {
  const database = basename(databaseFile(''));
  if (name === database) return 'database';
  if (name === `${database}-wal`) return 'wal';
  return journalFiles('').some((journal) => basename(journal) === name) ? 'journal' : 'other';
}
