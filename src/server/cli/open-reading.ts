import type { Config } from '../../platform/settings/config.ts';
import type { ReadPorts } from '../composition/ports.ts';

/**
 * What a command reads, of a data folder or of a cluster. The stores of the other are not even loaded.
 * @throws DataFolderError, EmptyFolder
 */
export async function openReading(config: Config): Promise<ReadPorts> {
  if (config.cluster) return (await import('../cluster/command-engines.ts')).openClusterForReading(config);
  return (await import('../embedded/embedded-stores.ts')).openForReading(config);
}
