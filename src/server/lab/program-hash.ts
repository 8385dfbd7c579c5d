import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Files that are read into the hash; a larger one counts by its name alone. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The SHA-256 of a command: of each of its words, and of the contents of each word that names a file.
 * @param folder from which paths count
 */
export function hashOfProgram(command: readonly string[], folder: string): string {
  const hash = createHash('sha256');
  for (const word of command) {
    hash.update(`${Buffer.byteLength(word)} ${word} `);
    const content = contentOf(resolve(folder, word));
    hash.update(content ? `${content.length} ` : '- ');
    if (content) hash.update(content);
  }
  return hash.digest('hex');
}

function contentOf(path: string): Buffer | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() && found.size <= MAX_BYTES ? readFileSync(path) : undefined;
  } catch {
    // A word may look like a path that nobody may read.
    return undefined;
  }
}
