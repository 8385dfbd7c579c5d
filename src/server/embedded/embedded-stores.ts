import { join } from 'node:path';
import { createSqlBilledAccounts } from '../../accounts/billing/sql/sql-billing.ts';
import { type DamagedJournal, recoverCharges } from '../../accounts/journal/recover-charges.ts';
import { createSqlSealKeys } from '../../accounts/seal-keys/sql-seal-key-store.ts';
import { upcast } from '../../domain/upcasters.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { estimateKinds } from '../../event-log/sqlite/log-kinds.ts';
import { openSqliteLog } from '../../event-log/sqlite/sqlite-log.ts';
import { followReplacements, readReplacements } from '../../event-log/subscription/follow-replacements.ts';
import { createLogFeed } from '../../event-log/subscription/log-feed.ts';
import { openSqliteResultsStore } from '../../forecasting/learning/sqlite-results-store.ts';
import { SqlIdentities } from '../../ingest/identities/sql/sql-identities.ts';
import { openSqliteStateSnapshots } from '../../ingest/states/sqlite-state-snapshots.ts';
import { createChangeSignal } from '../../platform/async/change-signal.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { createClockMarkerFile } from '../../platform/clock/clock-marker-file.ts';
import { createServerClock, type ServerClock } from '../../platform/clock/server-clock.ts';
import type { WriteGate } from '../../platform/clock/write-gate.ts';
import { findDataFolder } from '../../platform/data-folder/data-folder.ts';
import { archiveFile, clockFile, databaseFile, journalFiles } from '../../platform/data-folder/folder-paths.ts';
import { DAMAGE_ADVICE } from '../../platform/sqlite/disk-errors.ts';
import { findDamageAtStart } from '../../platform/sqlite/find-damage.ts';
import { type DatabaseWatch, openSqliteDatabase, type SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { forgetTableChecksums, keepTableChecksums, tablesOf } from '../../platform/sqlite/table-checksums.ts';
import { readRecordedAt } from '../../read-models/projector/log-end.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import { openSqliteFoldStore } from '../../read-models/store/sqlite/sqlite-fold-store.ts';
import { openSqliteStore } from '../../read-models/store/sqlite/sqlite-store.ts';
import { isCache, isDerived } from '../backup/derived-tables.ts';
import { createDiskGuard, type DiskGuard } from '../composition/disk-guard.ts';
import type { Environment } from '../composition/environment.ts';
import { notePepper } from '../composition/key-pepper.ts';
import type { Ports, ReadPorts, Secrets } from '../composition/ports.ts';
import { openRegistry } from '../composition/registry.ts';
import { openRegistryPorts } from '../composition/registry-ports.ts';
import { noteVersion } from '../composition/version-note.ts';
import { assertDatabaseKept } from './begun-database.ts';
import { type DatabaseFileWatch, watchDatabaseFiles } from './database-file-watch.ts';

/** The folder has no log: nothing has been written to it yet. */
export class EmptyFolder extends Error {
  readonly code = 'empty_folder';
}

/** @throws DataFolderError, EmptyFolder */
export async function openForReading({ dataDir }: { readonly dataDir: string }): Promise<ReadPorts> {
  const folder = findDataFolder(dataDir);
  assertDatabaseKept(folder);
  const open = () => openSqliteDatabase({ file: databaseFile(folder), readonly: true });
  try {
    const databases = { log: open(), store: open() };
    const log = openSqliteLog({ database: databases.log, archive: archiveFile(folder), readonly: true, upcast });
    await readReplacements(log);
    const store = openSqliteStore({ database: databases.store });
    const registry = await openRegistry(open(), true);
    const close = async () => {
      await registry.destroy();
      databases.store.close();
      databases.log.close();
    };
    const identities = await SqlIdentities.open(registry, undefined, { isReadonly: true });
    const billing = createSqlBilledAccounts(registry);
    return { log, store, identities, billing, sealKeys: createSqlSealKeys(registry), close };
  } catch (error) {
    if (!/^no (database file|event log)/.test((error as Error).message)) throw error;
    throw new EmptyFolder(`the data folder ${folder} is empty`);
  }
}

const damageText = ({ file, place, bytes, charges, kept }: DamagedJournal): string =>
  `${file} is damaged from byte ${place} on: ${bytes} bytes could not be read. What is whole was brought into the log ` +
  `(charges that it did not have: ${charges}); the file is kept as ${kept}`;

/** A read store in a temporary folder, for documents that are folded only to be compared. */
export const openScratchStore = (folder: string): ReadStore => openSqliteStore({ file: join(folder, 'scratch.db') });

/** Who may write to the stores. */
export interface WritingOptions {
  /** While it is closed, no record and no row is written; absent: it never is. */
  readonly guard?: WriteGate | undefined;
  /** Another thread brings records and rows from the backup of another server; its gate is never opened. */
  readonly isFollowing?: boolean | undefined;
}

export interface EmbeddedPorts extends Ports {
  readonly disk: DiskGuard;
  readonly files: DatabaseFileWatch;
}

/**
 * All stores of one machine, in one SQLite file.
 * @param folder must exist, and be locked by the caller
 * @param acceptClock the approximate time in milliseconds, if the operator has confirmed it
 */
export async function openEmbedded(
  folder: string,
  { box, pepper }: Secrets,
  environment: Environment,
  acceptClock?: number,
  { guard, isFollowing = false }: WritingOptions = {},
): Promise<EmbeddedPorts> {
  const { now, flush, bootClock, logger } = environment;
  const file = databaseFile(folder);
  const disk = createDiskGuard(file, environment);
  const commits = createChangeSignal();
  // Only this connection may create the file.
  const log = openSqliteLog({
    file,
    archive: archiveFile(folder),
    upcast,
    now: () => clock.stamp(),
    watch: disk.watch,
    disk: { flush, failed: disk.failed },
    onCommit: commits.onChange,
  });
  const files = watchDatabaseFiles(file, environment.pace.setTimer);
  files.onCommit(commits.tell);
  const [marker, lastRecordedAt] = [createClockMarkerFile(clockFile(folder)).read(), await lastRecordedAtOf(log)];
  const clock: ServerClock = createServerClock({
    now,
    bootClock,
    marker,
    lastRecordedAt,
    acceptClock,
    logger,
    guard,
  });
  await followReplacements(log);
  const store = openSqliteStore({ file, mustExist: true, watch: disk.watch() });
  // Before anybody reads a balance: charges that a crash left in the journal were already answered.
  await clock.whenTrusted(async () => {
    const recovered = await recoverCharges(log, store, journalFiles(folder), (damaged) =>
      logger.error({ ...damaged }, damageText(damaged)),
    );
    if (recovered > 0) logger.info({ charges: recovered }, 'brought charges of before a crash into the log');
  });
  // Identities cache what they looked up, so SQLite needs few cached pages.
  const watch = isFollowing && guard ? refusingWatch(disk.watch(), guard) : disk.watch();
  const database = openSqliteDatabase({ file, cacheMib: 16, mustExist: true, watch });
  for (const { table, damage, isOfRow } of findDamageAtStart(database)) {
    if (!isOfRow) throw disk.failed(file, new Error(`table ${table}: ${damage}; ${DAMAGE_ADVICE}`));
    logger.error({ file, table }, `${file}: ${damage}; ${DAMAGE_ADVICE}`);
  }
  const registry = await openRegistryPorts(database, box, clock, { isSoleWriter: !isFollowing });
  notePepper(database, folder, pepper, () =>
    logger.warn({}, 'KEY_PEPPER is another than before: the API keys made with the earlier one are unknown'),
  );
  const derived = openSqliteDatabase({
    file,
    mustExist: true,
    watch: disk.watch(),
    cacheMib: 2,
    synchronous: 'normal',
  });
  const derivedStores = {
    states: openSqliteStateSnapshots(derived),
    results: openSqliteResultsStore(derived),
    folds: openSqliteFoldStore(derived),
  };
  keepTableChecksums(derived, tablesOf(derived).filter(isDerived));
  // Earlier versions began checksums of them, which nobody kept.
  forgetTableChecksums(derived, tablesOf(derived).filter(isCache));
  if (isFollowing) database.exec('PRAGMA query_only = ON');
  else {
    noteVersion(folder, now(), (error) =>
      logger.warn({ err: error }, 'the version that opened the folder could not be noted'),
    );
  }
  return {
    ...registry,
    ...derivedStores,
    disk,
    files,
    onCommit: commits.onChange,
    logKinds: () => estimateKinds(derived, yieldToEventLoop),
    log,
    clock,
    feed: createLogFeed(log),
    store,
    async close() {
      files.stop();
      moveCommits(derived);
      derived.close();
      await store.close();
      await log.close();
      await registry.close();
      disk.close();
    },
  };
}

/** Whatever still tries to change a row is refused as the gate refuses, and not as a fault. */
const refusingWatch = (watch: DatabaseWatch, guard: WriteGate): DatabaseWatch => ({
  ...watch,
  onFailure(error) {
    if ((error as { code?: unknown }).code !== 'SQLITE_READONLY') return watch.onFailure(error);
    try {
      guard.assertOpen();
    } catch (refusal) {
      return refusal;
    }
    return error;
  },
  get isDiskFull() {
    return watch.isDiskFull;
  },
});

/**
 * Moves all commits into the database itself, so that a folder at rest is one file less: what is cut off a write-ahead
 * file, nobody misses. Another process may be reading, which must not delay the stop.
 */
function moveCommits(database: SqliteDatabase): void {
  try {
    database.exec('PRAGMA busy_timeout = 0');
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // They stay where they are, and the next start reads them there.
  }
}

/** The time of the last record; null if there is none, or if this code cannot read it. */
export async function lastRecordedAtOf(log: EventLog): Promise<number | null> {
  const head = await log.head();
  const text = head === null ? null : await readRecordedAt(log, head);
  return text === null ? null : Date.parse(text);
}
