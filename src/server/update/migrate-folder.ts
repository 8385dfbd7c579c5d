import { findDataFolder } from '../../platform/data-folder/data-folder.ts';
import type { Config } from '../../platform/settings/config.ts';
import { realEnvironment, silentLog } from '../composition/environment.ts';
import { secretsOf } from '../composition/secrets.ts';
import { openEmbedded } from '../embedded/embedded-stores.ts';

/**
 * Opens a folder as a start does, and closes it: so its migrations have run, and charges that a crash left behind are in
 * its log.
 * @param config its `dataDir` must be locked by the caller
 * @returns what is wrong with it, for the operator
 */
export async function migrateFolder(
  config: Pick<Config, 'dataDir' | 'keyPepper' | 'sessionSecret' | 'acceptClock'>,
): Promise<readonly string[]> {
  const found: string[] = [];
  const logger = { ...silentLog, error: (_fields: object, message: string) => void found.push(message) };
  const environment = { ...realEnvironment(silentLog), logger };
  const folder = findDataFolder(config.dataDir);
  const ports = await openEmbedded(folder, secretsOf(folder, config, environment), environment, config.acceptClock);
  await ports.close();
  return found;
}
