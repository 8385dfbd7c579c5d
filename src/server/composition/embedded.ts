import { join } from 'node:path';
import { sqlBilledAccounts } from '../../accounts/billing/sql-billing.ts';
import { type DamagedJournal, recoverCharges } from '../../accounts/journal/recover-charges.ts';
import { upcast } from '../../domain/upcasters.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import { createLogFeed } from '../../event-log/log-feed.ts';
import { openSqliteLog } from '../../event-log/sqlite-log.ts';
import { openSqliteKeptResults } from '../../forecasting/sqlite-kept-results.ts';
import { SqlIdentities } from '../../ingest/identities/sql-identities.ts';
import { openSqliteStateSnapshots } from '../../ingest/states/sqlite-state-snapshots.ts';
import { markFile } from '../../platform/clock/clock-mark.ts';
import { createServerClock, type ServerClock } from '../../platform/clock/server-clock.ts';
import {
  archiveFile,
  clockFile,
  databaseFile,
  findDataFolder,
  journalFiles,
} from '../../platform/data-folder/paths.ts';
import { openSqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { recordedAtOf } from '../../read-models/projector/log-end.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import { openSqliteStore } from '../../read-models/store/sqlite-store.ts';
import { createDisk } from './disk.ts';
import type { Environment } from './environment.ts';
import type { Ports, ReadPorts, Secrets } from './ports.ts';
import { openRegistry } from './registry.ts';
import { openRegistryPorts } from './registry-ports.ts';

/** The folder holds no log: nothing has been written to it yet. */
export class EmptyFolder extends Error {
  readonly code = 'empty_folder';
}

/** @throws DataFolderError, EmptyFolder */
export async function openForReading({ dataDir }: { readonly dataDir: string }): Promise<ReadPorts> {
  const folder = findDataFolder(dataDir);
  const open = () => openSqliteDatabase({ file: databaseFile(folder), readonly: true });
  try {
    const databases = { log: open(), store: open() };
    const log = openSqliteLog({ database: databases.log, archive: archiveFile(folder), readonly: true, upcast });
    const store = openSqliteStore({ database: databases.store });
    const registry = await openRegistry(open(), true);
    const close = async () => {
      await registry.destroy();
      databases.store.close();
      databases.log.close();
    };
    const identities = await SqlIdentities.open(registry, undefined, { isReadonly: true });
    return { log, store, identities, billing: sqlBilledAccounts(registry), close };
  } catch (error) {
    if (!/^no (database file|event log)/.test((error as Error).message)) throw error;
    throw new EmptyFolder(`the data folder ${folder} is empty`);
  }
}

const damageText = ({ file, place, bytes, charges, kept }: DamagedJournal): string =>
  `${file} is damaged from byte ${place} on: ${bytes} bytes could not be read. What is whole was brought into the log ` +
  `(charges that it did not have: ${charges}); the file is kept as ${kept}`;

/** A read store in a folder of its own, for what is folded only to be compared. */
export const openScratchStore = (folder: string): ReadStore => openSqliteStore({ file: join(folder, 'scratch.db') });

/**
 * Everything on one machine, in one SQLite file.
 * @param folder must exist, and be locked by the caller
 * @param acceptClock about the time that it is, where the operator has said so; milliseconds
 */
export async function openEmbedded(
  folder: string,
  { box }: Secrets,
  environment: Environment,
  acceptClock?: number,
): Promise<Ports> {
  const { now, flush, bootClock, logger } = environment;
  const file = databaseFile(folder);
  const disk = createDisk(file, environment);
  // The only one that may make the file.
  const log = openSqliteLog({
    ...{ file, archive: archiveFile(folder), upcast },
    now: () => clock.stamp(),
    disk: { watch: disk.watch(), flush, failed: disk.failed },
  });
  const [mark, lastRecordedAt] = [markFile(clockFile(folder)).read(), await lastRecordedAtOf(log)];
  const clock: ServerClock = createServerClock({
    ...{ now, bootClock, mark, lastRecordedAt, acceptClock, logger },
  });
  const store = openSqliteStore({ file, mustExist: true, watch: disk.watch() });
  // Before anybody reads a balance: what a crash has left in the journal alone was answered for.
  await clock.whenTrusted(async () => {
    const recovered = await recoverCharges(log, store, journalFiles(folder), (damaged) =>
      logger.error({ ...damaged }, damageText(damaged)),
    );
    if (recovered > 0) logger.info({ charges: recovered }, 'brought charges of before a crash into the log');
  });
  // What was looked up lately is kept beside it, so that few pages are asked for again.
  const database = openSqliteDatabase({ file, cacheMib: 16, mustExist: true, watch: disk.watch() });
  const registry = await openRegistryPorts(database, box, clock);
  const derived = openSqliteDatabase({
    ...{ file, mustExist: true, watch: disk.watch() },
    cacheMib: 2,
    synchronous: 'normal',
  });
  return {
    ...registry,
    disk,
    log,
    clock,
    feed: createLogFeed(log),
    store,
    states: openSqliteStateSnapshots(derived),
    keptResults: openSqliteKeptResults(derived),
    async close() {
      derived.close();
      await store.close();
      await log.close();
      await registry.close();
      disk.close();
    },
  };
}

/** Of the last record; null where there is none, or this code cannot read it. */
async function lastRecordedAtOf(log: EventLog): Promise<number | null> {
  const head = await log.head();
  const text = head === null ? null : await recordedAtOf(log, head);
  return text === null ? null : Date.parse(text);
}
