import { constants, copyFileSync, existsSync, linkSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Kysely } from 'kysely';
import { findMissingCharges } from '../../accounts/journal/recover-charges.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { openSqliteLog } from '../../event-log/sqlite/sqlite-log.ts';
import { readReplacements } from '../../event-log/subscription/follow-replacements.ts';
import { findDataFolder } from '../../platform/data-folder/data-folder.ts';
import { readSecret } from '../../platform/data-folder/folder-file.ts';
import { lockFolder } from '../../platform/data-folder/folder-lock.ts';
import { archiveFile, databaseFile, journalFiles, secretFile } from '../../platform/data-folder/folder-paths.ts';
import type { QueryRunner } from '../../platform/sql/query-runner.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { createSqliteRunner } from '../../platform/sqlite/sqlite-runner.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import { openSqliteStore } from '../../read-models/store/sqlite/sqlite-store.ts';
import { openRegistry } from '../composition/registry.ts';
import { assertDatabaseKept } from './begun-database.ts';
import { EmptyFolder } from './embedded-stores.ts';

/** A data folder that no server uses. It is read and not changed. */
export interface FolderAtRest {
  /** The log as it was written: records are not upcast. */
  readonly log: EventLog;
  readonly store: ReadStore;
  readonly database: SqliteDatabase;
  readonly registry: Kysely<any>;
  readonly runner: QueryRunner;
  /** The pepper kept in the folder; undefined: its server got one from the environment. */
  readonly pepper: string | undefined;
  close(): Promise<void>;
}

/** The last server ended in the middle of its work, and its next start has to finish that work. */
export class FolderNotProjected extends Error {
  readonly code = 'folder_unfinished';
  constructor(folder: string, what: string) {
    super(`${folder} was not closed in order (${what}): start a server on it, end it by SIGTERM, and run this again`);
    this.name = 'FolderUnfinished';
  }
}

/** @throws FolderInUse, DataFolderError, EmptyFolder, FolderUnfinished */
export async function openFolderAtRest(dataDir: string): Promise<FolderAtRest> {
  const folder = findDataFolder(dataDir);
  assertDatabaseKept(folder);
  const file = databaseFile(folder);
  if (!existsSync(file)) throw new EmptyFolder(`there is nothing to move: the data folder ${folder} is empty`);
  const lock = lockFolder(folder, 'replay', { isTold: false });
  const opened: SqliteDatabase[] = [];
  let view: string | undefined;
  const close = async () => {
    for (const database of opened.reverse()) database.close();
    if (view !== undefined) rmSync(view, { recursive: true, force: true });
    lock.release();
  };
  try {
    view = makeView(folder);
    linkDatabases(folder, view);
    const seen = view;
    const open = (): SqliteDatabase => {
      const database = openSqliteDatabase({ file: databaseFile(seen), readonly: true });
      opened.push(database);
      return database;
    };
    const database = open();
    const log = openSqliteLog({ database: open(), archive: archiveFile(seen), readonly: true });
    await readReplacements(log);
    const store = openSqliteStore({ database: open() });
    const unfinished = whatIsUnfinished(database) ?? (await chargesOnTheirWay(folder, log, store));
    if (unfinished !== undefined) throw new FolderNotProjected(folder, unfinished);
    return {
      log,
      store,
      database,
      pepper: readSecret(secretFile(folder, 'key-pepper')),
      registry: await openRegistry(open(), true),
      runner: createSqliteRunner(open()),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Puts the databases of a folder into a second one. Reading a SQLite database together with its WAL writes to a file beside the
 * database, so that happens in the second folder.
 * @param view empty
 */
export function linkDatabases(folder: string, view: string): void {
  for (const file of [databaseFile, archiveFile]) {
    if (!existsSync(file(folder))) continue;
    linkOrCopy(file(folder), file(view));
    const behind = (of: string): string => `${file(of)}-wal`;
    if (existsSync(behind(folder))) copyFileSync(behind(folder), behind(view));
  }
}

/** Links beside the folder, which copies no byte; otherwise copies to the temporary folder. */
function makeView(folder: string): string {
  try {
    const view = join(dirname(folder), `.${basename(folder)}.moving`);
    // Left by a killed process: nobody else uses the folder now.
    rmSync(view, { recursive: true, force: true });
    mkdirSync(view, { mode: 0o700 });
    return view;
  } catch {
    return mkdtempSync(join(tmpdir(), 'moving-'));
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
  }
}

async function chargesOnTheirWay(folder: string, log: EventLog, store: ReadStore): Promise<string | undefined> {
  const { missing, damage } = await findMissingCharges(log, store, journalFiles(folder));
  return missing.length > 0 || damage.length > 0 ? 'charges are not in its log yet' : undefined;
}

/** Tables that folders of earlier versions lack, or have under other names. */
const TABLES_OF_THIS_VERSION = [
  'webhook_places',
  'webhook_quiet',
  'quarantine_counts',
  'untried_keys',
  'running_calls',
  'background_jobs',
  'idempotency_records',
];

function whatIsUnfinished(database: SqliteDatabase): string | undefined {
  const tables = new Set(database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").raw().all().flat());
  for (const table of TABLES_OF_THIS_VERSION) {
    if (!tables.has(table)) return 'by a server of an earlier version';
  }
  for (const table of ['untried_keys', 'quarantine_claims']) {
    if (database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined) return 'messages were being taken in';
  }
  return undefined;
}
