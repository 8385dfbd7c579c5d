import { join } from 'node:path';
import { recoverCharges } from '../accounts/journal/recover-charges.ts';
import { databaseFile, findDataFolder, journalFiles } from '../data-folder/paths.ts';
import { upcast } from '../domain/upcasters.ts';
import { SqlIdentities } from '../identities/sql-identities.ts';
import { createLogFeed } from '../log/log-feed.ts';
import { openSqliteLog } from '../log/sqlite-log.ts';
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts';
import type { ReadStore } from '../store/read-store.ts';
import { openSqliteStore } from '../store/sqlite-store.ts';
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
    const log = openSqliteLog({ database: databases.log, readonly: true, upcast });
    const store = openSqliteStore({ database: databases.store });
    const registry = await openRegistry(open(), true);
    const close = async () => {
      await registry.destroy();
      databases.store.close();
      databases.log.close();
    };
    return { log, store, identities: await SqlIdentities.open(registry, undefined, { isReadonly: true }), close };
  } catch (error) {
    if (!/^no (database file|event log)/.test((error as Error).message)) throw error;
    throw new EmptyFolder(`the data folder ${folder} is empty`);
  }
}

/** A read store in a folder of its own, for what is folded only to be compared. */
export const openScratchStore = (folder: string): ReadStore => openSqliteStore({ file: join(folder, 'scratch.db') });

/**
 * Everything on one machine, in one SQLite file.
 * @param folder must exist, and be locked by the caller
 */
export async function openEmbedded(folder: string, { box }: Secrets, environment: Environment): Promise<Ports> {
  const { now, logger } = environment;
  const file = databaseFile(folder);
  const log = openSqliteLog({ file, upcast, now });
  const store = openSqliteStore({ file });
  // Before anybody reads a balance: what a crash has left in the journal alone was answered for.
  const recovered = await recoverCharges(log, store, journalFiles(folder));
  if (recovered > 0) logger.info({ charges: recovered }, 'brought charges of before a crash into the log');
  // What was looked up lately is kept beside it, so that few pages are asked for again.
  const registry = await openRegistryPorts(openSqliteDatabase({ file, cacheMib: 16 }), box);
  return {
    ...registry,
    log,
    feed: createLogFeed(log),
    store,
    async close() {
      await store.close();
      await log.close();
      await registry.close();
    },
  };
}
