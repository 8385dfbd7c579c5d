import { relative, resolve } from 'node:path';
import type { BackupSettings } from '../../platform/settings/backup-settings.ts';
import { type Config, readConfig } from '../../platform/settings/config.ts';
import { ConfigError } from '../../platform/settings/config-error.ts';
import { overStored, type StoredSettings } from '../../platform/settings/stored-settings.ts';
import { assertSecretsKept, BackupSecretError, givenSecrets, secretsToStore } from './backup-secrets.ts';
import type { BackupThreadInput } from './backup-thread.ts';

const DAY_MS = 86_400_000;

type SecretSettings = Pick<Config, 'keyPepper' | 'sessionSecret'>;

/** Before anything is made in the folder. @throws BackupSecretError, ConfigError */
export function assertBackupPossible(folder: string, settings: SecretSettings, { address, key }: BackupSettings): void {
  if (address.kind === 'folder' && (isWithin(address.root, folder) || isWithin(folder, address.root)))
    throw new ConfigError('BACKUP_URL', `must be a folder beside the data folder, and not within it or around it`);
  assertSecretsKept(givenSecrets(settings), key !== undefined);
}

/** The settings that decide whether the backup of a folder is possible. */
const DECIDING: ReadonlySet<string> = new Set(['BACKUP_URL', 'BACKUP_KEY']);

/**
 * Checks changed settings of a folder, where they are those of its backup, as the next start would.
 * @param names of the settings that change
 * @param stored what the folder would keep
 * @throws ConfigError
 */
export function assertBackupSettings(
  folder: string,
  names: readonly string[],
  stored: StoredSettings,
  env: NodeJS.ProcessEnv,
): void {
  if (!names.some((name) => DECIDING.has(name))) return;
  const config = readConfig(overStored(stored, env), folder);
  if (!config.backup) return;
  try {
    assertBackupPossible(folder, config, config.backup);
  } catch (error) {
    throw error instanceof BackupSecretError ? new ConfigError('BACKUP_KEY', error.message) : error;
  }
}

/** What the backup of a folder works with. Its secrets must have been made. */
export function backupWork(
  folder: string,
  settings: SecretSettings,
  { address, key, keepDays }: BackupSettings,
): BackupThreadInput {
  const stored = secretsToStore(folder, givenSecrets(settings), key !== undefined);
  return { ...stored, folder, address, key, keepMs: keepDays * DAY_MS };
}

const isWithin = (path: string, folder: string): boolean => !relative(resolve(folder), resolve(path)).startsWith('..');
