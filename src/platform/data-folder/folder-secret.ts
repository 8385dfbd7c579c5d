import { randomBytes } from 'node:crypto';
import { linkSync, rmSync } from 'node:fs';
import { readSecret, writeFolderFile } from './folder-file.ts';
import { secretFile } from './folder-paths.ts';

/**
 * A secret of a data folder: the given one, or the one in the folder, created at first use. The file is readable by its
 * owner only. Two processes that create it at once get the same secret, since the complete file is linked to its name
 * only once.
 * @param folder must exist
 * @throws DataFolderError if the file is too short
 */
export function loadOrCreateSecret(folder: string, name: string, given: string | undefined): string {
  if (given !== undefined) return given;
  const file = secretFile(folder, name);
  const stored = readSecret(file);
  if (stored !== undefined) return stored;
  const draft = `${file}.${process.pid}`;
  try {
    writeFolderFile(draft, `${randomBytes(32).toString('base64url')}\n`);
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readSecret(file)!;
}
