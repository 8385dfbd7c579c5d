import { type Arguments, runCommand, UsageError } from './arguments.ts';
import { backupVariable } from './restore.ts';

const help = `
start    starts the server; docs/operate.md lists the variables of the environment that configure it

  --data-dir DIR    the data folder (DATA_DIR, or ./data)
  --follow URL      runs a standby: follows the backup of another server, as file:///path or s3://bucket/prefix, in a
                    folder of its own, and only reads until it is promoted (restore --promote)

On an empty data folder it runs the demo, a simulated day of sport; FEEDS=none starts without it.
Standard output tells where it listens and what the folder holds; logs are JSON on standard error.
SIGTERM or Ctrl-C: it finishes what is in flight and exits 0.`;

async function start(args: Arguments): Promise<number> {
  if (args.positionals.length > 0) throw new UsageError(`start takes no ${args.positionals[0]}`);
  const { serve } = await import('./serve.ts');
  const follow = args.text('follow');
  return serve({ ...process.env, ...backupVariable(follow, '--follow') }, args.dataDir, follow !== undefined);
}

export const run = (argv: readonly string[]) =>
  runCommand({ help, options: { follow: { type: 'string' } }, run: start }, argv);
