import { type Arguments, CommandError, runCommand, UsageError } from './arguments.ts';

const help = `
update    brings a data folder to the installed version: tries it on a copy, then does and verifies it; no server may run

  --check           only says what it would do: what has changed, which tables and read models, how long it takes here,
                    and whether one can go back; changes nothing, and may run beside a server
  --back            takes the last update back, so that the version before can open the folder
  --one-way         updates also where there would be no way back
  --json            one line of JSON in the place of the text
  --data-dir DIR    the data folder (DATA_DIR, or ./data)

You may end it at any moment, and run it again.
Exit codes: 0 done, or nothing stands in the way; 1 not, and the line says why and what to do.`;

async function update(args: Arguments): Promise<number> {
  if (args.positionals.length > 0) throw new UsageError(`update takes no ${args.positionals[0]}`);
  const [isCheck, isBack, isOneWay] = [args.flag('check'), args.flag('back'), args.flag('one-way')];
  if (Number(isCheck) + Number(isBack) + Number(isOneWay) > 1)
    throw new UsageError('update takes one of --check, --back and --one-way');
  const { hasEngineAddress } = await import('../../platform/settings/command-config.ts');
  if (args.dataDir === undefined && hasEngineAddress(process.env))
    throw new UsageError(
      'update works on a data folder: the processes of a cluster migrate their engines at their start',
    );
  const { readConfig } = await import('../../platform/settings/config.ts');
  const config = readConfig(process.env, args.dataDir);
  const { text, result } = await work(config, { isCheck, isBack, isOneWay }).catch(asCommandError);
  process.stdout.write(`${args.flag('json') ? JSON.stringify(snakeCased(result)) : text}\n`);
  return 0;
}

/** The members of JSON that others read have names of the API's form. */
function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    snakeCased(member),
  ]);
  return Object.fromEntries(members);
}

type Config = import('../../platform/settings/config.ts').Config;

async function work(config: Config, { isCheck, isBack, isOneWay }: Readonly<Record<string, boolean>>) {
  const { backText, checkText, doneText } = await import('../update/update-text.ts');
  if (isBack) {
    const { takeBack } = await import('../update/take-back.ts');
    const result = await takeBack({ config });
    return { result, text: backText(result) };
  }
  const now = Date.now();
  if (isCheck) {
    const { checkUpdate } = await import('../update/check-update.ts');
    const result = await checkUpdate(config, now);
    return { result, text: checkText(result) };
  }
  const { applyUpdate } = await import('../update/apply-update.ts');
  const result = await applyUpdate({ config, now, isOneWay: isOneWay === true });
  return { result, text: doneText(result) };
}

const EXPECTED = new Set(['update', 'folder_in_use', 'data_folder', 'empty_folder']);

/** What needs no stack. */
function asCommandError(error: unknown): never {
  throw EXPECTED.has(String((error as { code?: unknown }).code)) ? new CommandError((error as Error).message) : error;
}

const form = {
  help,
  options: {
    check: { type: 'boolean' },
    back: { type: 'boolean' },
    'one-way': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  run: update,
} as const;
export const run = (argv: readonly string[]) => runCommand(form, argv);
