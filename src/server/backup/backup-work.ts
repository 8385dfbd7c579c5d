import { relative, resolve } from 'node:path';
import type { BackupSettings } from '../../platform/settings/backup-settings.ts';
import type { Config } from '../../platform/settings/config.ts';
import { ConfigError } from '../../platform/settings/config-error.ts';
import { assertSecretsKept, givenSecrets, secretsToStore } from './backup-secrets.ts';
import type { BackupThreadInput } from './backup-thread.ts';

const DAY_MS = 86_400_000;

type SecretSettings = Pick<Config, 'keyPepper' | 'sessionSecret'>;

/** Before anything is made in the folder. @throws BackupSecretError, ConfigError */
export function assertBackupPossible(folder: string, settings: SecretSettings, { address, key }: BackupSettings): void {
  if (address.kind === 'folder' && (isWithin(address.root, folder) || isWithin(folder, address.root)))
    throw new ConfigError('BACKUP_URL', `must be a folder beside the data folder, and not within it or around it`);
  assertSecretsKept(givenSecrets(settings), key !== undefined);
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
