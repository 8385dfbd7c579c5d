import { readSegment } from './segment-file.ts';

/** The target does not hold what was written to it. */
export class MissingBackup extends Error {
  readonly code = 'missing_backup';
}

/** Where a backup is kept: a folder, or a bucket. Names of segments have slashes, as paths do. */
export interface BackupTarget {
  /** For messages; without secrets. */
  readonly name: string;
  /** Whether something empty may stand in its place while it is away: in that of a disk, the folder it is mounted on. */
  readonly mayBeAway: boolean;
  /** The folders in it, in order. */
  folders(): Promise<readonly string[]>;
  /**
   * The names of what a folder holds, at any depth, in order. A missing folder holds nothing.
   * @param beginning of the names within the folder
   */
  names(folder: string, beginning?: string): Promise<readonly string[]>;
  /** Makes a folder that is new. */
  begin(folder: string): Promise<void>;
  /**
   * Where a file is to be written that shall become a segment of this name, in a folder that was begun.
   * @throws MissingBackup if that folder is not there
   */
  draftOf(name: string): string;
  /** Makes a segment of its draft, which is on disk. It is whole and kept when this resolves; then the draft is gone. */
  publish(name: string): Promise<void>;
  /** Removes the drafts for a folder. Nobody else may write to the folder. */
  removeDrafts(folder: string): Promise<void>;
  /** Whether there is a segment of this name. */
  has(name: string): Promise<boolean>;
  /** A file with the content of a segment. @throws if there is none */
  fetch(name: string): Promise<FetchedSegment>;
  remove(name: string): Promise<void>;
  /**
   * Makes a small file, unless there is one of that name: of all who try, one succeeds. It is whole and kept when this
   * resolves to true.
   * @throws an error of the target, after which it may have been made
   */
  create(name: string, content: string): Promise<boolean>;
  /** A small file; undefined: there is none. */
  read(name: string): Promise<string | undefined>;
  removeFolder(folder: string): Promise<void>;
}

export interface FetchedSegment {
  readonly file: string;
  release(): void;
}

/** Reads a segment. What was read counts only when this resolves. @param use reads to the end @throws DamagedSegment */
export async function useSegment<T>(
  target: BackupTarget,
  name: string,
  key: Buffer | undefined,
  use: (lines: Iterable<unknown>) => T,
): Promise<T> {
  const fetched = await target.fetch(name);
  try {
    return use(readSegment(fetched.file, name, key));
  } finally {
    fetched.release();
  }
}
