import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** From the build's folder, in which this runs. */
const FOLDER = fileURLToPath(new URL('../../bench/peers', import.meta.url));

/**
 * Runs a program of `bench/peers`, and gives what it prints as JSON. What it compares with is installed there first,
 * where that has not been done: it is no dependency of the server.
 * @throws Error when it cannot be installed or fails
 */
export async function runPeer(program: string, args: readonly string[], say: (text: string) => void): Promise<any> {
  if (!existsSync(join(FOLDER, 'node_modules'))) {
    say('installing what is compared with into bench/peers (npm ci; one part may have to be compiled)');
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER, maxBuffer: 1 << 26 });
  }
  const { stdout } = await run(process.execPath, [join(FOLDER, program), ...args], { maxBuffer: 1 << 26 });
  return JSON.parse(stdout.trim().split('\n').at(-1)!);
}
