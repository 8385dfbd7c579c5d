import { dirname, join } from 'node:path';
import type { Config } from '../../platform/settings/config.ts';
import { ROLES, type Role } from '../../platform/settings/deployment-profile.ts';
import type { PlannedProcess } from '../local-cluster/local-cluster.ts';
import { EnginesMissing } from '../local-cluster/local-engines.ts';
import { type Arguments, runCommand, takeOverSignals, UsageError } from './arguments.ts';

const help = `
cluster    runs the whole cluster profile on this machine, for trying and testing: one process for each role, and a
           front at HOST:PORT that hands each request to one of them

  --data-dir DIR    what the engines started here keep, their logs, the secrets (DATA_DIR, or ./data)
  --api N           processes that answer (2)
  --projectors N    processes that fold the log (2)
  --webhooks N      processes that send webhooks (2)
  --compact         all roles in one process, on the same engines

It takes the environment of start (docs/operate.md). An engine whose address is in it is used there; the others are
started here: EventStoreDB's protocol by a double, which is not EventStoreDB, PostgreSQL, MongoDB's protocol, Redis and
Kafka. DIR/cluster.json tells the processes and their ports. SIGTERM or Ctrl-C ends all of them.`;

const MOST = 16;
/** The options that say how many processes of a role there are. */
const COUNTED: Partial<Record<Role, string>> = { api: 'api', projector: 'projectors', webhooks: 'webhooks' };

async function cluster(args: Arguments): Promise<number> {
  if (args.positionals.length > 0) throw new UsageError(`cluster takes no ${args.positionals[0]}`);
  const processes = await plannedProcesses(args);
  const { readClusterConfig } = await import('../local-cluster/local-cluster-config.ts');
  const config = readClusterConfig(process.env, args.dataDir);
  const { makeDataFolder } = await import('../../platform/data-folder/data-folder.ts');
  const folder = makeDataFolder(config.dataDir);
  const say = (text: string) => process.stdout.write(`${text}\n`);

  const stopping = new AbortController();
  takeOverSignals(() => stopping.abort(new Stopped()));
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
  try {
    const started = await start({ ...config, dataDir: folder }, processes, stopping.signal);
    say(`listening on ${started.listening}`);
    started.ready.then(
      () => say('ready'),
      () => {},
    );
    await stopped;
    await started.stop();
    return 0;
  } catch (error) {
    if (error instanceof Stopped) return 0;
    if (!(error instanceof EnginesMissing)) throw error;
    for (const line of error.lines) process.stderr.write(`${line}\n`);
    return 1;
  }
}

/** A signal arrived before everything had started. */
class Stopped extends Error {}

async function start(config: Config, processes: readonly PlannedProcess[], signal: AbortSignal) {
  const { startLocalCluster } = await import('../local-cluster/local-cluster.ts');
  const { programsFolder } = await import('../engines/engine.ts');
  // The launcher is run from the source; it builds what it runs.
  const launcher = process.argv[1]!;
  return startLocalCluster(
    {
      folder: config.dataDir,
      config,
      processes,
      environment: process.env,
      programs: programsFolder(),
      engines: async () => (await import('../local-cluster/shipped-engines.ts')).shippedEngines,
      command: [process.execPath, ...process.execArgv, launcher, 'start'],
      reaper: [process.execPath, join(dirname(launcher), 'process-reaper.mjs')],
      warn: (line) => void process.stderr.write(`${line}\n`),
    },
    signal,
  );
}

/** Two processes of each role that may have several, one of each other one; with `--compact` one of all. */
async function plannedProcesses(args: Arguments): Promise<readonly PlannedProcess[]> {
  if (args.flag('compact')) {
    const other = Object.values(COUNTED).find((option) => args.text(option) !== undefined);
    if (other) throw new UsageError(`--${other} does not go with --compact, which starts one process`);
    return [{ name: 'all-1', roles: ROLES }];
  }
  const counted = ROLES.map((role) => [role, COUNTED[role] ? numberOf(args, COUNTED[role]) : 1]);
  const { processesOfRoles } = await import('../local-cluster/local-cluster.ts');
  return processesOfRoles(Object.fromEntries(counted));
}

function numberOf(args: Arguments, option: string): number {
  const text = args.text(option) ?? '2';
  const number = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > MOST) throw new UsageError(`--${option} must be a whole number from 1 to ${MOST}`);
  return number;
}

const options = {
  api: { type: 'string' },
  projectors: { type: 'string' },
  webhooks: { type: 'string' },
  compact: { type: 'boolean' },
} as const;

export const run = (argv: readonly string[]) => runCommand({ help, options, run: cluster }, argv);
