import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));
const run = promisify(execFile);
const BUFFER = 64 * 1024 * 1024;

/**
 * Whether tests that need Python can run. Without it a person's run skips them and says so; that of the gate fails.
 * @param what is skipped
 */
export function hasPython(what: string): boolean {
  const { status } = spawnSync('python3', ['-c', 'import sys, venv, ensurepip; assert sys.version_info >= (3, 10)']);
  if (status !== 0) console.warn(`${what}: skipped, they need python3, 3.10 or newer, with its venv module`);
  return status === 0 || process.env['CI'] !== undefined;
}

/** Makes a Python of its own in a folder, and installs packages there. @param wanted what pip is told to install */
export async function makePythonVenv(folder: string, wanted: readonly string[]): Promise<void> {
  await run('python3', ['-m', 'venv', folder]);
  const pip = ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', ...wanted];
  await run(join(folder, 'bin', 'python'), pip, { maxBuffer: BUFFER });
}

/** A Python of its own, with packages from PyPI, in a folder that git does not see. */
export interface PythonVenv {
  readonly folder: string;
  /** A program of it: `python`, `pip`. */
  readonly program: (name: string) => string;
  /** Makes it, once for each content of the requirements. */
  install(): Promise<void>;
  /**
   * Runs a program of it, with nothing of this process's settings but PATH.
   * @returns its standard output
   * @throws with `stdout` and `stderr` where it fails
   */
  run(program: string, args: readonly string[], options?: VenvRunOptions): Promise<string>;
}

interface VenvRunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds after which it is ended; absent: it may take as long as it does. */
  readonly timeout?: number;
}

/** @param name of the folder @param requirements file with its packages */
export function pythonVenv(name: string, requirements: string): PythonVenv {
  const folder = join(CACHE, name);
  const program = (of: string) => join(folder, 'bin', of);

  return {
    folder,
    program,
    async install() {
      const mark = join(folder, 'installed.txt');
      const wanted = readFileSync(requirements, 'utf8');
      if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      await makePythonVenv(folder, ['-r', requirements]);
      writeFileSync(mark, wanted);
    },
    async run(of, args, { cwd = folder, env = {}, timeout = 0 } = {}) {
      const own = { PATH: process.env['PATH'], HOME: folder, PYTHONDONTWRITEBYTECODE: '1', ...env };
      const { stdout } = await run(program(of), args, { cwd, env: own, timeout, maxBuffer: BUFFER });
      return stdout;
    },
  };
}
