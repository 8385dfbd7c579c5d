import { rmSync } from 'node:fs';
import { z } from 'zod';
import { readFolderFile, replaceFolderFile } from '../../platform/data-folder/folder-file.ts';
import { setupFile } from '../../platform/data-folder/folder-paths.ts';

const form = z.object({
  /** The address of the person who sets the server up. */
  email: z.string(),
  /** Until then, in milliseconds, the settings can be chosen in the browser. */
  until: z.number().int(),
  /** Whether the next start removes what the demo has fed, since real sport was chosen. */
  removesDemo: z.boolean(),
});

/** How far the setup of a folder is. */
export type SetupState = z.infer<typeof form>;

/** Undefined: nobody sets the server up, or the file holds something else. */
export function readSetupState(folder: string): SetupState | undefined {
  const bytes = readFolderFile(setupFile(folder));
  if (!bytes) return undefined;
  try {
    return form.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** Atomic. @param state undefined: the setup is finished */
export function writeSetupState(folder: string, state: SetupState | undefined): void {
  const file = setupFile(folder);
  if (state) replaceFolderFile(file, `${JSON.stringify(state)}\n`);
  else rmSync(file, { force: true });
}
