import { createHmac } from 'node:crypto';
import { basename } from 'node:path';
import { readSecret } from '../../platform/data-folder/folder-file.ts';
import { secretFile } from '../../platform/data-folder/folder-paths.ts';

/** The secrets of a data folder, and the settings that take their place. */
const SECRETS = [
  ['key-pepper', 'KEY_PEPPER'],
  ['session-secret', 'SESSION_SECRET'],
] as const;

export interface StoredSecrets {
  readonly fingerprints: Readonly<Record<string, string>>;
  /** By the name of their file. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** Secrets that the settings give, by their short name. */
type Given = Readonly<Record<string, string | undefined>>;

export const givenSecrets = (config: {
  readonly keyPepper: string | undefined;
  readonly sessionSecret: string | undefined;
}): Given => ({ 'key-pepper': config.keyPepper, 'session-secret': config.sessionSecret });

/** A secret cannot be a part of the backup, or a backup cannot be used with the secrets that were given. */
export class BackupSecretError extends Error {
  readonly code = 'backup_secret';
}

const fingerprintOf = (name: string, secret: string): string =>
  createHmac('sha256', secret).update(`ledgerline backup: ${name}`).digest('hex').slice(0, 16);

/** @throws BackupSecretError if the folder's own secrets would be missing after a restore */
export function assertSecretsKept(given: Given, hasKey: boolean): void {
  const missing = SECRETS.filter(([name]) => given[name] === undefined).map(([, variable]) => variable);
  if (hasKey || missing.length === 0) return;
  throw new BackupSecretError(
    `BACKUP_URL needs BACKUP_KEY, or ${missing.join(' and ')} in the environment: a secret that the folder made itself is backed up only if it is encrypted, and without it no API key would work after a restore`,
  );
}

/** @param folder in which a secret that is not given has been made */
export function secretsToStore(folder: string, given: Given, hasKey: boolean): StoredSecrets {
  const all = SECRETS.map(([name]) => ({ name, secret: given[name] ?? readSecret(secretFile(folder, name)) ?? '' }));
  const own = all.filter(({ name }) => given[name] === undefined && hasKey);
  return {
    fingerprints: Object.fromEntries(all.map(({ name, secret }) => [name, fingerprintOf(name, secret)])),
    secrets: Object.fromEntries(own.map(({ name, secret }) => [basename(secretFile('', name)), `${secret}\n`])),
  };
}

/**
 * @param given from the environment
 * @returns the files to write
 * @throws BackupSecretError if one is missing, or is not that of the backup
 */
export function decideSecrets({ fingerprints, secrets }: StoredSecrets, given: Given): readonly [string, string][] {
  return SECRETS.flatMap(([name, variable]): [string, string][] => {
    const file = basename(secretFile('', name));
    const own = given[name];
    if (own !== undefined && fingerprintOf(name, own) !== fingerprints[name])
      throw new BackupSecretError(`${variable} is not the one of this backup: set the one that was in use`);
    if (own !== undefined) return [];
    const stored = secrets[file];
    if (stored !== undefined) return [[file, stored]];
    throw new BackupSecretError(`${variable} is not in this backup: set it to the value that was in use`);
  });
}
