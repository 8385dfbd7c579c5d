import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasPython, pythonVenv } from '../../support/python-venv.ts';

// The tests that the Python client has of its own, and what checks its types as a program that uses it would be checked.

const FOLDER = resolve(import.meta.dirname, '../../../clients/python');
const venv = pythonVenv('python-client', join(import.meta.dirname, 'requirements.txt'));
const MINUTES = 60_000;

/** What a checker finds: its output if it fails, else nothing. */
async function findings(program: string, ...args: string[]): Promise<string> {
  // What pyright brings by npm, and what mypy remembers, stay out of the project.
  const env = { PYRIGHT_PYTHON_CACHE_DIR: join(venv.folder, 'pyright'), PYRIGHT_PYTHON_IGNORE_WARNINGS: '1' };
  try {
    await venv.run(program, args, { cwd: FOLDER, env });
    return '';
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return `${stdout}${stderr}` || String(error);
  }
}

describe.skipIf(!hasPython('checks of the Python client'))('the Python client', () => {
  beforeAll(venv.install, 10 * MINUTES);

  it('passes its own tests', async () => {
    expect(await findings('pytest')).toBe('');
  });

  it('is typed, and mistakes in using it are found: mypy --strict', async () => {
    expect(await findings('mypy', '--strict', '--cache-dir', join(venv.folder, 'mypy'))).toBe('');
  });

  it('is typed: pyright', async () => {
    expect(await findings('pyright', '-p', '.', '--pythonpath', venv.program('python'))).toBe('');
  });
});
