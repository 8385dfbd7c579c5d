import { installConfiguredLeagues } from '../../platform/settings/leagues-setting.ts';

// Loaded before a command, or what a thread runs, because those make tables of the catalogue as they load.
installConfiguredLeagues(process.env);
