import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { settingsFile } from '../data-folder/folder-paths.ts';
import { EMBEDDED, ENGINE_VARIABLES } from './engine-names.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment with the CONFIG that the data folder keeps, unless the environment has its own. Leagues are installed
 * before anything is loaded that makes tables of them, so this loads nothing that does. What is wrong with the file is
 * told by `readStoredSettings`, which reads it whole.
 */
export function withStoredLeaguesFile(env: Environment): Environment {
  if (env['CONFIG']?.trim() || Object.values(ENGINE_VARIABLES).some((name) => isFar(env[name]))) return env;
  try {
    const stored: unknown = JSON.parse(readFileSync(settingsFile(resolve(env['DATA_DIR']?.trim() || 'data')), 'utf8'));
    const path = (stored as { readonly CONFIG?: unknown } | null)?.CONFIG;
    return typeof path === 'string' ? { ...env, CONFIG: path } : env;
  } catch {
    return env;
  }
}

const isFar = (address: string | undefined): boolean => Boolean(address?.trim()) && address?.trim() !== EMBEDDED;

/** The value of `--data-dir` among a command's arguments; undefined: it is absent. */
export function dataDirArgument(args: readonly string[]): string | undefined {
  const at = args.findLastIndex((arg) => arg === '--data-dir' || arg.startsWith('--data-dir='));
  if (at < 0) return undefined;
  const [, given] = args[at]!.split(/=(.*)/s);
  return (given ?? args[at + 1])?.trim() || undefined;
}
