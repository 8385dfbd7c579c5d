import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonVenv } from '../../support/python-venv.ts';

const CLIENTS = fileURLToPath(new URL('./clients/', import.meta.url));
const venv = pythonVenv('odds-api-clients', join(CLIENTS, 'requirements.txt'));

/** Brings them from PyPI, once. */
export const installPythonClients = venv.install;

/** What a client prints. Rejects with what it says where it fails. */
export const runPythonClient = async (script: string, ...args: readonly string[]): Promise<any> =>
  JSON.parse(await venv.run('python', [join(CLIENTS, script), ...args]));
