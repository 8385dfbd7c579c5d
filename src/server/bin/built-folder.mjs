import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** What `npm pack` builds, and an installed package runs. */
export const PACKED_FOLDER = join(ROOT, 'dist/server');

/** Whether this is an installed package: it has the packed build in the place of the sources. */
export const isInstalled = !existsSync(join(ROOT, 'src/server/cli'));

/** The folder with a file for each command. A checkout first builds what is not built. */
export async function builtFolder() {
  if (isInstalled) return PACKED_FOLDER;
  const { buildOutput } = await import('./build-output.mjs');
  return buildOutput();
}
