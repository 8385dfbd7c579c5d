import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { BUNDLE_NAME, bundleManifest, withBundleAddress } from './mcp-bundle.ts';
import { npmTarball, TARBALL_NAME } from './npm-tarball.ts';
import { type PackageFile, pythonWheel, wheelName } from './python-wheel.ts';
import { REGISTRY_ENTRY_NAME, registryEntry } from './registry-entry.ts';

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

/** Writes the manifest into the folder that the bundle for agents is packed from. */
export function writeBundleManifest(folder: string, baseUrl: string): void {
  writeJson(join(folder, 'manifest.json'), bundleManifest(packageJson.version, baseUrl));
}

/**
 * Writes the bundle for agents and the entry of the registry, for the server at this address.
 * @param packages folder with the packages
 * @returns the files
 */
export function writeAgentFiles(packages: string, baseUrl: string, output: string): readonly string[] {
  const bundle = join(output, BUNDLE_NAME);
  const entry = join(output, REGISTRY_ENTRY_NAME);
  writeFileSync(bundle, withBundleAddress(readFileSync(join(packages, BUNDLE_NAME)), baseUrl));
  writeJson(entry, registryEntry(packageJson.version, baseUrl));
  return [bundle, entry];
}

const writeJson = (file: string, value: unknown): void => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

function filesBelow(folder: string, isWanted: (path: string) => boolean): readonly PackageFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll(sep, '/'))
    .filter(isWanted)
    .map((path) => ({ path, content: readFileSync(join(folder, path)) }));
}
