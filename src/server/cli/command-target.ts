import { resolve } from 'node:path';
import { commandText } from '../../platform/command-text.ts';
import {
  type CommandNeeds,
  hasEngineAddress,
  readClusterCommandConfig,
} from '../../platform/settings/command-config.ts';
import type { Config } from '../../platform/settings/config.ts';
import { readFolderConfig } from '../../platform/settings/stored-settings.ts';
import { readClusterVariables } from '../control/cluster-control.ts';
import { CommandError } from './arguments.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Where a command works. `cluster` of the result names the engines; undefined means the data folder. A folder in which a
 * cluster runs means that cluster. Without a folder, addresses in the environment count.
 * @param dataDir from the command line, before DATA_DIR
 * @throws ConfigError, ClusterNotRunning, ForeignSocket; CommandError if the folder and the environment disagree
 */
export async function commandTarget(
  dataDir: string | undefined,
  needs: CommandNeeds,
  env: Variables = process.env,
): Promise<Config> {
  const isFar = hasEngineAddress(env);
  if (isFar && dataDir === undefined) return readClusterCommandConfig(env, needs);
  const folder = dataDir ?? resolve(env['DATA_DIR']?.trim() || 'data');
  const variables = await readClusterVariables(folder);
  if (variables) return readClusterCommandConfig({ ...env, ...variables }, needs);
  if (!isFar) return readFolderConfig(env, dataDir);
  throw new CommandError(
    `no cluster runs in ${folder}; start it by: ${commandText(`cluster --data-dir ${folder}`)}, ` +
      'or leave --data-dir out: the environment has addresses of engines',
  );
}
