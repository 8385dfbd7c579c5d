import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { secretFile } from './folder-paths.ts';

/**
 * A secret of a data folder: the given one, or the one in the folder, created at first use. The file is readable by its
 * owner only. Two processes that create it at once get the same secret, since the complete file is linked to its name
 * only once.
 * @param folder must exist
 */
export function loadOrCreateSecret(folder: string, name: string, given: string | undefined): string {
  if (given !== undefined) return given;
  const file = secretFile(folder, name);
  const stored = readSecret(file);
  if (stored) return stored;
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readSecret(file)!;
}

function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
