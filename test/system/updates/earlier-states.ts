import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * States of the main branch whose folders differ: before credits, with the journals, with checkpoints by partition, with
 * lean records, with forecasts, with archives, with pages, with the names of the field, with checksums, and later. The newest is the last whose folder differs from that of now.
 */
const ALL = [
  'b1a7443b',
  '2934ea1d',
  'd9335d6d',
  '5c2a1c35',
  '2c9c5eaa',
  '35eb7360',
  'aa5a6295',
  'a510dfaa',
  'c1be4536',
  '431ba9b6',
  '3cd0d211',
  'b829bc7d',
  '63c0868e',
  'c5b248fd',
];
/** Its tables have other names, also those of what the forecasts have learned, and it notes nothing. */
const QUICK = ['aa5a6295'];

/** `UPDATE_STATES=all` takes all of them, and a comma list others. */
export function chosenStates(given = process.env['UPDATE_STATES']): readonly string[] {
  if (!given) return QUICK;
  return given === 'all' ? ALL : given.split(',');
}

/** Whether the history of this checkout has the state; a shallow clone and a package have none. */
export function hasState(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Writes the sources of a state, with the dependencies of this checkout. @returns its launcher */
export function checkOut(commit: string, folder: string): string {
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const launchers = ['src/bin/launch.mjs', 'src/server/bin/launch.mjs'].map((path) => join(folder, path));
  return launchers.find((path) => existsSync(path))!;
}
