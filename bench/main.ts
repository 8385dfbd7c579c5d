import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromWhereCalled } from '../src/platform/where-called.ts';
import { type Arguments, runCommand, UsageError } from '../src/server/cli/arguments.ts';
import { type Benchmark, type Figure, isReached, ratioOf } from './benchmark.ts';
import { benchmarks } from './index.ts';
import { type Conditions, conditions, conditionsText } from './machine.ts';
import { overRuns } from './runs.ts';
import { table } from './table.ts';

const RUNS = 3;

const help = () => `
bench [NAME...]    the benchmarks: each measures a floor (the bare library, the bare server) in the same run

${benchmarks.map(({ name, summary }) => `  ${name.padEnd(16)}${summary}`).join('\n')}

  --runs N         how often each is run, in place of its own number (mostly ${RUNS}): the table has the median of the
                   runs, and in "runs" the least and the most of them
  --quick          small sizes where a benchmark has them, once, and no goals: shows that the benchmarks work, not how
                   fast anything is
  --json FILE      writes the figures as JSON too

${benchmarks
  .filter(({ isLong }) => isLong)
  .map(({ name }) => name)
  .join(', ')} takes hours, and runs only when it is named.

LEDGERLINE_DATA names a folder of real data files, for the benchmarks that measure on them.`;

interface Measured {
  readonly benchmark: string;
  readonly runs: number;
  readonly figures: readonly Figure[];
  readonly before: Conditions;
  readonly after: Conditions;
}

async function bench(args: Arguments): Promise<number> {
  const chosen = choose(args.positionals);
  const quick = args.flag('quick');
  const runs = runsOf(args.text('runs'));
  const measured: Measured[] = [];
  for (const benchmark of chosen) measured.push(await measure(benchmark, quick, runs));
  const rows = measured.flatMap(({ benchmark, figures }) => figures.map((figure) => ({ benchmark, figure })));
  process.stdout.write(`${table(rows)}\n\n${measured.map(machineLine).join('\n')}\n`);
  if (quick) process.stdout.write('--quick: of too small sizes to tell how fast anything is\n');
  const file = args.text('json');
  if (file !== undefined) {
    const figures = rows.map(({ benchmark, figure }) => ({
      benchmark,
      ...figure,
      ratio: ratioOf(figure),
      reached: isReached(figure),
    }));
    const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
    const conditionsOf = measured.map(({ benchmark, runs, before, after }) => ({ benchmark, runs, before, after }));
    const text = JSON.stringify({ machine, quick, conditions: conditionsOf, figures }, null, 2);
    writeFileSync(fromWhereCalled(file), `${text}\n`);
  }
  return rows.some(({ figure }) => isReached(figure) === false) ? 1 : 0;
}

const machineLine = ({ benchmark, runs, before, after }: Measured) =>
  `${benchmark}: ${runs === 1 ? 'one run' : `${runs} runs`}; before, ${conditionsText(before)}; after, ${conditionsText(after)}`;

function choose(names: readonly string[]): readonly Benchmark[] {
  for (const name of names) {
    if (benchmarks.some((benchmark) => benchmark.name === name)) continue;
    throw new UsageError(`there is no benchmark ${name}; there are ${benchmarks.map((one) => one.name).join(', ')}`);
  }
  return names.length === 0
    ? benchmarks.filter(({ isLong = false }) => !isLong)
    : benchmarks.filter(({ name }) => names.includes(name));
}

function runsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d?$/.test(text)) throw new UsageError('--runs is a number from 1 to 99');
  return Number(text);
}

async function measure(benchmark: Benchmark, quick: boolean, asked: number | undefined): Promise<Measured> {
  const runs = asked ?? (quick ? 1 : (benchmark.runs ?? RUNS));
  const folder = mkdtempSync(join(tmpdir(), 'ledgerline-bench-'));
  const discard = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', discard);
  const say = (text: string) => void process.stderr.write(`${benchmark.name}: ${text}\n`);
  const data = process.env['LEDGERLINE_DATA'] || undefined;
  try {
    const before = conditions(folder);
    const told: (readonly Figure[])[] = [];
    for (let run = 1; run <= runs; run++) {
      if (runs > 1) say(`run ${run} of ${runs}`);
      const own = join(folder, String(run));
      mkdirSync(own);
      told.push(await benchmark.run({ folder: own, data, quick, say }));
      rmSync(own, { recursive: true, force: true });
    }
    const figures = overRuns(told).map(({ goal, ...figure }) => (quick ? figure : { ...figure, goal }));
    return { benchmark: benchmark.name, runs, figures, before, after: conditions(folder) };
  } finally {
    process.off('exit', discard);
    discard();
  }
}

const form = {
  help: async () => help(),
  options: { json: { type: 'string' }, runs: { type: 'string' }, quick: { type: 'boolean' } },
  run: bench,
} as const;
export const run = (argv: readonly string[]) => runCommand(form, argv);
