import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SOURCES = join(ROOT, 'src/api/client');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');

/** False where only the server's own dependencies are installed: the types of the client are made by the compiler. */
export const canBuildClient = () => existsSync(COMPILER);

/** What `import 'ledgerline/client'` loads. */
export const CLIENT_FOLDER = join(ROOT, 'dist/client');

/** Writes the client for JavaScript: one file for Node and browsers, and its types. @returns the folder */
export async function buildClient(folder = CLIENT_FOLDER) {
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: ROOT,
    entryPoints: [join(SOURCES, 'index.ts')],
    outdir: folder,
    bundle: true,
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    logLevel: 'silent',
  });
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', folder];
  execFileSync(process.execPath, [COMPILER, '-p', SOURCES, ...options], { stdio: ['ignore', 2, 2] });
  return folder;
}
