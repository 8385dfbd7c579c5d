import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Arguments, fromWhereCalled, runCommand, UsageError } from '../src/cli/arguments.ts';
import { type Benchmark, type Figure, isReached, ratioOf } from './benchmark.ts';
import { benchmarks } from './index.ts';
import { table } from './table.ts';

const help = () => `
bench [NAME...]    the benchmarks: each measures a floor (the bare library, the bare server) in the same run

${benchmarks.map(({ name, summary }) => `  ${name.padEnd(16)}${summary}`).join('\n')}

  --json FILE      writes the figures as JSON too

LEDGERLINE_DATA names a folder of real data files, for the benchmarks that measure on them.`;

async function bench(args: Arguments): Promise<number> {
  const chosen = choose(args.positionals);
  const rows: { benchmark: string; figure: Figure }[] = [];
  for (const benchmark of chosen) {
    for (const figure of await measure(benchmark)) rows.push({ benchmark: benchmark.name, figure });
  }
  process.stdout.write(`${table(rows)}\n`);
  const file = args.text('json');
  if (file !== undefined) {
    const figures = rows.map(({ benchmark, figure }) => ({
      benchmark,
      ...figure,
      ratio: ratioOf(figure),
      reached: isReached(figure),
    }));
    const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
    writeFileSync(fromWhereCalled(file), `${JSON.stringify({ machine, figures }, null, 2)}\n`);
  }
  return rows.some(({ figure }) => isReached(figure) === false) ? 1 : 0;
}

function choose(names: readonly string[]): readonly Benchmark[] {
  for (const name of names) {
    if (benchmarks.some((benchmark) => benchmark.name === name)) continue;
    throw new UsageError(`there is no benchmark ${name}; there are ${benchmarks.map((one) => one.name).join(', ')}`);
  }
  return names.length === 0 ? benchmarks : benchmarks.filter(({ name }) => names.includes(name));
}

async function measure(benchmark: Benchmark): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerline-bench-'));
  const discard = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', discard);
  const say = (text: string) => void process.stderr.write(`${benchmark.name}: ${text}\n`);
  try {
    return await benchmark.run({ folder, data: process.env['LEDGERLINE_DATA'] || undefined, say });
  } finally {
    process.off('exit', discard);
    discard();
  }
}

const form = { help: async () => help(), options: { json: { type: 'string' } }, run: bench } as const;
export const run = (argv: readonly string[]) => runCommand(form, argv);
