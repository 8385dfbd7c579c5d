import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { readJournal } from '../../accounts/journal/read-journal.ts';
import { isChargesEntry } from '../../accounts/journal/validate-entry.ts';
import type { Projection } from '../../domain/event-sourcing/projection.ts';
import { openArchivedContents } from '../../event-log/sqlite/archived-contents.ts';
import { checkLog } from '../../event-log/sqlite/log-checksum.ts';
import { findWalDamage } from '../../event-log/sqlite/wal-damage.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { createClockMarkerFile } from '../../platform/clock/clock-marker-file.ts';
import { findDataFolder } from '../../platform/data-folder/data-folder.ts';
import {
  archiveFile,
  clockFile,
  databaseFile,
  demoStateFile,
  journalFiles,
} from '../../platform/data-folder/folder-paths.ts';
import type { Config } from '../../platform/settings/config.ts';
import { hasChecksums } from '../../platform/sqlite/checksums.ts';
import { findDamage } from '../../platform/sqlite/find-damage.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { findChangedTable, tablesOf } from '../../platform/sqlite/table-checksums.ts';
import { checkQueryTables } from '../../read-models/store/sqlite/check-query-tables.ts';
import { demoFile } from '../../sources/demo/demo-run-file.ts';
import { isDerived } from '../backup/derived-tables.ts';
import { findPepper } from '../composition/key-pepper.ts';
import { isOfRegistry } from '../composition/registry-ports.ts';
import { isServerListening } from '../control/control-client.ts';
import { assertDatabaseKept } from './begun-database.ts';
import { EmptyFolder } from './embedded-stores.ts';

/** One line for the operator. */
export interface FolderLine {
  readonly text: string;
  readonly isDamage: boolean;
  /** A database is damaged, so that nothing more can be said. */
  readonly isEnd?: true;
}

/** What `verify` does not look at, for the operator. */
export const NOT_LOOKED_AT =
  'not looked at: mail/, lock.db, lock.json, control.sock; session-secret.secret but for its length; charges and commits ' +
  'that are missing at the end of a journal or of a -wal file; records from before this version had checksums; the disk itself';

const whole = (text: string): FolderLine => ({ text, isDamage: false });
const damaged = (what: string, damage: string): FolderLine => ({ text: `${what}: DAMAGED: ${damage}`, isDamage: true });

/**
 * Checks the files of a data folder, and then what the databases hold as far as it can be known without folding the log.
 * A server may run on it. Ends after a damaged database: nothing else can be said then.
 * @param onProgress gets the number of records or documents that were looked at
 * @throws DataFolderError, EmptyFolder, ArchiveError
 */
export async function* verifyFolder(
  config: Pick<Config, 'dataDir' | 'keyPepper'>,
  projections: readonly Projection[],
  onProgress: (what: string, done: number) => void = () => {},
): AsyncGenerator<FolderLine> {
  const folder = findDataFolder(config.dataDir);
  assertDatabaseKept(folder);
  const file = databaseFile(folder);
  if (!existsSync(file)) throw new EmptyFolder(`the data folder ${folder} is empty`);
  const isAtRest = !(await isServerListening(folder));
  yield* isAtRest ? smallFiles(folder) : [whole('journals and -wal files: in use by the server, not looked at')];
  const files = [file, archiveFile(folder)].filter((one) => existsSync(one));
  let isWhole = true;
  for (const one of files) {
    const line = databaseLine(one, isAtRest);
    isWhole &&= !line.isDamage;
    yield line.isDamage ? { ...line, isEnd: true } : line;
  }
  if (!isWhole) return;
  const database = openSqliteDatabase({ file, readonly: true });
  try {
    yield pepperLine(database, folder, config.keyPepper);
    if (hasChecksums(database)) {
      yield* tableLines(database);
      yield await logLine(database, archiveFile(folder), onProgress);
    } else yield whole('checksums: none yet, the next start makes them');
    yield* queryTableLines(database, projections, onProgress);
  } finally {
    database.close();
  }
}

function* smallFiles(folder: string): Generator<FolderLine> {
  const journals = journalFiles(folder);
  const { damage } = readJournal(journals, { isEntry: isChargesEntry });
  for (const { file, place, bytes } of damage)
    yield damaged(file, `${bytes} bytes from byte ${place} on cannot be read`);
  for (const file of journals) {
    if (existsSync(file) && !damage.some((one) => one.file === file)) yield whole(`${basename(file)}: whole`);
  }
  const forms: readonly [string, (file: string) => boolean][] = [
    [clockFile(folder), (file) => createClockMarkerFile(file).read() !== null],
    [demoStateFile(folder), (file) => demoFile(file).read() !== undefined],
  ];
  for (const [file, isRight] of forms) {
    if (!existsSync(file)) continue;
    yield isRight(file) ? whole(`${basename(file)}: whole`) : damaged(file, 'it holds something else');
  }
}

function databaseLine(file: string, isAtRest: boolean): FolderLine {
  if (statSync(file).size === 0) return damaged(file, 'it is empty');
  const behind = isAtRest ? findWalDamage(file) : undefined;
  if (behind !== undefined) return damaged(`${file}-wal`, behind);
  try {
    const database = openSqliteDatabase({ file, readonly: true });
    try {
      const damage = findDamage(database);
      if (damage !== undefined) return damaged(file, damage);
    } finally {
      database.close();
    }
  } catch (error) {
    return damaged(file, (error as Error).message);
  }
  return whole(`${basename(file)}: whole, by SQLite's integrity_check`);
}

function pepperLine(database: SqliteDatabase, folder: string, given: string | undefined): FolderLine {
  const { isKnown, problem } = findPepper(database, folder, given);
  if (problem !== undefined) return damaged('pepper', problem);
  return whole(`pepper: ${isKnown ? 'the one that the keys were made with' : 'not known yet'}`);
}

function* tableLines(database: SqliteDatabase): Generator<FolderLine> {
  let count = 0;
  for (const table of tablesOf(database)) {
    if (!isOfRegistry(table) && !isDerived(table)) continue;
    const found = findChangedTable(database, table);
    if (found) yield damaged(`table ${table}`, found);
    else if (found === undefined) yield whole(`table ${table}: no checksum yet, the next start makes it`);
    else count++;
  }
  yield whole(`tables: ${count} are as they were written`);
}

async function logLine(
  database: SqliteDatabase,
  archive: string,
  onProgress: (what: string, done: number) => void,
): Promise<FolderLine> {
  const archived = openArchivedContents(database, archive);
  try {
    const { records, uncovered, damage } = await checkLog(database, archived, async (done) => {
      onProgress('log', done);
      await yieldToEventLoop();
    });
    if (damage !== null) return damaged('log', damage);
    const earlier = uncovered === 0 ? '' : `; ${uncovered} before them are of an earlier version and have no checksum`;
    return whole(`log: ${records} records are as they were written${earlier}`);
  } catch (error) {
    // What an archived block holds can no longer be unpacked.
    return damaged('log', (error as Error).message);
  } finally {
    archived.close();
  }
}

async function* queryTableLines(
  database: SqliteDatabase,
  projections: readonly Projection[],
  onProgress: (what: string, done: number) => void,
): AsyncGenerator<FolderLine> {
  for (const projection of projections) {
    const found = await checkQueryTables(database, projection, async (done) => {
      onProgress(projection.name, done);
      await yieldToEventLoop();
    });
    if (found && found.damage !== null) yield damaged(projection.name, found.damage);
  }
}
