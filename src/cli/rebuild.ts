import { asWriter } from '../control/as-writer.ts';
import { askServer } from '../control/control-client.ts';
import { findDataFolder } from '../data-folder/paths.ts';
import type { Config } from '../settings/config.ts';
import type { RebuildResult } from '../store/rebuild.ts';
import { type Arguments, runCommand, UsageError } from './arguments.ts';
import { type Progress, showProgress } from './progress.ts';

const help = `
rebuild    builds read models anew from the log, beside what is served, and switches over when they have caught up

  --projection NAME    only this one
  --data-dir DIR       the data folder (DATA_DIR, or ./data)

Standard output has one line of JSON a projection: {name, records, seconds}.`;

async function rebuild(args: Arguments): Promise<number> {
  if (args.positionals.length > 0) throw new UsageError(`rebuild takes no ${args.positionals[0]}`);
  const { readConfig } = await import('../settings/config.ts');
  const { projections } = await import('../../projections/index.ts');
  const config = readConfig(process.env, args.dataDir);
  const names = projections.map(({ name }) => name);
  const only = args.text('projection');
  if (only !== undefined && !names.includes(only)) {
    throw new UsageError(`there is no projection ${only}; there are ${names.join(', ')}`);
  }
  const chosen = only === undefined ? names : [only];
  const folder = findDataFolder(config.dataDir);
  const progress = showProgress('rebuild', 'records');
  const query = new URLSearchParams(chosen.map((name): [string, string] => ['projection', name]));
  const say = (text: string) => process.stderr.write(`${text}\n`);
  const results = await asWriter(folder, 'rebuild', say, {
    handOver: () =>
      askServer<readonly RebuildResult[]>(folder, `POST /rebuild?${query}`, undefined, ({ done, total }) =>
        progress.update(done, total),
      ),
    alone: () => rebuildAlone({ ...config, dataDir: folder }, chosen, progress, say),
  });
  progress.end();
  for (const { name, records, seconds } of results) {
    process.stdout.write(`${JSON.stringify({ name, records, seconds })}\n`);
  }
  return 0;
}

async function rebuildAlone(config: Config, names: readonly string[], progress: Progress, say: (text: string) => void) {
  const { openCommandFolder } = await import('../composition/command-folder.ts');
  const folder = await openCommandFolder(config, say);
  try {
    const { log } = folder.ports;
    const total = log.countBetween(null, await log.head()) ?? undefined;
    return await folder.runner.rebuild(names, ({ records }) => progress.update(records, total));
  } finally {
    await folder.close();
  }
}

const form = { help, options: { projection: { type: 'string' } }, run: rebuild } as const;
export const run = (argv: readonly string[]) => runCommand(form, argv);
