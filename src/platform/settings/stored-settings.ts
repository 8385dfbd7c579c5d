import { resolve } from 'node:path';
import { readFolderFile, replaceFolderFile, syncFolder } from '../data-folder/folder-file.ts';
import { settingsFile } from '../data-folder/folder-paths.ts';
import { hasEngineAddress } from './command-config.ts';
import { type Config, readConfig } from './config.ts';
import { ConfigError } from './config-error.ts';
import { ENGINE_VARIABLES } from './engine-settings.ts';
import { findValueProblem, isVariable, readVariables, type VariableName } from './variables.ts';

/**
 * Settings that are kept in the data folder, in `settings.json`: text by the name of the variable. The environment wins
 * over each of them. The file may hold secrets, so only its owner can read it.
 */
export type StoredSettings = Readonly<Partial<Record<VariableName, string>>>;
type Environment = Readonly<Record<string, string | undefined>>;

const OF_CLUSTER = 'belongs to a cluster, whose processes share no folder: set it in the environment';

/** Variables that only the environment can give, and why. */
const OF_ENVIRONMENT: Readonly<Partial<Record<VariableName, string>>> = {
  DATA_DIR: 'says in which folder the file is: set it in the environment',
  DETACH: 'is read before the folder is known: set it in the environment',
  ROLES: OF_CLUSTER,
  GROUP_SESSION_SECONDS: OF_CLUSTER,
  ...Object.fromEntries(Object.values(ENGINE_VARIABLES).map((name) => [name, OF_CLUSTER])),
};

/** Variables that a running server reads again by itself. */
const APPLIED_AT_ONCE: readonly string[] = ['REGISTRATION'];

/** Whether a change of this variable waits for the next start. */
export const needsRestart = (name: VariableName): boolean => !APPLIED_AT_ONCE.includes(name);

/** @throws ConfigError unless this text can be kept under this name */
export function checkStorable(name: string, text: unknown): asserts name is VariableName {
  if (!isVariable(name)) throw new ConfigError(name, 'there is no such setting; docs/operate.md lists them');
  const reason = OF_ENVIRONMENT[name];
  if (reason !== undefined) throw new ConfigError(name, reason);
  if (typeof text !== 'string') throw new ConfigError(name, 'must be text');
  if (text.trim() === '') throw new ConfigError(name, 'must not be empty; leave it out, or unset it');
  const problem = findValueProblem(name, text.trim());
  if (problem !== undefined) throw new ConfigError(name, problem);
}

/** The folder whose settings count. @param dataDir from the command line, before DATA_DIR */
export const settingsFolder = (env: Environment, dataDir?: string): string =>
  resolve(dataDir ?? (env['DATA_DIR']?.trim() || 'data'));

/** What a folder keeps; nothing if there is no such file. @throws ConfigError that names the setting and the file */
export function readStoredSettings(folder: string): StoredSettings {
  const file = settingsFile(folder);
  const text = readFolderFile(file)?.toString('utf8');
  if (text === undefined) return {};
  const members = parseObject(file, text);
  const kept: Partial<Record<VariableName, string>> = {};
  for (const [name, value] of Object.entries(members)) {
    try {
      checkStorable(name, value);
    } catch (error) {
      if (error instanceof ConfigError) throw new ConfigError(file, error.message);
      throw error;
    }
    kept[name] = String(value).trim();
  }
  return kept;
}

function parseObject(file: string, text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message would show a piece of the file, which may be a secret.
    throw new ConfigError(file, 'is not JSON');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new ConfigError(file, 'must be an object of settings, by the names of their variables');
}

/**
 * The environment over the settings of the folder. With addresses of engines it is the environment alone.
 * @throws ConfigError
 */
export function withStoredSettings(env: Environment, dataDir?: string): Environment {
  if (hasEngineAddress(env)) return env;
  return overStored(readStoredSettings(settingsFolder(env, dataDir)), env);
}

/** The environment over what a folder keeps. An empty variable counts as unset. */
export const overStored = (stored: StoredSettings, env: Environment): Environment => ({
  ...stored,
  ...Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim())),
});

/**
 * The configuration of a server or command on one machine: the environment over the settings of the folder. Everything
 * that reads the configuration of a folder reads it here.
 * @param dataDir from the command line, before DATA_DIR
 * @throws ConfigError
 */
export const readFolderConfig = (env: Environment, dataDir?: string): Config =>
  readConfig(withStoredSettings(env, dataDir), dataDir);

/** New values by name; null: the setting is kept no longer. */
export type SettingChanges = Readonly<SettingEdits>;
/** The same while they are gathered. */
export type SettingEdits = Partial<Record<VariableName, string | null>>;

/**
 * Changes what a folder keeps, all or nothing. The file is replaced whole, so nobody reads half of it.
 * @param env what wins over the file, for settings that need each other
 * @throws ConfigError if the next start could not read the result. Whether a backup is possible depends on the folder, and
 *   is the caller's to check
 */
export function changeStoredSettings(folder: string, changes: SettingChanges, env: Environment): StoredSettings {
  const changed = checkChanges(folder, changes, env);
  writeStoredSettings(folder, changed);
  return changed;
}

/** What a folder would keep after these changes. Changes nothing. @throws ConfigError as `changeStoredSettings` does */
export function checkChanges(folder: string, changes: SettingChanges, env: Environment): StoredSettings {
  const merged: Record<string, string> = { ...readStoredSettings(folder) };
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete merged[name];
    else {
      checkStorable(name, value);
      merged[name] = value.trim();
    }
  }
  readVariables(overStored(merged, env));
  return merged;
}

function writeStoredSettings(folder: string, settings: StoredSettings): void {
  const sorted = Object.fromEntries(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)));
  replaceFolderFile(settingsFile(folder), `${JSON.stringify(sorted, null, 2)}\n`);
  syncFolder(folder);
}

/** Where a value comes from. */
export type SettingSource = 'environment' | 'settings.json' | 'default';

export const sourceOf = (name: VariableName, stored: StoredSettings, env: Environment): SettingSource => {
  if (env[name]?.trim()) return 'environment';
  return stored[name] === undefined ? 'default' : 'settings.json';
};
