import { DataFolderError } from '../../platform/data-folder/folder-paths.ts';
import { type Config, readConfig } from '../../platform/settings/config.ts';
import { readFolderConfig } from '../../platform/settings/stored-settings.ts';
import type { Environment } from '../composition/environment.ts';
import { type Finding, failed, lineOf, ok } from './finding.ts';
import { checkDataFolder } from './folder-checks.ts';
import { checkFiles, checkNode, checkPorts, checkUser } from './machine-checks.ts';

/**
 * Looks at what a start of the server needs, with the checks of the start itself. Changes nothing.
 * @param env the settings
 * @param dataDir from the command line, before DATA_DIR
 * @returns a finding for each check; without settings that can be read, those that need none
 */
export async function examine(
  env: Readonly<Record<string, string | undefined>>,
  dataDir: string | undefined,
  environment: Pick<Environment, 'now' | 'steadyNow' | 'setTimer' | 'bootClock'>,
): Promise<Finding[]> {
  const findings = [checkNode(process.versions.node), checkUser(process.getuid?.()), checkFiles()];
  let config: Config;
  try {
    config = readFolderConfig(env, dataDir);
    findings.push(ok('settings', 'every variable of the environment and of settings.json can be read'));
  } catch (error) {
    const environmentOnly = error instanceof DataFolderError ? readEnvironment(env, dataDir) : undefined;
    if (!environmentOnly) {
      const todo = 'docs/operate.md lists the variables, and what each may be';
      return [...findings, failed('settings', lineOf(error), todo)];
    }
    config = environmentOnly;
  }
  if (config.cluster) {
    const { checkEngines } = await import('./engine-checks.ts');
    const engines = await checkEngines(config.cluster, environment);
    return [...findings, ...(await checkPorts(config, undefined)), ...engines];
  }
  const { findings: ofFolder, holder } = await checkDataFolder(config, environment);
  return [...findings, ...ofFolder, ...(await checkPorts(config, holder))];
}

/** The settings of a folder whose files cannot be read, which the checks of the folder tell of; undefined: nor these. */
function readEnvironment(env: Parameters<typeof readConfig>[0], dataDir: string | undefined): Config | undefined {
  try {
    return readConfig(env, dataDir);
  } catch {
    return undefined;
  }
}
