import type { StoredSettings } from '../../platform/settings/stored-settings.ts';
import type { VariableName } from '../../platform/settings/variables.ts';
import { type Arguments, runCommand, UsageError } from './arguments.ts';
import { firstLine } from './first-line.ts';
import { type ActionForms, actionOf, printLines } from './registry-command.ts';

const help = `
settings list             one line of JSON a setting: {name, value, source, needs_restart}; a secret is only shown as set
settings get NAME         the line of one setting
settings set NAME VALUE   keeps it in settings.json of the data folder; - in the place of VALUE: the first line of
                          standard input, for secrets
settings unset NAME       keeps it there no longer

  --data-dir DIR          the data folder (DATA_DIR, or ./data)

Names and values are those of the environment (docs/operate.md). The environment wins over settings.json: source tells
environment, settings.json or default. Where needs_restart is true, a running server goes on as before until its next
start.`;

const ACTIONS = {
  list: { takes: 0, what: 'no arguments' },
  get: { takes: 1, what: 'one NAME' },
  set: { takes: 2, what: 'a NAME and a VALUE' },
  unset: { takes: 1, what: 'one NAME' },
} as const satisfies ActionForms<string>;

async function settings(args: Arguments): Promise<number> {
  const { action, given } = actionOf('settings', ACTIONS, args);
  const { hasEngineAddress } = await import('../../platform/settings/command-config.ts');
  const { isVariable, VARIABLES } = await import('../../platform/settings/variables.ts');
  const { readStoredSettings, settingsFolder } = await import('../../platform/settings/stored-settings.ts');
  if (hasEngineAddress(process.env)) {
    throw new UsageError('the environment has addresses of engines: a cluster takes its settings from there alone');
  }
  const [name = '', value = ''] = given;
  if (action !== 'list' && !isVariable(name)) {
    throw new UsageError(`there is no setting ${name}; settings list tells which there are`);
  }
  const known = name as VariableName;
  const folder = settingsFolder(process.env, args.dataDir);
  switch (action) {
    case 'list': {
      const stored = readStoredSettings(folder);
      printLines(await Promise.all((Object.keys(VARIABLES) as VariableName[]).map((one) => shown(one, stored))));
      return 0;
    }
    case 'get':
      printLines([await shown(known, readStoredSettings(folder))]);
      return 0;
    case 'set':
      return change(folder, known, value === '-' ? await firstLine(process.stdin) : value);
    case 'unset':
      return change(folder, known, null);
  }
}

async function change(folder: string, name: VariableName, value: string | null): Promise<number> {
  const { makeDataFolder } = await import('../../platform/data-folder/data-folder.ts');
  const { ConfigError } = await import('../../platform/settings/config-error.ts');
  const { changeStoredSettings, checkChanges, needsRestart } = await import(
    '../../platform/settings/stored-settings.ts'
  );
  let stored: StoredSettings;
  try {
    const changed = checkChanges(folder, { [name]: value }, process.env);
    const { assertBackupSettings } = await import('../backup/backup-work.ts');
    assertBackupSettings(folder, [name], changed, process.env);
    if (name === 'CONFIG' && value !== null) await checkConfigFile(value);
    stored = changeStoredSettings(makeDataFolder(folder), { [name]: value }, process.env);
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error;
  }
  printLines([await shown(name, stored)]);
  const isSet = Boolean(process.env[name]?.trim());
  if (isSet) process.stderr.write(`the environment has ${name} too, and wins\n`);
  else if (needsRestart(name)) process.stderr.write('in force from the next start of the server\n');
  else process.stderr.write('in force within a second, also on a running server\n');
  return 0;
}

/** @throws ConfigError */
async function checkConfigFile(path: string): Promise<void> {
  const { readConfigFile } = await import('../../platform/settings/config-file.ts');
  readConfigFile(path, true);
}

async function shown(name: VariableName, stored: StoredSettings): Promise<object> {
  const { redactGiven, readVariables, redactVariables } = await import('../../platform/settings/variables.ts');
  const { needsRestart, sourceOf } = await import('../../platform/settings/stored-settings.ts');
  const source = sourceOf(name, stored, process.env);
  const text = source === 'environment' ? process.env[name]!.trim() : stored[name];
  const value = text === undefined ? redactVariables(readVariables({}))[name] : redactGiven(name, text);
  return { name, value, source, needs_restart: needsRestart(name) };
}

export const run = (argv: readonly string[]) => runCommand({ help, run: settings }, argv);
