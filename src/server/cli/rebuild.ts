import type { Projection } from '../../domain/event-sourcing/projection.ts';
import { findDataFolder } from '../../platform/data-folder/data-folder.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { RebuildResult } from '../../read-models/projector/runner-rebuild.ts';
import { callServer } from '../control/control-client.ts';
import { withWriter } from '../control/with-writer.ts';
import { type Arguments, runCommand, UsageError } from './arguments.ts';
import { type Progress, showProgress } from './progress.ts';

const help = `
rebuild    builds read models anew from the log, beside what is served, and switches over when they have caught up;
           without --projection it also throws away what forecasts have learned: a server learns it anew, a cluster
           after the start of its processes

  --projection NAME    only this one
  --data-dir DIR       the data folder (DATA_DIR, or ./data)

Standard output has one line of JSON a projection: {name, records, seconds}.`;

async function rebuild(args: Arguments): Promise<number> {
  if (args.positionals.length > 0) throw new UsageError(`rebuild takes no ${args.positionals[0]}`);
  const { commandTarget: workplace } = await import('./command-target.ts');
  const { projections } = await import('../../../projections/index.ts');
  const config = await workplace(args.dataDir, { command: 'rebuild', engines: ['event-log', 'read-store'] });
  const names = projections.map(({ name }) => name);
  const only = args.text('projection');
  if (only !== undefined && !names.includes(only)) {
    throw new UsageError(`there is no projection ${only}; there are ${names.join(', ')}`);
  }
  const chosen = only === undefined ? names : [only];
  const progress = showProgress('rebuild', 'records');
  const results = await (config.cluster
    ? rebuildInCluster(
        config,
        projections.filter(({ name }) => chosen.includes(name)),
        only === undefined,
        progress,
      )
    : rebuildInFolder(config, chosen, only === undefined, progress));
  progress.end();
  for (const { name, records, seconds } of results) {
    process.stdout.write(`${JSON.stringify({ name, records, seconds })}\n`);
  }
  return 0;
}

async function rebuildInCluster(
  config: Config,
  chosen: readonly Projection[],
  isLearnedToo: boolean,
  progress: Progress,
) {
  const { rebuildInCluster: rebuildThere } = await import('../cluster/command-engines.ts');
  return rebuildThere(config, chosen, isLearnedToo, (records) => progress.update(records));
}

async function rebuildInFolder(config: Config, names: readonly string[], isLearnedToo: boolean, progress: Progress) {
  const folder = findDataFolder(config.dataDir);
  const query = new URLSearchParams(names.map((name): [string, string] => ['projection', name]));
  query.set('learned', String(isLearnedToo));
  const say = (text: string) => process.stderr.write(`${text}\n`);
  return withWriter(folder, 'rebuild', say, {
    handOver: () =>
      callServer<readonly RebuildResult[]>(folder, `POST /rebuild?${query}`, undefined, ({ done, total }) =>
        progress.update(done, total),
      ),
    alone: () => rebuildAlone({ ...config, dataDir: folder }, names, isLearnedToo, progress, say),
  });
}

async function rebuildAlone(
  config: Config,
  names: readonly string[],
  isLearnedToo: boolean,
  progress: Progress,
  say: (text: string) => void,
) {
  const { openCommandFolder } = await import('../embedded/command-folder.ts');
  const folder = await openCommandFolder(config, say);
  try {
    const { log } = folder.ports;
    const total = log.countBetween(null, await log.head()) ?? undefined;
    const rebuilt = await folder.runner.rebuild(names, ({ records }) => progress.update(records, total));
    // Learned anew by the next server.
    if (isLearnedToo) await folder.forecasts.learnAnew();
    return rebuilt;
  } finally {
    await folder.close();
  }
}

const form = { help, options: { projection: { type: 'string' } }, run: rebuild } as const;
export const run = (argv: readonly string[]) => runCommand(form, argv);
