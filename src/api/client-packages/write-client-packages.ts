import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { npmTarball, TARBALL_NAME } from './npm-tarball.ts';
import { type PackageFile, pythonWheel, wheelName } from './python-wheel.ts';

interface ClientPackageFolders {
  /** The built client for JavaScript; absent or empty: its package is not made. */
  readonly javascript: string;
  /** The source of the Python client: `clients/python`. Absent: its package is not made. */
  readonly python: string;
  /** Where the packages go. */
  readonly output: string;
}

/** Writes the packages that the server hands out. @returns their names */
export function writeClientPackages({ javascript, python, output }: ClientPackageFolders): readonly string[] {
  const { version } = packageJson;
  const made = new Map<string, Uint8Array>();
  const scripts = filesBelow(javascript, (path) => /\.(?:js|d\.ts)$/.test(path));
  if (scripts.length > 0) made.set(TARBALL_NAME, npmTarball(scripts, version));
  const modules = filesBelow(join(python, 'ledgerline'), (path) => /(?:\.py|py\.typed)$/.test(path));
  if (modules.length > 0) {
    const inPackage = modules.map(({ path, content }) => ({ path: `ledgerline/${path}`, content }));
    made.set(wheelName(version), pythonWheel(inPackage, version));
  }
  mkdirSync(output, { recursive: true });
  for (const [name, bytes] of made) writeFileSync(join(output, name), bytes);
  return [...made.keys()];
}

function filesBelow(folder: string, isWanted: (path: string) => boolean): readonly PackageFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll(sep, '/'))
    .filter(isWanted)
    .map((path) => ({ path, content: readFileSync(join(folder, path)) }));
}
