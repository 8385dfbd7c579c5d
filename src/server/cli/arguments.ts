import { type ParseArgsConfig, parseArgs } from 'node:util';
import { fromWhereCalled } from '../../platform/where-called.ts';
import { errorLine } from '../control/error-line.ts';

/** A bad argument: prints one line, exits with 2. */
export class UsageError extends Error {
  readonly code = 'usage';
}

/** An error that the operator can understand: prints one line, exits with 1. */
export class CommandError extends Error {
  readonly code: string = 'command';
}

type Options = NonNullable<ParseArgsConfig['options']>;

export interface Arguments {
  readonly positionals: readonly string[];
  /** The last value of an option; undefined if it is absent. */
  text(name: string): string | undefined;
  flag(name: string): boolean;
  /** From --data-dir; undefined: DATA_DIR counts. */
  readonly dataDir: string | undefined;
}

export interface CommandForm {
  /** The text of --help. */
  readonly help: string | (() => Promise<string>);
  readonly options?: Options;
  /** @returns the exit code */
  run(args: Arguments): Promise<number>;
}

const COMMON: Options = { help: { type: 'boolean', short: 'h' }, 'data-dir': { type: 'string' } };

/** Runs a command with its arguments. Never throws. @returns the exit code */
export async function runCommand(form: CommandForm, argv: readonly string[]): Promise<number> {
  // Files of a command are private: hashes of keys, charges, messages.
  process.umask(0o077);
  endOnSignals();
  try {
    const args = parse(form.options ?? {}, argv);
    if (args.flag('help')) {
      process.stdout.write(`${(typeof form.help === 'string' ? form.help : await form.help()).trim()}\n`);
      return 0;
    }
    return await form.run(args);
  } catch (error) {
    return report(error);
  }
}

function parse(options: Options, argv: readonly string[]): Arguments {
  const merged = { ...options, ...COMMON };
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...argv], options: merged, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message.split(/\. |\n/)[0]!.replace(/\.$/, ''));
  }
  const values = parsed.values as Record<string, string | boolean | undefined>;
  const text = (name: string) => values[name] as string | undefined;
  for (const [name, option] of Object.entries(merged)) {
    if (option.type === 'string' && text(name)?.trim() === '') throw new UsageError(`--${name} must not be empty`);
  }
  const dataDir = text('data-dir');
  return {
    positionals: parsed.positionals,
    text,
    flag: (name) => values[name] === true,
    dataDir: dataDir === undefined ? undefined : fromWhereCalled(dataDir),
  };
}

function report(error: unknown): number {
  const usage = error instanceof UsageError;
  process.stderr.write(`${errorLine(error)}${usage ? ' (--help tells more)' : ''}\n`);
  return usage ? 2 : 1;
}

const SIGNAL_EXIT = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * A command may be ended at any moment: its writes are transactions, so leaving at once is safe. `takeOverSignals` is for
 * the server, which has streams to end and requests to finish.
 */
function endOnSignals(): void {
  for (const signal of Object.keys(SIGNAL_EXIT) as (keyof typeof SIGNAL_EXIT)[]) {
    process.on(signal, () => {
      if (process.stderr.isTTY) process.stderr.write('\n');
      process.exit(SIGNAL_EXIT[signal]);
    });
  }
  // The reader of the output has left (`| head`), so end as by a signal.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 141 : 1));
}

export function takeOverSignals(handler: (signal: NodeJS.Signals) => void): void {
  for (const signal of Object.keys(SIGNAL_EXIT)) process.removeAllListeners(signal);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => handler(signal));
}
