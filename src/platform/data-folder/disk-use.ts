import { readdir, stat, statfs } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { databaseFile, journalFiles } from './paths.ts';

/** What lies in a data folder, by what it is for. */
export const FILE_KINDS = ['database', 'wal', 'journal', 'other'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

export interface DiskUse {
  /** Bytes. */
  readonly files: Readonly<Record<FileKind, number>>;
  /** Bytes that this user may still write. */
  readonly free: number;
}

/** What the files of a data folder take, and what is left for them. Folders in it are not looked into. */
export async function diskUse(folder: string): Promise<DiskUse> {
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
