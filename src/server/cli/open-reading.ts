import type { Config } from '../../platform/settings/config.ts';
import type { ReadPorts } from '../composition/ports.ts';

/**
 * Opens the stores for reading: those of a data folder, or those of a cluster. The code of the other profile is not loaded.
 * @throws DataFolderError, EmptyFolder
 */
export async function openReading(config: Config): Promise<ReadPorts> {
  if (config.cluster) return (await import('../cluster/command-engines.ts')).openClusterForReading(config);
  return (await import('../embedded/embedded-stores.ts')).openForReading(config);
}
