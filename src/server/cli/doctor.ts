import { type Arguments, runCommand, UsageError } from './arguments.ts';

const help = `
doctor    looks at what a start of the server needs, and says what to do where something is missing: Node, the user, the
          settings, the data folder with its rights, secrets and disk, the ports, the clock, and the engines of a cluster

  --json            one line of JSON: {ok, version, checks: [{check, status, says, todo}]}
  --data-dir DIR    the data folder (DATA_DIR, or ./data)

It takes the environment of start, changes nothing, and may run beside a server.
Exit codes: 0 nothing stands in the way; 1 something does.`;

async function doctor(args: Arguments): Promise<number> {
  if (args.positionals.length > 0) throw new UsageError(`doctor takes no ${args.positionals[0]}`);
  const { realEnvironment, silentLog } = await import('../composition/environment.ts');
  const { examine } = await import('../doctor/examine.ts');
  const environment = realEnvironment(silentLog);
  const checks = await examine(process.env, args.dataDir, environment);
  const inTheWay = checks.filter(({ status }) => status === 'failed').length;
  if (args.flag('json')) {
    process.stdout.write(`${JSON.stringify({ ok: inTheWay === 0, version: environment.version, checks })}\n`);
    return inTheWay === 0 ? 0 : 1;
  }
  for (const { check, status, says, todo } of checks) {
    process.stdout.write(`${status.padEnd(8)} ${check.padEnd(13)} ${says}\n`);
    if (todo !== null) process.stdout.write(`${' '.repeat(23)}-> ${todo}\n`);
  }
  const end = inTheWay === 1 ? 'one thing stands' : inTheWay === 0 ? 'nothing stands' : `${inTheWay} things stand`;
  process.stdout.write(`${end} in the way\n`);
  return inTheWay === 0 ? 0 : 1;
}

const form = { help, options: { json: { type: 'boolean' } }, run: doctor } as const;
export const run = (argv: readonly string[]) => runCommand(form, argv);
