import { rmSync } from 'node:fs';
import { z } from 'zod';
import { readFolderFile, replaceFolderFile } from '../../platform/data-folder/folder-file.ts';
import type { DemoRun } from './demo-day.ts';

const run = z.object({
  seed: z.number().int().min(0),
  speed: z.number().positive(),
  startedAt: z.number().int(),
  /** The newest day of which messages may have been sent. */
  day: z.number().int().min(0),
  /** Everything up to this time is ingested, in milliseconds; null before the first message. */
  playedUntil: z.number().int().nullable(),
});
const form = run.extend({
  /** The days before the first. Absent in the file of an older server, which had none. */
  past: z.object({ seed: z.number().int(), before: z.number().int(), isPlayed: z.boolean() }).optional(),
  /** Runs that another seed or speed has replaced, and whose unfinished games are not called off yet. */
  ended: z.array(run.extend({ endedAt: z.number().int() })),
});

export type StoredRun = DemoRun & z.infer<typeof run>;
export type EndedRun = StoredRun & { readonly endedAt: number };
/** The stored state of a data folder's demo. */
export type DemoState = StoredRun & z.infer<typeof form>;

export interface DemoFile {
  /** Undefined if the demo has never run, or the file holds something else. @throws DataFolderError if the disk cannot
   *  read it */
  read(): DemoState | undefined;
  /** Atomic, and on disk when it returns. */
  write(state: DemoState): void;
  remove(): void;
}

export function demoFile(path: string): DemoFile {
  return {
    read() {
      const bytes = readFolderFile(path);
      if (!bytes) return undefined;
      try {
        return form.parse(JSON.parse(bytes.toString('utf8')));
      } catch {
        return undefined;
      }
    },
    remove: () => rmSync(path, { force: true }),
    write: (state) => replaceFolderFile(path, `${JSON.stringify(state)}\n`),
  };
}
