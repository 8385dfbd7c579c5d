import { createSecretBox } from '../calls/secret-box.ts';
import { keptSecret } from '../data-folder/kept-secret.ts';
import type { Config } from '../settings/config.ts';
import type { Environment } from './environment.ts';
import type { Secrets } from './ports.ts';

/** @param pepper as it is set; unset, the folder's own */
export function secretsOf(
  folder: string,
  pepper: string | undefined,
  { randomBytes }: Pick<Environment, 'randomBytes'>,
): Secrets {
  const kept = keptSecret(folder, 'key-pepper', pepper);
  return { pepper: kept, box: createSecretBox(kept, randomBytes) };
}

/** In a cluster: as they are set, the same for all processes. */
export function secretsFrom(
  { keyPepper = '' }: Pick<Config, 'keyPepper'>,
  { randomBytes }: Pick<Environment, 'randomBytes'>,
): Secrets {
  return { pepper: keyPepper, box: createSecretBox(keyPepper, randomBytes) };
}
