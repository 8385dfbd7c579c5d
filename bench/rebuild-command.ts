import { databaseFile } from '../src/data-folder/paths.ts';
import type { Figure } from './benchmark.ts';
import { runLaunched } from './launched.ts';
import { readAndParse } from './rows-floor.ts';
import { takenIn } from './ticked-folder.ts';

/** All read models by the `rebuild` command, of a folder that `ingest` filled with odds of many books. */
export async function rebuildByCommand(folder: string, events: number, rounds: number): Promise<Figure> {
  await takenIn(folder, { name: 'rebuilt', events, rounds, now: Date.now() });
  const { records, seconds } = readAndParse(databaseFile(folder));
  const rebuilt = await runLaunched('rebuild', [], { folder });
  return {
    what: `all read models by the command, its start included, ${records.toLocaleString('en')} records`,
    value: records / rebuilt.seconds,
    unit: 'records/s',
    floor: { what: 'rows read and parsed', value: records / seconds },
  };
}
