import { resolve } from 'node:path';

/** Resolves a path from the operator's folder, since npm changes into the project's folder. */
export function fromWhereCalled(path: string, env: NodeJS.ProcessEnv = process.env): string {
  const base = env['npm_lifecycle_event'] !== undefined && env['npm_command'] === 'run-script' && env['INIT_CWD'];
  return resolve(base || process.cwd(), path);
}
