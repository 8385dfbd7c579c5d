import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CLIENTS = fileURLToPath(new URL('./clients/', import.meta.url));
const REQUIREMENTS = join(CLIENTS, 'requirements.txt');
const VENV = fileURLToPath(new URL('../../../node_modules/.cache/odds-api-clients', import.meta.url));

export const hasPython =
  spawnSync('python3', ['-c', 'import sys, venv; assert sys.version_info >= (3, 10)']).status === 0;

const run = promisify(execFile);

/** Brings them from PyPI into a folder that git does not see, once. */
export async function installPythonClients(): Promise<void> {
  const mark = join(VENV, 'installed.txt');
  const wanted = readFileSync(REQUIREMENTS, 'utf8');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  rmSync(VENV, { recursive: true, force: true });
  mkdirSync(VENV, { recursive: true });
  await run('python3', ['-m', 'venv', VENV]);
  const pip = ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', '-r', REQUIREMENTS];
  await run(join(VENV, 'bin', 'python'), pip);
  writeFileSync(mark, wanted);
}

/** What a client prints. Rejects with what it says where it fails. */
export async function runPythonClient(script: string, ...args: readonly string[]): Promise<any> {
  const env = { PATH: process.env['PATH'], HOME: VENV, PYTHONDONTWRITEBYTECODE: '1' };
  const options = { cwd: VENV, env, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await run(join(VENV, 'bin', 'python'), [join(CLIENTS, script), ...args], options);
  return JSON.parse(stdout);
}
