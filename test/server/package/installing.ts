import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');
const exec = promisify(execFile);

/** A folder that is gone after the tests of the file. */
export function folderOfFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'll-package-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs npm with nothing of this process's own scripts. */
async function npm(folder: string, ...args: string[]): Promise<string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  const { stdout } = await exec('npm', [...args, ...options], { cwd: folder, env, maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}

/** @returns the packed file, and the paths in it */
export async function packed(into: string): Promise<{ readonly file: string; readonly paths: readonly string[] }> {
  const stdout = await npm(ROOT, 'pack', '--json', '--pack-destination', into);
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('[\n')));
  return { file: join(into, filename), paths: files.map(({ path }: { path: string }) => path) };
}

/** Installs the packed file as documented. @returns the program */
export async function installedGlobally(file: string, prefix: string): Promise<string> {
  await npm(prefix, 'install', '-g', '--prefix', prefix, '--omit=dev', file);
  return join(prefix, 'bin/ledgerline');
}

/** @returns the folder with the program `node` of this version */
export async function nodeOf(version: string, folder: string): Promise<string> {
  await npm(folder, 'install', '--prefix', folder, `node@${version}`);
  return join(folder, 'node_modules/node/bin');
}
