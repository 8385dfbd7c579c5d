import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { readFolderFile, replaceFolderFile, syncFolder } from '../../platform/data-folder/folder-file.ts';
import { DataFolderError, databaseFile } from '../../platform/data-folder/folder-paths.ts';
import { identityOf } from '../backup/folder-backup.ts';
import type { FollowPlace } from '../backup/follow-place.ts';
import { leaseEntry } from '../backup/lease-entry.ts';

/** Where a data folder keeps what it is to others of the same backup. */
const roleFile = (folder: string): string => join(folder, 'standby.json');

const stored = z.object({
  /** `first`: it writes. `standby`: it follows another one. */
  role: z.enum(['first', 'standby']),
  /** The id of the folder, in the lease; of a standby it counts for nothing: its promotion gives it another. */
  holder: z.string(),
  /** The file of the database: a copy of the folder is another folder. Absent: not started yet. */
  file: z.string().optional(),
  /** Of a first: whether a follower has registered. */
  isFollowed: z.boolean(),
  /** Of a first: why it may never write again. */
  lost: z.string().optional(),
  /** The history that the promotion has begun; of a standby a mark alone. */
  timeline: z.string().optional(),
  /** Of a first that was restored: the point of the backup that it has. A copy of its folder has not begun with it. */
  restored: z.object({ timeline: z.string(), number: z.int(), head: z.int(), takenAt: z.int() }).optional(),
  /** Of a standby or a restored folder: the entry of the lease that may have made it the first. */
  planned: leaseEntry.optional(),
});

export type FolderRole = z.infer<typeof stored>;

/** @returns undefined: it has none @throws DataFolderError */
export function readRole(folder: string): FolderRole | undefined {
  const text = readFolderFile(roleFile(folder))?.toString('utf8');
  if (text === undefined) return undefined;
  try {
    return stored.parse(JSON.parse(text));
  } catch {
    throw new DataFolderError(`${roleFile(folder)} is damaged: nobody can tell whether this folder may be written to`);
  }
}

/** On disk when it returns, and never half: a folder whose role is damaged may not be written to. */
export function writeRole(folder: string, role: FolderRole): void {
  replaceFolderFile(roleFile(folder), `${JSON.stringify(role)}\n`);
  syncFolder(folder);
}

/** Of a folder that writes. A copy of another folder is a folder of its own. */
export function roleOfFirst(folder: string): FolderRole {
  const known = readRole(folder);
  const file = identityOf(databaseFile(folder));
  if (known && (known.file === undefined || known.file === file)) return { ...known, file };
  return { role: 'first', holder: newHolder(), file, isFollowed: known?.isFollowed ?? false };
}

/** Of a folder that is restored. @param restored the point that it has */
export const roleOfRestored = (restored: FollowPlace): FolderRole => ({
  role: 'first',
  holder: newHolder(),
  isFollowed: false,
  restored,
});

const newHolder = (): string => randomBytes(9).toString('base64url');

/** @throws DataFolderError if only a server with the lease may write to this folder */
export function assertWrittenAlone(folder: string): void {
  const role = readRole(folder);
  if (role?.role === 'standby')
    throw new DataFolderError(
      `${folder} is the folder of a standby: start it with --follow URL, or promote it with restore --promote --data-dir ${folder}`,
    );
  if (role?.isFollowed)
    throw new DataFolderError(
      `the server of ${folder} has a standby, and writes only with its lease: start it, and run the command beside it`,
    );
}
