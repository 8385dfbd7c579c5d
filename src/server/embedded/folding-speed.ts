import { mkdirSync } from 'node:fs';
import { projections } from '../../../projections/index.ts';
import { upcast } from '../../domain/upcasters.ts';
import { openSqliteLog } from '../../event-log/sqlite/sqlite-log.ts';
import { readReplacements } from '../../event-log/subscription/follow-replacements.ts';
import { archiveFile, databaseFile } from '../../platform/data-folder/folder-paths.ts';
import { openSqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { foldIntoScratch } from '../../read-models/projector/verify/fold-into-scratch.ts';
import { openScratchStore } from './embedded-stores.ts';

/** Records that are folded to measure the speed. */
const SAMPLE = 5000;

export interface FoldingSpeed {
  /** Of the whole log. */
  readonly records: number;
  /** Records folded in a second, into all of the read models; null: nothing was folded. */
  readonly recordsPerSecond: number | null;
}

/**
 * Folds the first records of a folder's log into a store of its own.
 * @param folder holds the databases, which are read only
 * @param names of the read models
 * @param scratch a folder that does not exist yet
 * @throws what a record that this version cannot read throws
 */
export async function measureFolding(folder: string, names: readonly string[], scratch: string): Promise<FoldingSpeed> {
  const database = openSqliteDatabase({ file: databaseFile(folder), readonly: true });
  try {
    const log = openSqliteLog({ database, archive: archiveFile(folder), readonly: true, upcast });
    await readReplacements(log);
    const head = await log.head();
    const records = (head === null ? 0 : log.countBetween(null, head)) ?? 0;
    if (records === 0 || names.length === 0) return { records, recordsPerSecond: null };
    const limit = (await log.readAll(null, SAMPLE)).at(-1)!.position;
    mkdirSync(scratch, { mode: 0o700 });
    const scratchStore = openScratchStore(scratch);
    const begun = performance.now();
    try {
      for (const projection of projections)
        if (names.includes(projection.name))
          await foldIntoScratch({ log, projection, scratchStore, batchSize: SAMPLE, limit });
    } finally {
      await scratchStore.close();
    }
    await log.close();
    return { records, recordsPerSecond: (Math.min(SAMPLE, records) * 1000) / (performance.now() - begun) };
  } finally {
    database.close();
  }
}
