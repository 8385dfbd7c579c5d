import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteLog } from '../src/event-log/sqlite/sqlite-log.ts';
import { databaseFile } from '../src/platform/data-folder/folder-paths.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { launch, runLaunched } from './launched.ts';
import { writeOddsLog } from './odds-log.ts';
import { usageOf } from './process-usage.ts';
import { readAndParse } from './rows-floor.ts';

/** Movements to export: each record but the first of a bookmaker moves the two prices of a market. */
const FULL = [1_000_000, 10_000_000];
const QUICK = [20_000];
const PRICES_PER_RECORD = 2;
const LOOK_EVERY_MS = 50;
const MB = 1_000_000;

export const exporting: Benchmark = {
  name: 'export',
  summary: 'the whole odds history exported as Parquet by the command, of 1,000,000 and of 10,000,000 prices',
  runs: 1,
  async run({ folder, quick, say }) {
    const figures: Figure[] = [];
    for (const prices of quick ? QUICK : FULL) {
      const own = join(folder, String(prices));
      say(`writing a log of ${prices} prices`);
      const { records } = await writeFolder(own, prices / PRICES_PER_RECORD);
      const floor = readAndParse(databaseFile(own));
      if (floor.records < records) throw new Error(`the log holds ${floor.records} records, not ${records}`);
      say(`exporting ${prices} prices`);
      const { rows, seconds, memory } = await exported(own, join(folder, `out-${prices}`));
      // The first report of each bookmaker on an event is no movement.
      if (rows < 0.9 * prices) throw new Error(`${rows} rows are not ${prices}`);
      const what = `${prices.toLocaleString('en')} prices`;
      figures.push(
        {
          what: `${what}: rows`,
          value: rows / seconds,
          unit: 'rows/s',
          floor: { what: 'the records read and parsed', value: rows / floor.seconds },
          goal: { of: 'value', bound: 'at least', number: 100_000 },
        },
        {
          what: `${what}: the whole command`,
          value: seconds,
          unit: 's',
          goal: { of: 'value', bound: 'at most', number: 120 },
        },
        {
          what: `${what}: memory at most`,
          value: memory / MB,
          unit: 'MB',
          goal: { of: 'value', bound: 'at most', number: 400 },
        },
      );
    }
    return figures;
  },
};

async function writeFolder(folder: string, records: number) {
  // What a server's folder has beside its log.
  await runLaunched('keys', ['create', '--name', 'bench'], { folder });
  const log = openSqliteLog({ file: databaseFile(folder) });
  const written = await writeOddsLog(log, records);
  await log.close();
  return written;
}

/** Seconds, the start of the command included, and the most memory that was seen, in bytes. */
async function exported(folder: string, out: string) {
  const began = performance.now();
  const child = launch('export', ['odds-history', '--out', out], { folder }, ['ignore', 'ignore', 'inherit']);
  let memory = 0;
  const timer = setInterval(() => {
    // A process that has just ended has no memory.
    memory = Math.max(memory, usageOf(child.pid!).memory || 0);
  }, LOOK_EVERY_MS);
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve)).finally(() =>
    clearInterval(timer),
  );
  if (code !== 0) throw new Error(`export ended with ${code}`);
  const seconds = (performance.now() - began) / 1000;
  const { files } = JSON.parse(readFileSync(join(out, 'odds-history', 'manifest.json'), 'utf8')) as {
    files: { rows: number }[];
  };
  return { rows: files.reduce((sum, { rows }) => sum + rows, 0), seconds, memory };
}
