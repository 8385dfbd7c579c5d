import { type Arguments, runCommand, UsageError } from './arguments.ts';

const help = `
start    starts the server; docs/operate.md lists the variables of the environment that configure it

  --data-dir DIR    the data folder (DATA_DIR, or ./data)

On an empty data folder it runs the demo, a simulated day of sport; FEEDS=none starts without it.
Standard output tells where it listens and what the folder holds; logs are JSON on standard error.
SIGTERM or Ctrl-C: it finishes what is in flight and exits 0.`;

async function start(args: Arguments): Promise<number> {
  if (args.positionals.length > 0) throw new UsageError(`start takes no ${args.positionals[0]}`);
  const { serve } = await import('./serve.ts');
  return serve(process.env, args.dataDir);
}

export const run = (argv: readonly string[]) => runCommand({ help, run: start }, argv);
