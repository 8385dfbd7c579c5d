import { createSecretBox } from '../../api/calls/secret-box.ts';
import { loadOrCreateSecret } from '../../platform/data-folder/folder-secret.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { Environment } from './environment.ts';
import type { Secrets } from './ports.ts';

/** As they are set; what is unset is the folder's own. */
export function secretsOf(
  folder: string,
  { keyPepper, sessionSecret }: Partial<Pick<Config, 'keyPepper' | 'sessionSecret'>>,
  { randomBytes }: Pick<Environment, 'randomBytes'>,
): Secrets {
  const pepper = loadOrCreateSecret(folder, 'key-pepper', keyPepper);
  const session = loadOrCreateSecret(folder, 'session-secret', sessionSecret);
  return { pepper, session, box: createSecretBox(pepper, randomBytes) };
}

/** In a cluster: as they are set, the same for all processes. */
export function secretsFrom(
  { keyPepper = '', sessionSecret = '' }: Pick<Config, 'keyPepper' | 'sessionSecret'>,
  { randomBytes }: Pick<Environment, 'randomBytes'>,
): Secrets {
  return { pepper: keyPepper, session: sessionSecret, box: createSecretBox(keyPepper, randomBytes) };
}
