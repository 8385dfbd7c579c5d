import { rmSync } from 'node:fs';
import { z } from 'zod';
import { readFolderFile, replaceFolderFile, syncFolder } from '../../platform/data-folder/folder-file.ts';
import { DataFolderError, updateFile } from '../../platform/data-folder/folder-paths.ts';
import type { VersionNote } from '../composition/version-note.ts';
import type { FolderSchema } from './folder-schema.ts';

const FORM = 1;
const form = z.object({
  form: z.literal(FORM),
  /** `begun`: the migrations may be half done. `done`: they are. */
  state: z.enum(['begun', 'done']),
  taken_at: z.string(),
  /** The last position of the log, as a number of the store; 0: it was empty. */
  head: z.number(),
  has_checksums: z.boolean(),
  /** The note of the version before; null: it left none. */
  note: z.custom<VersionNote | null>((value) => value === null || typeof value === 'object'),
  schema: z.custom<FolderSchema>((value) => typeof value === 'object' && value !== null && 'tables' in value),
  /** Rows of each table. */
  rows: z.record(z.string(), z.number()),
});

/** What is needed to go back from an update: how the tables were, and where the log ended. The rows themselves stay. */
export type UpdateCheckpoint = z.infer<typeof form>;

/** @returns undefined if there is none @throws DataFolderError if it holds something else */
export function readCheckpoint(folder: string): UpdateCheckpoint | undefined {
  const file = updateFile(folder);
  const bytes = readFolderFile(file);
  if (!bytes) return undefined;
  try {
    return form.parse(JSON.parse(bytes.toString('utf8')));
  } catch (cause) {
    throw new DataFolderError(`${file} holds something else than an update: remove it, if you need not go back`, {
      cause,
    });
  }
}

export function writeCheckpoint(folder: string, checkpoint: Omit<UpdateCheckpoint, 'form'>): void {
  replaceFolderFile(updateFile(folder), `${JSON.stringify({ form: FORM, ...checkpoint })}\n`);
  syncFolder(folder);
}

export function removeCheckpoint(folder: string): void {
  rmSync(updateFile(folder), { force: true });
  syncFolder(folder);
}
