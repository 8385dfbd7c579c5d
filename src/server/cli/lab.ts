import { fromWhereCalled } from '../../platform/where-called.ts';
import type { LabOptions } from '../lab/run-lab.ts';
import { type Arguments, CommandError, runCommand, UsageError } from './arguments.ts';
import { showProgress } from './progress.ts';

const help = `
lab run --from DATE --to DATE -- PROGRAM ARGS
            plays what the log holds of these days to a program, over its standard input and output: a line a change, in
            the order in which sources observed them; tells what its bets would have been worth (docs/lab.md)

  --from DATE         the first UTC date that is played (2025-01-31)
  --to DATE           the last one
  --league LEAGUE     only this league
  --books A,B         bookmakers where it can bet; every one unless told
  --latency TIME      from a bet to the moment at which it is filled: 2s (the default), 500ms, 1m
  --stake-limit N     the most that one bookmaker takes on one outcome of an event
  --data-dir DIR      the data folder (DATA_DIR, or ./data)

Standard output is one JSON: bets, fills, refusals, profit, closing value and drawdown, at latencies of 0, 5, 60 and
600 s too. The same log, options and program give the same bytes. It may run beside the server.
Exit codes: 0; 1 the folder cannot be read, or the program broke the rules; 2 bad arguments.`;

/** Milliseconds that a program may be silent in its turn, and may take to end. */
const SILENCE = 60_000;
const ENDING = 5000;

async function runLabCommand(args: Arguments): Promise<number> {
  const { command, ...options } = await readOptions(args);
  const { readConfig } = await import('../../platform/settings/config.ts');
  const { VARIABLES } = await import('../../platform/settings/variables.ts');
  const { openForReading, openScratchStore } = await import('../embedded/embedded-stores.ts');
  const { realEnvironment, silentLog } = await import('../composition/environment.ts');
  const { openLab } = await import('../lab/open-lab.ts');
  const { runLab } = await import('../lab/run-lab.ts');
  const { startProgram } = await import('../lab/lab-program.ts');
  const { hashOfProgram } = await import('../lab/program-hash.ts');
  const config = readConfig(process.env, args.dataDir);
  const ports = await openForReading(config);
  const progress = showProgress('lab', 'records');
  try {
    const lab = await openLab({
      ...realEnvironment(silentLog),
      ...{ ports, config, openScratch: openScratchStore, onFolding: () => {} },
    });
    if (!lab) throw new CommandError('the log is empty: there is nothing to play');
    const folder = fromWhereCalled('.');
    const hash = hashOfProgram(command, folder);
    // The program needs no setting of the server, and no secret.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !Object.hasOwn(VARIABLES, name)));
    const program = startProgram({ command, folder, env, silence: SILENCE, ending: ENDING });
    const kill = () => program.kill();
    process.once('exit', kill);
    try {
      const run = await runLab(lab, program, {
        ...options,
        onProgress: (_, done, total) => progress.update(done, total),
      });
      progress.end();
      process.stdout.write(
        `${JSON.stringify({ ...shownOptions(options), ...runOf(lab.position, command, hash), ...run })}\n`,
      );
      return 0;
    } finally {
      kill();
      process.off('exit', kill);
      await lab.close();
    }
  } finally {
    progress.end();
    await ports.close();
  }
}

const runOf = (position: string, command: readonly string[], sha256: string) => ({
  position,
  program: { command, sha256 },
});

type Options = Omit<LabOptions, 'onProgress'> & { readonly dates: readonly [from: string, to: string] };

const shownOptions = ({ dates, league, books, latency, stakeLimit }: Options) => ({
  from: dates[0],
  to: dates[1],
  league: league ?? null,
  books: books ? [...books].sort() : null,
  latency_seconds: latency / 1000,
  stake_limit: stakeLimit ?? null,
});

/** @throws UsageError that names the option */
async function readOptions(args: Arguments): Promise<Options & { readonly command: readonly [string, ...string[]] }> {
  const { DAY, parseDate } = await import('../../domain/primitives/time.ts');
  const { SPORTS } = await import('../../domain/catalogue/catalogue.ts');
  const [what, program, ...rest] = args.positionals;
  if (what !== 'run') throw new UsageError(`lab needs run${what === undefined ? '' : `, not ${what}`}`);
  if (program === undefined) throw new UsageError('lab run needs -- PROGRAM ARGS');
  const dateOf = (name: string): readonly [text: string, time: number] => {
    const text = args.text(name);
    if (text === undefined) throw new UsageError(`lab run needs --${name} DATE`);
    const date = parseDate(text);
    if (date === null) throw new UsageError(`--${name} ${text} is no date such as 2025-01-31`);
    return [text, date];
  };
  const [from, to] = [dateOf('from'), dateOf('to')];
  if (from[1] > to[1]) throw new UsageError('--from must not be after --to');
  const league = args.text('league');
  const slugs = SPORTS.flatMap(({ leagues }) => leagues.map(({ slug }) => slug));
  if (league !== undefined && !slugs.includes(league))
    throw new UsageError(`--league ${league} is none of ${slugs.join(', ')}`);
  return {
    command: [program, ...rest],
    dates: [from[0], to[0]],
    from: from[1],
    to: to[1] + DAY - 1,
    league,
    books: booksOf(args.text('books')),
    latency: latencyOf(args.text('latency')),
    stakeLimit: stakeLimitOf(args.text('stake-limit')),
  };
}

function booksOf(text: string | undefined): ReadonlySet<string> | undefined {
  if (text === undefined) return undefined;
  const books = text.split(',').map((book) => book.trim().toLowerCase());
  const wrong = books.find((book) => !/^[a-z0-9_]{1,40}$/.test(book));
  if (wrong !== undefined) throw new UsageError(`--books: ${wrong || 'an empty name'} is no slug of a bookmaker`);
  return new Set(books);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };
const DEFAULT_LATENCY = '2s';
const MAX_LATENCY = 3_600_000;

function latencyOf(text = DEFAULT_LATENCY): number {
  const [, number, unit] = /^(\d{1,9})(ms|s|m)$/.exec(text) ?? [];
  const latency = Number(number) * (UNITS[unit!] ?? Number.NaN);
  if (!(latency <= MAX_LATENCY))
    throw new UsageError(`--latency ${text} is no time up to an hour, such as 2s or 500ms`);
  return latency;
}

function stakeLimitOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const limit = /^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(limit > 0)) throw new UsageError(`--stake-limit ${text} is no number above 0`);
  return limit;
}

const form = {
  help,
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    league: { type: 'string' },
    books: { type: 'string' },
    latency: { type: 'string' },
    'stake-limit': { type: 'string' },
  },
  run: runLabCommand,
} as const;

export const run = (argv: readonly string[]) => runCommand(form, argv);
