import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandText } from '../../platform/command-text.ts';
import { findDataFolder } from '../../platform/data-folder/data-folder.ts';
import { databaseFile } from '../../platform/data-folder/folder-paths.ts';
import { callServer, isServerListening } from './control-client.ts';
import { type ControlServer, openControl } from './control-server.ts';

/** What commands need from a running cluster: environment variables with credentials and secrets. */
type ClusterVariables = Readonly<Record<string, string>>;

/** The folder holds a cluster that does not run. */
class ClusterNotRunning extends Error {
  readonly code = 'cluster_not_running';
  constructor(folder: string) {
    super(`the cluster in ${folder} does not run; start it by: ${commandText(`cluster --data-dir ${folder}`)}`);
    this.name = 'ClusterNotRunning';
  }
}

/** A private subfolder: the cluster's folder itself may have to be open to an engine's user. */
const doorFolder = (folder: string): string => join(folder, 'control');

/** Serves the cluster's variables to commands of the same user. @param folder its real path */
export function openClusterControl(
  folder: string,
  variables: ClusterVariables,
  onFault: (error: unknown) => void,
): Promise<ControlServer> {
  const own = doorFolder(folder);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  return openControl(own, { 'GET /variables': async () => variables }, onFault);
}

/**
 * @param folder may not exist
 * @returns undefined if the folder holds no cluster
 * @throws ClusterNotRunning, ForeignSocket
 */
export async function readClusterVariables(folder: string): Promise<ClusterVariables | undefined> {
  const isCluster = ['control', 'engines', 'cluster.json'].some((name) => existsSync(join(folder, name)));
  if (!isCluster) return undefined;
  const found = findDataFolder(folder);
  const own = doorFolder(found);
  if (existsSync(own) && (await isServerListening(own))) return callServer<ClusterVariables>(own, 'GET /variables');
  // A folder of a single server may once have been used for a cluster.
  if (existsSync(databaseFile(found))) return undefined;
  throw new ClusterNotRunning(found);
}
