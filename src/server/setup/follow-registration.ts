import { SECOND } from '../../domain/primitives/time.ts';
import type { Config } from '../../platform/settings/config.ts';
import { readStoredSettings } from '../../platform/settings/stored-settings.ts';

/**
 * Whether anybody may register now: as the environment says, else as `settings.json` says within the last second, so
 * that a change of it needs no restart. A file that cannot be read changes nothing.
 * @param steadyNow milliseconds of a monotonic clock
 */
export function followRegistration(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
  { registration }: Pick<Config, 'registration'>,
  steadyNow: () => number,
): () => boolean {
  if (env['REGISTRATION']?.trim()) return () => registration === 'open';
  let isOpen = registration === 'open';
  let readAt = steadyNow();
  return () => {
    if (steadyNow() - readAt < SECOND) return isOpen;
    readAt = steadyNow();
    try {
      isOpen = (readStoredSettings(folder).REGISTRATION ?? 'open') === 'open';
    } catch {
      // The next start says what is wrong with the file.
    }
    return isOpen;
  };
}
