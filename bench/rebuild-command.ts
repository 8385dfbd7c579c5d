import { databaseFile } from '../src/platform/data-folder/folder-paths.ts';
import type { Figure } from './benchmark.ts';
import { runLaunched } from './launched.ts';
import { readAndParse } from './rows-floor.ts';
import { takenIn } from './ticked-folder.ts';

export interface CommandSizes {
  readonly events: number;
  readonly rounds: number;
}

/**
 * Read models by the `rebuild` command, its start included, of folders that `ingest` filled with odds of many books.
 * @param small what the rate of the large one is compared with
 */
export async function rebuildByCommand(folder: string, small: CommandSizes, large: CommandSizes): Promise<Figure[]> {
  const few = await rebuilt(`${folder}-small`, small);
  const many = await rebuilt(`${folder}-large`, large);
  return [
    ...[few, many].flatMap(({ records, floor, all, movements }) => {
      const size = `${records.toLocaleString('en')} records, by the command`;
      return [
        { what: `all read models, ${size}`, value: all, unit: 'records/s', floor },
        { what: `odds-movements, ${size}`, value: movements, unit: 'records/s', floor },
      ];
    }),
    {
      what: 'all read models by the command, large',
      value: many.all,
      unit: 'records/s',
      floor: { what: `at ${few.records.toLocaleString('en')}`, value: few.all },
      goal: { of: 'ratio', bound: 'at least', number: 0.8 },
    },
    {
      what: 'odds-movements by the command, large',
      value: many.movements,
      unit: 'records/s',
      goal: { of: 'value', bound: 'at least', number: 60_000 },
    },
  ];
}

async function rebuilt(folder: string, { events, rounds }: CommandSizes) {
  await takenIn(folder, { name: 'rebuilt', events, rounds, now: Date.now() });
  const { records, seconds } = readAndParse(databaseFile(folder));
  const all = await runLaunched('rebuild', [], { folder });
  const movements = await runLaunched('rebuild', ['--projection', 'odds-movements'], { folder });
  return {
    records,
    floor: { what: 'rows read and parsed', value: records / seconds },
    all: records / all.seconds,
    movements: records / movements.seconds,
  };
}
