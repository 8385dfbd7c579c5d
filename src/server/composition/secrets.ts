import { createSecretBox } from '../../api/calls/secret-box.ts';
import { loadOrCreateSecret } from '../../platform/data-folder/folder-secret.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { Environment } from './environment.ts';
import { assertPepperThere } from './key-pepper.ts';
import type { Secrets } from './ports.ts';

/**
 * The secrets from the settings. An unset secret is made once and kept in the folder.
 * @throws DataFolderError if a file is too short, or the pepper is missing beside keys or users
 */
export function secretsOf(
  folder: string,
  { keyPepper, sessionSecret }: Partial<Pick<Config, 'keyPepper' | 'sessionSecret'>>,
  { randomBytes }: Pick<Environment, 'randomBytes'>,
): Secrets {
  assertPepperThere(folder, keyPepper);
  const pepper = loadOrCreateSecret(folder, 'key-pepper', keyPepper);
  const session = loadOrCreateSecret(folder, 'session-secret', sessionSecret);
  return { pepper, session, box: createSecretBox(pepper, randomBytes) };
}

/** The secrets of a cluster: from the settings, the same for all processes. */
export function secretsFrom(
  { keyPepper = '', sessionSecret = '' }: Pick<Config, 'keyPepper' | 'sessionSecret'>,
  { randomBytes }: Pick<Environment, 'randomBytes'>,
): Secrets {
  return { pepper: keyPepper, session: sessionSecret, box: createSecretBox(keyPepper, randomBytes) };
}
