import { isMainThread } from 'node:worker_threads';
import { installConfiguredLeagues } from '../../platform/settings/leagues-setting.ts';
import { dataDirArgument, withStoredLeaguesFile } from '../../platform/settings/stored-leagues-file.ts';
import { fromWhereCalled } from '../../platform/where-called.ts';

// Loaded before a command, or what a thread runs, because those make tables of the catalogue as they load.
// Threads have no arguments, but inherit the environment: there they find the folder that --data-dir names.
const folder = isMainThread ? dataDirArgument(process.argv.slice(3)) : undefined;
if (folder !== undefined) process.env['DATA_DIR'] = fromWhereCalled(folder);
installConfiguredLeagues(withStoredLeaguesFile(process.env));
